import type { Context } from '#commands/model/context.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import type { Plan } from '#commands/model/plan.ts';
import { groupBy } from '#commands/text/group-by.ts';
import { message, type Message } from '#commands/text/message.ts';

/** The maximum number of organizations to name. */
const MAX_NAMES = 3;

/**
 * Returns notes that count the items that a plan changes in organizations other than the current one. A list can
 * include items of sub-organizations, and each item is changed in its own organization.
 */
export function otherOrganizationNotes(
  entity: AnyEntity,
  items: readonly unknown[],
  plan: Plan,
  context: Context,
): readonly Message[] {
  const changingIds = new Set(plan.changes.map(({ id }) => id));
  const changingItems = changingIds.size === 0 ? items : items.filter((item) => changingIds.has(entity.id(item)));
  const owners = changingItems.flatMap((item) => entity.belongsTo?.(item) ?? []);
  const groups = [
    ...groupBy(
      owners.filter(({ id }) => id !== context.organization.id),
      ({ id }) => id,
    ).values(),
  ].toSorted((a, b) => b.length - a.length);
  const namedGroups = groups.length > MAX_NAMES ? groups.slice(0, MAX_NAMES - 1) : groups;
  const remainingGroups = groups.slice(namedGroups.length);
  const notes = namedGroups.map((group) =>
    message(group.length === changingItems.length ? 'common:plan.elsewhereAll' : 'common:plan.elsewhere', {
      count: group.length,
      organization: group[0]!.name,
    }),
  );
  if (remainingGroups.length === 0) return notes;
  const count = remainingGroups.reduce((sum, group) => sum + group.length, 0);
  return [...notes, message('common:plan.elsewhereMore', { count, organizations: remainingGroups.length })];
}
