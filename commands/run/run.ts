import { ASK, type KindValues, withAsk } from '#commands/model/arg-value.ts';
import type { Command, ResolvedArgs } from '#commands/model/command.ts';
import { targetParam } from '#commands/model/command.ts';
import { runContext, type Context, type RunContext } from '#commands/model/context.ts';
import { failureOf, isRefusedCall } from '#commands/model/errors.ts';
import { fileReference } from '#commands/model/files.ts';
import type { Args, Invocation } from '#commands/model/invocation.ts';
import type { Change, Plan } from '#commands/model/plan.ts';
import {
  maybeChanged,
  failedResults,
  skippedResults,
  succeededResults,
  type ItemResult,
  type Outcome,
} from '#commands/model/result.ts';
import { isSelection, type Selected, type Target } from '#commands/model/target.ts';
import { message, type Message } from '#commands/text/message.ts';

import { availability, changesOrganization, canTargetSelection, UnavailableError } from './availability.ts';
import type { CompletedRun } from './completed-run.ts';
import type { Entry } from './history.ts';
import { selectionTarget } from './lookup.ts';
import { otherOrganizationNotes } from './other-organizations.ts';
import { resolveArgs } from './resolve.ts';

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
  /** True if the plan must be shown before it runs, because it changes several items or cannot be undone. */
  readonly confirm: boolean;
  /** Set for an undo, which is not recorded as a new entry. */
  readonly undoes?: Entry;
}

/**
 * Prepares a run: resolves the arguments and plans the changes.
 *
 * @throws CommandError if the command is not available, or an argument is missing or invalid.
 */
export async function prepare(command: Command, args: Args, context: Context): Promise<PreparedRun> {
  const status = availability(command, context);
  if (!status.ok) throw new UnavailableError(status.reason);
  const pinnedArgs = pinSelection(command, args, context);
  const resolved = await resolveArgs(command, pinnedArgs, context);
  const plan = annotatePlan(command, await command.plan?.(context, resolved), resolved, context);
  return { command, args: pinnedArgs, resolved, plan, confirm: mustConfirm(plan) };
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
  const selected = target && (resolved[target.name] as Selected<unknown> | undefined);
  if (!selected) return plan;
  const notes = otherOrganizationNotes(target.entity, selected.items, plan, context);
  return notes.length === 0 ? plan : { ...plan, notes: [...(plan.notes ?? []), ...notes] };
}

function mustConfirm(plan: Plan | undefined): boolean {
  return plan !== undefined && (plan.count > 1 || !(plan.reversible || plan.harmless));
}

/**
 * Runs a prepared command. Failures of single items are part of the outcome; errors are thrown only if nothing could be
 * tried.
 */
export async function run({ command, args, resolved, plan }: PreparedRun, context: Context): Promise<CompletedRun> {
  const isChange = command.effect === 'write' || command.effect === 'destructive';
  const outcome = explainNothingDone(await outcomeOf(command, runContext(context, isChange), resolved));
  const mayHaveChanged = outcome.results === undefined || maybeChanged(outcome).length > 0;
  const inverse = mayHaveChanged ? command.inverse?.(resolved, outcome, args) : undefined;
  return {
    invocation: { id: command.id, args: storableArgs(command, args) },
    outcome,
    inverse: inverse && inverse.length > 0 ? inverse : undefined,
    organization: context.organization.id,
    ...(plan?.harmless ? { harmless: true } : {}),
    summary: summaryAfter(outcome, plan),
    changes: plan && changesMade(plan.changes, outcome),
  };
}

/** Runs a command. If it failed after creating an item, that item is the outcome, so undo can delete it. */
async function outcomeOf(command: Command, context: RunContext, resolved: ResolvedArgs): Promise<Outcome> {
  try {
    return await command.run(context, resolved);
  } catch (error) {
    const failure = failureOf(error);
    if (!failure.created) throw error;
    if (!isRefusedCall(failure)) context.host.report?.(error);
    const { id, label } = failure.created;
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
  const isPart = succeeded > 0 && failedResults(outcome).length + skippedResults(outcome).length > 0;
  if (!isPart || !outcome.message) return plan?.summary;
  const count = maybeChanged(outcome).length - succeeded;
  return count > 0 ? message('common:done.andMaybe', { result: outcome.message, count }) : outcome.message;
}

/** Replaces "Nothing to change" if nothing changed only because items failed or were canceled. */
function explainNothingDone(outcome: Outcome): Outcome {
  if (outcome.message?.key !== 'common:done.nothing') return outcome;
  const uncertain = maybeChanged(outcome);
  if (uncertain.length > 0) {
    // Without a response, the result is unknown.
    const kind = uncertain.every(({ failure }) => failure?.partly) ? 'partly' : 'unanswered';
    return { ...outcome, message: message(`common:done.${kind}`, { count: uncertain.length }) };
  }
  const { length: count } = failedResults(outcome);
  if (count > 0) return { ...outcome, message: message('common:done.failed', { count }) };
  return skippedResults(outcome).length > 0 ? { ...outcome, message: message('common:done.canceled') } : outcome;
}

/** Returns the planned changes of the items that may have changed, with the new ids of renamed items. */
function changesMade(planned: readonly Change[], outcome: Outcome): readonly Change[] {
  if (!outcome.results?.some(({ failure, skipped, renamedTo }) => failure || skipped || renamedTo)) return planned;
  const ids = new Map(maybeChanged(outcome).map(({ id, renamedTo }) => [id, renamedTo?.id ?? id]));
  return planned.flatMap((change) => {
    const id = ids.get(change.id);
    return id === undefined ? [] : [{ ...change, id }];
  });
}

/**
 * Returns the arguments that history, links and audits may store: a file becomes its name, and a secret becomes a
 * prompt.
 */
function storableArgs(command: Command, args: Args): Args {
  const entries = Object.entries(withoutSecrets(command, args)).map(([name, value]) => {
    const isFile = command.params[name]?.kind === 'file' && typeof value === 'string';
    return [name, isFile ? fileReference(value) : value] as const;
  });
  return Object.fromEntries(entries);
}

/** Replaces every secret with its prompt; an empty secret stays empty. */
export function withoutSecrets(command: Command, args: Args): Args {
  const entries = Object.entries(args).map(([name, value]) => {
    const param = command.params[name];
    if (param?.kind === 'pairs' && param.hidden && value !== undefined) {
      return [name, withAsk(value as KindValues['pairs'])] as const;
    }
    const isSecret = param?.kind === 'secret' && value !== undefined && value !== '';
    return [name, isSecret ? ASK : value] as const;
  });
  return Object.fromEntries(entries);
}

/**
 * Returns the same invocation for the failed items, or undefined if none can be retried. Items that were created are
 * not retried, because that would create more.
 */
export function retryOf(command: Command, done: CompletedRun): Invocation | undefined {
  const failures = failedResults(done.outcome);
  return invocationFor(
    command,
    done,
    failures.filter(({ failure }) => !failure?.created),
  );
}

/** Returns the same invocation for the items that a canceled run did not try, or undefined if it tried all. */
export function restOf(command: Command, done: CompletedRun): Invocation | undefined {
  return invocationFor(command, done, skippedResults(done.outcome));
}

function invocationFor(
  command: Command,
  { invocation }: CompletedRun,
  results: readonly ItemResult[],
): Invocation | undefined {
  const target = targetParam(command);
  if (!target || results.length === 0) return undefined;
  return { id: invocation.id, args: { ...invocation.args, [target.name]: { ids: results.map(({ id }) => id) } } };
}

/**
 * Returns the last command with the current target, or with its previous target if it cannot act on the current one.
 */
export function repeatOf(command: Command, last: Invocation, context: Context): Invocation {
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
