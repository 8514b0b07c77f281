import type { MessageInitShape } from '@bufbuild/protobuf';

import type { Organization_Address, Organization_AddressSchema } from '#proto/gen/hiber/organization_pb.ts';

/** The parts of an address in a form. `street` contains the contract's address lines, one per line. */
export type AddressPart = 'street' | 'zipCode' | 'city' | 'state' | 'country';

type AddressInit = MessageInitShape<typeof Organization_AddressSchema>;

export function addressText(address: Organization_Address | undefined): string | undefined {
  return (
    address &&
    [...address.lines, address.zipCode, address.city, address.state, address.country].filter(Boolean).join(', ')
  );
}

export function addressPart(address: Organization_Address | undefined, part: AddressPart): string {
  if (!address) return '';
  return part === 'street' ? address.lines.join('\n') : address[part];
}

/** Parses one part of an address as typed in a form. */
export function parsePart(part: AddressPart, value: string): AddressInit {
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

/**
 * Builds an address from parts. The contract replaces the whole address, so missing parts are taken from `current`.
 */
export function buildAddress(
  parts: Partial<Record<AddressPart, string | undefined>>,
  current?: Organization_Address,
): AddressInit {
  const { lines = [], zipCode = '', city = '', state = '', country = '' } = current ?? {};
  const entries = Object.entries(parts).filter(([, value]) => value !== undefined) as [AddressPart, string][];
  return Object.assign(
    { lines, zipCode, city, state, country },
    ...entries.map(([part, value]) => parsePart(part, value)),
  );
}
