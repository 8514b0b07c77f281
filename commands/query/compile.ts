import type { Context } from '#commands/model/context.ts';
import type { Compiled } from '#commands/model/list.ts';
import { entityTexts, type AnyEntity, type Entity } from '#commands/model/entity.ts';
import { CommandError, NothingInCommon, UnknownValue } from '#commands/model/errors.ts';
import type { Filter, FilterKey, Term } from '#commands/model/filter.ts';
import { message } from '#commands/text/message.ts';
import { nearest } from '#commands/text/near.ts';
import { RESERVED } from './keys.ts';
import { type ParsedFilter, parseFilter } from './parse.ts';
import { matchesPattern } from './patterns.ts';
import { canonicalFilter } from './print.ts';
import { Exclusion } from './exclusion.ts';
import { FilterError } from './problem.ts';
import { locate } from './locate.ts';
import { quotePattern } from './tokens.ts';
import { parsedViews } from './views.ts';
import { matchOption } from './values.ts';

/**
 * A filter's text as the selection the contract takes.
 * @throws FilterError for the first thing that is wrong in it, naming it, its place and what would be right.
 */
export async function compileText<Item, Selection>(
  entity: Entity<Item, Selection>,
  text: string,
  context: Context,
): Promise<Compiled<Selection>> {
  return compileParsed(entity, parseFilter(text, entity), context);
}

/** {@link compileText} for what was parsed before. */
export async function compileParsed<Item, Selection>(
  entity: Entity<Item, Selection>,
  parsed: ParsedFilter,
  context: Context,
): Promise<Compiled<Selection>> {
  if (parsed.problems[0]) throw new FilterError(parsed.problems[0]);
  try {
    return await compileFilter(entity, parsed.filter, context);
  } catch (error) {
    throw error instanceof CommandError ? locate(error, parsed) : error;
  }
}

/** @throws CommandError from a key whose value does not exist or cannot be combined with the others. */
export async function compileFilter<Item, Selection>(
  entity: Entity<Item, Selection>,
  filter: Filter,
  context: Context,
): Promise<Compiled<Selection>> {
  const { terms, words, sort } = expandViews(entity, filter);
  const selection = entity.emptySelection();
  for (const term of terms) {
    const key = entity.filter[term.key]!;
    try {
      await key.apply(selection, await known(term, key, context), context);
    } catch (error) {
      throw error instanceof NothingInCommon ? (exclusionOf(error, terms, entity) ?? error) : error;
    }
  }
  if (words.length > 0) entity.applySearch?.(selection, words.join(' '));
  return { selection, sort: sort.length > 0 || entity.defaultSort === undefined ? sort : [entity.defaultSort] };
}

/** Several values of what an item has one of, as the one term that asks for any of them. */
function exclusionOf({ key }: NothingInCommon, terms: readonly Term[], entity: AnyEntity): Exclusion | undefined {
  const mine = terms.filter((term) => term.key === key && !term.negated);
  const values = mine.flatMap(({ test }) => ('values' in test ? test.values : []));
  if (mine.length < 2 || values.length < 2) return undefined;
  return new Exclusion(key, values, entityTexts.one(entity), entity.filter[key]?.several);
}

/** The term with values that exist: those that its patterns fit, and the known spelling of what was typed. */
async function known(term: Term, key: FilterKey<unknown>, context: Context): Promise<Term> {
  if (!('values' in term.test)) return term;
  const { values, patterns = [] } = term.test;
  // A key that looks names up by itself does so with what it is given.
  const looks = key.kind === 'name';
  if (patterns.length === 0 && (looks || !key.every)) return term;
  const every = (await key.every?.(context)) ?? key.options ?? [];
  const named = looks ? values : values.map((value) => spelling(term.key, value, every));
  const fitting = patterns.flatMap((pattern) => {
    const found = every.filter((value) => matchesPattern(pattern, value));
    if (found.length > 0) return found;
    throw unknown(term.key, quotePattern(pattern), pattern.join(' '), every);
  });
  return { ...term, test: { values: [...new Set([...named, ...fitting])] } };
}

function spelling(key: string, value: string, every: readonly string[]): string {
  const found = matchOption(value, every);
  if (found === undefined) throw unknown(key, value, value, every);
  return found;
}

function unknown(key: string, value: string, text: string, every: readonly string[]): UnknownValue {
  const near = nearest(text, every);
  const values = { key, value };
  const sentence =
    near.length > 0
      ? message('common:filter.unknownNear', { ...values, near: near.join(', ') })
      : message('common:filter.unknown', { ...values, names: every.slice(0, 12).join(', ') });
  return new UnknownValue(sentence, value, near);
}

/** `view:name` stands for the terms and words of that view; a sort of one's own goes before the view's. */
function expandViews(entity: AnyEntity, filter: Filter): Filter {
  const isView = (term: Term): boolean => term.key === RESERVED.view && !Object.hasOwn(entity.filter, RESERVED.view);
  const views = filter.terms.filter(isView).flatMap(({ test }) => ('values' in test ? test.values : []));
  if (views.length === 0) return filter;
  const inside = views.map((id) => parsedViews(entity).find((view) => view.id === id)!.parsed.filter);
  return canonicalFilter({
    ...filter,
    terms: [...filter.terms.filter((term) => !isView(term)), ...inside.flatMap((view) => view.terms)],
    words: [...filter.words, ...inside.flatMap((view) => view.words)],
    sort: [...filter.sort, ...inside.flatMap((view) => view.sort)],
  });
}
