import { message, type Message } from '#commands/text/message.ts';
import type { Change, FieldChanges } from '#commands/model/plan.ts';

interface Counted {
  readonly change: Change;
  count: number;
}

/** How often each field changes in each way: what a plan of thousands says in a line. */
export function distribution(changes: readonly Change[]): readonly FieldChanges[] {
  const fields = new Map<string, { readonly field: Message; count: number; readonly groups: Map<string, Counted> }>();
  for (const change of changes) {
    const { field, before, after, added, removed } = change;
    let counted = fields.get(field.key);
    if (!counted) fields.set(field.key, (counted = { field, count: 0, groups: new Map() }));
    counted.count++;
    const key = JSON.stringify([before, after, added, removed]);
    const group = counted.groups.get(key);
    if (group) group.count++;
    else counted.groups.set(key, { change, count: 1 });
  }
  return [...fields.values()].map(({ field, count, groups }) => ({
    field,
    count,
    groups: readable([...groups.values()]).toSorted((a, b) => b.count - a.count),
  }));
}

/** Ways that nobody reads one by one. */
const MANY = 100;

/** Where items had many values before, only what they get is counted: dates that differ from item to item. */
function readable(groups: readonly Counted[]): readonly Counted[] {
  if (groups.length <= MANY) return groups;
  const after = new Map<string, Counted>();
  for (const { change, count } of groups) {
    const key = JSON.stringify([change.after, change.added, change.removed]);
    const known = after.get(key);
    if (known) known.count += count;
    else after.set(key, { change: { ...change, before: message('common:plan.various') }, count });
  }
  return after.size <= MANY ? [...after.values()] : groups;
}

/** Whether a distribution says more than examples do: on average, at least two items change alike. */
export function isCommon(fields: readonly FieldChanges[]): boolean {
  const ways = fields.reduce((sum, { groups }) => sum + groups.length, 0);
  const changes = fields.reduce((sum, { count }) => sum + count, 0);
  return fields.length > 0 && ways <= changes / 2;
}
