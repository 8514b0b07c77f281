import type { Context } from '../core/context.ts';
import type { AnyEntity, Compiled, Entity } from '../core/entity.ts';
import { CommandError } from '../core/errors.ts';
import type { Filter, Term } from '../core/filter.ts';
import { parseFilter, RESERVED } from './parse.ts';
import { canonicalFilter } from './print.ts';

/**
 * A filter's text as the selection the contract takes.
 * @throws CommandError for the first thing that is wrong in it, naming it, its place and what would be right.
 */
export async function compileText<Item, Selection>(
  of: Entity<Item, Selection>,
  text: string,
  context: Context,
): Promise<Compiled<Selection>> {
  const { filter, problems } = parseFilter(text, of);
  if (problems[0]) throw new CommandError(problems[0].message);
  return compileFilter(of, filter, context);
}

/** @throws CommandError from a key whose value does not exist or cannot be combined with the others. */
export async function compileFilter<Item, Selection>(
  of: Entity<Item, Selection>,
  filter: Filter,
  context: Context,
): Promise<Compiled<Selection>> {
  const { terms, words, sort } = expandViews(of, filter);
  const selection = of.emptySelection();
  for (const term of terms) await of.filter[term.key]?.apply(selection, term, context);
  if (words.length > 0) of.applySearch?.(selection, words.join(' '));
  return { selection, sort: sort.length > 0 || of.defaultSort === undefined ? sort : [of.defaultSort] };
}

/** `view:name` stands for the terms and words of that view; a sort of one's own goes before the view's. */
function expandViews(of: AnyEntity, filter: Filter): Filter {
  const isView = (term: Term): boolean => term.key === RESERVED.view && !Object.hasOwn(of.filter, RESERVED.view);
  const views = filter.terms.filter(isView).flatMap(({ test }) => ('values' in test ? test.values : []));
  if (views.length === 0) return filter;
  const inside = views.map((id) => parseFilter(of.views?.find((view) => view.id === id)?.filter ?? '', of).filter);
  return canonicalFilter({
    ...filter,
    terms: [...filter.terms.filter((term) => !isView(term)), ...inside.flatMap((view) => view.terms)],
    words: [...filter.words, ...inside.flatMap((view) => view.words)],
    sort: [...filter.sort, ...inside.flatMap((view) => view.sort)],
  });
}
