import { unseenIn } from './visible.ts';

/** The longest address that mail can be sent to (RFC 5321, 4.5.3.1.3). */
export const LONGEST_EMAIL = 254;

const EMAIL = /^[^\s@<>(),;:"\\]+@(?:[^\s@<>(),;:"\\.]+\.)+[^\s@<>(),;:"\\.]+$/;

/**
 * Whether a text can be an email address; whether it is one, only a mail to it tells. Spaces around it are not part
 * of it.
 */
export function isEmailAddress(text: string): boolean {
  const address = text.trim();
  return address.length <= LONGEST_EMAIL && EMAIL.test(address) && unseenIn(address) === undefined;
}
