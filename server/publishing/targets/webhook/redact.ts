/**
 * Removes a call's secrets from the response text before it is stored. Receivers can quote the request, for example,
 * "401: token abc is not valid".
 */
const HIDDEN = '(hidden)';

/** Shorter values are words and flags. Hiding them would only garble the text. */
const MIN_LENGTH = 4;

/**
 * Hides the secrets in text.
 *
 * @param text can be truncated anywhere; the beginning of a secret at its end is also hidden
 * @param secrets values that were sent, such as the values of custom headers
 */
export function redact(text: string, secrets: readonly string[]): string {
  const forms = new Set(secrets.flatMap(splitParts).flatMap(encodeForms));
  // Replace the longest first, so no part of a secret remains.
  const longestFirst = [...forms].toSorted((a, b) => b.length - a.length);
  const redactedText = longestFirst.reduce((result, form) => result.replaceAll(form, HIDDEN), text);
  const partialLength = Math.max(0, ...longestFirst.map((form) => partialLengthAtEnd(redactedText, form)));
  return partialLength === 0 ? redactedText : redactedText.slice(0, -partialLength) + HIDDEN;
}

/** Returns how many characters at the end of the text are a prefix of the secret. */
function partialLengthAtEnd(text: string, form: string): number {
  for (let length = Math.min(form.length - 1, text.length); length >= MIN_LENGTH; length--) {
    if (text.endsWith(form.slice(0, length))) return length;
  }
  return 0;
}

/**
 * Returns the value, its words ("Bearer abc"), the assignments in it ("session=abc; x=y"), and the contents of Basic
 * credentials.
 */
function splitParts(value: string): string[] {
  const words = value.split(/[\s;,]+/);
  const assignedValues = words.map((word) => word.slice(word.indexOf('=') + 1));
  const basic = /^basic\s+(\S+)/i.exec(value)?.[1];
  const pair = basic === undefined ? '' : Buffer.from(basic, 'base64').toString('utf8');
  const password = pair.slice(pair.indexOf(':') + 1);
  return [value, ...words, ...assignedValues, pair, password]
    .map((part) => part.trim().replace(/^"(.*)"$/, '$1'))
    .filter((part) => part.length >= MIN_LENGTH && !schemes.has(part.toLowerCase()));
}

const schemes = new Set(['bearer', 'basic', 'digest', 'token', 'apikey']);

/** Returns the value as sent, and as receivers may encode it: in JSON, in URLs, in base64, and in HTML. */
function encodeForms(value: string): string[] {
  return [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value),
    Buffer.from(value).toString('base64').replace(/=+$/, ''),
    Buffer.from(value).toString('base64url'),
    value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
  ];
}

/** Returns the parts of a URL that can be credentials: its query, the query's values, and long path segments. */
export function secretsOfUrl(url: string): string[] {
  if (!URL.canParse(url)) return [];
  const { pathname, search, searchParams } = new URL(url);
  const isLong = (text: string): boolean => text.length >= 16;
  return [search.slice(1), ...searchParams.values(), ...pathname.split('/').filter(isLong)];
}
