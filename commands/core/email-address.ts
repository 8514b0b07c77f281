import { message, type Message } from './message.ts';

/** Enough to tell a slip of the finger; whether it exists, only a mail can tell. */
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Spec 5. */
export function emailProblem(text: string): Message | undefined {
  return EMAIL.test(text.trim()) ? undefined : message('core:validation.email');
}
