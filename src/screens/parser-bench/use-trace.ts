import { useEffect, useState } from 'react';

import { failureOf, isAbort } from '#commands/model/errors.ts';
import { traceDefinition, type Trace } from '#commands/nouns/data/parser/bench/trace.ts';
import type { Message } from '#commands/text/message.ts';
import type { Field } from '#proto/gen/hiber/field_pb.ts';
import { contextNow } from '#src/run/context.ts';

/** The wait after the last keystroke. */
const DELAY_MS = 250;

export interface TraceState {
  /** The latest result; it stays while the next one is computed. */
  readonly trace: Trace | undefined;
  /** The text and the bytes that the trace belongs to. */
  readonly text: string;
  readonly hex: string;
  readonly stale: boolean;
  /** Why the server could not be asked. */
  readonly failure: Message | undefined;
}

interface Answer {
  readonly trace?: Trace;
  readonly failure?: Message;
  readonly text: string;
  readonly hex: string;
}

/** Parses the bytes with the text as it is typed, on the server. */
export function useTrace(text: string, hex: string, fields: readonly Field[]): TraceState {
  const [answer, setAnswer] = useState<Answer>();
  useEffect(() => {
    if (text.trim() === '') return undefined;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      traceDefinition(contextNow({ signal: abort.signal }), text, hex, fields).then(
        (trace) => abort.signal.aborted || setAnswer({ trace, text, hex }),
        (error: unknown) => {
          if (!isAbort(error) && !abort.signal.aborted) setAnswer({ failure: failureOf(error).message, text, hex });
        },
      );
    }, DELAY_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [text, hex, fields]);
  const isCurrent = answer?.text === text && answer.hex === hex;
  return {
    trace: answer?.trace,
    text: answer?.text ?? '',
    hex: answer?.hex ?? '',
    stale: !isCurrent,
    failure: isCurrent ? answer.failure : undefined,
  };
}
