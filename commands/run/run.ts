import type { Command, ResolvedArgs } from '#commands/model/command.ts';
import { targetParam } from '#commands/model/command.ts';
import { runContext, type CallMonitor, type Context, type RunContext } from '#commands/model/context.ts';
import { failureOf, isRejectedCall } from '#commands/model/errors.ts';
import type { Args, Invocation } from '#commands/model/invocation.ts';
import { isListChange, type Change, type Plan } from '#commands/model/plan.ts';
import {
  maybeChanged,
  failedResults,
  resultKind,
  skippedResults,
  succeededResults,
  type ItemResult,
  type Outcome,
} from '#commands/model/result.ts';
import { isSelection, type SelectedItems, type Target } from '#commands/model/target.ts';
import { groupBy } from '#commands/text/group-by.ts';
import { message, type Message } from '#commands/text/message.ts';

import { availability, changesOrganization, canTargetSelection, UnavailableError } from './availability.ts';
import type { CompletedRun } from './completed-run.ts';
import type { Entry } from './history.ts';
import { selectionTarget } from './lookup.ts';
import { otherOrganizationNotes } from './other-organizations.ts';
import { resolveArgs } from './resolve.ts';
import { storableArgs, withoutSecrets } from './storable-args.ts';

/** An invocation with checked and resolved arguments, and its plan. This is exactly what Enter runs. */
export interface PreparedRun {
  readonly command: Command;
  /**
   * The arguments of the invocation, with `@selection` replaced by the actual selection, so they can be stored and run
   * again.
   */
  readonly args: Args;
  readonly resolved: ResolvedArgs;
  readonly plan: Plan | undefined;
  /** True if users must see the plan first because it changes several items or can't be undone. */
  readonly confirm: boolean;
  /** The entry that this run undoes, and the steps that do it. An undo is not recorded as a new entry. */
  readonly undoes?: { readonly entry: Entry; readonly steps: readonly PreparedRun[] };
  /** The id of the stored run that this run continues after an interruption. */
  readonly continues?: string;
}

/**
 * Prepares a run by resolving the arguments and planning the changes.
 *
 * @throws CommandError if the command is not available, or an argument is missing or invalid.
 */
export async function prepare(command: Command, args: Args, context: Context): Promise<PreparedRun> {
  const status = availability(command, context);
  if (!status.ok) throw new UnavailableError(status.reason);
  const pinnedArgs = pinSelection(command, args, context);
  const resolvedArgs = await resolveArgs(command, pinnedArgs, context);
  const plan = annotatePlan(command, await command.plan?.(context, resolvedArgs), resolvedArgs, context);
  return { command, args: pinnedArgs, resolved: resolvedArgs, plan, confirm: mustConfirm(plan) };
}

/** Marks a plan as personal, or adds notes about items that belong to other organizations. */
function annotatePlan(
  command: Command,
  plan: Plan | undefined,
  resolved: ResolvedArgs,
  context: Context,
): Plan | undefined {
  if (!plan) return undefined;
  if (!changesOrganization(command)) return { ...plan, personal: true };
  const target = targetParam(command);
  const selectedItems = target && (resolved[target.name] as SelectedItems<unknown> | undefined);
  if (!selectedItems) return plan;
  const notes = otherOrganizationNotes(target.entity, selectedItems.items, plan, context);
  return notes.length === 0 ? plan : { ...plan, notes: [...(plan.notes ?? []), ...notes] };
}

function mustConfirm(plan: Plan | undefined): boolean {
  return plan !== undefined && (plan.count > 1 || plan.sample !== undefined || !(plan.reversible || plan.harmless));
}

/**
 * Runs a prepared command. The outcome includes the failures of individual items. Throws an error only if no item could
 * be tried.
 */
export async function run(
  { command, args, resolved, plan }: PreparedRun,
  context: Context,
  monitor?: CallMonitor,
): Promise<CompletedRun> {
  const isChange = command.effect === 'write' || command.effect === 'destructive';
  const staged = plan?.staged === true;
  const options = { staged, ...(monitor ? { monitor } : {}) };
  const outcome = explainNothingDone(await runCommand(command, runContext(context, isChange, options), resolved));
  // Only a cancellation and too many failures leave items untried.
  const isStopped = staged && skippedResults(outcome).length > 0 && !context.signal.aborted;
  const mayHaveChanged = outcome.results === undefined || maybeChanged(outcome).length > 0;
  const inverse = mayHaveChanged ? command.inverse?.(resolved, outcome, args) : undefined;
  return {
    invocation: { id: command.id, args: storableArgs(command, args) },
    ...(keepsContent(command) && hasRest(outcome) ? { fullArgs: withoutSecrets(command, args) } : {}),
    outcome,
    inverse: inverse && inverse.length > 0 ? inverse : undefined,
    organization: context.organization.id,
    ...(plan?.harmless ? { harmless: true } : {}),
    ...(isStopped ? { stopped: true } : {}),
    summary: summaryAfter(outcome, plan),
    changes: plan && changesMade(plan, outcome),
  };
}

/** True if the stored arguments lack the contents of files, which a retry needs. */
const keepsContent = ({ rows, params }: Command): boolean =>
  rows !== undefined || Object.values(params).some(({ kind }) => kind === 'file' || kind === 'files');

const hasRest = (outcome: Outcome): boolean => failedResults(outcome).length + skippedResults(outcome).length > 0;

/** Runs a command. If it fails after creating an item, the outcome is that item, so undo can delete it. */
async function runCommand(command: Command, context: RunContext, resolved: ResolvedArgs): Promise<Outcome> {
  try {
    return await command.run(context, resolved);
  } catch (error) {
    const failure = failureOf(error);
    if (!failure.createdItem) throw error;
    if (!isRejectedCall(failure)) context.host.report?.(error);
    const { id, label } = failure.createdItem;
    return {
      changed: [command.noun],
      results: [{ id, label, failure }],
      message: message('common:done.createdPartly', { label }),
      data: { ids: [id] },
    };
  }
}

/**
 * Returns the summary of a run. After a partial run, this is the outcome's message, because the plan's summary counts
 * items that did not change. The message counts only the items that the server confirmed. Undo also reverts items that
 * may have changed, so the summary adds their number.
 */
function summaryAfter(outcome: Outcome, plan: Plan | undefined): Message | undefined {
  const { length: succeeded } = succeededResults(outcome);
  const isPartial = succeeded > 0 && hasRest(outcome);
  if (!isPartial || !outcome.message) return plan?.summary;
  const count = maybeChanged(outcome).length - succeeded;
  return count > 0 ? message('common:done.andMaybe', { result: outcome.message, count }) : outcome.message;
}

/** Replaces "Nothing to change" if nothing changed only because items failed or were canceled. */
function explainNothingDone(outcome: Outcome): Outcome {
  if (outcome.message?.key !== 'common:done.nothing') return outcome;
  const uncertain = maybeChanged(outcome);
  if (uncertain.length > 0) {
    // If there was no response, the result is unknown.
    const kind = uncertain.every(({ failure }) => failure?.partly) ? 'partly' : 'unanswered';
    return { ...outcome, message: message(`common:done.${kind}`, { count: uncertain.length }) };
  }
  const { length: count } = failedResults(outcome);
  if (count > 0) return { ...outcome, message: message('common:done.failed', { count }) };
  return skippedResults(outcome).length > 0 ? { ...outcome, message: message('common:done.canceled') } : outcome;
}

/**
 * Returns the changes that may have been made, as an undo compares them, with the new ids of renamed items.
 */
function changesMade({ changes, comparedChanges }: Plan, outcome: Outcome): readonly Change[] {
  const isPartial = outcome.results?.some(({ failure, skipped, renamedTo }) => failure || skipped || renamedTo);
  const ids = new Map(maybeChanged(outcome).map(({ id, renamedTo }) => [id, renamedTo?.id ?? id]));
  if (comparedChanges)
    return mergeListChanges(
      comparedChanges.flatMap(({ source, ...change }) => (!isPartial || ids.has(source) ? [change] : [])),
    );
  if (!isPartial) return changes;
  return changes.flatMap((change) => {
    const id = ids.get(change.id);
    return id === undefined ? [] : [{ ...change, id }];
  });
}

/** Merges the entries that several changes add to the same list, or remove from it. */
function mergeListChanges(changes: readonly Change[]): readonly Change[] {
  return [...groupBy(changes, ({ id, field }) => `${id} ${field.key}`).values()].map((group) =>
    isListChange(group[0]!)
      ? {
          ...group[0]!,
          added: group.flatMap(({ added = [] }) => added),
          removed: group.flatMap(({ removed = [] }) => removed),
        }
      : group[0]!,
  );
}

/**
 * Returns the same invocation for the failed items, or undefined if no item can be retried. Omits items that were
 * created, because a retry would create more.
 */
export function retryInvocation(command: Command, completedRun: CompletedRun): Invocation | undefined {
  const failures = failedResults(completedRun.outcome);
  return invocationFor(
    command,
    completedRun,
    failures.filter(({ failure }) => !failure?.createdItem),
  );
}

/**
 * Returns the same invocation for the items that a run didn't try, or undefined if it tried all. After an interruption,
 * includes those that may have changed, unless they must not change twice.
 */
export function resumeInvocation(command: Command, completedRun: CompletedRun): Invocation | undefined {
  return invocationFor(command, completedRun, remainingResults(completedRun));
}

/** Returns the results of the items that {@link resumeInvocation} continues with. */
export function remainingResults({ outcome, interrupted }: CompletedRun): readonly ItemResult[] {
  const isLeft = (result: ItemResult): boolean =>
    result.skipped === true || (interrupted === true && result.failure?.retryable === true && isUnknown(result));
  return (outcome.results ?? []).filter(isLeft);
}

const isUnknown = (result: ItemResult): boolean => resultKind(result) === 'unknown';

function invocationFor(
  command: Command,
  { invocation: { id, args }, fullArgs = args }: CompletedRun,
  results: readonly ItemResult[],
): Invocation | undefined {
  if (results.length === 0) return undefined;
  const ids = results.map((result) => result.id);
  const target = targetParam(command);
  if (target) return { id, args: { ...fullArgs, [target.name]: { ids } } };
  return command.rows && { id, args: command.rows.pick(fullArgs, ids) };
}

/**
 * Returns the last command with the current target, or with its previous target if it cannot act on the current one.
 */
export function repeatInvocation(command: Command, last: Invocation, context: Context): Invocation {
  const target = targetParam(command);
  if (!target || !canTargetSelection(command, context)) return last;
  return { id: last.id, args: { ...last.args, [target.name]: selectionTarget(target.entity, context) } };
}

/** Replaces `@selection`, or an absent target, with the current selection. */
function pinSelection(command: Command, args: Args, context: Context): Args {
  const target = targetParam(command);
  if (!target) return args;
  const value = args[target.name] as Target | undefined;
  if (value !== undefined && !isSelection(value)) return args;
  if (value === undefined && context.focus?.entity !== target.entity.name) return args;
  return { ...args, [target.name]: selectionTarget(target.entity, context) };
}
