import { useRef, useState } from 'react';

import type { Command } from '#commands/model/command.ts';
import type { Context, Progress } from '#commands/model/context.ts';
import type { Args } from '#commands/model/invocation.ts';
import { failedResults, succeededResults } from '#commands/model/result.ts';
import { prepare, type PreparedRun } from '#commands/run/run.ts';
import { planLaterChanges } from '#src/run/later-changes.ts';
import { execute } from '#src/run/runner.ts';

interface PlannedRun {
  /** The run whose plan awaits confirmation. */
  readonly plannedRun: PreparedRun | undefined;
  /** The progress of planning. */
  readonly progress: Progress | undefined;
  /**
   * Runs the command, or first shows its plan if it must be confirmed. Returns true if the form is done and can close.
   */
  start(args: Args): Promise<boolean>;
  /** Discards the plan, and one that is still being made, because the input has changed. */
  discardPlan(): void;
}

/** Plans and runs the command of a form. `check` throws if the user should look again before that. */
export function usePlannedRun(command: Command, context: Context, check: (args: Args) => Promise<void>): PlannedRun {
  const [plannedRun, setPlanned] = useState<PreparedRun>();
  const [progress, setProgress] = useState<Progress>();
  const changeCount = useRef(0);

  const start = async (args: Args): Promise<boolean> => {
    const countAtStart = changeCount.current;
    try {
      await check(args);
      const laterRun = plannedRun && (await planLaterChanges(plannedRun, context));
      const preparedRun =
        laterRun ?? plannedRun ?? (await prepare(command, args, { ...context, progress: setProgress }));
      if ((plannedRun && !laterRun) || !preparedRun.confirm) return await run(preparedRun);
      if (changeCount.current === countAtStart) setPlanned(preparedRun);
      return false;
    } finally {
      setProgress(undefined);
    }
  };
  const discardPlan = (): void => {
    changeCount.current += 1;
    setPlanned(undefined);
  };
  return { plannedRun, progress, start, discardPlan };
}

async function run(preparedRun: PreparedRun): Promise<boolean> {
  const completedRun = await execute(preparedRun);
  if (!completedRun) return false;
  const failures = failedResults(completedRun.outcome);
  // `execute` has already shown the failure. Keep the input for another attempt, unless it would create a second item.
  const created = failures.some(({ failure }) => failure?.createdItem);
  return failures.length === 0 || created || succeededResults(completedRun.outcome).length > 0;
}
