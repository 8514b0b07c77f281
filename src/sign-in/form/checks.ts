import { isEmailAddress } from '#commands/text/email.ts';
import type { Message } from '#commands/text/message.ts';
import { pageMessage } from '#src/sign-in/frame/texts.ts';

/** Returns a message if the value is invalid (spec 5). */
type Check = (value: string) => Message | undefined;

/** Catches typos. The identity provider does the full check. */
export const email: Check = (value) => (isEmailAddress(value) ? undefined : pageMessage('invalidEmail'));

export const required: Check = (value) => (value.trim() === '' ? pageMessage('required') : undefined);

/** Checks an international phone number, such as `+31 6 12345678`. */
export const phone: Check = (value) =>
  /^\+[1-9]\d{6,14}$/.test(compact(value)) ? undefined : pageMessage('invalidPhone');

/** Removes the spaces, dots, dashes, and parentheses that group digits. */
export function compact(number: string): string {
  return number.replaceAll(/[\s().-]/g, '');
}

export const CODE_LENGTH = 6;

/** Checks a one-time code from an app or a phone: six digits, without spaces. */
export const code: Check = (value) => (/^\d{6}$/.test(value) ? undefined : pageMessage('invalidCode'));
