import { targetParam } from '#commands/model/command.ts';
import type { CallMonitor, Context } from '#commands/model/context.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import { RESULT_KINDS, resultKind, type ItemResult } from '#commands/model/result.ts';
import type { Registry } from '#commands/registry/registry.ts';
import { groupBy } from '#commands/text/group-by.ts';
import { message } from '#commands/text/message.ts';

import type { CompletedRun } from './completed-run.ts';
import {
  interruptedResults,
  labelsOf,
  targetIds,
  type CallRecord,
  type RecordKey,
  type RunRecord,
} from './run-record.ts';
import { remainingResults, type PreparedRun } from './run.ts';
import { restoreRun, toStoredChange } from './stored-change.ts';
import { titleOf } from './undo.ts';

/* An undo is stored like a run, but its parts are steps. Several steps can change the same item, so each item is named
   together with its step. A step that doesn't name its items by id, such as the creation of one, is one part. */

const partOf = (step: number, id = ''): string => `${step} ${id}`;

const stepOf = (part: string): number => Number.parseInt(part, 10);

const itemOf = (part: string): string => part.slice(part.indexOf(' ') + 1);

/** Returns the record of an undo, or undefined if it has nothing to do. */
export function createRecordOfUndo(
  { command, undoes }: Pick<PreparedRun, 'command' | 'undoes'>,
  { actor, organization }: Context,
  { id, startedAt }: RecordKey,
  registry: Pick<Registry, 'command'>,
): RunRecord | undefined {
  if (!undoes) return undefined;
  const { entry, steps } = undoes;
  const labels = new Map(
    steps.flatMap((step, index) => partsOf(step).map(([itemId, label]) => [partOf(index, itemId), label] as const)),
  );
  if (labels.size === 0) return undefined;
  return {
    id,
    person: actor.id,
    organization: organization.id,
    startedAt,
    invocation: { id: command.id, args: {} },
    summary: message('running:undo.summary', { title: titleOf(entry, registry) }),
    ids: [...labels.keys()],
    labels: [...labels.values()],
    inverse: steps.map((step) => ({ id: step.command.id, args: step.args })),
    isRepeatable: false,
    undoes: toStoredChange({ ...entry.run, inverse: undefined }, registry),
  };
}

function partsOf({ command, args, resolved, plan }: PreparedRun): readonly (readonly [id: string, label: string])[] {
  if (!plan) return [];
  if (!targetIds(args)) return [['', plan.changes[0]?.label ?? '']];
  return [...labelsOf(plan, resolved, targetParam(command))];
}

/** Follows the calls for some steps of an undo. */
export interface StepMonitor extends CallMonitor {
  /** True once a call has been followed. */
  readonly hasBegun: () => boolean;
}

/** Returns a monitor for calls whose items are in the given steps. */
export function followSteps(monitor: CallMonitor, stepOfItem: (id: string) => number): StepMonitor {
  let hasBegun = false;
  const toPart = (id: string): string => partOf(stepOfItem(id), id);
  return {
    ready: () => monitor.ready(),
    begin: async (ids) => {
      hasBegun = true;
      await monitor.begin?.(ids.map(toPart));
    },
    end: async (results) => monitor.end?.(results.map((result) => ({ ...result, id: toPart(result.id) }))),
    hasBegun: () => hasBegun,
  };
}

/** Returns the ids under which {@link followSteps} follows a step as a whole, if it makes only one call. */
export function wholeStep({ args, plan }: PreparedRun): readonly string[] | undefined {
  if (!targetIds(args)) return [''];
  const ids = [...new Set(plan?.changes.map(({ id }) => id))];
  return ids.length === 1 ? ids : undefined;
}

/** What is known of an undo that didn't end. */
export interface InterruptedUndo {
  /** The undo itself, with the results of its items. */
  readonly run: CompletedRun;
  /** The change that it undoes, with what is left to undo of it. */
  readonly change: CompletedRun;
}

/**
 * Returns what is known of an undo that didn't end. What failed is left to undo, too. A step that had no response and
 * names no items isn't, because it could create an item twice.
 */
export function toInterruptedUndo(record: RunRecord, calls: readonly CallRecord[]): InterruptedUndo | undefined {
  if (!record.undoes) return undefined;
  const namesItems = record.inverse.map(({ args }) => targetIds(args) !== undefined);
  const partResults = interruptedResults(record, calls, (part) => namesItems[stepOf(part)] === true);
  const run: CompletedRun = {
    recordId: record.id,
    invocation: record.invocation,
    outcome: { results: mergeByItem(partResults) },
    inverse: undefined,
    organization: record.organization,
    interrupted: true,
    summary: message('running:interrupted.title', { title: record.summary }),
  };
  const remaining = remainingResults({ ...run, outcome: { results: partResults } });
  const failed = partResults.filter((result) => resultKind(result) === 'failed');
  const inverse = limitSteps(record.inverse, new Set([...remaining, ...failed].map(({ id }) => id)));
  return { run, change: { ...restoreRun(record.undoes), inverse } };
}

/** Names each item once, with the worst of its results. */
function mergeByItem(results: readonly ItemResult[]): readonly ItemResult[] {
  const items = groupBy(results, ({ id }) => itemOf(id) || id);
  const rank = (result: ItemResult): number => RESULT_KINDS.indexOf(resultKind(result));
  return [...items].map(([id, group]) => ({ ...group.reduce((a, b) => (rank(b) < rank(a) ? b : a)), id }));
}

function limitSteps(steps: readonly Invocation[], parts: ReadonlySet<string>): readonly Invocation[] {
  return steps.flatMap(({ id, args }, index) => {
    const target = targetIds(args);
    if (!target) return parts.has(partOf(index)) ? [{ id, args }] : [];
    const ids = target.ids.filter((itemId) => parts.has(partOf(index, itemId)));
    return ids.length > 0 ? [{ id, args: { ...args, [target.name]: { ids } } }] : [];
  });
}
