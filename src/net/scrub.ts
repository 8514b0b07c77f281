// What leaves this browser in a report about a defect holds no secret: no query of an address (it may hold the code of
// a mail, a filter, where somebody was heading), no token, nothing that was typed or sent.

/** Names of what is left out of a report altogether. */
const SECRET =
  /^(authorization|cookies?|set-cookie|redirect|oobcode|body|query_string|(http|url)\.(query|fragment))$|password|secret/i;

const QUERY = /[?#][^\s"'<>()=]*=[^\s"'<>()]*/g;
const BEARER = /\b(bearer)\s+[^\s"'<>]+/gi;
/** An ID token, and tokens of our own server: those of its API, and those that make an organization. */
const TOKEN = /\b(eyJ[\w-]+\.[\w-]+\.[\w-]*|qdc?_[\w-]+)/g;

/** Deeper than any report goes. */
const DEEPEST = 20;

/** A copy of plain data without secrets. */
export function scrub<T>(value: T): T {
  return clean(value, 0) as T;
}

function clean(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return scrubText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEEPEST) return undefined;
  if (Array.isArray(value)) return value.map((item) => clean(item, depth + 1));
  const kept = Object.entries(value).filter(([name]) => !SECRET.test(name));
  return Object.fromEntries(kept.map(([name, each]) => [name, clean(each, depth + 1)]));
}

function scrubText(text: string): string {
  return text.replace(QUERY, '').replace(BEARER, '$1 [removed]').replace(TOKEN, '[removed]');
}
