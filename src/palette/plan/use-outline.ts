import { useEffect, useState } from 'react';

import type { Command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import type { Args } from '#commands/model/invocation.ts';
import { outlineOf } from '#commands/run/outline.ts';
import type { Plan } from '#commands/model/plan.ts';

import { report } from '#src/net/report.ts';
import { argsKey, POINTING_MS } from './use-prepared.ts';

/**
 * What a command would do to the items of a filter, from counts: on the screen before its plan is, which looks every
 * item up.
 */
export function useOutline(command: Command, args: Args | undefined, context: Context): Plan | undefined {
  const key = args && argsKey(args);
  const [answer, setAnswer] = useState<{ readonly key: string; readonly plan: Plan | undefined }>();
  const known = answer?.key === key;
  useEffect(() => {
    if (key === undefined || known || !command.plan) return undefined;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      outlineOf(command, JSON.parse(key) as Args, { ...context, signal: abort.signal }).then(
        (plan) => abort.signal.aborted || setAnswer({ key, plan }),
        // The plan is still being made, and shows what is wrong.
        (error: unknown) => abort.signal.aborted || report(error),
      );
    }, POINTING_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [command, key, known, context]);
  return known ? answer?.plan : undefined;
}
