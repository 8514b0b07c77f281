import { isEmailAddress, MAX_EMAIL_LENGTH } from '#commands/text/email.ts';
import { findInvisible } from '#commands/text/visible.ts';

import { invalidArgument } from './errors.ts';

/**
 * Checks a line of entered text and trims it for storage. Keeps markup because text is only ever shown as text.
 *
 * @param subject the subject of the error message, such as "The display name"
 * @throws ConnectError INVALID_ARGUMENT if it is too long, or contains invisible characters
 */
export function readEnteredText(text: string, subject: string, max: number): string {
  const trimmed = text.trim();
  if (trimmed.length > max) {
    throw invalidArgument(`${subject} can have at most ${max} characters, not ${trimmed.length}.`);
  }
  const invisible = findInvisible(trimmed);
  if (invisible !== undefined) {
    throw invalidArgument(`${subject} contains an invisible character (${invisible}). Remove it.`);
  }
  return trimmed;
}

/**
 * Reads an email address.
 *
 * @throws ConnectError INVALID_ARGUMENT for an invalid email address
 */
export function readEmailAddress(text: string): string {
  const trimmed = readEnteredText(text, 'An email address', MAX_EMAIL_LENGTH);
  if (trimmed === '') throw invalidArgument('Enter an email address.');
  if (!isEmailAddress(trimmed)) {
    throw invalidArgument(`"${trimmed}" isn't an email address. Use a format like anna@example.com.`);
  }
  return trimmed;
}
