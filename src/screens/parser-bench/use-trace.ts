import { useEffect, useState } from 'react';

import { failureOf, isAbort } from '#commands/model/errors.ts';
import { traceDefinition, type ParsedTrace, type Trace } from '#commands/nouns/data/parser/bench/trace.ts';
import type { Message } from '#commands/text/message.ts';
import type { Field } from '#proto/gen/hiber/field_pb.ts';
import { contextNow } from '#src/run/context.ts';

/** The wait after the last keystroke. */
const DELAY_MS = 250;

interface TraceState {
  /** The latest successful result for these bytes: it stays while the text has a mistake. */
  readonly parsed: ParsedTrace | undefined;
  /** The latest result; it stays while the next one is computed. */
  readonly trace: Trace | undefined;
  /** The text and the bytes that the trace belongs to. */
  readonly text: string;
  readonly hex: string;
  readonly stale: boolean;
  /** Why the request failed. */
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
  const [parsed, setParsed] = useState<{ readonly trace: ParsedTrace; readonly hex: string }>();
  useEffect(() => {
    if (text.trim() === '') return undefined;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      traceDefinition(contextNow({ signal: abort.signal }), text, hex, fields).then(
        (trace) => {
          if (abort.signal.aborted) return;
          setAnswer({ trace, text, hex });
          if ('fields' in trace) setParsed({ trace, hex });
          // A message that cannot be read has no result, but a definition with a mistake says nothing about it.
          else if (trace.line === undefined) setParsed(undefined);
        },
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
    parsed: parsed?.hex === hex ? parsed.trace : undefined,
    trace: answer?.trace,
    text: answer?.text ?? '',
    hex: answer?.hex ?? '',
    stale: !isCurrent,
    failure: isCurrent ? answer.failure : undefined,
  };
}
