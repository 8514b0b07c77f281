import type { Address, Query } from '#src/auth/guard.ts';
import { parseSearch, stringifySearch, validateSearch, type Search } from './address.ts';
import { ruleBefore } from './public-routes.ts';

/**
 * The destination kept through sign-in, as a place of this console. Undefined for anything else: another origin,
 * however it is written, and the screens that would only send people on again. Never throws: it may have been typed by
 * anyone.
 */
export function destinationOf(text: string | undefined): Address | undefined {
  const { origin } = window.location;
  const url = text && URL.canParse(text, origin) ? new URL(text, origin) : undefined;
  if (url?.origin !== origin) return undefined;
  const path = url.pathname.replace(/(?<=.)\/+$/, '');
  const read = plain(path);
  if (read === undefined || !isDestination(read)) return undefined;
  const search = validateSearch(parseSearch(url.search));
  const { organization } = search;
  const address = addressOf(path, search);
  return organization ? { ...address, search: { ...address.search, organization } } : address;
}

/**
 * The path with its escapes read; undefined for one that could be read as something else than a path: `//host`,
 * `/\host`, a broken escape.
 */
function plain(path: string): string | undefined {
  try {
    const read = decodeURIComponent(path);
    // An escape within an escape: whoever reads it once more finds another path.
    return /\\|\/\/|%|\p{Cc}/u.test(read) ? undefined : read;
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

function isDestination(path: string): boolean {
  const rule = ruleBefore(path.toLowerCase(), undefined);
  return rule
    ? rule.needsAuth && (rule.step === undefined || rule.step === 'organization')
    : !/^\/login(\/|$)/i.test(path);
}

/** What the guard reads of an address. */
export function addressOf(path: string, all: Search): Address {
  const search: Query = Object.fromEntries(
    Object.entries(all).filter(([name, value]) => value !== undefined && !APART.includes(name)),
  );
  return { path, search, text: path + stringifySearch(search) };
}

/** What stands in a query beside what the screen shows. */
const APART: readonly string[] = ['redirect', 'organization'] satisfies (keyof Search)[];

/**
 * The destination as an address of this console, in the organization it was for; the root when there is none that may
 * be followed.
 */
export function safeRedirect(to: string | undefined, organization: string | undefined): string {
  const { path, search } = destinationOf(to) ?? { path: '/', search: {} };
  return path + stringifySearch({ ...search, ...(organization ? { organization } : {}) });
}
