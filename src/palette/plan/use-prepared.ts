import { useEffect, useState } from 'react';

import type { Command } from '#commands/model/command.ts';
import type { Context, Progress } from '#commands/model/context.ts';
import { CommandError } from '#commands/model/errors.ts';
import type { Args } from '#commands/model/invocation.ts';
import type { Message } from '#commands/text/message.ts';
import { prepare, type Prepared } from '#commands/run/run.ts';

import { lookupFailure } from '#src/data/failure.ts';
import { report } from '#src/net/report.ts';
import { followRefusal } from '#src/run/refused.ts';

/** Moving through a list passes rows faster than this. */
export const POINTING_MS = 140;

export type Preparing =
  | { readonly status: 'none' }
  | { readonly status: 'preparing'; readonly progress?: Progress | undefined }
  | { readonly status: 'ready'; readonly prepared: Prepared }
  | {
      readonly status: 'failed';
      readonly message: Message;
      readonly param: string | undefined;
      readonly retry: () => void;
    };

interface Answer {
  readonly of: Command;
  readonly key: string;
  readonly state: Preparing;
}

export function argsKey(args: Args): string {
  return JSON.stringify(args);
}

/**
 * The plan of a command for these arguments, made once they rest for `pause` ms; a change of them aborts the one being
 * made. `first` is one that was made already for the arguments it names. Undefined arguments prepare nothing.
 */
export function usePrepared(
  command: Command,
  args: Args | undefined,
  context: Context,
  first: Prepared | undefined,
  pause: number,
): Preparing {
  const key = args && argsKey(args);
  const [answer, setAnswer] = useState<Answer | undefined>(
    first && { of: command, key: argsKey(first.given), state: { status: 'ready', prepared: first } },
  );
  const [counted, setCounted] = useState<{ readonly key: string; readonly progress: Progress }>();
  const known = key !== undefined && answer?.key === key && answer.of === command;
  useEffect(() => {
    if (key === undefined || known) return undefined;
    const abort = new AbortController();
    const settle = (state: Preparing): void => {
      if (!abort.signal.aborted) setAnswer({ of: command, key, state });
    };
    const timer = setTimeout(() => {
      const progress = (now: Progress): void => {
        if (!abort.signal.aborted) setCounted({ key, progress: now });
      };
      prepare(command, JSON.parse(key) as Args, { ...context, signal: abort.signal, progress }).then(
        (prepared) => settle({ status: 'ready', prepared }),
        (error: unknown) => {
          if (!abort.signal.aborted) {
            report(error);
            followRefusal(error);
          }
          settle({
            status: 'failed',
            message: lookupFailure(error),
            param: error instanceof CommandError ? error.param : undefined,
            retry: () => setAnswer(undefined),
          });
        },
      );
    }, pause);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [command, key, known, context, pause]);
  if (key === undefined) return { status: 'none' };
  if (known && answer) return answer.state;
  return { status: 'preparing', progress: counted?.key === key ? counted.progress : undefined };
}
