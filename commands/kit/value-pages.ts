import { timestampFromMs } from '@bufbuild/protobuf/wkt';

import type { TimeRangeInit } from '#commands/model/time.ts';
import { toMs } from '#commands/model/wire.ts';
import type { ValueContext } from '#proto/gen/hiber/value_service_pb.ts';

import type { Span } from './value-series.ts';

/** The number of values in a request. A server can return fewer, up to its own maximum. */
const PAGE_SIZE = 1000;

export function timeRange({ from, to }: Span): TimeRangeInit {
  return { start: { timestamp: timestampFromMs(from) }, end: { timestamp: timestampFromMs(to) } };
}

export interface ValuePage {
  readonly values: readonly ValueContext[];
  /** True if there are more values in the range. */
  readonly hasMore: boolean;
}

/** Loads the values in a range, sorted by time. `page` counts from 0. */
export type LoadValues = (span: Span, page: { readonly page: number; readonly size: number }) => Promise<ValuePage>;

/**
 * Yields all values in a range, oldest first, without keeping them. Each request starts at the time of the last value,
 * because a page number makes the server sort all values before that page again. Values at exactly that time are
 * skipped if they were already yielded; the order of the contract's list is the same in each request.
 */
export async function* loadValuePages(load: LoadValues, { from, to }: Span): AsyncGenerator<readonly ValueContext[]> {
  let start = from;
  let page = 0;
  /** The number of values at exactly `start` that were already yielded. */
  let skippedCount = 0;
  for (;;) {
    const { values, hasMore } = await load({ from: start, to }, { page, size: PAGE_SIZE });
    const news = page === 0 ? values.slice(skippedCount) : values;
    if (news.length > 0) yield news;
    const last = toMs(values.at(-1)?.time);
    if (!hasMore || last === undefined) return;
    const atLast = values.filter(({ time }) => toMs(time) === last).length;
    if (last > start) [start, page, skippedCount] = [last, 0, atLast];
    // All values of the page are at the same time, so only a page number continues the list.
    else page++;
  }
}

const seriesKey = ({ field, device, processPoint }: ValueContext): string =>
  `${processPoint?.identifier ?? ''} ${device?.number ?? ''} ${field}`;

/**
 * Keeps the last value of each series in each interval. Intervals start at multiples of their length since the epoch,
 * so hours start on the hour. Values must be sorted by time; only those of one interval are kept in memory.
 */
export async function* pickLastOfIntervals(
  pages: AsyncIterable<readonly ValueContext[]>,
  interval: number,
): AsyncGenerator<readonly ValueContext[]> {
  let current: number | undefined;
  let lastByKey = new Map<string, ValueContext>();
  for await (const values of pages) {
    const finishedContexts: ValueContext[] = [];
    for (const value of values) {
      const start = Math.floor((toMs(value.time) ?? 0) / interval);
      if (start !== current) {
        finishedContexts.push(...lastByKey.values());
        lastByKey = new Map();
        current = start;
      }
      lastByKey.set(seriesKey(value), value);
    }
    if (finishedContexts.length > 0) yield finishedContexts;
  }
  if (lastByKey.size > 0) yield [...lastByKey.values()];
}
