import type { Message } from '#commands/text/message.ts';
import { isEmailAddress } from '#commands/text/email.ts';

import { pageMessage } from '#src/sign-in/frame/texts.ts';

/** A sentence for a field whose value is wrong; undefined where it is right (spec 5). */
type Check = (value: string) => Message | undefined;

/** Enough to tell a slip of the finger; the identity provider decides the rest. */
export const email: Check = (value) => (isEmailAddress(value) ? undefined : pageMessage('invalidEmail'));

export const required: Check = (value) => (value.trim() === '' ? pageMessage('required') : undefined);

/** An international number: `+31 6 12345678`. */
export const phone: Check = (value) =>
  /^\+[1-9]\d{6,14}$/.test(compact(value)) ? undefined : pageMessage('invalidPhone');

/** Without the spaces, dots, dashes and brackets that people group digits with. */
export function compact(number: string): string {
  return number.replaceAll(/[\s().-]/g, '');
}

export const CODE_LENGTH = 6;

/** A one-time code, as apps and phones show it: six digits, perhaps with a space in between. */
export const code: Check = (value) => (/^\d{6}$/.test(value) ? undefined : pageMessage('invalidCode'));
