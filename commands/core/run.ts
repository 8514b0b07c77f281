import { availability } from './availability.ts';
import type { Command, ResolvedArgs } from './command.ts';
import { targetParam } from './command.ts';
import { runContext, type Context } from './context.ts';
import { CommandError } from './errors.ts';
import { fileReference } from './files.ts';
import type { Args, Invocation } from './invocation.ts';
import { ASK, type KindValues, withAsk } from './kinds.ts';
import type { Plan } from './plan.ts';
import { resolveArgs } from './resolve.ts';
import { failed, succeeded, type Outcome } from './result.ts';
import { isSelection, type Target } from './target.ts';
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
}

/** What was run, and how to take it back. */
export interface Done {
  readonly invocation: Invocation;
  readonly outcome: Outcome;
  readonly inverse: readonly Invocation[] | undefined;
  /** The organization it was run in: undo works there and nowhere else. */
  readonly organization: string;
}

/** @throws CommandError when it cannot run: not available here, or an argument that is missing or wrong. */
export async function prepare(of: Command, given: Args, context: Context): Promise<Prepared> {
  const available = availability(of, context);
  if (!available.ok) throw new CommandError(available.reason.message);
  const fixed = fixSelection(of, given, context);
  const resolved = await resolveArgs(of, fixed, context);
  const plan = await of.plan?.(context, resolved);
  return { command: of, given: fixed, resolved, plan, confirm: mustConfirm(plan) };
}

function mustConfirm(plan: Plan | undefined): boolean {
  return plan !== undefined && (plan.count > 1 || !plan.reversible);
}

/** Runs what was prepared. Per-item failures are in the outcome; @throws when nothing could be tried. */
export async function run({ command, given, resolved }: Prepared, context: Context): Promise<Done> {
  const changes = command.effect === 'write' || command.effect === 'destructive';
  const outcome = await command.run(runContext(context, changes), resolved);
  const some = outcome.results === undefined || succeeded(outcome).length > 0;
  const inverse = some ? command.inverse?.(resolved, outcome, given) : undefined;
  return {
    invocation: { id: command.id, args: keepable(command, given) },
    outcome,
    inverse: inverse && inverse.length > 0 ? inverse : undefined,
    organization: context.organization.id,
  };
}

/** What history, links and audits may keep: a secret is asked for again (the empty one hides nothing), and a file is named. */
function keepable(of: Command, given: Args): Args {
  const kept = Object.entries(given).map(([name, value]) => {
    const param = of.params[name];
    const kind = param?.kind;
    if (kind === 'file' && typeof value === 'string') return [name, fileReference(value)] as const;
    if (param?.kind === 'pairs' && param.hidden && value !== undefined) {
      return [name, withAsk(value as KindValues['pairs'])] as const;
    }
    const isSecret = kind === 'secret' && value !== undefined && value !== '';
    return [name, isSecret ? ASK : value] as const;
  });
  return Object.fromEntries(kept);
}

/** The same invocation for only what failed, or undefined when nothing did. */
export function retryOf(of: Command, { invocation, outcome }: Done): Invocation | undefined {
  const target = targetParam(of);
  const ids = failed(outcome).map((result) => result.id);
  if (!target || ids.length === 0) return undefined;
  return { id: invocation.id, args: { ...invocation.args, [target.name]: { ids } } };
}

/** The last command again, on what is selected now (the same target where nothing is). */
export function repeatOf(of: Command, last: Invocation, context: Context): Invocation {
  const target = targetParam(of);
  if (!target || context.focus?.entity !== target.entity.name) return last;
  return context.focus.target ? { id: last.id, args: { ...last.args, [target.name]: context.focus.target } } : last;
}

function fixSelection(of: Command, given: Args, context: Context): Args {
  const target = targetParam(of);
  if (!target) return given;
  const value = given[target.name] as Target | undefined;
  if (value !== undefined && !isSelection(value)) return given;
  if (value === undefined && context.focus?.entity !== target.entity.name) return given;
  return { ...given, [target.name]: selectionTarget(target.entity, context) };
}
