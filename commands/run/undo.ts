import { targetParam, texts, type Command } from '#commands/model/command.ts';
import type { Context, RunContext } from '#commands/model/context.ts';
import { CommandError } from '#commands/model/errors.ts';
import type { Entry } from './history.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import { message, type Message } from '#commands/text/message.ts';
import { isListChange, type Change, type Plan } from '#commands/model/plan.ts';
import type { Registry } from '#commands/registry/registry.ts';
import { failed, skipped, succeeded, type ItemResult, type Outcome } from '#commands/model/result.ts';
import { prepare, run, type Prepared } from './run.ts';
import type { NamedTarget } from '#commands/model/target.ts';

type Commands = Pick<Registry, 'command'>;

/** An inverse that was looked up and planned: what undo runs, exactly. */
export interface PreparedUndo {
  readonly entry: Entry;
  readonly steps: readonly Prepared[];
  readonly plan: Plan;
  /** True when the plan must be shown first: it deletes, or something changed since. */
  readonly confirm: boolean;
}

/** Labels of changed items that a plan names; of more only how many. */
const NAMED = 3;

/** What a command of the history is called, in the words of its plan. */
export function titleOf({ done }: Entry, commands: Commands): Message {
  return done.summary ?? texts.title(commandOf(done.invocation.id, commands));
}

/**
 * `behind` says that something was run after it that undo passes by: then it is shown first what is taken back.
 * @throws CommandError when it cannot be undone: there is no way back, or one that is refused now.
 */
export async function prepareUndo(
  { entry, behind }: { readonly entry: Entry; readonly behind: boolean },
  commands: Commands,
  context: Context,
): Promise<PreparedUndo> {
  const title = titleOf(entry, commands);
  if (!entry.done.inverse) throw new CommandError(message('core:undo.irreversible', { title }));
  const found: { readonly prepared: Prepared; readonly gone: number }[] = [];
  for (const invocation of entry.done.inverse) {
    try {
      found.push(await prepareStep(commandOf(invocation.id, commands), invocation, context));
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      throw new CommandError(message('core:undo.refused', { title, reason: error.userMessage }));
    }
  }
  const steps = found.map(({ prepared }) => prepared);
  const gone = found.reduce((sum, item) => sum + item.gone, 0);
  const { conflicts, unknown } = compare(entry.done.left, steps);
  const plans = steps.flatMap(({ plan }) => plan ?? []);
  const plan = planOf(title, plans, [
    ...conflictNotes(conflicts),
    ...(unknown ? [message('core:undo.unknown')] : []),
    ...(gone > 0 ? [message('core:undo.gone', { count: gone })] : []),
  ]);
  const deletes = plans.some(({ reversible }) => !reversible);
  return { entry, steps, plan, confirm: behind || deletes || unknown || conflicts.length > 0 };
}

/** An inverse names items that may have been deleted since: the others still go back. */
async function prepareStep(command: Command, { args }: Invocation, context: Context) {
  try {
    return { prepared: await prepare(command, args, context), gone: 0 };
  } catch (error) {
    const target = targetParam(command);
    const named = target && (args[target.name] as NamedTarget | undefined);
    const missing = error instanceof CommandError && error.userMessage.key === 'core:lookup.missing';
    if (!missing || !target || !named || !('ids' in named)) throw error;
    const there = (await target.entity.byIds(context, named.ids)).map((item) => target.entity.id(item));
    if (there.length === 0) throw error;
    const prepared = await prepare(command, { ...args, [target.name]: { ids: there } }, context);
    return { prepared, gone: named.ids.length - there.length };
  }
}

function keyOf({ id, field }: Change): string {
  return `${id} ${field.key}`;
}

/** The changes of an undo that would not find what the command left behind: somebody else changed it meanwhile. */
function compare(left: readonly Change[] | undefined, steps: readonly Prepared[]) {
  const changes = steps.flatMap(({ plan }) => plan?.changes ?? []);
  if (left === undefined) return { conflicts: [], unknown: changes.length > 0 };
  const expected = new Map(left.map((change) => [keyOf(change), change]));
  const conflicts = changes.filter((change) => {
    const then = expected.get(keyOf(change));
    if (!then || isListChange(then) || isListChange(change)) return false;
    return JSON.stringify(then.after) !== JSON.stringify(change.before);
  });
  return { conflicts, unknown: false };
}

function conflictNotes(conflicts: readonly Change[]): readonly Message[] {
  if (conflicts.length === 0) return [];
  const labels = [...new Set(conflicts.map(({ label }) => label))];
  const names = labels.slice(0, NAMED).join(', ');
  const more = labels.length - NAMED;
  return more > 0
    ? [message('core:undo.conflictMore', { count: more, names })]
    : [message('core:undo.conflict', { names })];
}

function planOf(title: Message, plans: readonly Plan[], notes: readonly Message[]): Plan {
  const only = plans.length === 1 ? plans[0] : undefined;
  const count = plans.reduce((sum, plan) => sum + plan.count, 0);
  const confirms = plans.some(({ confirm }) => confirm !== undefined);
  return {
    summary: only?.summary ?? message('core:undo.summary', { title }),
    count,
    changes: plans.flatMap(({ changes }) => changes),
    notes: [...notes, ...summed(plans.flatMap((plan) => plan.notes ?? []))],
    reversible: plans.every(({ reversible }) => reversible),
    ...(plans.length > 0 && plans.every(({ personal }) => personal) ? { personal: true } : {}),
    ...(confirms ? { confirm: only?.confirm ?? `${count}` } : {}),
  };
}

/** What several parts say of so many items each is said once, of all of them. */
function summed(notes: readonly Message[]): readonly Message[] {
  const found = new Map<string, Message>();
  for (const note of notes) {
    const { count, ...others } = note.values ?? {};
    const key = JSON.stringify([note.key, others]);
    const before = found.get(key)?.values?.['count'];
    const isCounted = typeof count === 'number' && typeof before === 'number';
    found.set(key, isCounted ? message(note.key, { ...others, count: before + count }) : note);
  }
  return [...found.values()];
}

/** What an undo did, and which part of the inverse is still to be run. */
export interface Undone {
  readonly outcome: Outcome;
  readonly left: readonly Invocation[];
}

/** Thrown where a part of an inverse failed as a whole; `undone` is what was done before it. */
export class UndoFailed extends Error {
  readonly undone: Undone;

  constructor(undone: Undone, cause: unknown) {
    super('an undo failed in part', { cause });
    this.name = 'UndoFailed';
    this.undone = undone;
  }
}

/**
 * Runs the parts of an inverse one after the other. What fails or is not reached is in `left`, so that undo goes on
 * there.
 * @throws UndoFailed
 */
export async function runUndo(
  { entry, steps, plan }: PreparedUndo,
  commands: Commands,
  context: RunContext,
): Promise<Undone> {
  const results: ItemResult[] = [];
  const changed = new Set<string>();
  const left: Invocation[] = [];
  const text: Message[] = [];
  const total = steps.reduce((sum, step) => sum + (step.plan?.count ?? 1), 0);
  const undone = (): Undone => ({
    outcome: { changed: [...changed], results, message: sentence(entry, commands, results, text, plan) },
    left,
  });
  for (const [at, step] of steps.entries()) {
    const before = results.length;
    try {
      if (context.stop.aborted) {
        left.push(invocationOf(step));
        results.push(...targets(step).map(({ id, label }) => ({ id, label, skipped: true })));
        continue;
      }
      const progress: Context['progress'] = ({ done }) => context.progress({ done: before + done, total });
      const { outcome } = await run(step, { ...context, signal: context.stop, progress });
      for (const name of outcome.changed ?? []) changed.add(name);
      results.push(...(outcome.results ?? []));
      if (outcome.message) text.push(outcome.message);
      left.push(...restOf(step, outcome));
    } catch (error) {
      left.push(...steps.slice(at).map(invocationOf));
      throw new UndoFailed(undone(), error);
    }
  }
  return undone();
}

function invocationOf({ command, given }: Prepared): Invocation {
  return { id: command.id, args: given };
}

function targets(step: Prepared): readonly { readonly id: string; readonly label: string }[] {
  return [...new Map((step.plan?.changes ?? []).map((change) => [change.id, change])).values()];
}

/** What a part of an inverse did not do: the items that failed or were not tried. */
function restOf({ command, given }: Prepared, outcome: Outcome): readonly Invocation[] {
  const ids = [...failed(outcome), ...skipped(outcome)].map(({ id }) => id);
  if (ids.length === 0) return [];
  const target = targetParam(command);
  return [{ id: command.id, args: target ? { ...given, [target.name]: { ids } } : given }];
}

function sentence(
  entry: Entry,
  commands: Commands,
  results: readonly ItemResult[],
  text: readonly Message[],
  plan: Plan,
): Message {
  const title = titleOf(entry, commands);
  const { length: count } = succeeded({ results });
  if (count < results.length) return message('core:undo.part', { title, done: count, total: plan.count });
  const [only, ...others] = text;
  return only && others.length === 0 ? only : message('core:undo.done', { title });
}

function commandOf(id: string, commands: Commands): Command {
  const found = commands.command(id);
  if (!found) throw new CommandError(message('core:line.unknownCommand', { command: id }));
  return found;
}
