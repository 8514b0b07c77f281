import { targetParam } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
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
 * @returns a new plan to show if someone has changed one of these values, so nobody's change is lost unseen
 */
export async function planLaterChanges(shownRun: PreparedRun, context: Context): Promise<PreparedRun | undefined> {
  const { command, args, resolved, plan, undoes, continues } = shownRun;
  const target = targetParam(command);
  if (!plan || !target || undoes || plan.comparedChanges) return undefined;
  const targetIds = new Set(
    (resolved[target.name] as SelectedItems<unknown>).items.map((item) => target.entity.id(item)),
  );
  const shown = plan.changes.filter((change) => !isListChange(change) && targetIds.has(change.id));
  const ids = [...new Set(shown.map(({ id }) => id))];
  if (ids.length === 0 || ids.length > MAX_ITEMS) return undefined;
  try {
    const { plan: current } = await prepare(command, { ...args, [target.name]: { ids } }, context);
    const changed = shown.filter(isChanged(current?.changes ?? []));
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

const keyOf = ({ id, field }: Change): string => `${id} ${field.key}`;

/** Returns a filter for changes whose former value is no longer there. A value that is already as planned is fine. */
function isChanged(current: readonly Change[]): (change: Change) => boolean {
  const values = new Map(current.map((change) => [keyOf(change), JSON.stringify(change.before)]));
  return (change) => values.has(keyOf(change)) && values.get(keyOf(change)) !== JSON.stringify(change.before);
}
