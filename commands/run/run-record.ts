import { targetParam, type ResolvedArgs } from '#commands/model/command.ts';
import type { CallMonitor, Context } from '#commands/model/context.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import type { Failure } from '#commands/model/errors.ts';
import type { Args, Invocation } from '#commands/model/invocation.ts';
import type { Plan } from '#commands/model/plan.ts';
import { maybeChanged, type ItemResult, type Outcome } from '#commands/model/result.ts';
import type { SelectedItems } from '#commands/model/target.ts';
import { message, type Message } from '#commands/text/message.ts';

import type { CompletedRun } from './completed-run.ts';
import { mergeInvocations } from './merge-invocations.ts';
import type { PreparedRun } from './run.ts';
import { storableArgs, withoutSecrets } from './storable-args.ts';
import type { StoredChange } from './stored-change.ts';

/**
 * A run as stored before its first call, to continue or undo it if the page or the process ends during the run.
 * Contains no secrets, and can be stored as JSON.
 */
export interface RunRecord {
  readonly id: string;
  /** The id of the user who started it. */
  readonly person: string;
  readonly organization: string;
  /** In ms since the epoch. */
  readonly startedAt: number;
  readonly invocation: Invocation;
  readonly summary: Message;
  /** The items to change, in the order of the plan. */
  readonly ids: readonly string[];
  /** The labels of these items, in the same order. */
  readonly labels: readonly string[];
  /** The commands that undo the change of all items. Empty if it can't be undone. */
  readonly inverse: readonly Invocation[];
  /**
   * True if the command compares items with what they should become, so it can be run again for an item without knowing
   * whether the first run changed it.
   */
  readonly isRepeatable: boolean;
  /** The change that this run undoes, if it is an undo (`undo-record.ts`). `inverse` then has the steps of the undo. */
  readonly undoes?: StoredChange;
}

/** A call of a stored run. It has no results if the page or the process ended before the response. */
export interface CallRecord {
  readonly ids: readonly string[];
  /** The items that failed. The others are done. */
  readonly failures?: readonly { readonly id: string; readonly failure: Failure }[];
  /** The commands that undo it, if they weren't known before the run. */
  readonly inverse?: readonly Invocation[];
}

/** Stores the calls of a run as they begin and end. */
export type CallRecorder = Required<Pick<CallMonitor, 'begin' | 'end'>>;

/** Numbers the calls of a run, and passes their records on. The record of a call's end replaces that of its begin. */
export function recordCalls(put: (number: number, call: CallRecord) => Promise<void>): CallRecorder {
  let number = 0;
  const stepsOf = (inverse: readonly Invocation[] = []): Pick<CallRecord, 'inverse'> =>
    inverse.length === 0 ? {} : { inverse };
  return {
    begin: (ids, inverse) => put(number, { ids, ...stepsOf(inverse) }),
    end: (results, inverse) =>
      put(number++, {
        ids: results.map(({ id }) => id),
        failures: results.flatMap(({ id, failure }) => (failure ? [{ id, failure }] : [])),
        ...stepsOf(inverse),
      }),
  };
}

/**
 * Returns the record of a run, or undefined if it can't be continued without asking again: it has no items, or an
 * argument that can't be stored, such as a secret or a file. A table is stored with the rows of its file.
 */
export function createRunRecord(preparedRun: PreparedRun, context: Context, key: RecordKey): RunRecord | undefined {
  const { command, args, plan } = preparedRun;
  const storable = (command.rows ? withoutSecrets : storableArgs)(command, args);
  const isComplete = JSON.stringify(storable) === JSON.stringify(args);
  if (!plan || !(targetParam(command) ?? command.rows) || !isComplete) return undefined;
  return { ...createUndoRecord(preparedRun, plan, context, key), invocation: { id: command.id, args: storable } };
}

export type RecordKey = Pick<RunRecord, 'id' | 'startedAt'>;

/** Returns the record of a run that can be undone but not continued, so it needs no arguments. */
export function createUndoRecord(
  { command, args, resolved }: Pick<PreparedRun, 'command' | 'args' | 'resolved'>,
  plan: Plan,
  { actor, organization }: Context,
  { id, startedAt }: RecordKey,
): RunRecord {
  const target = targetParam(command);
  // Without a target, the plan only describes what the run changes: a new item has no id yet.
  const labels = (target ?? command.rows) ? labelsOf(plan, resolved, target) : new Map<string, string>();
  const results = [...labels].map(([itemId, label]): ItemResult => ({ id: itemId, label }));
  const inverse = assumedInverse(() => command.inverse?.(resolved, assumedOutcome(results), args) ?? []);
  const canLimit = inverse.every(({ args: inverseArgs }) => targetIds(inverseArgs) !== undefined);
  return {
    id,
    person: actor.id,
    organization: organization.id,
    startedAt,
    invocation: { id: command.id, args: {} },
    summary: plan.summary,
    ids: [...labels.keys()],
    labels: [...labels.values()],
    // A step that doesn't name its items can't be limited to those that changed.
    inverse: labels.size === 0 || canLimit ? inverse : [],
    isRepeatable: command.rows?.isRepeatable ?? plan.changes.length > 0,
  };
}

/** Thrown if an inverse needs data that only the response has, such as the id of a new item. */
class NeedsDataError extends Error {}

/** The outcome of a run that succeeds. Its data is not known before the run. */
const assumedOutcome = (results: readonly ItemResult[]): Outcome => ({
  results,
  get data(): never {
    throw new NeedsDataError('The data is known only after the run.');
  },
});

/** Returns an inverse, or no steps if it isn't known before the run. */
function assumedInverse(create: () => readonly Invocation[]): readonly Invocation[] {
  try {
    return create();
  } catch (error) {
    if (error instanceof NeedsDataError) return [];
    throw error;
  }
}

/** Returns the labels of the items that a plan changes, keyed by id. */
export function labelsOf(
  plan: Plan,
  resolved: ResolvedArgs,
  target: NamedEntity | undefined,
): ReadonlyMap<string, string> {
  const items = plan.items ?? changedItems(plan, resolved, target);
  return new Map(items.map(({ id, label }) => [id, label]));
}

type NamedEntity = { readonly name: string; readonly entity: AnyEntity };

function changedItems(
  { changes }: Plan,
  resolved: ResolvedArgs,
  target: NamedEntity | undefined,
): readonly Pick<ItemResult, 'id' | 'label'>[] {
  if (!target || changes.length > 0) return changes;
  const { entity, name } = target;
  return (resolved[name] as SelectedItems<unknown>).items.map((item) => ({
    id: entity.id(item),
    label: entity.label(item),
  }));
}

/** Returns what is known of a run that didn't end, as a completed run that can be continued and undone. */
export function toInterruptedRun(record: RunRecord, calls: readonly CallRecord[]): CompletedRun {
  const results = interruptedResults(record, calls, () => record.isRepeatable);
  const changedIds = new Set(maybeChanged({ results }).map(({ id }) => id));
  // Without items, it isn't known whether the change was made.
  const hasItems = record.ids.length > 0;
  const inverse = [
    ...(hasItems ? limitInverse(record.inverse, changedIds) : record.inverse),
    ...mergeInvocations(calls.flatMap((call) => call.inverse ?? [])),
  ];
  return {
    recordId: record.id,
    invocation: record.invocation,
    outcome: hasItems ? { results } : {},
    inverse: inverse.length > 0 ? inverse : undefined,
    organization: record.organization,
    interrupted: true,
    summary: message('running:interrupted.title', { title: record.summary }),
  };
}

/** Returns what is known of each item of a run that didn't end. */
export function interruptedResults(
  { ids, labels }: RunRecord,
  calls: readonly CallRecord[],
  isRepeatable: (id: string) => boolean,
): readonly ItemResult[] {
  const states = new Map<string, Pick<ItemResult, 'failure'>>();
  for (const call of calls) {
    for (const id of call.ids) states.set(id, call.failures ? {} : { failure: noResponse(isRepeatable(id)) });
    for (const { id, failure } of call.failures ?? []) states.set(id, { failure });
  }
  return ids.map((id, index) => ({ id, label: labels[index] ?? id, ...(states.get(id) ?? { skipped: true }) }));
}

const noResponse = (retryable: boolean): Failure => ({
  code: 'unavailable',
  message: message('running:interrupted.unknown'),
  retryable,
});

/** Returns the ids of the items that an invocation names. */
export function targetIds(args: Args): { readonly name: string; readonly ids: readonly string[] } | undefined {
  for (const [name, value] of Object.entries(args)) {
    if (typeof value === 'object' && 'ids' in value) return { name, ids: value.ids as readonly string[] };
  }
  return undefined;
}

/** Limits an inverse to some items. */
function limitInverse(inverse: readonly Invocation[], changedIds: ReadonlySet<string>): readonly Invocation[] {
  return inverse.flatMap(({ id, args }) => {
    const target = targetIds(args);
    const ids = target?.ids.filter((itemId) => changedIds.has(itemId)) ?? [];
    return target && ids.length > 0 ? [{ id, args: { ...args, [target.name]: { ids } } }] : [];
  });
}
