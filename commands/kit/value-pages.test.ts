import { create } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { array, assert, asyncProperty, integer } from 'fast-check';
import { expect, test } from 'vitest';

import { toMs } from '#commands/model/wire.ts';
import { ValueContextSchema, type ValueContext } from '#proto/gen/hiber/value_service_pb.ts';

import { pickLastOfIntervals, loadValuePages, type LoadValues } from './value-pages.ts';

const valueAt = (time: number, field: string): ValueContext =>
  create(ValueContextSchema, { field, time: { timestamp: timestampFromMs(time) } });

/** Returns values like a server whose pages have at most `maximum` values. */
function serverWith(values: readonly ValueContext[], maximum: number) {
  let largest = 0;
  const load: LoadValues = async ({ from, to }, { page, size }) => {
    const inRange = values.filter(({ time }) => (toMs(time) ?? 0) >= from && (toMs(time) ?? 0) <= to);
    const pageSize = Math.min(size, maximum);
    const rows = inRange.slice(page * pageSize, (page + 1) * pageSize);
    largest = Math.max(largest, page);
    return { values: rows, hasMore: (page + 1) * pageSize < inRange.length };
  };
  return { load, largestPage: () => largest };
}

async function collect<T>(pages: AsyncIterable<readonly T[]>): Promise<readonly T[]> {
  const items: T[] = [];
  for await (const page of pages) items.push(...page);
  return items;
}

test('yields every value once, in order, even if many have the same time', async () => {
  await assert(
    asyncProperty(
      array(integer({ min: 0, max: 12 }), { maxLength: 60 }),
      integer({ min: 1, max: 7 }),
      async (times, maximum) => {
        const values = times.toSorted((a, b) => a - b).map((time, index) => valueAt(time, `f${index}`));
        const { load } = serverWith(values, maximum);
        expect(await collect(loadValuePages(load, { from: 0, to: 100 }))).toEqual(values);
      },
    ),
  );
});

test('does not ask for later pages if the times differ', async () => {
  const values = Array.from({ length: 50 }, (_, index) => valueAt(index, 'f'));
  const server = serverWith(values, 10);
  expect(await collect(loadValuePages(server.load, { from: 0, to: 100 }))).toHaveLength(50);
  expect(server.largestPage()).toBe(0);
});

test('keeps the last value of each field in each interval', async () => {
  async function* pages() {
    yield [valueAt(0, 'a'), valueAt(5, 'b'), valueAt(9, 'a')];
    yield [valueAt(9, 'b'), valueAt(10, 'a')];
    yield [valueAt(35, 'a')];
  }
  const rows = await collect(pickLastOfIntervals(pages(), 10));
  expect(rows.map(({ field, time }) => `${field} ${toMs(time)}`)).toEqual(['a 9', 'b 9', 'a 10', 'a 35']);
});
