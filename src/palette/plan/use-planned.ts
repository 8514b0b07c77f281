import { useEffect, useState } from 'react';

import type { Command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import type { Args } from '#commands/model/invocation.ts';
import { agrees } from '#commands/run/outline.ts';
import type { Plan } from '#commands/model/plan.ts';
import type { Prepared } from '#commands/run/run.ts';

import { argsKey, POINTING_MS, usePrepared, type Preparing } from './use-prepared.ts';

interface Planning {
  readonly command: Command;
  /** What would be run; undefined while something is missing. */
  readonly args: Args | undefined;
  /** Whether these arguments were all given, not just pointed at. */
  readonly accepted: boolean;
  readonly context: Context;
  readonly first: Prepared | undefined;
  /** What is on the screen until the plan is ready. */
  readonly outline: Plan | undefined;
  /** Enter was pressed on these arguments before they came here. */
  readonly submitted?: boolean;
  readonly onRun: (prepared: Prepared) => void;
  /** Tells the plan of what was given: it may ask for a confirmation. */
  readonly onPrepared: (prepared: Prepared | undefined) => void;
}

/**
 * The plan of what Enter would run, and Enter itself. A plan that is on the screen is run as it is. Where there is none
 * yet, what was asked for waits for it, and runs only if it needs no look (one item, reversible) or if it is what the
 * outline on the screen said; else it is shown first.
 */
export function usePlanned({
  command,
  args,
  accepted,
  context,
  first,
  outline,
  submitted = false,
  onRun,
  onPrepared,
}: Planning): {
  readonly planned: Preparing;
  /** Whether Enter was pressed on what is not planned yet. */
  readonly submitted: boolean;
  readonly submit: (args: Args) => void;
} {
  const [waiting, setWaiting] = useState(() => (submitted && args ? argsKey(args) : undefined));
  const [seen, setSeen] = useState<Plan>();
  const current = args && argsKey(args);
  // What waited was for other arguments: pointing at them again is no Enter.
  if (waiting !== undefined && waiting !== current) setWaiting(undefined);
  const planned = usePrepared(command, args, context, first, waiting === undefined ? POINTING_MS : 0);
  const prepared = planned.status === 'ready' ? planned.prepared : undefined;

  useEffect(() => {
    onPrepared(accepted ? prepared : undefined);
  }, [accepted, prepared, onPrepared]);

  useEffect(() => {
    if (waiting === undefined || waiting !== current || !prepared) return undefined;
    let live = true;
    // Not inside the effect: running closes the palette, and closing it flushes.
    queueMicrotask(() => {
      if (!live) return;
      setWaiting(undefined);
      if (!prepared.confirm || isAsSeen(prepared, seen)) onRun(prepared);
    });
    return () => {
      live = false;
    };
  }, [waiting, current, prepared, seen, onRun]);

  return {
    planned,
    submitted: waiting !== undefined,
    submit: (wanted) => {
      const key = argsKey(wanted);
      // A confirmation that has to be typed is asked for once everything was given.
      const seen = prepared && key === current && (accepted || prepared.plan?.confirm === undefined);
      if (seen) return onRun(prepared);
      if (planned.status === 'failed') planned.retry();
      setSeen(outline);
      return setWaiting(key);
    },
  };
}

/** Whether a plan is what was on the screen when it was asked for, and can be undone. */
function isAsSeen({ plan }: Prepared, seen: Plan | undefined): boolean {
  return (
    plan !== undefined && seen !== undefined && plan.reversible && plan.confirm === undefined && agrees(plan, seen)
  );
}
