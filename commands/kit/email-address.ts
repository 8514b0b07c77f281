import { isEmailAddress } from '#commands/text/email.ts';
import { message, type Message } from '#commands/text/message.ts';

/** Returns the message for text that is not an email address (spec 5). */
export function emailProblem(text: string): Message | undefined {
  return isEmailAddress(text) ? undefined : message('core:validation.email');
}
