import type { Address, Query } from '#src/auth/guard.ts';

import { parseSearch, stringifySearch, validateSearch, type Search } from './address.ts';
import { ruleOutsideConsole } from './public-routes.ts';

/**
 * Parses the destination kept during sign-in. Rejects other origins, in any spelling, and screens that would only
 * redirect again. Never throws, because the text is untrusted input.
 */
export function parseDestination(text: string | undefined): Address | undefined {
  const { origin } = window.location;
  const url = text && URL.canParse(text, origin) ? new URL(text, origin) : undefined;
  if (url?.origin !== origin) return undefined;
  const path = url.pathname.replace(/(?<=.)\/+$/, '');
  const decoded = decodePath(path);
  if (decoded === undefined || !isDestination(decoded)) return undefined;
  const search = validateSearch(parseSearch(url.search));
  const { organization } = search;
  const address = createAddress(path, search);
  return organization ? { ...address, search: { ...address.search, organization } } : address;
}

/**
 * Unescapes a path. Returns undefined if the path has a broken escape, or could be read as something else, such as
 * `//host` or `/\host`.
 */
function decodePath(path: string): string | undefined {
  try {
    const decoded = decodeURIComponent(path);
    // A doubly escaped path would become a different path if it were unescaped once more.
    return /\\|\/\/|%|\p{Cc}/u.test(decoded) ? undefined : decoded;
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

function isDestination(path: string): boolean {
  const rule = ruleOutsideConsole(path.toLowerCase(), undefined);
  return rule
    ? rule.needsAuth && (rule.step === undefined || rule.step === 'organization')
    : !/^\/login(\/|$)/i.test(path);
}

/** Returns the parts of a URL that the guard needs. */
export function createAddress(path: string, query: Search): Address {
  const search: Query = Object.fromEntries(
    Object.entries(query).filter(([name, value]) => value !== undefined && !GLOBAL_PARAMS.includes(name)),
  );
  return { path, search, text: path + stringifySearch(search) };
}

/** Query parameters that don't belong to the screen. */
const GLOBAL_PARAMS: readonly string[] = ['redirect', 'organization'] satisfies (keyof Search)[];

/**
 * Returns the URL of a destination in this console, including its organization. Returns the root if the destination is
 * not valid.
 */
export function safeRedirect(to: string | undefined, organization: string | undefined): string {
  const { path, search } = parseDestination(to) ?? { path: '/', search: {} };
  return path + stringifySearch({ ...search, ...(organization ? { organization } : {}) });
}
