import { emailOptions } from '#commands/kit/email-address.ts';
import type { Context } from '#commands/model/context.ts';
import { p } from '#commands/model/params.ts';
import type { Suggestion } from '#commands/model/suggestion.ts';
import { MAX_LENGTH } from '#commands/text/lengths.ts';
import { message, type Message } from '#commands/text/message.ts';

/** The valid characters of an organization id (spec 5). */
const ID = /^[a-z0-9_-]+$/;

/** Returns the message for an invalid organization id. */
export function organizationIdProblem(id: string): Message | undefined {
  return ID.test(id.trim()) ? undefined : message('organization:validation.id');
}

/** Letters that Unicode doesn't split into a plain letter and an accent. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = { æ: 'ae', ø: 'o', œ: 'oe', ß: 'ss', ł: 'l', đ: 'd', þ: 'th' };

/** Derives an id from an organization's name, such as `delta-south-2` from `Delta South #2`. */
function deriveId(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, (letter) => PLAIN_LETTERS[letter] ?? letter)
    .replace(/[^a-z0-9_]+/g, '-')
    .slice(0, MAX_LENGTH.organizationId)
    .replace(/^[-_]+|-+$/g, '');
}

/** Suggests an id for the typed text, if the text isn't an id itself. */
export async function suggestOrganizationId(_context: Context, text: string): Promise<readonly Suggestion[]> {
  const value = deriveId(text);
  return value === '' || value === text.trim() ? [] : [{ value, label: value }];
}

/** Returns the message for an invalid country code (spec 3). */
function countryProblem(code: string): Message | undefined {
  return code === '' || /^[a-z]{2}$/i.test(code.trim()) ? undefined : message('organization:validation.country');
}

/**
 * Rejects empty text, because the server would keep the current value (contract: OrganizationService.Update).
 */
export function emptyTextProblem(text: string): Message | undefined {
  return text.trim() === '' ? message('organization:validation.notEmpty') : undefined;
}

const MAX_NAME_LENGTH = MAX_LENGTH.organizationName;

const detail = (options: Parameters<typeof p.text>[0] = {}) =>
  p.text({ clears: true, maxLength: MAX_LENGTH.organizationDetail, ...options });

const address = {
  street: detail({ multiline: true }),
  zipCode: detail(),
  city: detail(),
  state: detail(),
  country: detail({ check: countryProblem, placeholder: 'NL' }),
};

/** Params shared by the create and edit commands, in the order of the prompts. */
export const organizationParams = {
  name: p.text({ maxLength: MAX_NAME_LENGTH }),
  contactName: p.text({ check: emptyTextProblem, maxLength: MAX_NAME_LENGTH }),
  contactEmail: p.text(emailOptions),
  contactPhone: detail(),
  ...address,
  business: p.flag({ fallback: true }),
  vatNumber: p.text({ maxLength: MAX_LENGTH.organizationDetail }),
  // SVG is not accepted, because it can contain scripts.
  logo: p.file({ accept: ['image/png', 'image/jpeg', 'image/webp', 'image/gif'], maxBytes: 256 * 1024 }),
  billingName: p.text({ maxLength: MAX_NAME_LENGTH }),
  billingStreet: address.street,
  billingZipCode: address.zipCode,
  billingCity: address.city,
  billingState: address.state,
  billingCountry: address.country,
};
