import { ASK } from '#commands/model/arg-value.ts';
import type { Command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import type { Plan } from '#commands/model/plan.ts';
import type { Registry } from '#commands/registry/registry.ts';
import { missingParams } from '#commands/run/resolve.ts';
import { startDraft } from '#src/run/draft.ts';

import { useOutline } from './use-outline.ts';
import { HIGHLIGHT_DEBOUNCE_MS, usePlanState, type PlanState } from './use-plan-state.ts';

const NO_COMMAND = {} as Command;

/** Plans a complete line. An incomplete line opens a prompt instead. */
export function useLinePlan(
  invocation: Invocation | undefined,
  registry: Registry,
  context: Context,
): {
  readonly command: Command | undefined;
  readonly planState: PlanState;
  /** A plan based only on counts, until the full plan is ready. */
  readonly outline: { readonly command: Command; readonly plan: Plan } | undefined;
} {
  const command = invocation && registry.command(invocation.id);
  const args = command && invocation && startDraft(command, invocation.args, context).args;
  // An empty value is an error to show. Only an absent value opens a prompt.
  const isComplete =
    command && args && missingParams(command, args).every((name) => args[name] !== undefined && args[name] !== ASK);
  const completeArgs = isComplete ? args : undefined;
  const planState = usePlanState(command ?? NO_COMMAND, completeArgs, context, undefined, HIGHLIGHT_DEBOUNCE_MS);
  const outlinePlan = useOutline(command ?? NO_COMMAND, completeArgs, context);
  const isPending = planState.status === 'preparing' && command !== undefined && outlinePlan !== undefined;
  return { command, planState, outline: isPending ? { command, plan: outlinePlan } : undefined };
}
