import type { MessageInitShape } from '@bufbuild/protobuf';

import type { Organization_Address, Organization_AddressSchema } from '#proto/gen/hiber/organization_pb.ts';

/** The parts of an address as a form asks for them: `street` has a line for each of the contract's. */
export type AddressPart = 'street' | 'zipCode' | 'city' | 'state' | 'country';

type AddressInit = MessageInitShape<typeof Organization_AddressSchema>;

export function addressText(address: Organization_Address | undefined): string | undefined {
  return (
    address &&
    [...address.lines, address.zipCode, address.city, address.state, address.country].filter(Boolean).join(', ')
  );
}

export function partOf(address: Organization_Address | undefined, part: AddressPart): string {
  if (!address) return '';
  return part === 'street' ? address.lines.join('\n') : address[part];
}

export function withPart(part: AddressPart, value: string): AddressInit {
  const trimmed = value.trim();
  if (part === 'street')
    return {
      lines: trimmed
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean),
    };
  return { [part]: part === 'country' ? trimmed.toUpperCase() : trimmed };
}

/** An address of these parts; what is not among them is as in `before`, since the contract replaces it whole. */
export function addressOf(
  parts: Partial<Record<AddressPart, string | undefined>>,
  before?: Organization_Address,
): AddressInit {
  const { lines = [], zipCode = '', city = '', state = '', country = '' } = before ?? {};
  const given = Object.entries(parts).filter(([, value]) => value !== undefined) as [AddressPart, string][];
  return Object.assign(
    { lines, zipCode, city, state, country },
    ...given.map(([part, value]) => withPart(part, value)),
  );
}
