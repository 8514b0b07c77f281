import type { DetailField, Level } from './column.ts';
import { DETAIL_GROUPS, type DetailGroup } from './detail-groups.ts';

const URGENCY: Readonly<Record<Level, number>> = { error: 2, warning: 1, ok: 0, none: 0 };

/** A group of an overview, with the details that have a value. */
export interface OverviewGroup<Item> {
  readonly group: DetailGroup;
  readonly details: readonly DetailField<Item>[];
}

export interface OverviewOutline<Item> {
  readonly groups: readonly OverviewGroup<Item>[];
  /** Details without a value. */
  readonly unsetDetails: readonly DetailField<Item>[];
}

/** True if a detail has no value for an item. */
export function isUnset<Item>(detail: DetailField<Item>, item: Item): boolean {
  const value = detail.value(item);
  return (value === undefined || value === '') && detail.time?.(item) === undefined && !detail.tags?.(item).length;
}

/** Lists warnings and errors first, then each group in the order of declaration, and separates unset details. */
export function createOverview<Item>(
  details: readonly DetailField<Item>[],
  item: Item,
  now: number,
): OverviewOutline<Item> {
  const presentDetails = details.filter((detail) => !isUnset(detail, item));
  const urgency = (detail: DetailField<Item>): number => URGENCY[detail.level?.(item, now) ?? 'none'];
  const groups = DETAIL_GROUPS.flatMap((group): OverviewGroup<Item>[] => {
    if (group === 'identity') return [];
    const groupDetails = presentDetails.filter((detail) => {
      const isInGroup = (detail.group ?? 'about') === group;
      // Warnings and errors come first, regardless of their group.
      return group === 'state' ? isInGroup || urgency(detail) > 0 : isInGroup && urgency(detail) === 0;
    });
    return groupDetails.length > 0
      ? [{ group, details: groupDetails.toSorted((a, b) => urgency(b) - urgency(a)) }]
      : [];
  });
  return { groups, unsetDetails: details.filter((detail) => isUnset(detail, item)) };
}
