import { isEmailAddress } from '#commands/text/email.ts';
import { message, type Message } from '#commands/text/message.ts';

/** An email address in placeholders and examples. */
const EXAMPLE = 'anna@acme.example';

/** Returns the message for text that isn't an email address (spec 5). */
export function emailProblem(text: string): Message | undefined {
  return isEmailAddress(text) ? undefined : message('core:validation.email');
}

/** The options of a text param for an email address. */
export const emailOptions = { placeholder: EXAMPLE, check: emailProblem };

/** An example of several email addresses. */
export const emailExamples: readonly string[] = [EXAMPLE, 'bram@acme.example'];
