import { useEffect, useState } from 'react';

import { printValue } from '#commands/line/line.ts';
import { ASK, type Kind } from '#commands/model/arg-value.ts';
import type { Command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import { isAbort } from '#commands/model/errors.ts';
import type { Args } from '#commands/model/invocation.ts';
import { resolvePartial } from '#commands/run/resolve.ts';
import { report } from '#src/net/report.ts';

/** The kinds that are edited as text. Values of other kinds are picked. */
const TEXT_KINDS: ReadonlySet<Kind> = new Set<Kind>(['text', 'number', 'duration', 'time', 'range', 'query']);

/** Calls `onValue` with the items' current value for the prompted param. */
export function useCurrentValue(
  command: Command,
  paramName: string | undefined,
  args: Args,
  context: Context,
  onValue: (name: string, text: string) => void,
): void {
  const [initialArgs] = useState(args);
  useEffect(() => {
    const param = paramName === undefined ? undefined : command.params[paramName];
    if (paramName === undefined || !param || !command.initial || !TEXT_KINDS.has(param.kind)) return undefined;
    const abort = new AbortController();
    const requestContext: Context = { ...context, signal: abort.signal };
    resolvePartial(command, initialArgs, requestContext)
      .then((resolved) => command.initial?.(requestContext, resolved))
      .then((initialState) => {
        const value = initialState?.values[paramName];
        if (!abort.signal.aborted && value !== undefined && value !== ASK) onValue(paramName, printValue(param, value));
      })
      .catch((error: unknown) => {
        // If the value isn't available, the field starts empty. The plan reports problems with the target.
        if (!isAbort(error)) report(error);
      });
    return () => abort.abort();
  }, [command, paramName, initialArgs, context, onValue]);
}
