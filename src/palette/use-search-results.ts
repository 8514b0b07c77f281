import { useEffect, useRef, useState } from 'react';

import type { Context } from '#commands/model/context.ts';
import type { Message } from '#commands/text/message.ts';
import { lookupFailure } from '#src/data/failure.ts';
import { useReconnectCount } from '#src/data/use-reconnects.ts';
import { report } from '#src/net/report.ts';
import { MAX_VIEW_WAIT_MS } from '#src/state/key-queue.ts';

import type { Source } from './rows/item-source.ts';
import type { SearchResult } from './rows/rank.ts';
import type { SearchRow } from './rows/search-rows.ts';

/** Longer than the time between two keystrokes while typing. */
const DEBOUNCE_MS = 90;
/** Results that arrive after this time are listed last, unless a key waits for them. */
const LATE_AFTER_MS = 2500;

interface Arrival {
  readonly items: readonly unknown[];
  readonly isLate: boolean;
  readonly problem: Message | undefined;
}

/** The results for a query, keyed by the id of their source. */
interface Arrivals {
  readonly query: string;
  readonly bySource: ReadonlyMap<string, Arrival>;
  /** True if further results are late. */
  readonly isClosed: boolean;
}

interface SearchState {
  readonly results: readonly SearchResult<SearchRow>[];
  /** True if all results have arrived, or further results are late and so are listed last. */
  readonly isComplete: boolean;
  /** True while a source is still pending. */
  readonly isLoading: boolean;
  /** The reason why results may be missing. */
  readonly problem: Message | undefined;
}

const NOTHING: Arrivals = { query: '', bySource: new Map(), isClosed: false };

/** Returns the results for the query. Drops those for another query. */
const arrivalsFor = (query: string, arrivals: Arrivals): Arrivals =>
  arrivals.query === query ? arrivals : { ...NOTHING, query };

/**
 * Loads the results of several sources for a query. Until all sources have responded, results of the previous query
 * stay if they still match. The final results depend only on the query. `isAwaited` is true while a key waits for them.
 */
export function useSearchResults(
  query: string,
  sources: readonly Source[],
  context: Context,
  isAwaited: boolean,
): SearchState {
  const [arrivals, setArrivals] = useState<Arrivals>(NOTHING);
  const loadNow = useRef<() => void>(undefined);
  const reconnects = useReconnectCount();
  useEffect(() => {
    if (sources.length === 0) return undefined;
    const abort = new AbortController();
    const requestContext: Context = { ...context, signal: abort.signal };
    const arrive = (source: Source, items: readonly unknown[], problem?: Message): void => {
      if (abort.signal.aborted) return;
      setArrivals((before) => {
        const { bySource, isClosed } = arrivalsFor(query, before);
        return {
          query,
          bySource: new Map(bySource).set(source.id, { items, isLate: isClosed, problem }),
          isClosed,
        };
      });
    };
    let isStarted = false;
    const load = (): void => {
      if (isStarted) return;
      isStarted = true;
      for (const source of sources) {
        source.load(requestContext).then(
          (items) => arrive(source, items),
          (error: unknown) => {
            if (abort.signal.aborted) return;
            // A source that fails does not affect the others.
            report(error);
            arrive(source, [], lookupFailure(error));
          },
        );
      }
    };
    loadNow.current = load;
    const timer = setTimeout(load, DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [query, sources, context, reconnects]);
  useEffect(() => {
    if (sources.length === 0) return undefined;
    if (isAwaited) loadNow.current?.();
    const timer = setTimeout(
      () => setArrivals((before) => ({ ...arrivalsFor(query, before), isClosed: true })),
      isAwaited ? MAX_VIEW_WAIT_MS : LATE_AFTER_MS,
    );
    return () => clearTimeout(timer);
  }, [query, sources, isAwaited]);

  const isSettled = arrivals.query === query;
  const results = sources.flatMap((source) => {
    const arrival = arrivals.bySource.get(source.id);
    if (!arrival) return [];
    const rows = source.rows(arrival.items, isSettled);
    return isSettled && arrival.isLate ? rows.map((row) => ({ ...row, isLate: true })) : rows;
  });
  const isLoading = sources.some((source) => !isSettled || !arrivals.bySource.has(source.id));
  return {
    results,
    isLoading,
    problem: isSettled
      ? sources.map(({ id }) => arrivals.bySource.get(id)?.problem).find((message) => message)
      : undefined,
    isComplete: !isLoading || (isSettled && arrivals.isClosed),
  };
}
