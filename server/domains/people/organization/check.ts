import { LONGEST } from '#commands/text/lengths.ts';
import type { Organization_Address, Organization_Contact } from '#proto/gen/hiber/organization_pb.ts';
import type { Address, Contact } from '#server/db/schema/organization.ts';
import { emailAddress, storedText } from '#server/wire/entered-text.ts';
import { invalidArgument } from '#server/wire/errors.ts';

const longestSlug = LONGEST.organizationId;
const longestName = LONGEST.organizationName;
const longestDetail = LONGEST.organizationDetail;
const MAX_LINES = 6;

/**
 * Slugs that a script or a person would take for something else. Neither they nor the longest slug are stated, and that
 * one starts with a letter or digit is not either: a leading dash reads as an option on a command line.
 */
const reserved: ReadonlySet<string> = new Set(
  'all,any,api,create,current,default,me,new,none,null,own,root,self,support,system,undefined'.split(','),
);

/** @throws ConnectError INVALID_ARGUMENT, in the words of spec 5 where it is about the characters */
export function readSlug(text: string): string {
  const slug = text.trim();
  if (slug === '') throw invalidArgument('Give the new organization an ID.');
  if (!/^[a-z0-9_-]+$/.test(slug)) {
    throw invalidArgument('Please enter lowercase letters, numbers, dashes and underscores only.');
  }
  if (!/^[a-z0-9]/.test(slug)) throw invalidArgument('An organization ID starts with a letter or a number.');
  if (slug.length > longestSlug) {
    throw invalidArgument(`An organization ID may be ${longestSlug} characters long, and this one has ${slug.length}.`);
  }
  if (reserved.has(slug)) throw invalidArgument(`"${slug}" is reserved: choose another ID for the organization.`);
  return slug;
}

export const readName = (text: string, what: string): string => storedText(text, what, longestName);
export const readDetail = (text: string, what: string): string => storedText(text, what, longestDetail);

/** @returns null for one without anything in it, which is how an address is taken away */
export function readAddress(address: Organization_Address, what: string): Address | null {
  const { zipCode, city, state, country } = address;
  const lines = address.lines.map((line) => readName(line, `${what}'s line`)).filter((line) => line !== '');
  if (lines.length > MAX_LINES) throw invalidArgument(`${what} may have ${MAX_LINES} lines.`);
  const read = {
    lines,
    zipCode: readDetail(zipCode, `${what}'s zip code`),
    city: readDetail(city, `${what}'s city`),
    state: readDetail(state, `${what}'s state`),
    country: readDetail(country, `${what}'s country`),
  };
  const { lines: _, ...texts } = read;
  return lines.length === 0 && Object.values(texts).every((text) => text === '') ? null : read;
}

/**
 * Somebody who can be reached about the organization: a name and an email address (what of a contact is required is not
 * stated).
 */
export function readContact(contact: Organization_Contact | undefined): Contact {
  const name = readName(contact?.name ?? '', "The contact's name");
  if (contact === undefined || name === '') {
    throw invalidArgument('Give a contact for the organization: a name and an email address.');
  }
  return { name, email: emailAddress(contact.email), phone: readDetail(contact.phone, "The contact's phone number") };
}
