import { invalidArgument } from './errors.ts';

/** Control characters, and those that make a line read in another order than it is written: neither is seen. */
const unseen = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

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
  if (unseen.test(trimmed)) throw invalidArgument(`${what} holds control characters: write it as plain text.`);
  return trimmed;
}

/** Longest address that mail can be sent to (RFC 5321, 4.5.3.1.3). */
const longestAddress = 254;
/** Somebody, somewhere: what else is an address only sending to it tells. */
const address = /^[^\s@<>(),;:"]+@[^\s@<>(),;:"]+\.[^\s@<>(),;:".]+$/;

/** @throws ConnectError INVALID_ARGUMENT for what cannot be an email address */
export function emailAddress(text: string): string {
  const trimmed = storedText(text, 'An email address', longestAddress);
  if (trimmed === '') throw invalidArgument('Give an email address.');
  if (!address.test(trimmed)) {
    throw invalidArgument(`"${trimmed}" is not an email address. Write for example anna@example.com.`);
  }
  return trimmed;
}
