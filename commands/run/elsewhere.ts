import type { Context } from '#commands/model/context.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import { groupBy } from '#commands/text/group-by.ts';
import { message, type Message } from '#commands/text/message.ts';
import type { Plan } from '#commands/model/plan.ts';

/** Organizations that are named one by one. */
const NAMED = 3;

/**
 * Remarks for `plan` on items of other organizations than the one on the screen, with how many of each: a list can
 * include organizations below, and changes are made where each item belongs.
 */
export function elsewhere(
  entity: AnyEntity,
  items: readonly unknown[],
  plan: Plan,
  context: Context,
): readonly Message[] {
  const changing = new Set(plan.changes.map(({ id }) => id));
  const touched = changing.size === 0 ? items : items.filter((item) => changing.has(entity.id(item)));
  const places = touched.flatMap((item) => entity.belongsTo?.(item) ?? []);
  const others = [
    ...groupBy(
      places.filter(({ id }) => id !== context.organization.id),
      ({ id }) => id,
    ).values(),
  ].toSorted((a, b) => b.length - a.length);
  const named = others.length > NAMED ? others.slice(0, NAMED - 1) : others;
  const rest = others.slice(named.length);
  const remarks = named.map((group) =>
    message(group.length === touched.length ? 'common:plan.elsewhereAll' : 'common:plan.elsewhere', {
      count: group.length,
      organization: group[0]!.name,
    }),
  );
  if (rest.length === 0) return remarks;
  const count = rest.reduce((sum, group) => sum + group.length, 0);
  return [...remarks, message('common:plan.elsewhereMore', { count, organizations: rest.length })];
}
