import { emailProblem } from '#commands/kit/email-address.ts';
import { p } from '#commands/model/params.ts';
import { LONGEST } from '#commands/text/lengths.ts';
import { message, type Message } from '#commands/text/message.ts';

/** Spec 5: what an organization's id is made of. */
const ID = /^[a-z0-9_-]+$/;

/** The sentence for an id that no organization can have. */
export function organizationIdProblem(id: string): Message | undefined {
  return ID.test(id.trim()) ? undefined : message('organization:validation.id');
}

/** Spec 3: a country code. */
function countryProblem(code: string): Message | undefined {
  return code === '' || /^[a-z]{2}$/i.test(code.trim()) ? undefined : message('organization:validation.country');
}

/**
 * Plain texts of the contract cannot be cleared: an empty one leaves what is there (contract:
 * OrganizationService.Update).
 */
export function keptProblem(text: string): Message | undefined {
  return text.trim() === '' ? message('organization:validation.kept') : undefined;
}

const maxLength = LONGEST.organizationName;

const detail = (more: Parameters<typeof p.text>[0] = {}) =>
  p.text({ clears: true, maxLength: LONGEST.organizationDetail, ...more });

const address = {
  street: detail({ multiline: true }),
  zipCode: detail(),
  city: detail(),
  state: detail(),
  country: detail({ check: countryProblem, placeholder: 'NL' }),
};

/** Params that creating and editing share, in the order in which creating asks for them. */
export const organizationParams = {
  name: p.text({ maxLength }),
  contactName: p.text({ check: keptProblem, maxLength }),
  contactEmail: p.text({ check: emailProblem }),
  contactPhone: detail(),
  ...address,
  business: p.flag({ fallback: true }),
  vatNumber: p.text({ maxLength: LONGEST.organizationDetail }),
  // No larger than a logo needs; SVG may hold scripts.
  logo: p.file({ accept: ['image/png', 'image/jpeg', 'image/webp', 'image/gif'], maxBytes: 256 * 1024 }),
  billingName: p.text({ maxLength }),
  billingStreet: address.street,
  billingZipCode: address.zipCode,
  billingCity: address.city,
  billingState: address.state,
  billingCountry: address.country,
};
