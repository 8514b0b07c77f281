import { useEffect, useState } from 'react';

import type { Context } from '#commands/model/context.ts';
import type { Message } from '#commands/text/message.ts';

import { lookupFailure } from '#src/data/failure.ts';
import { report } from '#src/net/report.ts';
import { useReturns } from '#src/data/use-returns.ts';
import type { Source } from './rows/item-source.ts';
import type { Found } from './rows/rank.ts';
import type { SearchRow } from './rows/search-rows.ts';

/** Keys follow one another faster than this while typing. */
const PAUSE_MS = 90;
/** What has not been found by then is added below when it comes. */
const PATIENCE_MS = 2500;

interface Arrival {
  readonly items: readonly unknown[];
  readonly late: boolean;
  readonly problem: Message | undefined;
}

/** What was found for one query, by the id of its source. */
interface Arrivals {
  readonly query: string;
  readonly by: ReadonlyMap<string, Arrival>;
  /** The rest comes too late to stand above anything. */
  readonly closed: boolean;
}

interface Answer {
  readonly found: readonly Found<SearchRow>[];
  /** Whether the answer is there: what still comes stands below it. */
  readonly answered: boolean;
  /** Whether something is still being looked for. */
  readonly loading: boolean;
  /** Why there may be more than was found. */
  readonly problem: Message | undefined;
}

const NOTHING: Arrivals = { query: '', by: new Map(), closed: false };

/**
 * What several sources find for a query. Until all of them have answered, what was found for the query before stands in
 * for it where it still fits; the answer itself depends on nothing but the query. `now` skips the pause that waits for
 * the next key.
 */
export function useAnswer(query: string, sources: readonly Source[], context: Context, now: boolean): Answer {
  const [arrivals, setArrivals] = useState<Arrivals>(NOTHING);
  const pause = now ? 0 : PAUSE_MS;
  const returns = useReturns();
  useEffect(() => {
    if (sources.length === 0) return undefined;
    const abort = new AbortController();
    const asking: Context = { ...context, signal: abort.signal };
    const mine = (before: Arrivals): Arrivals =>
      before.query === query ? before : { query, by: new Map(), closed: false };
    const arrive = (source: Source, items: readonly unknown[], problem?: Message): void => {
      if (abort.signal.aborted) return;
      setArrivals((before) => {
        const { by, closed } = mine(before);
        return { query, by: new Map(by).set(source.id, { items, late: closed, problem }), closed };
      });
    };
    const asked = setTimeout(() => {
      for (const source of sources) {
        source.load(asking).then(
          (items) => arrive(source, items),
          (error: unknown) => {
            if (abort.signal.aborted) return;
            // One that cannot be asked leaves the others to be found.
            report(error);
            arrive(source, [], lookupFailure(error));
          },
        );
      }
    }, pause);
    const given = setTimeout(() => setArrivals((before) => ({ ...mine(before), closed: true })), PATIENCE_MS);
    return () => {
      clearTimeout(asked);
      clearTimeout(given);
      abort.abort();
    };
  }, [query, sources, context, pause, returns]);

  const settled = arrivals.query === query;
  const found = sources.flatMap((source) => {
    const arrival = arrivals.by.get(source.id);
    if (!arrival) return [];
    const rows = source.rows(arrival.items, settled);
    return settled && arrival.late ? rows.map((row) => ({ ...row, late: true })) : rows;
  });
  const loading = sources.some((source) => !settled || !arrivals.by.has(source.id));
  return {
    found,
    loading,
    problem: settled ? sources.map(({ id }) => arrivals.by.get(id)?.problem).find((message) => message) : undefined,
    answered: !loading || (settled && arrivals.closed),
  };
}
