import { targetParam, type ResolvedArgs } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import { CommandError } from '#commands/model/errors.ts';
import { isListChange, type Change } from '#commands/model/plan.ts';
import type { SelectedItems } from '#commands/model/target.ts';
import { prepare, type PreparedRun } from '#commands/run/run.ts';
import { message } from '#commands/text/message.ts';

/** The number of items up to which a plan is checked again. More take too long, and change all the time. */
const MAX_ITEMS = 500;
/** The number of changed items to name. */
const MAX_NAMES = 3;

/**
 * Checks a plan that the user has confirmed, because the values that it replaces may have changed while it was visible.
 *
 * @returns a new plan to show if someone has changed one of these values, so nobody's change is lost unseen, or if an
 *   item has moved to another organization, which the new plan then names
 */
export async function planLaterChanges(shownRun: PreparedRun, context: Context): Promise<PreparedRun | undefined> {
  const { command, args, resolved, plan, undoes, continues } = shownRun;
  const target = targetParam(command);
  if (!plan || !target || undoes || plan.comparedChanges) return undefined;
  const targetIds = new Set(itemsOf(resolved, target.name).map((item) => target.entity.id(item)));
  const shown = plan.changes.filter((change) => !isListChange(change) && targetIds.has(change.id));
  const ids = [...new Set(shown.map(({ id }) => id))];
  if (ids.length === 0 || ids.length > MAX_ITEMS) return undefined;
  try {
    const { plan: current, resolved: newlyResolved } = await prepare(
      command,
      { ...args, [target.name]: { ids } },
      context,
    );
    const isMoved = hasMoved(target.entity, itemsOf(resolved, target.name), itemsOf(newlyResolved, target.name));
    const isReplaced = isChanged(current?.changes ?? []);
    const changed = shown.filter((change) => isReplaced(change) || isMoved(change.id));
    if (changed.length === 0) return undefined;
    const again = await prepare(command, args, context);
    if (!again.plan) return undefined;
    const labels = [...new Set(changed.map(({ label }) => label))];
    const note = message('running:plan.changedLater', {
      count: labels.length,
      names: labels.slice(0, MAX_NAMES).join(', '),
    });
    return {
      ...again,
      ...(continues === undefined ? {} : { continues }),
      confirm: true,
      plan: { ...again.plan, notes: [note, ...(again.plan.notes ?? [])] },
    };
  } catch (error) {
    // The run says what it can't find.
    if (error instanceof CommandError && error.userMessage.key === 'running:lookup.missing') return undefined;
    throw error;
  }
}

const itemsOf = (resolved: ResolvedArgs, name: string): readonly unknown[] =>
  (resolved[name] as SelectedItems<unknown>).items;

/** Returns a filter for the ids of items that belong to another organization than before. */
function hasMoved(entity: AnyEntity, before: readonly unknown[], now: readonly unknown[]): (id: string) => boolean {
  const owners = new Map(before.map((item) => [entity.id(item), entity.belongsTo?.(item).id]));
  const movedIds = new Set(
    now.filter((item) => entity.belongsTo?.(item).id !== owners.get(entity.id(item))).map((item) => entity.id(item)),
  );
  return (id) => movedIds.has(id);
}

const keyOf = ({ id, field }: Change): string => `${id} ${field.key}`;

/** Returns a filter for changes whose former value is no longer there. A value that is already as planned is fine. */
function isChanged(current: readonly Change[]): (change: Change) => boolean {
  const values = new Map(current.map((change) => [keyOf(change), JSON.stringify(change.before)]));
  return (change) => values.has(keyOf(change)) && values.get(keyOf(change)) !== JSON.stringify(change.before);
}
