import { MAX_LENGTH } from '#commands/text/lengths.ts';
import type { Organization_Address, Organization_Contact } from '#proto/gen/hiber/organization_pb.ts';
import type { Address, Contact } from '#server/db/schema/organization.ts';
import { readEmailAddress, readEnteredText } from '#server/wire/entered-text.ts';
import { invalidArgument } from '#server/wire/errors.ts';

const MAX_SLUG_LENGTH = MAX_LENGTH.organizationId;
const MAX_NAME_LENGTH = MAX_LENGTH.organizationName;
const MAX_DETAIL_LENGTH = MAX_LENGTH.organizationDetail;
const MAX_LINES = 6;

/**
 * Slugs that a script or a person could mistake for a keyword. The contract specifies neither these, nor the maximum
 * length, nor the required first letter or digit. A leading dash would look like a command-line option.
 */
const reservedSlugs: ReadonlySet<string> = new Set(
  'all,any,api,create,current,default,me,new,none,null,own,root,self,support,system,undefined'.split(','),
);

/**
 * Reads and checks a new organization's id.
 *
 * @throws ConnectError INVALID_ARGUMENT, with the wording from spec 5 for invalid characters
 */
export function readSlug(text: string): string {
  const slug = text.trim();
  if (slug === '') throw invalidArgument('Enter an ID for the new organization.');
  if (!/^[a-z0-9_-]+$/.test(slug)) {
    throw invalidArgument('Please enter lowercase letters, numbers, dashes and underscores only.');
  }
  if (!/^[a-z0-9]/.test(slug)) throw invalidArgument('An organization ID must start with a letter or a number.');
  if (slug.length > MAX_SLUG_LENGTH) {
    throw invalidArgument(`An organization ID can have at most ${MAX_SLUG_LENGTH} characters, not ${slug.length}.`);
  }
  if (reservedSlugs.has(slug)) throw invalidArgument(`"${slug}" is reserved. Choose another ID for the organization.`);
  return slug;
}

export const readName = (text: string, label: string): string => readEnteredText(text, label, MAX_NAME_LENGTH);
export const readDetail = (text: string, label: string): string => readEnteredText(text, label, MAX_DETAIL_LENGTH);

/**
 * Reads an address. Returns null for an empty address, which removes the stored address.
 *
 * @param noun the address within an error message, such as "billing address"
 */
export function readAddress(address: Organization_Address, noun: string): Address | null {
  const { zipCode, city, state, country } = address;
  const lines = address.lines.map((line) => readName(line, `A line of the ${noun}`)).filter((line) => line !== '');
  if (lines.length > MAX_LINES) throw invalidArgument(`The ${noun} can have at most ${MAX_LINES} lines.`);
  const values = {
    lines,
    zipCode: readDetail(zipCode, `The ${noun}'s zip code`),
    city: readDetail(city, `The ${noun}'s city`),
    state: readDetail(state, `The ${noun}'s state`),
    country: readDetail(country, `The ${noun}'s country`),
  };
  const { lines: _, ...details } = values;
  return lines.length === 0 && Object.values(details).every((text) => text === '') ? null : values;
}

/** Reads the organization's contact. Requires a name and an email address (not specified in the contract). */
export function readContact(contact: Organization_Contact | undefined): Contact {
  const name = readName(contact?.name ?? '', "The contact's name");
  if (contact === undefined || name === '') {
    throw invalidArgument('Enter a contact for the organization, with a name and an email address.');
  }
  return {
    name,
    email: readEmailAddress(contact.email),
    phone: readDetail(contact.phone, "The contact's phone number"),
  };
}
