import type { Context } from '#commands/model/context.ts';
import { entityLabels, type AnyEntity, type Entity } from '#commands/model/entity.ts';
import { CommandError, NothingInCommonError, UnknownValueError } from '#commands/model/errors.ts';
import type { Filter, FilterKey, Term } from '#commands/model/filter.ts';
import type { CompiledFilter } from '#commands/model/list.ts';
import { message } from '#commands/text/message.ts';
import { nearestNames } from '#commands/text/near.ts';

import { ExclusionError } from './exclusion.ts';
import { RESERVED } from './keys.ts';
import { locate } from './locate.ts';
import { selectEverything } from './no-filter.ts';
import { type ParsedFilter, parseFilter } from './parse.ts';
import { matchesPattern } from './patterns.ts';
import { canonicalFilter } from './print.ts';
import { FilterError } from './problem.ts';
import { quotePattern } from './quote.ts';
import { matchOption } from './values.ts';
import { parsedViews } from './views.ts';

/**
 * Compiles a filter text into the contract's selection.
 *
 * @throws FilterError for the first problem, with its message, position, and suggested fixes.
 */
export async function compileText<Item, Selection>(
  entity: Entity<Item, Selection>,
  text: string,
  context: Context,
): Promise<CompiledFilter<Selection>> {
  return compileParsed(entity, parseFilter(text, entity), context);
}

/** Compiles a parsed filter, like {@link compileText}. */
export async function compileParsed<Item, Selection>(
  entity: Entity<Item, Selection>,
  parsed: ParsedFilter,
  context: Context,
): Promise<CompiledFilter<Selection>> {
  if (parsed.problems[0]) throw new FilterError(parsed.problems[0]);
  try {
    return await compileFilter(entity, parsed.filter, context);
  } catch (error) {
    throw error instanceof CommandError ? locate(error, parsed) : error;
  }
}

/**
 * Compiles a filter into the entity's selection.
 *
 * @throws CommandError if a value doesn't exist or several terms contradict each other.
 */
export async function compileFilter<Item, Selection>(
  entity: Entity<Item, Selection>,
  filter: Filter,
  context: Context,
): Promise<CompiledFilter<Selection>> {
  const { terms, words, sort } = expandViews(entity, filter);
  const { selection, sort: defaultSort } = selectEverything(entity);
  for (const term of terms) {
    const key = entity.filter[term.key]!;
    try {
      await key.apply(selection, await resolveValues(term, key, context), context);
    } catch (error) {
      throw error instanceof NothingInCommonError ? (toExclusionError(error, terms, entity) ?? error) : error;
    }
  }
  if (words.length > 0) entity.applySearch?.(selection, words.join(' '));
  return { selection, sort: sort.length > 0 ? sort : defaultSort };
}

/**
 * Returns the error for several terms on an attribute with a single value. The error suggests one term that matches any
 * of their values.
 */
function toExclusionError(
  { key }: NothingInCommonError,
  terms: readonly Term[],
  entity: AnyEntity,
): ExclusionError | undefined {
  const sameKey = terms.filter((term) => term.key === key && !term.negated);
  const values = sameKey.flatMap(({ test }) => ('values' in test ? test.values : []));
  if (sameKey.length < 2 || values.length < 2) return undefined;
  return new ExclusionError(key, values, entityLabels.one(entity), entity.filter[key]?.pluralMessage);
}

/** Replaces patterns with the values that they match, and corrects the spelling of typed values. */
async function resolveValues(term: Term, key: FilterKey<unknown>, context: Context): Promise<Term> {
  if (!('values' in term.test)) return term;
  const { values, patterns = [] } = term.test;
  // A key of kind `name` looks up plain values itself, so this function expands only its patterns.
  const resolvesNames = key.kind === 'name';
  if (patterns.length === 0 && (resolvesNames || !key.allValues)) return term;
  const knownValues = (await key.allValues?.(context)) ?? key.options ?? [];
  const spellings = resolvesNames ? values : values.map((value) => knownSpelling(term.key, value, knownValues));
  const matching = patterns.flatMap((pattern) => {
    const matches = knownValues.filter((value) => matchesPattern(pattern, value));
    if (matches.length > 0) return matches;
    throw unknownValueError(term.key, quotePattern(pattern), pattern.join(' '), knownValues);
  });
  return { ...term, test: { values: [...new Set([...spellings, ...matching])] } };
}

function knownSpelling(key: string, value: string, knownValues: readonly string[]): string {
  const option = matchOption(value, knownValues);
  if (option === undefined) throw unknownValueError(key, value, value, knownValues);
  return option;
}

function unknownValueError(
  key: string,
  value: string,
  text: string,
  knownValues: readonly string[],
): UnknownValueError {
  const nearMatches = nearestNames(text, knownValues);
  const values = { key, value };
  const problem =
    nearMatches.length > 0
      ? message('common:filter.unknownNear', { ...values, near: nearMatches.join(', ') })
      : message('common:filter.unknown', { ...values, names: knownValues.slice(0, 12).join(', ') });
  return new UnknownValueError(problem, value, nearMatches);
}

/**
 * Replaces `view:name` with the terms and words of the named view. A sort in the filter takes precedence over the
 * view's sort.
 */
function expandViews(entity: AnyEntity, filter: Filter): Filter {
  const isView = (term: Term): boolean => term.key === RESERVED.view && !Object.hasOwn(entity.filter, RESERVED.view);
  const views = filter.terms.filter(isView).flatMap(({ test }) => ('values' in test ? test.values : []));
  if (views.length === 0) return filter;
  const viewFilters = views.map((id) => parsedViews(entity).find((view) => view.id === id)!.parsed.filter);
  return canonicalFilter({
    ...filter,
    terms: [...filter.terms.filter((term) => !isView(term)), ...viewFilters.flatMap((view) => view.terms)],
    words: [...filter.words, ...viewFilters.flatMap((view) => view.words)],
    sort: [...filter.sort, ...viewFilters.flatMap((view) => view.sort)],
  });
}
