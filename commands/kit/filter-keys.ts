import type { Context } from '#commands/model/context.ts';
import { CommandError, NothingInCommonError } from '#commands/model/errors.ts';
import type { FilterKey, Term } from '#commands/model/filter.ts';
import { message } from '#commands/text/message.ts';

/**
 * Returns a term's values. The parser has already rejected ranges and presence tests, unless the key accepts them.
 */
export function valuesOf({ test }: Term): readonly string[] {
  return 'values' in test ? test.values : [];
}

/** True if a flag's term selects `true`. */
export function isTrue(term: Term): boolean {
  return (valuesOf(term)[0] === 'true') !== term.negated;
}

/**
 * Intersects a term's values with the values from earlier terms of the same key, if any. An item has only one
 * value, so it matches all terms only if the value is in both lists. Throws if the lists do not overlap, because an
 * empty list would select everything.
 */
export function intersectValues<T>(earlierValues: readonly T[], values: readonly T[], key: string): T[] {
  const commonValues =
    earlierValues.length === 0 ? [...values] : values.filter((value) => earlierValues.includes(value));
  if (commonValues.length === 0) throw new NothingInCommonError(key);
  return commonValues;
}

/** The include and exclude lists of a contract filter. */
interface IncludeExclude<T> {
  readonly include: T[];
  readonly exclude: T[];
}

/**
 * Adds a term to a contract filter on a multi-valued attribute. Rejects a second positive term, because both would have
 * to match, but the contract matches any of the values.
 */
export function addTerm<T>(filter: IncludeExclude<T>, values: readonly T[], { key, negated }: Term): void {
  if (negated) filter.exclude.push(...values);
  else if (filter.include.length > 0) throw new CommandError(message('common:filter.twice', { key }));
  else filter.include.push(...values);
}

/**
 * Returns the only value of a term.
 *
 * @throws CommandError for no value or several values
 */
export function singleValue(term: Term): string {
  const [value, ...more] = valuesOf(term);
  if (value === undefined || more.length > 0)
    throw new CommandError(message('common:filter.oneValue', { key: term.key }));
  return value;
}

/** Returns a key that the contract matches as a substring. */
export function containsKey<Selection>(write: (selection: Selection, value: string) => void): FilterKey<Selection> {
  return { kind: 'text', contains: true, apply: (selection, term) => write(selection, singleValue(term)) };
}

/** Strips the `#` prefix from an id: `3` for `#3`. */
export const stripIdPrefix = (value: string): string => value.replace(/^#(?=\d+$)/, '');

/** Returns a function that loads reference data, which the host caches (see `Context.loadCached`). */
export function cachedLoader<T>(key: string, load: (context: Context) => Promise<T>): (context: Context) => Promise<T> {
  return (context) => context.loadCached(key, load);
}
