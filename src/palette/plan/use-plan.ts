import { useLayoutEffect, useState } from 'react';

import type { Command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import type { Args } from '#commands/model/invocation.ts';
import type { Plan } from '#commands/model/plan.ts';
import { agreesWithOutline } from '#commands/run/outline.ts';
import type { PreparedRun } from '#commands/run/run.ts';
import { useWhenSet } from '#src/ui/use-when-set.ts';

import { argsKey, HIGHLIGHT_DEBOUNCE_MS, usePlanState, type PlanState } from './use-plan-state.ts';

interface PlanOptions {
  readonly command: Command;
  /** The arguments to run. Undefined while an argument is missing. */
  readonly args: Args | undefined;
  /** True if the user accepted all arguments and did not only highlight one. */
  readonly isAccepted: boolean;
  readonly context: Context;
  readonly initialRun: PreparedRun | undefined;
  /** The outline shown until the plan is ready. */
  readonly outline: Plan | undefined;
  /** True if Enter was pressed on these arguments earlier. */
  readonly isSubmitted?: boolean;
  readonly onRun: (preparedRun: PreparedRun) => void;
  /** Receives the plan of accepted arguments, which may require a confirmation. */
  readonly onPlan: (preparedRun: PreparedRun | undefined) => void;
}

/**
 * Plans the invocation that Enter would run, and handles Enter. If the plan is visible, Enter runs it. Otherwise, Enter
 * waits for the plan, and runs it only if it needs no confirmation (one item, reversible) or matches the visible
 * outline.
 */
export function usePlan({
  command,
  args,
  isAccepted,
  context,
  initialRun,
  outline,
  isSubmitted = false,
  onRun,
  onPlan,
}: PlanOptions): {
  readonly planState: PlanState;
  /** True if Enter was pressed and the plan is not ready yet. */
  readonly isSubmitted: boolean;
  readonly submit: (args: Args) => void;
} {
  const [pendingKey, setPendingKey] = useState(() => (isSubmitted && args ? argsKey(args) : undefined));
  const [visibleOutline, setVisibleOutline] = useState<Plan>();
  const current = args && argsKey(args);
  // Enter was pressed on other arguments. Highlighting those again must not run them.
  if (pendingKey !== undefined && pendingKey !== current) setPendingKey(undefined);
  const planState = usePlanState(
    command,
    args,
    context,
    initialRun,
    pendingKey === undefined ? HIGHLIGHT_DEBOUNCE_MS : 0,
  );
  const preparedRun = planState.status === 'ready' ? planState.preparedRun : undefined;

  // A later effect would let an Enter in between run the plan before its row requires the confirmation.
  useLayoutEffect(() => {
    onPlan(isAccepted ? preparedRun : undefined);
  }, [isAccepted, preparedRun, onPlan]);

  useWhenSet(pendingKey !== undefined && pendingKey === current ? preparedRun : undefined, (newRun) => {
    setPendingKey(undefined);
    if (!newRun.confirm || matchesOutline(newRun, visibleOutline)) onRun(newRun);
  });

  return {
    planState,
    isSubmitted: pendingKey !== undefined,
    submit: (submittedArgs) => {
      const key = argsKey(submittedArgs);
      // The user can type the confirmation only after accepting all arguments.
      const isVisible = preparedRun && key === current && (isAccepted || preparedRun.plan?.confirm === undefined);
      if (isVisible) return onRun(preparedRun);
      if (planState.status === 'failed') planState.retry();
      setVisibleOutline(outline);
      return setPendingKey(key);
    },
  };
}

/** True if a plan is reversible and matches the outline that was visible when Enter was pressed. */
function matchesOutline({ plan }: PreparedRun, outline: Plan | undefined): boolean {
  return (
    plan !== undefined &&
    outline !== undefined &&
    plan.reversible &&
    plan.confirm === undefined &&
    agreesWithOutline(plan, outline)
  );
}
