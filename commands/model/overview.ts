import type { DetailField, Level } from './column.ts';
import { DETAIL_GROUPS, type DetailGroup } from './detail-groups.ts';

const URGENCY: Readonly<Record<Level, number>> = { error: 2, warning: 1, ok: 0, none: 0 };

/** A part of an overview, with the details that say something. */
export interface Outlined<Item> {
  readonly group: DetailGroup;
  readonly details: readonly DetailField<Item>[];
}

export interface OverviewOutline<Item> {
  readonly groups: readonly Outlined<Item>[];
  /** What nobody has given yet. */
  readonly unset: readonly DetailField<Item>[];
}

/** Whether a detail has nothing to say of an item. */
export function isUnset<Item>(detail: DetailField<Item>, item: Item): boolean {
  const value = detail.value(item);
  return (value === undefined || value === '') && detail.at?.(item) === undefined && !detail.tags?.(item).length;
}

/** What is wrong first, then group by group in the order of declaration; what is not set stands apart. */
export function overviewOf<Item>(
  details: readonly DetailField<Item>[],
  item: Item,
  now: number,
): OverviewOutline<Item> {
  const message = details.filter((detail) => !isUnset(detail, item));
  const urgency = (detail: DetailField<Item>): number => URGENCY[detail.level?.(item, now) ?? 'none'];
  const groups = DETAIL_GROUPS.flatMap((group): Outlined<Item>[] => {
    if (group === 'identity') return [];
    const inGroup = message.filter((detail) => {
      const own = (detail.group ?? 'about') === group;
      // What is wrong is read before anything else, wherever it belongs.
      return group === 'state' ? own || urgency(detail) > 0 : own && urgency(detail) === 0;
    });
    return inGroup.length > 0 ? [{ group, details: inGroup.toSorted((a, b) => urgency(b) - urgency(a)) }] : [];
  });
  return { groups, unset: details.filter((detail) => isUnset(detail, item)) };
}
