import type { MessageInitShape } from '@bufbuild/protobuf';

import type {
  Organization_Address,
  Organization_AddressSchema,
  UpdateOrganizationRequestSchema,
} from '#proto/gen/hiber/organization_pb.ts';
import type { EditableField } from '#commands/kit/edit-command.ts';
import { emailProblem } from '#commands/kit/email-address.ts';
import { fileReference, type FileContent } from '#commands/model/files.ts';
import type { ArgValue } from '#commands/model/arg-value.ts';
import { message, type Message } from '#commands/text/message.ts';
import { p, required } from '#commands/model/params.ts';
import { LONGEST } from '#commands/text/lengths.ts';
import type { OrganizationItem } from './entity.ts';

export type AddressInit = MessageInitShape<typeof Organization_AddressSchema>;
export type Update = MessageInitShape<typeof UpdateOrganizationRequestSchema>;

/** Spec 3: a country code. */
function countryProblem(code: string): Message | undefined {
  return code === '' || /^[a-z]{2}$/i.test(code.trim()) ? undefined : message('organization:validation.country');
}

/** Plain texts of the contract cannot be cleared: an empty one leaves what is there (contract: OrganizationService.Update). */
function kept(text: string): Message | undefined {
  return text.trim() === '' ? message('organization:validation.kept') : undefined;
}

/** No larger than a logo needs; SVG may hold scripts. */
const LOGO = { accept: ['image/png', 'image/jpeg', 'image/webp', 'image/gif'], maxBytes: 256 * 1024 } as const;

export const logoParam = p.file({ ...LOGO, clears: true });

const text = (more: Parameters<typeof p.text>[0] = {}) =>
  p.text({ clears: true, maxLength: LONGEST.organizationDetail, ...more });

/** The parts of an address, by the name of the param: `street` has a line for each of the contract's. */
const addressParams = {
  street: text({ multiline: true }),
  zipCode: text(),
  city: text(),
  state: text(),
  country: text({ check: countryProblem, placeholder: 'NL' }),
};

export const contactParams = {
  contactName: p.text({ check: kept, maxLength: LONGEST.organizationName }),
  contactEmail: p.text({ check: emailProblem }),
  contactPhone: text(),
};

/** What creating takes besides the id: a contact is required, the rest may come later (contract: OrganizationService.Create). */
export const createParams = {
  name: p.text({ maxLength: LONGEST.organizationName }),
  contactName: required(contactParams.contactName),
  contactEmail: required(contactParams.contactEmail),
  contactPhone: contactParams.contactPhone,
  ...addressParams,
  business: p.flag({ fallback: true }),
  vatNumber: p.text({ maxLength: LONGEST.organizationDetail }),
  logo: p.file(LOGO),
  billingName: p.text({ maxLength: LONGEST.organizationName }),
  billingStreet: addressParams.street,
  billingZipCode: addressParams.zipCode,
  billingCity: addressParams.city,
  billingState: addressParams.state,
  billingCountry: addressParams.country,
};

type AddressPart = keyof typeof addressParams;

function partOf(address: Organization_Address | undefined, part: AddressPart): string {
  if (!address) return '';
  return part === 'street' ? address.lines.join('\n') : address[part];
}

function withPart(part: AddressPart, value: string): AddressInit {
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

export interface OrganizationField extends EditableField<OrganizationItem> {
  /** Puts a value into the update of one organization; `item` has its details, `resolved` is the argument as it was looked up. */
  write(update: Update, value: ArgValue, item: OrganizationItem, resolved: unknown): void;
}

const plain = (name: 'displayName' | 'vatNumber' | 'billingName'): OrganizationField => ({
  param: p.text({ check: kept, maxLength: LONGEST.organizationName }),
  now: ({ details }) => details?.[name],
  write: (update, value) => void (update[name] = (value as string).trim()),
});

const contact = (name: keyof typeof contactParams, key: 'name' | 'email' | 'phone'): OrganizationField => ({
  param: contactParams[name],
  now: ({ details }) => details && (details.contact?.[key] ?? ''),
  write: (update, value, { details }) => {
    const { name: who = '', email = '', phone = '' } = details?.contact ?? {};
    update.contact = { ...(update.contact ?? { name: who, email, phone }), [key]: (value as string).trim() };
  },
});

const addressField = (of: 'address' | 'billingAddress', part: AddressPart): OrganizationField => ({
  param: addressParams[part],
  now: ({ details }) => details && partOf(details[of], part),
  write: (update, value, { details }) => {
    update[of] = { ...(update[of] ?? addressOf({}, details?.[of])), ...withPart(part, value as string) };
  },
});

/** The image is only ever replaced, so what was there before cannot be put back. */
const logo: OrganizationField = {
  param: logoParam,
  now: () => undefined,
  given: (resolved) => logoValue(resolved as FileContent | '' | undefined),
  text: (value) => fileReference(value as string),
  write: (update, _value, _item, resolved) => void (update.avatar = avatarOf(resolved as FileContent | '')),
};

function logoValue(resolved: FileContent | '' | undefined): string | undefined {
  return resolved === undefined || resolved === '' ? resolved : `@${resolved.name}`;
}

/** One without an image takes away what is there. */
export function avatarOf(file: FileContent | '') {
  if (file === '') return {};
  const { name, mediaType, bytes } = file;
  const image = { name, mediaType, content: { case: 'dataRaw' as const, value: bytes } };
  return { urlOrImage: { case: 'image' as const, value: image } };
}

export const organizationFields: Readonly<Record<string, OrganizationField>> = {
  name: plain('displayName'),
  contactName: contact('contactName', 'name'),
  contactEmail: contact('contactEmail', 'email'),
  contactPhone: contact('contactPhone', 'phone'),
  street: addressField('address', 'street'),
  zipCode: addressField('address', 'zipCode'),
  city: addressField('address', 'city'),
  state: addressField('address', 'state'),
  country: addressField('address', 'country'),
  vatNumber: plain('vatNumber'),
  billingName: plain('billingName'),
  billingStreet: addressField('billingAddress', 'street'),
  billingZipCode: addressField('billingAddress', 'zipCode'),
  billingCity: addressField('billingAddress', 'city'),
  billingState: addressField('billingAddress', 'state'),
  billingCountry: addressField('billingAddress', 'country'),
  logo,
};
