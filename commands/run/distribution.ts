import type { Change, FieldChanges } from '#commands/model/plan.ts';
import { message, type Message } from '#commands/text/message.ts';

interface CountedChange {
  readonly change: Change;
  count: number;
}

/** Counts changes by field and by kind of change, to summarize a plan for thousands of items. */
export function distribution(changes: readonly Change[]): readonly FieldChanges[] {
  const fields = new Map<
    string,
    { readonly field: Message; count: number; readonly groups: Map<string, CountedChange> }
  >();
  for (const change of changes) {
    const { field, before, after, added, removed } = change;
    let fieldCounts = fields.get(field.key);
    if (!fieldCounts) fields.set(field.key, (fieldCounts = { field, count: 0, groups: new Map() }));
    fieldCounts.count++;
    const key = JSON.stringify([before, after, added, removed]);
    const group = fieldCounts.groups.get(key);
    if (group) group.count++;
    else fieldCounts.groups.set(key, { change, count: 1 });
  }
  return [...fields.values()].map(({ field, count, groups }) => ({
    field,
    count,
    groups: mergeByNewValue([...groups.values()]).toSorted((a, b) => b.count - a.count),
  }));
}

/** The maximum number of groups in a readable summary. */
const MAX_GROUPS = 100;

/** Groups changes by the new value alone if the old values vary too much, such as dates that differ for each item. */
function mergeByNewValue(groups: readonly CountedChange[]): readonly CountedChange[] {
  if (groups.length <= MAX_GROUPS) return groups;
  const byNewValue = new Map<string, CountedChange>();
  for (const { change, count } of groups) {
    const key = JSON.stringify([change.after, change.added, change.removed]);
    const group = byNewValue.get(key);
    if (group) group.count += count;
    else byNewValue.set(key, { change: { ...change, before: message('common:plan.various') }, count });
  }
  return byNewValue.size <= MAX_GROUPS ? [...byNewValue.values()] : groups;
}

/**
 * True if each kind of change applies to at least two items on average, so a distribution is more informative than
 * examples.
 */
export function hasRepeatedChanges(fields: readonly FieldChanges[]): boolean {
  const groupCount = fields.reduce((sum, { groups }) => sum + groups.length, 0);
  const changes = fields.reduce((sum, { count }) => sum + count, 0);
  return fields.length > 0 && groupCount <= changes / 2;
}
