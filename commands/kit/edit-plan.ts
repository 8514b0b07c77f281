import { entityLabels, type Entity } from '#commands/model/entity.ts';
import type { Plan } from '#commands/model/plan.ts';
import { succeededResults, type ItemResult } from '#commands/model/result.ts';
import { stagesFor } from '#commands/run/stages.ts';
import { message, type Message } from '#commands/text/message.ts';

import {
  listChanges,
  fieldName,
  isRestorable,
  splitUnchanged,
  valueText,
  type Fields,
  type NewValues,
} from './editing.ts';

export function countText<Item>(entity: Entity<Item>, count: number): Message {
  return entityLabels.count(entity, count);
}

export function editPlan<Item>(
  entity: Entity<Item>,
  fields: Fields<Item>,
  newValues: NewValues,
  items: readonly Item[],
): Plan {
  const { itemsToChange, unchangedCount } = splitUnchanged(fields, newValues, items);
  return {
    summary: editTitle(entity, fields, newValues, itemsToChange.length),
    count: itemsToChange.length,
    changes: listChanges(entity, fields, newValues, itemsToChange),
    ...(unchangedCount > 0 ? { notes: [message('common:plan.same', { count: unchangedCount })] } : {}),
    ...stagesFor(itemsToChange.length),
    reversible: isRestorable(fields, newValues, itemsToChange),
  };
}

/** Returns the field to set, if there is exactly one. */
function singleField<Item>(fields: Fields<Item>, newValues: NewValues) {
  const [first, ...others] = Object.entries(newValues);
  if (!first || others.length > 0) return undefined;
  const [name, value] = first;
  return { name, value, field: fields[name]! };
}

/** Plans setting one field, from item counts per value. */
export function countedPlan<Item>(
  entity: Entity<Item>,
  fields: Fields<Item>,
  newValues: NewValues,
  counts: ReadonlyMap<string, number>,
): Plan | undefined {
  const fieldToSet = singleField(fields, newValues);
  if (!fieldToSet) return undefined;
  const { field } = fieldToSet;
  const value = fieldToSet.value as string;
  const title = fieldName(entity.name, fieldToSet.name);
  const after = valueText(field, value);
  const groups = [...counts]
    .filter(([current, count]) => current !== value && count > 0)
    .map(([current, count]) => ({
      count,
      change: { id: current, label: current, field: title, before: valueText(field, current), after },
    }))
    .toSorted((a, b) => b.count - a.count);
  const count = groups.reduce((sum, group) => sum + group.count, 0);
  const unchangedCount = counts.get(value) ?? 0;
  return {
    summary: editTitle(entity, fields, newValues, count),
    count,
    changes: [],
    ...(count > 0 ? { changeCounts: [{ field: title, count, groups }] } : {}),
    ...(unchangedCount > 0 ? { notes: [message('common:plan.same', { count: unchangedCount })] } : {}),
    ...stagesFor(count),
    reversible: true,
  };
}

/**
 * Returns a title such as "Set lifecycle of 24,069 devices to Paused", with the value if it is the same for all items
 * and can be shown.
 */
function editTitle<Item>(entity: Entity<Item>, fields: Fields<Item>, newValues: NewValues, count: number): Message {
  const items = countText(entity, count);
  const fieldToSet = singleField(fields, newValues);
  if (!fieldToSet) return message('common:plan.edit', { count: Object.keys(newValues).length, items });
  const { field } = fieldToSet;
  const values = { field: fieldName(entity.name, fieldToSet.name), items };
  if (field.after || field.secret || typeof fieldToSet.value === 'object') return message('common:plan.set', values);
  const value = valueText(field, fieldToSet.value);
  if (value === undefined) return message('common:plan.clear', values);
  return isShort(value) ? message('common:plan.setTo', { ...values, value }) : message('common:plan.set', values);
}

/** True if a value is short enough for a title, unlike a multiline note. */
function isShort(value: string | Message): boolean {
  return typeof value !== 'string' || (value.length <= 60 && !value.includes('\n'));
}

/** Returns the message for a completed edit: "Set lifecycle of 214 devices to Paused". */
export function completedEditMessage<Item>(
  entity: Entity<Item>,
  fields: Fields<Item>,
  newValues: NewValues,
  results: readonly ItemResult[],
): Message {
  const { length: count } = succeededResults({ results });
  const title = editTitle(entity, fields, newValues, count);
  if (count === 0 || title.key === 'common:plan.edit') return changedCountMessage(entity, results);
  return title.key === 'common:plan.clear' ? message('common:done.cleared', title.values) : title;
}

export function changedCountMessage<Item>(entity: Entity<Item>, results: readonly ItemResult[]): Message {
  const count = succeededResults({ results }).length;
  return count === 0
    ? message('common:done.nothing')
    : message('common:done.changed', { items: countText(entity, count) });
}
