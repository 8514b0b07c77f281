import { findInvisible } from './visible.ts';

/** The maximum length of an email address (RFC 5321, 4.5.3.1.3). */
export const MAX_EMAIL_LENGTH = 254;

const EMAIL = /^[^\s@<>(),;:"\\]+@(?:[^\s@<>(),;:"\\.]+\.)+[^\s@<>(),;:"\\.]+$/;

/** Checks the syntax of an email address, ignoring surrounding spaces. Does not check whether the address exists. */
export function isEmailAddress(text: string): boolean {
  const address = text.trim();
  return address.length <= MAX_EMAIL_LENGTH && EMAIL.test(address) && findInvisible(address) === undefined;
}
