import { useEffect, useState } from 'react';

import type { Command } from '#commands/model/command.ts';
import type { Context, Progress } from '#commands/model/context.ts';
import { CommandError } from '#commands/model/errors.ts';
import type { Args } from '#commands/model/invocation.ts';
import type { Plan } from '#commands/model/plan.ts';
import { prepare, type PreparedRun } from '#commands/run/run.ts';
import type { Message } from '#commands/text/message.ts';
import { onChange } from '#src/data/changes.ts';
import { lookupFailure } from '#src/data/failure.ts';
import { report } from '#src/net/report.ts';
import { refreshAfterDenial } from '#src/run/denials.ts';

/** Delay before planning the highlighted row, so moving through a list does not plan every row. */
export const HIGHLIGHT_DEBOUNCE_MS = 140;

export type PlanState =
  | { readonly status: 'none' }
  | { readonly status: 'preparing'; readonly progress?: Progress | undefined }
  | { readonly status: 'ready'; readonly preparedRun: PreparedRun }
  | {
      readonly status: 'failed';
      readonly message: Message;
      readonly param: string | undefined;
      readonly retry: () => void;
    };

interface Result {
  readonly command: Command;
  readonly key: string;
  readonly state: PlanState;
}

export function argsKey(args: Args): string {
  return JSON.stringify(args);
}

/**
 * Plans a command after its arguments have been stable for `debounceMs`. A change aborts the previous request.
 * `initialRun` is a prepared run, reused while its arguments are unchanged. Plans nothing if `args` is undefined.
 */
export function usePlanState(
  command: Command,
  args: Args | undefined,
  context: Context,
  initialRun: PreparedRun | undefined,
  debounceMs: number,
): PlanState {
  const key = args && argsKey(args);
  const [result, setResult] = useState<Result | undefined>(
    initialRun && { command, key: argsKey(initialRun.args), state: { status: 'ready', preparedRun: initialRun } },
  );
  const [lastProgress, setLastProgress] = useState<{ readonly key: string; readonly progress: Progress }>();
  const isCurrent = key !== undefined && result?.key === key && result.command === command;
  useEffect(() => {
    if (key === undefined || isCurrent) return undefined;
    const abort = new AbortController();
    const settle = (state: PlanState): void => {
      if (!abort.signal.aborted) setResult({ command, key, state });
    };
    const timer = setTimeout(() => {
      const progress = (newProgress: Progress): void => {
        if (!abort.signal.aborted) setLastProgress({ key, progress: newProgress });
      };
      prepare(command, JSON.parse(key) as Args, { ...context, signal: abort.signal, progress }).then(
        (preparedRun) => settle({ status: 'ready', preparedRun }),
        (error: unknown) => {
          if (!abort.signal.aborted) {
            report(error);
            refreshAfterDenial(error);
          }
          settle({
            status: 'failed',
            message: lookupFailure(error),
            param: error instanceof CommandError ? error.param : undefined,
            retry: () => setResult(undefined),
          });
        },
      );
    }, debounceMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [command, key, isCurrent, context, debounceMs]);
  const readyRun = isCurrent && result?.state.status === 'ready' ? result.state.preparedRun : undefined;
  useEffect(() => {
    if (key === undefined || !readyRun) return undefined;
    const abort = new AbortController();
    const stop = followItems(readyRun, () => {
      prepare(command, JSON.parse(key) as Args, { ...context, signal: abort.signal }).then(
        (preparedRun) => {
          if (abort.signal.aborted || isEqual(preparedRun.plan, readyRun.plan)) return;
          setResult({ command, key, state: { status: 'ready', preparedRun } });
        },
        (error: unknown) => {
          if (!abort.signal.aborted) report(error);
        },
      );
    });
    return () => {
      stop();
      abort.abort();
    };
  }, [command, key, context, readyRun]);
  if (key === undefined) return { status: 'none' };
  if (isCurrent && result) return result.state;
  return { status: 'preparing', progress: lastProgress?.key === key ? lastProgress.progress : undefined };
}

/** Plans for more items are not made again, because that takes too long. */
const MAX_FOLLOWED_COUNT = 100;

/** Calls back when an item of a plan changes, so that nobody overwrites a change that they haven't seen. */
function followItems({ command, plan }: PreparedRun, onItemChange: () => void): () => void {
  if (!plan || plan.count > MAX_FOLLOWED_COUNT) return () => undefined;
  const entity = command.on?.().name;
  const plannedIds = new Set(plan.changes.map(({ id }) => id));
  return onChange((change) => {
    if (change.entity === entity && (!change.ids || change.ids.some((id) => plannedIds.has(id)))) onItemChange();
  });
}

const isEqual = (a: Plan | undefined, b: Plan | undefined): boolean => JSON.stringify(a) === JSON.stringify(b);
