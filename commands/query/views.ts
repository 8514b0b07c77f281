import type { AnyEntity, DefaultView } from '#commands/model/entity.ts';

import { withSort } from './edit.ts';
import { type ParsedFilter, parseFilter } from './parse.ts';

export interface ParsedView extends DefaultView {
  readonly parsed: ParsedFilter;
}

/** The parsed views by entity. An entity's views never change, so they are parsed only once. */
const parsedByEntity = new WeakMap<AnyEntity, readonly ParsedView[]>();

export function parsedViews(entity: AnyEntity): readonly ParsedView[] {
  const cached = parsedByEntity.get(entity);
  if (cached) return cached;
  const views = (entity.views ?? []).map((view) => ({ ...view, parsed: parseFilter(view.filter, entity) }));
  parsedByEntity.set(entity, views);
  return views;
}

/**
 * Returns the view that is equivalent to a filter, ignoring the sort. Returns undefined if no view is equivalent or the
 * filter is invalid.
 */
export function findView(filter: ParsedFilter): ParsedView | undefined {
  if (filter.problems.length > 0) return undefined;
  const unsorted = withSort(filter, []);
  return parsedViews(filter.entity).find((view) => withSort(view.parsed, []) === unsorted);
}
