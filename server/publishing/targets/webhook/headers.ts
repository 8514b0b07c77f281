/**
 * Custom headers of a webhook. Their values are where people put credentials (checkUrl tells them to), so values are
 * sealed in the database, opened only to make a call, and blank in every answer, event and history; names are not
 * secret.
 */
import type { Sealer } from '#server/base/secrets.ts';

/** Values by name: sealed in a `WebhookRow`, clear in a request, blank in an answer. */
export type Headers = Readonly<Record<string, string>>;

const mapValues = (headers: Headers, change: (value: string) => string): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, change(value)]));

/** Headers as answers show them: a blank value says that there is one. */
export const blankHeaders = (headers: Headers): Record<string, string> => mapValues(headers, () => '');

export const sealHeaders = (secrets: Sealer, headers: Headers): Record<string, string> =>
  mapValues(headers, (value) => secrets.seal(value));

/** @throws UnsealError */
export const openHeaders = (secrets: Sealer, headers: Headers): Record<string, string> =>
  mapValues(headers, (value) => secrets.open(value));

/** A stored header by its name in any case. */
export function storedHeader(headers: Headers, name: string): string | undefined {
  const wanted = name.toLowerCase();
  return Object.entries(headers).find(([each]) => each.toLowerCase() === wanted)?.[1];
}
