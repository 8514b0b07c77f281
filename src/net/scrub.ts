// Removes secrets from error reports: the queries of URLs (which may contain the code of an emailed link, a filter, or
// a destination), tokens, and anything typed or sent.

/** Matches property names to omit from a report. */
const SECRET =
  /^(authorization|cookies?|set-cookie|redirect|oobcode|body|query_string|(http|url)\.(query|fragment))$|password|secret/i;

const QUERY = /[?#][^\s"'<>()=]*=[^\s"'<>()]*/g;
const BEARER = /\b(bearer)\s+[^\s"'<>]+/gi;
/** Matches ID tokens and the tokens of our own server, which are for its API or for creating an organization. */
const TOKEN = /\b(eyJ[\w-]+\.[\w-]+\.[\w-]*|qdc?_[\w-]+)/g;

/** Data nested deeper than this is removed. No report is that deep. */
const MAX_DEPTH = 20;

/** Copies plain data without secrets. */
export function scrub<T>(value: T): T {
  return clean(value, 0) as T;
}

function clean(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return scrubText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return undefined;
  if (Array.isArray(value)) return value.map((item) => clean(item, depth + 1));
  const entries = Object.entries(value).filter(([name]) => !SECRET.test(name));
  return Object.fromEntries(entries.map(([name, entry]) => [name, clean(entry, depth + 1)]));
}

function scrubText(text: string): string {
  return text.replace(QUERY, '').replace(BEARER, '$1 [removed]').replace(TOKEN, '[removed]');
}
