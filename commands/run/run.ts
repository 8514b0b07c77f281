import { availability, changesOrganization, fitsSelection } from './availability.ts';
import type { Command, ResolvedArgs } from '#commands/model/command.ts';
import { targetParam } from '#commands/model/command.ts';
import { runContext, type Context } from '#commands/model/context.ts';
import type { Done } from './done.ts';
import { elsewhere } from './elsewhere.ts';
import { CommandError } from '#commands/model/errors.ts';
import { fileReference } from '#commands/model/files.ts';
import type { Entry } from './history.ts';
import type { Args, Invocation } from '#commands/model/invocation.ts';
import { ASK, type KindValues, withAsk } from '#commands/model/arg-value.ts';
import { message, type Message } from '#commands/text/message.ts';
import type { Change, Plan } from '#commands/model/plan.ts';
import { resolveArgs } from './resolve.ts';
import { maybeChanged, failed, skipped, succeeded, type ItemResult, type Outcome } from '#commands/model/result.ts';
import { isSelection, type Selected, type Target } from '#commands/model/target.ts';
import { selectionTarget } from './lookup.ts';

/** An invocation whose arguments were checked and looked up, with its plan: what Enter runs, exactly. */
export interface Prepared {
  readonly command: Command;
  /** As asked for, with `@selection` replaced by what was selected, so that it can be kept and run again. */
  readonly given: Args;
  readonly resolved: ResolvedArgs;
  readonly plan: Plan | undefined;
  /** True when the plan must be shown before it runs: many items, or no way back. */
  readonly confirm: boolean;
  /** Set where this takes back what was done before: it is not remembered as something new. */
  readonly undoes?: Entry;
}

/** @throws CommandError when it cannot run: not available here, or an argument that is missing or wrong. */
export async function prepare(command: Command, given: Args, context: Context): Promise<Prepared> {
  const available = availability(command, context);
  if (!available.ok) throw new CommandError(available.reason.message);
  const fixed = fixSelection(command, given, context);
  const resolved = await resolveArgs(command, fixed, context);
  const plan = placed(command, await command.plan?.(context, resolved), resolved, context);
  return { command, given: fixed, resolved, plan, confirm: mustConfirm(plan) };
}

/** Says of a plan whether it is of the organization at all, and which of its items it changes in others. */
function placed(command: Command, plan: Plan | undefined, resolved: ResolvedArgs, context: Context): Plan | undefined {
  if (!plan) return undefined;
  if (!changesOrganization(command)) return { ...plan, personal: true };
  const target = targetParam(command);
  const selected = target && (resolved[target.name] as Selected<unknown> | undefined);
  if (!selected) return plan;
  const places = elsewhere(target.entity, selected.items, plan, context);
  return places.length === 0 ? plan : { ...plan, notes: [...(plan.notes ?? []), ...places] };
}

function mustConfirm(plan: Plan | undefined): boolean {
  return plan !== undefined && (plan.count > 1 || !(plan.reversible || plan.harmless));
}

/** Runs what was prepared. Per-item failures are in the outcome; @throws when nothing could be tried. */
export async function run({ command, given, resolved, plan }: Prepared, context: Context): Promise<Done> {
  const changes = command.effect === 'write' || command.effect === 'destructive';
  const outcome = withoutExcuse(await command.run(runContext(context, changes), resolved));
  const some = outcome.results === undefined || maybeChanged(outcome).length > 0;
  const inverse = some ? command.inverse?.(resolved, outcome, given) : undefined;
  return {
    invocation: { id: command.id, args: keepable(command, given) },
    outcome,
    inverse: inverse && inverse.length > 0 ? inverse : undefined,
    organization: context.organization.id,
    ...(plan?.harmless ? { harmless: true } : {}),
    summary: calledAfter(outcome, plan),
    left: plan && changesMade(plan.changes, outcome),
  };
}

/** A plan that was cancelled or failed in part counts items that were never changed. */
function calledAfter(outcome: Outcome, plan: Plan | undefined): Message | undefined {
  const isPart = succeeded(outcome).length > 0 && failed(outcome).length + skipped(outcome).length > 0;
  return (isPart ? outcome.message : undefined) ?? plan?.summary;
}

/** "Nothing to change" is only true where nothing failed and nothing was cancelled. */
function withoutExcuse(outcome: Outcome): Outcome {
  if (outcome.message?.key !== 'common:done.nothing') return outcome;
  // Without an answer nobody knows what the server did.
  const { length: unanswered } = maybeChanged(outcome);
  if (unanswered > 0) return { ...outcome, message: message('common:done.unanswered', { count: unanswered }) };
  const { length: count } = failed(outcome);
  if (count > 0) return { ...outcome, message: message('common:done.failed', { count }) };
  return skipped(outcome).length > 0 ? { ...outcome, message: message('common:done.cancelled') } : outcome;
}

/** The planned changes of the items that may have been changed. */
function changesMade(planned: readonly Change[], outcome: Outcome): readonly Change[] {
  if (!outcome.results?.some(({ failure, skipped }) => failure || skipped)) return planned;
  const ids = new Set(maybeChanged(outcome).map(({ id }) => id));
  return planned.filter(({ id }) => ids.has(id));
}

/** What history, links and audits may keep: a file is only named, and a secret is asked for again. */
function keepable(command: Command, given: Args): Args {
  const kept = Object.entries(withoutSecrets(command, given)).map(([name, value]) => {
    const isFile = command.params[name]?.kind === 'file' && typeof value === 'string';
    return [name, isFile ? fileReference(value) : value] as const;
  });
  return Object.fromEntries(kept);
}

/** Arguments with every secret replaced by the question for it; the empty one hides nothing. */
export function withoutSecrets(command: Command, given: Args): Args {
  const kept = Object.entries(given).map(([name, value]) => {
    const param = command.params[name];
    if (param?.kind === 'pairs' && param.hidden && value !== undefined) {
      return [name, withAsk(value as KindValues['pairs'])] as const;
    }
    const isSecret = param?.kind === 'secret' && value !== undefined && value !== '';
    return [name, isSecret ? ASK : value] as const;
  });
  return Object.fromEntries(kept);
}

/** The same invocation for only what failed, or undefined when nothing did. */
export function retryOf(command: Command, done: Done): Invocation | undefined {
  return onlyFor(command, done, failed(done.outcome));
}

/** The same invocation for what a cancelled run did not try, or undefined when it tried all. */
export function restOf(command: Command, done: Done): Invocation | undefined {
  return onlyFor(command, done, skipped(done.outcome));
}

function onlyFor(command: Command, { invocation }: Done, results: readonly ItemResult[]): Invocation | undefined {
  const target = targetParam(command);
  if (!target || results.length === 0) return undefined;
  return { id: invocation.id, args: { ...invocation.args, [target.name]: { ids: results.map(({ id }) => id) } } };
}

/** The last command again, on the target of the screen; on its former one where that does not fit. */
export function repeatOf(command: Command, last: Invocation, context: Context): Invocation {
  const target = targetParam(command);
  if (!target || !fitsSelection(command, context)) return last;
  return { id: last.id, args: { ...last.args, [target.name]: selectionTarget(target.entity, context) } };
}

function fixSelection(command: Command, given: Args, context: Context): Args {
  const target = targetParam(command);
  if (!target) return given;
  const value = given[target.name] as Target | undefined;
  if (value !== undefined && !isSelection(value)) return given;
  if (value === undefined && context.focus?.entity !== target.entity.name) return given;
  return { ...given, [target.name]: selectionTarget(target.entity, context) };
}
