import type { Filter, Term } from '#commands/model/filter.ts';

import { quotePattern, quoteValue, quoteWord } from './quote.ts';

/**
 * Returns the canonical text of a filter, with the terms by key, then `sort:`, `group:`, and the bare words.
 * `parseFilter` parses it back to the same filter.
 */
export function printFilter(filter: Filter): string {
  const { terms, sort, group, words } = canonicalFilter(filter);
  return [
    ...terms.map(printTerm),
    ...(sort.length > 0 ? [`sort:${sort.map(quoteValue).join(',')}`] : []),
    ...(group === undefined ? [] : [`group:${quoteValue(group)}`]),
    ...words.map(quoteWord),
  ].join(' ');
}

export function printTerm({ key, negated, test }: Term): string {
  const start = `${negated ? '-' : ''}${key}`;
  if ('present' in test) return `${start}:*`;
  if ('values' in test)
    return `${start}:${[...test.values.map(quoteValue), ...(test.patterns ?? []).map(quotePattern)].join(',')}`;
  const { above, below } = test;
  if (above !== undefined && below !== undefined) return `${start}:${quoteValue(above)}..${quoteValue(below)}`;
  return above === undefined ? `${start}<${quoteValue(below ?? '')}` : `${start}>${quoteValue(above)}`;
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Sorts terms and values and removes duplicates, so equivalent filters print the same. */
export function canonicalFilter(filter: Filter): Filter {
  const terms = new Map(filter.terms.map(canonicalTerm).map((term) => [printTerm(term), term]));
  const order = ([textA, a]: [string, Term], [textB, b]: [string, Term]): number =>
    byText(a.key, b.key) || Number(a.negated) - Number(b.negated) || byText(textA, textB);
  return { ...filter, terms: [...terms].sort(order).map(([, term]) => term), sort: [...new Set(filter.sort)] };
}

function canonicalTerm(term: Term): Term {
  if (!('values' in term.test)) return term;
  const { values, patterns = [] } = term.test;
  const byPrinted = new Map(patterns.map((pattern) => [quotePattern(pattern), pattern]));
  const sortedPatterns = [...byPrinted].sort(([a], [b]) => byText(a, b)).map(([, pattern]) => pattern);
  const test = {
    values: [...new Set(values)].sort(byText),
    ...(sortedPatterns.length > 0 ? { patterns: sortedPatterns } : {}),
  };
  return { ...term, test };
}
