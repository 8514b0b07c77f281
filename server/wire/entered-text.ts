import { isEmailAddress, LONGEST_EMAIL } from '#commands/text/email.ts';
import { unseenIn } from '#commands/text/visible.ts';
import { invalidArgument } from './errors.ts';

/**
 * One line of text that a person entered, as it is stored: trimmed. Text is only ever text, so markup in it is kept.
 *
 * @param what subject of the sentence that refuses: "The display name"
 * @throws ConnectError INVALID_ARGUMENT when it is too long, or holds characters that nobody sees
 */
export function storedText(text: string, what: string, most: number): string {
  const trimmed = text.trim();
  if (trimmed.length > most) {
    throw invalidArgument(`${what} may be ${most} characters long, and this one has ${trimmed.length}.`);
  }
  const unseen = unseenIn(trimmed);
  if (unseen !== undefined) {
    throw invalidArgument(`${what} holds an invisible character (${unseen}): write it as plain text.`);
  }
  return trimmed;
}

/** @throws ConnectError INVALID_ARGUMENT for what cannot be an email address */
export function emailAddress(text: string): string {
  const trimmed = storedText(text, 'An email address', LONGEST_EMAIL);
  if (trimmed === '') throw invalidArgument('Give an email address.');
  if (!isEmailAddress(trimmed)) {
    throw invalidArgument(`"${trimmed}" is not an email address. Write for example anna@example.com.`);
  }
  return trimmed;
}
