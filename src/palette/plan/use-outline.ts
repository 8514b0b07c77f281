import { useEffect, useState } from 'react';

import type { Command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import type { Args } from '#commands/model/invocation.ts';
import type { Plan } from '#commands/model/plan.ts';
import { planOutline } from '#commands/run/outline.ts';
import { report } from '#src/net/report.ts';

import { argsKey, HIGHLIGHT_DEBOUNCE_MS } from './use-plan-state.ts';

/**
 * Plans a command for the items that match a filter, based only on counts. The full plan takes longer because it looks
 * up every item.
 */
export function useOutline(command: Command, args: Args | undefined, context: Context): Plan | undefined {
  const key = args && argsKey(args);
  const [result, setResult] = useState<{ readonly key: string; readonly plan: Plan | undefined }>();
  const isCurrent = result?.key === key;
  useEffect(() => {
    if (key === undefined || isCurrent || !command.plan) return undefined;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      planOutline(command, JSON.parse(key) as Args, { ...context, signal: abort.signal }).then(
        (plan) => abort.signal.aborted || setResult({ key, plan }),
        // The full plan is still loading, and will show the error.
        (error: unknown) => abort.signal.aborted || report(error),
      );
    }, HIGHLIGHT_DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [command, key, isCurrent, context]);
  return isCurrent ? result?.plan : undefined;
}
