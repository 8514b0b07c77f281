/**
 * Custom headers of a webhook. Their values often contain credentials (as checkUrl suggests), so they are encrypted in
 * the database and decrypted only for a call. Responses, events, and the history show blank values. Names aren't
 * secret.
 */
import type { Sealer } from '#server/base/secrets.ts';

/** Values by name: encrypted in a `WebhookRow`, clear in a request, blank in a response. */
export type Headers = Readonly<Record<string, string>>;

const mapValues = (headers: Headers, change: (value: string) => string): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, change(value)]));

/** Returns the headers for a response, each with a blank value. */
export const blankHeaders = (headers: Headers): Record<string, string> => mapValues(headers, () => '');

export const sealHeaders = (secrets: Sealer, headers: Headers): Record<string, string> =>
  mapValues(headers, (value) => secrets.seal(value));

/**
 * Decrypts stored header values.
 *
 * @throws UnsealError
 */
export const openHeaders = (secrets: Sealer, headers: Headers): Record<string, string> =>
  mapValues(headers, (value) => secrets.open(value));

/** Finds a stored header by name, ignoring case. */
export function storedHeader(headers: Headers, name: string): string | undefined {
  const lowerName = name.toLowerCase();
  return Object.entries(headers).find(([key]) => key.toLowerCase() === lowerName)?.[1];
}
