import type { Fact, Level } from './column.ts';
import { FACT_GROUPS, type FactGroup } from './fact-groups.ts';

const URGENCY: Readonly<Record<Level, number>> = { error: 2, warning: 1, ok: 0, none: 0 };

/** A part of an overview, with the facts that say something. */
export interface Outlined<Item> {
  readonly group: FactGroup;
  readonly facts: readonly Fact<Item>[];
}

export interface OverviewOutline<Item> {
  readonly groups: readonly Outlined<Item>[];
  /** What nobody has given yet. */
  readonly unset: readonly Fact<Item>[];
}

/** Whether a fact has nothing to say of an item. */
export function isUnset<Item>(fact: Fact<Item>, item: Item): boolean {
  const value = fact.value(item);
  return (value === undefined || value === '') && fact.at?.(item) === undefined && !fact.tags?.(item).length;
}

/** What is wrong first, then group by group in the order of declaration; what is not set stands apart. */
export function overviewOf<Item>(facts: readonly Fact<Item>[], item: Item, now: number): OverviewOutline<Item> {
  const message = facts.filter((fact) => !isUnset(fact, item));
  const urgency = (fact: Fact<Item>): number => URGENCY[fact.level?.(item, now) ?? 'none'];
  const groups = FACT_GROUPS.flatMap((group): Outlined<Item>[] => {
    if (group === 'identity') return [];
    const inGroup = message.filter((fact) => {
      const own = (fact.group ?? 'about') === group;
      // What is wrong is read before anything else, wherever it belongs.
      return group === 'state' ? own || urgency(fact) > 0 : own && urgency(fact) === 0;
    });
    return inGroup.length > 0 ? [{ group, facts: inGroup.toSorted((a, b) => urgency(b) - urgency(a)) }] : [];
  });
  return { groups, unset: facts.filter((fact) => isUnset(fact, item)) };
}
