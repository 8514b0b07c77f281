import type { Filter, Term } from '#commands/model/filter.ts';
import type { Message } from '#commands/text/message.ts';
import type { ParsedFilter } from './parse.ts';
import { printFilter } from './print.ts';

/** One piece of the filter line, as a chip that can be walked to, edited as text or removed. */
export interface Chip {
  readonly from: number;
  readonly to: number;
  /** As typed. */
  readonly text: string;
  readonly kind: 'term' | 'word' | 'sort' | 'group' | 'problem';
  /** What is wrong with it, if something is. */
  readonly problem?: Message;
}

/** The chips of a filter, left to right. */
export function chips({ text, tokens }: ParsedFilter): readonly Chip[] {
  return tokens.map(({ token: { from, to }, part }) => {
    const kind =
      'term' in part
        ? 'term'
        : 'word' in part
          ? 'word'
          : 'sort' in part
            ? 'sort'
            : 'group' in part
              ? 'group'
              : 'problem';
    return {
      from,
      to,
      text: text.slice(from, to),
      kind,
      ...('problem' in part ? { problem: part.problem.message } : {}),
    };
  });
}

/** The text without one chip, and where the cursor is then. */
export function removeChip(
  text: string,
  { from, to }: Pick<Chip, 'from' | 'to'>,
): { readonly text: string; readonly cursor: number } {
  const before = text.slice(0, from).trimEnd();
  const after = text.slice(to).trimStart();
  const joined = before && after ? `${before} ${after}` : before + after;
  return { text: joined, cursor: before && after ? before.length + 1 : before.length };
}

function edited({ filter }: ParsedFilter, change: (filter: Filter) => Filter): string {
  return printFilter(change(filter));
}

/**
 * Adds a value to the term of a key, or takes it out when it is there: what clicking a health count does. Canonical
 * text.
 */
export function toggleValue(parsed: ParsedFilter, key: string, value: string): string {
  return edited(parsed, (filter) => {
    const mine = (term: Term): boolean => term.key === key && !term.negated && 'values' in term.test;
    const old = filter.terms.find(mine);
    const before = old && 'values' in old.test ? old.test.values : [];
    const values = before.includes(value) ? before.filter((text) => text !== value) : [...before, value];
    const others = filter.terms.filter((term) => term !== old);
    return { ...filter, terms: values.length > 0 ? [...others, { key, negated: false, test: { values } }] : others };
  });
}

/**
 * What clicking a column head does: ascending, descending, not at all; where the list is ascending by itself,
 * descending at once. With `add` the other sorts stay, else this one is alone. Canonical text.
 */
export function cycleSort(parsed: ParsedFilter, name: string, add = false): string {
  const { entity } = parsed;
  return edited(parsed, (filter) => {
    const descending = `-${name}`;
    const isAscending = filter.sort.length === 0 ? entity.defaultSort === name : filter.sort.includes(name);
    const next = isAscending ? [descending] : filter.sort.includes(descending) ? [] : [name];
    if (!add) return { ...filter, sort: next };
    const at = filter.sort.findIndex((value) => value === name || value === descending);
    return { ...filter, sort: at < 0 ? [...filter.sort, ...next] : filter.sort.toSpliced(at, 1, ...next) };
  });
}

/** Replaces what a filter is sorted by. Canonical text. */
export function withSort(parsed: ParsedFilter, sort: readonly string[]): string {
  return edited(parsed, (filter) => ({ ...filter, sort }));
}

/** A filter's text in its one canonical form; what does not parse is left out. */
export function canonicalText({ filter }: ParsedFilter): string {
  return printFilter(filter);
}

/** The same filter but for some items: "all that match, without these". Needs the entity's `idKey`. Canonical text. */
export function withoutIds(parsed: ParsedFilter, ids: readonly string[]): string {
  const key = parsed.entity.idKey;
  if (ids.length === 0 || key === undefined) return canonicalText(parsed);
  return edited(parsed, (filter) => {
    const mine = filter.terms.find((term) => term.key === key && term.negated && 'values' in term.test);
    const values = [...(mine && 'values' in mine.test ? mine.test.values : []), ...ids];
    return {
      ...filter,
      terms: [...filter.terms.filter((term) => term !== mine), { key, negated: true, test: { values } }],
    };
  });
}

/** Only these items, in the order of the filter. Needs the entity's `idKey`; undefined without one. Canonical text. */
export function onlyIds(parsed: ParsedFilter, ids: readonly string[]): string | undefined {
  const key = parsed.entity.idKey;
  if (key === undefined) return undefined;
  return edited(parsed, (filter) => ({
    ...filter,
    words: [],
    terms: [{ key, negated: false, test: { values: ids } }],
  }));
}

/** What a list is sorted by, in order: as the filter says, else as the entity is by itself. */
export function sortOf({
  entity,
  filter: { sort },
}: ParsedFilter): readonly { readonly name: string; readonly descending: boolean }[] {
  const own = entity.defaultSort === undefined ? [] : [entity.defaultSort];
  return (sort.length > 0 ? sort : own).map((value) => ({
    name: value.replace(/^-/, ''),
    descending: value.startsWith('-'),
  }));
}
