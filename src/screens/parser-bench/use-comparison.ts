import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';

import type { Progress } from '#commands/model/context.ts';
import { isAbort } from '#commands/model/errors.ts';
import {
  allMessages,
  compareDefinitions,
  DEFAULT_MESSAGES,
  loadMessages,
  type Comparison,
} from '#commands/nouns/data/parser/bench/comparison.ts';
import type { Trial } from '#commands/nouns/data/parser/bench/difference.ts';
import type { Source } from '#commands/nouns/data/parser/bench/source.ts';
import type { Message } from '#commands/text/message.ts';
import type { Field } from '#proto/gen/hiber/field_pb.ts';
import { commandFailure } from '#src/data/failure.ts';
import { contextNow } from '#src/run/context.ts';

/** The wait after the last keystroke, longer than for a single message. */
const DELAY_MS = 900;
/** The time between two updates of the rows. */
const UPDATE_MS = 200;

interface ComparisonOptions {
  readonly parser: string | undefined;
  readonly saved: Source | undefined;
  readonly fields: readonly Field[];
  /** Absent while there is nothing to compare with. */
  readonly source: Source | undefined;
  /** False while the definition is known to be invalid: every message would fail in the same way. */
  readonly isValid: boolean;
  /** Selects devices; empty for the messages that the parser was applied to. */
  readonly filter: string;
  readonly limit: number;
}

interface ComparisonState {
  readonly comparison: Comparison | undefined;
  /** True if the comparison belongs to earlier definitions or to other messages. */
  readonly isStale: boolean;
  readonly progress: Progress | undefined;
  readonly failure: Message | undefined;
  readonly start: () => void;
  readonly cancel: () => void;
}

/** A comparison with what it depends on. */
interface Result extends Pick<ComparisonOptions, 'source' | 'saved' | 'filter' | 'limit'> {
  readonly comparison: Comparison;
}

/**
 * Compares the results of stored messages between the text and the saved definition. Compares a few messages as the
 * user types, and more on request.
 */
export function useComparison(options: ComparisonOptions): ComparisonState {
  const { parser, saved, source, isValid, filter, limit } = options;
  const [result, setResult] = useState<Result>();
  const [progress, setProgress] = useState<Progress>();
  const [failure, setFailure] = useState<Message>();
  const running = useRef<AbortController>(undefined);
  const knownTrials = useRef(new Map<string, Trial>());

  const cancel = useCallback(() => {
    running.current?.abort();
    running.current = undefined;
    setProgress(undefined);
  }, []);

  const start = async (): Promise<void> => {
    cancel();
    if (!source) return;
    const abort = new AbortController();
    running.current = abort;
    const context = contextNow({ signal: abort.signal });
    const { fields } = options;
    const isFiltered = filter.trim() !== '';
    let updatedAt = performance.now();
    setFailure(undefined);
    setProgress({ done: 0, total: limit });
    try {
      const comparison = await compareDefinitions(
        context,
        { before: saved, after: source, fields, savedTrials: knownTrials.current },
        {
          selection: isFiltered ? await loadMessages(context, filter) : allMessages(),
          parsedBy: isFiltered ? undefined : parser,
          limit,
        },
        ({ done, total, state }) => {
          if (abort.signal.aborted || performance.now() - updatedAt < UPDATE_MS) return;
          updatedAt = performance.now();
          setProgress({ done, total });
          setResult({ comparison: state(), source, saved, filter, limit });
        },
      );
      if (!abort.signal.aborted) setResult({ comparison, source, saved, filter, limit });
    } catch (error) {
      if (abort.signal.aborted || isAbort(error)) return;
      setFailure(commandFailure(error));
    } finally {
      if (running.current === abort) {
        running.current = undefined;
        setProgress(undefined);
      }
    }
  };
  const startLatest = useEffectEvent(start);

  // The results that are kept belong to the previous definition.
  useEffect(() => {
    knownTrials.current.clear();
  }, [saved]);
  const isAutomatic = limit <= DEFAULT_MESSAGES;
  useEffect(() => {
    if (!isAutomatic || !isValid) return undefined;
    const timer = setTimeout(() => void startLatest(), DELAY_MS);
    return () => clearTimeout(timer);
  }, [isAutomatic, isValid, source, saved, filter, parser]);
  useEffect(() => () => running.current?.abort(), []);

  return {
    comparison: result?.comparison,
    isStale:
      result !== undefined &&
      (result.source !== source || result.saved !== saved || result.filter !== filter || result.limit !== limit),
    progress,
    failure,
    start: () => void start(),
    cancel,
  };
}
