import { useEffect, useState } from 'react';

import { isAbort } from '#commands/model/errors.ts';
import type { Source } from '#commands/nouns/data/parser/bench/source.ts';
import {
  traceSource,
  type ParsedTrace,
  type Trace,
  type TraceFailure,
} from '#commands/nouns/data/parser/bench/trace.ts';
import type { Message } from '#commands/text/message.ts';
import type { Field } from '#proto/gen/hiber/field_pb.ts';
import { commandFailure } from '#src/data/failure.ts';
import { contextNow } from '#src/run/context.ts';

/** The wait after the last keystroke. */
const DELAY_MS = 250;

interface TraceState {
  /** The latest successful result for these bytes: it stays while the definition has a mistake. */
  readonly lastSuccess: ParsedTrace | undefined;
  /** The latest result; it stays while the next one is computed. */
  readonly trace: Trace | undefined;
  /** The latest result, if it is a mistake in the definition or a failure to read these bytes. */
  readonly failedTrace: TraceFailure | undefined;
  /** The definition that the trace belongs to. */
  readonly source: Source | undefined;
  readonly isStale: boolean;
  /** Why the request failed. */
  readonly failure: Message | undefined;
}

interface Answer {
  readonly trace?: Trace;
  readonly failure?: Message;
  readonly source: Source;
  readonly hex: string;
}

/** Parses the bytes with the definition as it is edited, on the server. Waits while there is nothing to parse with. */
export function useTrace(source: Source | undefined, hex: string, fields: readonly Field[]): TraceState {
  const [answer, setAnswer] = useState<Answer>();
  const [parsed, setParsed] = useState<{ readonly trace: ParsedTrace; readonly hex: string }>();
  useEffect(() => {
    if (!source) return undefined;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      traceSource(contextNow({ signal: abort.signal }), source, hex, fields).then(
        (trace) => {
          if (abort.signal.aborted) return;
          setAnswer({ trace, source, hex });
          if ('fields' in trace) setParsed({ trace, hex });
          // A message that cannot be read has no result. A definition with a mistake keeps the last result.
          else if (trace.line === undefined) setParsed(undefined);
        },
        (error: unknown) => {
          if (!isAbort(error) && !abort.signal.aborted) setAnswer({ failure: commandFailure(error), source, hex });
        },
      );
    }, DELAY_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [source, hex, fields]);
  const isCurrent = answer !== undefined && answer.source === source && answer.hex === hex;
  const trace = answer?.trace;
  return {
    lastSuccess: parsed?.hex === hex ? parsed.trace : undefined,
    trace,
    failedTrace: trace && 'error' in trace && (trace.line !== undefined || answer?.hex === hex) ? trace : undefined,
    source: answer?.source,
    isStale: !isCurrent,
    failure: isCurrent ? answer.failure : undefined,
  };
}
