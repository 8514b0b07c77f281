import { targetParam, commandLabels, type Command, type CommandMetadata } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import { CommandError } from '#commands/model/errors.ts';
import type { Args, Invocation } from '#commands/model/invocation.ts';
import { isListChange, type Change, type Plan } from '#commands/model/plan.ts';
import { RESULT_KINDS, resultKind } from '#commands/model/result.ts';
import type { NamedTarget } from '#commands/model/target.ts';
import type { Directory } from '#commands/registry/directory.ts';
import type { Registry } from '#commands/registry/registry.ts';
import { groupBy } from '#commands/text/group-by.ts';
import { message, type Message } from '#commands/text/message.ts';

import { availability } from './availability.ts';
import type { Entry } from './history.ts';
import { loadByIds } from './lookup.ts';
import { prepare, type PreparedRun } from './run.ts';

export type Commands = Pick<Registry, 'command'>;

/** An inverse with its items looked up and its changes planned. Undo runs exactly this. */
export interface PreparedUndo {
  readonly entry: Entry;
  readonly steps: readonly PreparedRun[];
  readonly plan: Plan;
  /** True if the plan must be shown first because it deletes something or something has changed since. */
  readonly confirm: boolean;
}

/** The number of changed items to name in a plan. The plan only counts the others. */
const MAX_NAMES = 3;

/** Returns an entry's title: the summary of its plan, or else the title of its command. */
export function titleOf({ run: { summary, invocation } }: Entry, commands: Pick<Directory, 'command'>): Message {
  return summary ?? commandLabels.title(requireCommand(invocation.id, commands));
}

/**
 * Prepares the undo of an entry. `skippedLater` is true if undo skipped a later entry, so the plan is always shown
 * first.
 *
 * @throws CommandError if the entry has no inverse or the inverse is rejected.
 */
export async function prepareUndo(
  { entry, skippedLater }: { readonly entry: Entry; readonly skippedLater: boolean },
  commands: Commands,
  context: Context,
): Promise<PreparedUndo> {
  const title = titleOf(entry, commands);
  if (!entry.run.inverse) {
    const key = entry.run.interrupted ? 'running:undo.lost' : 'running:undo.irreversible';
    throw new CommandError(message(key, { title }));
  }
  const preparedSteps: PreparedStep[] = [];
  const sizes = entry.run.inverse.map(({ id, args }) => idsOf(commands.command(id), args).length);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  let completed = 0;
  let reported = 0;
  /** The lookup reports its progress first, so a step reports only if it gets further. */
  const report = (done: number): void => {
    if (done <= reported) return;
    reported = done;
    context.progress({ done, total });
  };
  const loaded = await loadTargets(entry.run.inverse, commands, { ...context, progress: ({ done }) => report(done) });
  for (const [index, invocation] of entry.run.inverse.entries()) {
    const completedBefore = completed;
    const progress: Context['progress'] = (part) => report(completedBefore + part.done);
    try {
      const command = requireCommand(invocation.id, commands);
      const parts = await prepareParts(withLoaded(command, loaded), invocation, { ...context, progress });
      preparedSteps.push(...parts.map((part) => ({ ...part, prepared: { ...part.prepared, command } })));
      completed += sizes[index]!;
      if (sizes.length > 1) report(completed);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      throw new CommandError(message('running:undo.rejected', { title, reason: error.userMessage }));
    }
  }
  const steps = preparedSteps.map(({ prepared }) => withoutStages(prepared));
  const missingCount = preparedSteps.reduce((sum, step) => sum + step.missingCount, 0);
  const { conflicts, unknown } = findConflicts(entry.run.changes, steps);
  const plans = steps.flatMap(({ plan }) => plan ?? []);
  const plan = createPlan(title, plans, [
    ...interruptionNotes(entry.run),
    ...conflictNotes(conflicts),
    ...(unknown ? [message(`running:undo.${entry.run.interrupted ? 'interrupted' : 'unknown'}`)] : []),
    ...(missingCount > 0 ? [message('running:undo.gone', { count: missingCount })] : []),
  ]);
  const isDestructive = plans.some(({ reversible }) => !reversible);
  return { entry, steps, plan, confirm: skippedLater || isDestructive || unknown || conflicts.length > 0 };
}

/** An undo restores what was there before, so it doesn't start with a few items. */
function withoutStages(step: PreparedRun): PreparedRun {
  if (!step.plan?.staged) return step;
  const { staged: _staged, ...plan } = step.plan;
  return { ...step, plan };
}

type LoadedItems = ReadonlyMap<string, unknown>;

/**
 * Looks up the items of all steps that act on the same entity at once, because an inverse can have a step for each
 * item. Returns the items that still exist, by the name of their entity. Leaves out an entity with only one step.
 */
async function loadTargets(
  inverse: readonly Invocation[],
  commands: Commands,
  context: Context,
): Promise<ReadonlyMap<string, LoadedItems>> {
  const steps = inverse.flatMap(({ id, args }) => {
    const command = commands.command(id);
    const entity = command && targetParam(command)?.entity;
    const ids = entity ? idsOf(command, args).map((itemId) => entity.toId(itemId)) : [];
    return entity && ids.length > 0 && availability(command, context).ok ? [{ entity, ids }] : [];
  });
  const loaded = new Map<string, LoadedItems>();
  for (const [name, group] of groupBy(steps, ({ entity }) => entity.name)) {
    const { entity } = group[0]!;
    if (group.length === 1) continue;
    const items = await loadByIds(entity, [...new Set(group.flatMap(({ ids }) => ids))], context);
    loaded.set(name, new Map(items.map((item) => [entity.id(item), item])));
  }
  return loaded;
}

/** Returns a command that takes its target from the loaded items, if those of its entity were loaded. */
function withLoaded(command: Command, loaded: ReadonlyMap<string, LoadedItems>): Command {
  const target = targetParam(command);
  const items = target && loaded.get(target.entity.name);
  if (!items) return command;
  const entity: AnyEntity = {
    ...target.entity,
    byIds: async (_context, ids) => ids.flatMap((id) => items.get(id) ?? []),
  };
  const param = { ...command.params[target.name]!, entity: () => entity };
  return {
    ...command,
    params: { ...command.params, [target.name]: param },
    target: { name: target.name, entity: () => entity },
  };
}

interface PreparedStep {
  readonly prepared: PreparedRun;
  /** The number of items that have since been deleted. */
  readonly missingCount: number;
}

/**
 * Prepares a step of an inverse, as several steps if the command rejects it only for its items together: devices that
 * had the same name were renamed one by one, and are so again.
 */
async function prepareParts(
  command: Command,
  invocation: Invocation,
  context: Context,
): Promise<readonly PreparedStep[]> {
  try {
    return [await prepareStep(command, invocation, context)];
  } catch (error) {
    const ids = idsOf(command, invocation.args);
    if (!(error instanceof CommandError) || ids.length < 2) throw error;
    const half = Math.ceil(ids.length / 2);
    const partOf = (part: readonly string[]): Invocation => ({
      ...invocation,
      args: { ...invocation.args, [targetParam(command)!.name]: { ids: part } },
    });
    const first = await prepareParts(command, partOf(ids.slice(0, half)), context);
    return [...first, ...(await prepareParts(command, partOf(ids.slice(half)), context))];
  }
}

/** Prepares a step of an inverse. Omits items that have since been deleted. */
async function prepareStep(command: Command, { args }: Invocation, context: Context): Promise<PreparedStep> {
  try {
    return { prepared: await prepare(command, args, context), missingCount: 0 };
  } catch (error) {
    const target = targetParam(command);
    const ids = idsOf(command, args);
    const isMissing = error instanceof CommandError && error.userMessage.key === 'running:lookup.missing';
    if (!isMissing || !target || ids.length === 0) throw error;
    const existingIds = (await target.entity.byIds(context, ids)).map((item) => target.entity.id(item));
    if (existingIds.length === 0) throw error;
    const preparedRun = await prepare(command, { ...args, [target.name]: { ids: existingIds } }, context);
    return { prepared: preparedRun, missingCount: ids.length - existingIds.length };
  }
}

/** Returns the item ids in an invocation, if it names items by id. */
function idsOf(command: Command | undefined, args: Args): readonly string[] {
  const target = command && targetParam(command);
  const namedTarget = target && (args[target.name] as NamedTarget | undefined);
  return namedTarget && 'ids' in namedTarget ? namedTarget.ids : [];
}

function keyOf({ id, field }: Change): string {
  return `${id} ${field.key}`;
}

/** Finds the changes of an undo that would overwrite later changes by someone else. */
function findConflicts(recorded: readonly Change[] | undefined, steps: readonly PreparedRun[]) {
  const changes = steps.flatMap(({ plan }) => plan?.changes ?? []);
  if (recorded === undefined) return { conflicts: [], unknown: changes.length > 0 };
  const expected = new Map(recorded.map((change) => [keyOf(change), change]));
  const conflicts = changes.filter((change) => {
    const recordedChange = expected.get(keyOf(change));
    if (!recordedChange || isListChange(recordedChange) !== isListChange(change)) return false;
    if (isListChange(change)) return !revertsOnly(change, recordedChange);
    return JSON.stringify(recordedChange.after) !== JSON.stringify(change.before);
  });
  return { conflicts, unknown: false };
}

/** True if an undo only removes list entries that the command added, and only adds entries that it removed. */
function revertsOnly(undoChange: Change, recorded: Change): boolean {
  return isSubset(undoChange.removed, recorded.added) && isSubset(undoChange.added, recorded.removed);
}

function isSubset(entries: Change['added'] = [], superset: Change['added'] = []): boolean {
  const supersetEntries = new Set(superset.map((entry) => JSON.stringify(entry)));
  return entries.every((entry) => supersetEntries.has(JSON.stringify(entry)));
}

/** Counts what an interrupted run did, as far as its results are known. */
function interruptionNotes({ interrupted, outcome: { results = [] } }: Entry['run']): readonly Message[] {
  if (!interrupted || results.length === 0) return [];
  const counts = groupBy(results, resultKind);
  const values = RESULT_KINDS.map((kind) => [kind, counts.get(kind)?.length ?? 0] as const);
  return [message('running:undo.counts', Object.fromEntries(values))];
}

function conflictNotes(conflicts: readonly Change[]): readonly Message[] {
  if (conflicts.length === 0) return [];
  const labels = [...new Set(conflicts.map(({ label }) => label))];
  const names = labels.slice(0, MAX_NAMES).join(', ');
  const unnamedCount = labels.length - MAX_NAMES;
  return unnamedCount > 0
    ? [message('running:undo.conflictMore', { count: unnamedCount, names })]
    : [message('running:undo.conflict', { names })];
}

function createPlan(title: Message, plans: readonly Plan[], notes: readonly Message[]): Plan {
  const onlyPlan = plans.length === 1 ? plans[0] : undefined;
  const count = plans.reduce((sum, plan) => sum + plan.count, 0);
  const confirms = plans.some(({ confirm }) => confirm !== undefined);
  return {
    summary: onlyPlan?.summary ?? message('running:undo.summary', { title }),
    count,
    changes: plans.flatMap(({ changes }) => changes),
    notes: [...notes, ...sumNotes(plans.flatMap((plan) => plan.notes ?? []))],
    reversible: plans.every(({ reversible }) => reversible),
    ...(plans.length > 0 && plans.every(({ personal }) => personal) ? { personal: true } : {}),
    ...(confirms ? { confirm: onlyPlan?.confirm ?? `${count}` } : {}),
  };
}

/** Merges notes that several steps share, adding up their counts. */
export function sumNotes(notes: readonly Message[]): readonly Message[] {
  const messagesById = new Map<string, Message>();
  for (const note of notes) {
    const { count, ...others } = note.values ?? {};
    const key = JSON.stringify([note.key, others]);
    const before = messagesById.get(key)?.values?.['count'];
    const isCounted = typeof count === 'number' && typeof before === 'number';
    messagesById.set(key, isCounted ? message(note.key, { ...others, count: before + count }) : note);
  }
  return [...messagesById.values()];
}

function requireCommand<C extends CommandMetadata>(id: string, commands: { command(id: string): C | undefined }): C {
  const command = commands.command(id);
  if (!command) throw new CommandError(message('running:line.unknownCommand', { command: id }));
  return command;
}
