/**
 * Receivers quote what they were sent: "401: token abc is not valid". Takes the secrets of a call out of the text of
 * its answer before the text is kept.
 */
const HIDDEN = '(hidden)';

/** Shorter values are words and flags; hiding those would only garble the text. */
const SHORTEST = 4;

/**
 * @param text may be cut anywhere: what begins a secret at its end is taken out too
 * @param secrets values that were sent, such as those of custom headers
 */
export function redacted(text: string, secrets: readonly string[]): string {
  const forms = new Set(secrets.flatMap(partsOf).flatMap(formsOf));
  // The longest first, so that no part of one is left beside another.
  const longestFirst = [...forms].toSorted((a, b) => b.length - a.length);
  const whole = longestFirst.reduce((rest, form) => rest.replaceAll(form, HIDDEN), text);
  const cut = Math.max(0, ...longestFirst.map((form) => beginningAtEnd(whole, form)));
  return cut === 0 ? whole : whole.slice(0, -cut) + HIDDEN;
}

/** How many characters at the end of the text begin the form. */
function beginningAtEnd(text: string, form: string): number {
  for (let length = Math.min(form.length - 1, text.length); length >= SHORTEST; length--) {
    if (text.endsWith(form.slice(0, length))) return length;
  }
  return 0;
}

/** The value, its words ("Bearer abc"), the assignments in it ("session=abc; x=y") and what Basic credentials hold. */
function partsOf(value: string): string[] {
  const words = value.split(/[\s;,]+/);
  const assigned = words.map((word) => word.slice(word.indexOf('=') + 1));
  const basic = /^basic\s+(\S+)/i.exec(value)?.[1];
  const pair = basic === undefined ? '' : Buffer.from(basic, 'base64').toString('utf8');
  const password = pair.slice(pair.indexOf(':') + 1);
  return [value, ...words, ...assigned, pair, password]
    .map((part) => part.trim().replace(/^"(.*)"$/, '$1'))
    .filter((part) => part.length >= SHORTEST && !schemes.has(part.toLowerCase()));
}

const schemes = new Set(['bearer', 'basic', 'digest', 'token', 'apikey']);

/** As it was sent, and as receivers write it in JSON, in addresses, in base64 and in HTML. */
function formsOf(value: string): string[] {
  return [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value),
    Buffer.from(value).toString('base64').replace(/=+$/, ''),
    Buffer.from(value).toString('base64url'),
    value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
  ];
}

/** What of an address may be a credential: its path and the values of its query. */
export function secretsOfUrl(url: string): string[] {
  if (!URL.canParse(url)) return [];
  const { pathname, search, searchParams } = new URL(url);
  const long = (text: string): boolean => text.length >= 16;
  return [search.slice(1), ...searchParams.values(), ...pathname.split('/').filter(long)];
}
