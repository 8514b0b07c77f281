import { invalidArgument } from './errors.ts';

/**
 * Returns the canonical name of a time zone.
 *
 * @param subject the start of the error message; empty for none
 * @throws ConnectError INVALID_ARGUMENT
 */
export function requireTimeZone(name: string, subject = ''): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    const start = subject === '' ? '' : `${subject} `;
    throw invalidArgument(`${start}"${name}" isn't a time zone. Enter a name such as Europe/Amsterdam.`);
  }
}
