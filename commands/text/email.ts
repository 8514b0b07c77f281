import { findInvisible } from './visible.ts';

/** Maximum length of an email address (RFC 5321, 4.5.3.1.3). */
export const MAX_EMAIL_LENGTH = 254;

const EMAIL = /^[^\s@<>(),;:"\\]+@(?:[^\s@<>(),;:"\\.]+\.)+[^\s@<>(),;:"\\.]+$/;

/** True if text could be an email address; only sending an email shows whether it exists. Ignores outer spaces. */
export function isEmailAddress(text: string): boolean {
  const address = text.trim();
  return address.length <= MAX_EMAIL_LENGTH && EMAIL.test(address) && findInvisible(address) === undefined;
}
