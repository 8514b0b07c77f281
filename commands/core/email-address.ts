import { message, type Message } from './message.ts';

/** Whether a text can be an address at all; whether it is one, only a mail to it tells. */
const EMAIL = /^[^\s@,;<>"]+@[^\s@,;<>"]+\.[^\s@,;<>"]+$/;

/** Spec 5. */
export function emailProblem(text: string): Message | undefined {
  return EMAIL.test(text.trim()) ? undefined : message('core:validation.email');
}
