import { useEffect, useState } from 'react';

import type { Command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import type { Args } from '#commands/model/invocation.ts';
import type { Plan } from '#commands/model/plan.ts';
import { agreesWithOutline } from '#commands/run/outline.ts';
import type { PreparedRun } from '#commands/run/run.ts';
import { useWhenSet } from '#src/ui/use-when-set.ts';

import { argsKey, HIGHLIGHT_DEBOUNCE_MS, usePrepared, type PlanState } from './use-prepared.ts';

interface PlanOptions {
  readonly command: Command;
  /** The arguments to run; undefined while something is missing. */
  readonly args: Args | undefined;
  /** True if all arguments were accepted, not only highlighted. */
  readonly accepted: boolean;
  readonly context: Context;
  readonly initialPlan: PreparedRun | undefined;
  /** The outline shown until the plan is ready. */
  readonly outline: Plan | undefined;
  /** True if Enter was pressed on these arguments earlier. */
  readonly submitted?: boolean;
  readonly onRun: (prepared: PreparedRun) => void;
  /** Receives the plan of accepted arguments, which may require a confirmation. */
  readonly onPrepared: (prepared: PreparedRun | undefined) => void;
}

/**
 * Plans the invocation that Enter would run, and handles Enter. A visible plan runs as it is. Without one, Enter waits
 * for the plan, which then runs only if it needs no confirmation (one item, reversible) or matches the visible outline;
 * otherwise it is shown first.
 */
export function usePlanned({
  command,
  args,
  accepted,
  context,
  initialPlan,
  outline,
  submitted = false,
  onRun,
  onPrepared,
}: PlanOptions): {
  readonly planned: PlanState;
  /** True if Enter was pressed and the plan is not ready yet. */
  readonly submitted: boolean;
  readonly submit: (args: Args) => void;
} {
  const [pendingKey, setPendingKey] = useState(() => (submitted && args ? argsKey(args) : undefined));
  const [visibleOutline, setVisibleOutline] = useState<Plan>();
  const current = args && argsKey(args);
  // Enter was pressed for other arguments: highlighting them again does not repeat it.
  if (pendingKey !== undefined && pendingKey !== current) setPendingKey(undefined);
  const planned = usePrepared(
    command,
    args,
    context,
    initialPlan,
    pendingKey === undefined ? HIGHLIGHT_DEBOUNCE_MS : 0,
  );
  const prepared = planned.status === 'ready' ? planned.prepared : undefined;

  useEffect(() => {
    onPrepared(accepted ? prepared : undefined);
  }, [accepted, prepared, onPrepared]);

  useWhenSet(pendingKey !== undefined && pendingKey === current ? prepared : undefined, (ready) => {
    setPendingKey(undefined);
    if (!ready.confirm || matchesOutline(ready, visibleOutline)) onRun(ready);
  });

  return {
    planned,
    submitted: pendingKey !== undefined,
    submit: (submittedArgs) => {
      const key = argsKey(submittedArgs);
      // A typed confirmation is requested only once all arguments are given.
      const isVisible = prepared && key === current && (accepted || prepared.plan?.confirm === undefined);
      if (isVisible) return onRun(prepared);
      if (planned.status === 'failed') planned.retry();
      setVisibleOutline(outline);
      return setPendingKey(key);
    },
  };
}

/** True if a plan matches the outline visible when Enter was pressed, and can be undone. */
function matchesOutline({ plan }: PreparedRun, outline: Plan | undefined): boolean {
  return (
    plan !== undefined &&
    outline !== undefined &&
    plan.reversible &&
    plan.confirm === undefined &&
    agreesWithOutline(plan, outline)
  );
}
