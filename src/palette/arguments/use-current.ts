import { useEffect, useState } from 'react';

import type { Command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import { isAbort } from '#commands/model/errors.ts';
import type { Args } from '#commands/model/invocation.ts';
import { ASK, type Kind } from '#commands/model/arg-value.ts';
import { printValue } from '#commands/line/line.ts';
import { resolveGiven } from '#commands/run/resolve.ts';

import { report } from '#src/net/report.ts';

/** Kinds whose value is edited as text; the others are picked. */
const EDITED: ReadonlySet<Kind> = new Set<Kind>(['text', 'number', 'duration', 'time', 'range', 'query']);

/** Tells, once, what the items of an editor have now for the param that is asked for. */
export function useCurrent(
  command: Command,
  asked: string | undefined,
  args: Args,
  context: Context,
  tell: (name: string, text: string) => void,
): void {
  const [given] = useState(args);
  useEffect(() => {
    const param = asked === undefined ? undefined : command.params[asked];
    if (asked === undefined || !param || !command.initial || !EDITED.has(param.kind)) return undefined;
    const abort = new AbortController();
    const asking: Context = { ...context, signal: abort.signal };
    resolveGiven(command, given, asking)
      .then((resolved) => command.initial?.(asking, resolved))
      .then((initial) => {
        const value = initial?.values[asked];
        if (!abort.signal.aborted && value !== undefined && value !== ASK) tell(asked, printValue(param, value));
      })
      .catch((error: unknown) => {
        // Without it the field starts empty; what is wrong with the target, the plan says.
        if (!isAbort(error)) report(error);
      });
    return () => abort.abort();
  }, [command, asked, given, context, tell]);
}
