import { candidate, needle, scoreOf, TIER, tierOf } from '#commands/text/score.ts';
import type { Context } from '#commands/model/context.ts';
import { CommandError, NothingInCommon } from '#commands/model/errors.ts';
import type { FilterKey, Term } from '#commands/model/filter.ts';
import { message } from '#commands/text/message.ts';

/** The values of a term whose key takes neither ranges nor presence; the parser has refused the rest. */
export function valuesOf({ test }: Term): readonly string[] {
  return 'values' in test ? test.values : [];
}

/** Whether a flag's term says yes. */
export function isTrue(term: Term): boolean {
  return (valuesOf(term)[0] === 'true') !== term.negated;
}

/**
 * Narrows a list of names that an earlier term of the same key may have set: an item has one such value, so both terms
 * hold when it is in both. An empty list would select everything, so no overlap is an error.
 */
export function narrow<T>(before: readonly T[], values: readonly T[], key: string): T[] {
  const both = before.length === 0 ? [...values] : values.filter((value) => before.includes(value));
  if (both.length === 0) throw new NothingInCommon(key);
  return both;
}

/** The include and exclude lists of a contract filter. */
interface IncludeExclude<T> {
  readonly include: T[];
  readonly exclude: T[];
}

/**
 * Adds to a contract filter of things of which an item has several: a second positive term would have to hold as well,
 * and the contract selects any of them only.
 */
export function addTo<T>(filter: IncludeExclude<T>, values: readonly T[], { key, negated }: Term): void {
  if (negated) filter.exclude.push(...values);
  else if (filter.include.length > 0) throw new CommandError(message('common:filter.twice', { key }));
  else filter.include.push(...values);
}

/** The one value of a term. @throws CommandError for several */
export function oneValue(term: Term): string {
  const [value, ...more] = valuesOf(term);
  if (value === undefined || more.length > 0)
    throw new CommandError(message('common:filter.oneValue', { key: term.key }));
  return value;
}

/** Where the contract looks for one text anywhere in another. */
export function containsKey<Selection>(write: (selection: Selection, value: string) => void): FilterKey<Selection> {
  return { kind: 'text', contains: true, apply: (selection, term) => write(selection, oneValue(term)) };
}

/** One of a closed list of names, any case; canonical in upper case. */
export function choiceKey<Selection>(
  options: readonly string[],
  key: Omit<FilterKey<Selection>, 'kind' | 'options'>,
): FilterKey<Selection> {
  return { kind: 'choice', options, ...key };
}

/**
 * Items whose text matches what was typed, in whole, by the starts of its words or inside them; best first, those
 * that match alike in their order.
 */
export function matching<T>(items: readonly T[], text: string, pick: (item: T) => string): readonly T[] {
  const typed = needle(text);
  if (typed.words.length === 0) return items;
  return items
    .flatMap((item) => {
      const score = scoreOf(candidate(pick(item)), typed);
      const tier = score === undefined ? TIER.scattered : tierOf(score);
      return tier > TIER.scattered ? [{ item, tier }] : [];
    })
    .toSorted((a, b) => b.tier - a.tier)
    .map(({ item }) => item);
}

/** A loader of reference data, kept by the host: see `Context.cached`. */
export function reference<T>(key: string, load: (context: Context) => Promise<T>): (context: Context) => Promise<T> {
  return (context) => context.cached(key, load);
}
