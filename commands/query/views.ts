import type { AnyEntity, DefaultView } from '#commands/model/entity.ts';
import { withSort } from './edit.ts';
import { type ParsedFilter, parseFilter } from './parse.ts';

export interface ParsedView extends DefaultView {
  readonly parsed: ParsedFilter;
}

/** By entity: views are part of its declaration, so theirs are parsed once. */
const parsed = new WeakMap<AnyEntity, readonly ParsedView[]>();

export function parsedViews(entity: AnyEntity): readonly ParsedView[] {
  const known = parsed.get(entity);
  if (known) return known;
  const views = (entity.views ?? []).map((view) => ({ ...view, parsed: parseFilter(view.filter, entity) }));
  parsed.set(entity, views);
  return views;
}

/** The view that a filter shows, in whatever order; undefined where it is none, or is wrong. */
export function viewOf(filter: ParsedFilter): ParsedView | undefined {
  if (filter.problems.length > 0) return undefined;
  const unsorted = withSort(filter, []);
  return parsedViews(filter.entity).find((view) => withSort(view.parsed, []) === unsorted);
}
