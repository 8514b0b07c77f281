import { Code, ConnectError } from '@connectrpc/connect';
import { expect, test } from 'vitest';

import { runContext, type CallMonitor } from '#commands/model/context.ts';
import {
  failedResults,
  resultKind,
  skippedResults,
  succeededResults,
  type ItemResult,
} from '#commands/model/result.ts';
import { MAX_FAILURE_PERCENT, STAGED_ITEMS, STAGE_SIZES, stagesFor } from '#commands/run/stages.ts';
import { testContext } from '#commands/testkit/context.ts';
import { message } from '#commands/text/message.ts';

import { BATCH_SIZE, runInBatches } from './batch.ts';

const items = Array.from({ length: 2500 }, (_, index) => `${index}`);
const locked = () => new ConnectError('locked', Code.FailedPrecondition);

/** Runs staged. The server rejects a call with any of the failing items. Returns the results and the call sizes. */
async function runStaged(failingIds: Iterable<string>, options: { readonly size?: number; readonly staged?: boolean }) {
  const failing = new Set(failingIds);
  const calls: (readonly string[])[] = [];
  const results = await runInBatches(runContext(testContext(), true, { staged: options.staged ?? true }), {
    items,
    id: (item) => item,
    label: (item) => item,
    size: options.size ?? BATCH_SIZE,
    change: async (chunk) => {
      calls.push(chunk);
      if (chunk.some((item) => failing.has(item))) throw locked();
    },
  });
  return { results, calls, sizes: calls.map(({ length }) => length) };
}

const counts = (results: readonly ItemResult[]): readonly number[] =>
  [succeededResults, failedResults, skippedResults].map((pick) => pick({ results }).length);

test('runs 1 item, then 10, then the rest in batches', async () => {
  expect(STAGE_SIZES).toEqual([1, 10]);
  const { sizes, results, calls } = await runStaged([], {});
  expect(sizes).toEqual([1, 10, 500, 500, 500, 500, 489]);
  expect(calls.flat()).toEqual(items);
  expect(counts(results)).toEqual([2500, 0, 0]);
});

test('starts with full batches if it is not staged', async () => {
  const { sizes, results } = await runStaged(['0'], { staged: false });
  expect(sizes[0]).toBe(500);
  expect(counts(results)).toEqual([2499, 1, 0]);
});

test('keeps to the batch size of the command within a stage', async () => {
  const { sizes } = await runStaged([], { size: 4 });
  expect(sizes.slice(0, 6)).toEqual([1, 4, 4, 2, 4, 4]);
});

test.each([
  ['its first item', '0', [0, 1, 2499]],
  ['one of the next ten', '5', [5, 1, 2494]],
])('stops after a failure of %s', async (_which, id, expected) => {
  expect(counts((await runStaged([id], {})).results)).toEqual(expected);
});

test('goes on if no more than 5% fail', async () => {
  expect(MAX_FAILURE_PERCENT).toBe(5);
  // 25 of the first 511 are 4.9%.
  const failing = items.slice(20, 45);
  expect(counts((await runStaged(failing, {})).results)).toEqual([2475, 25, 0]);
});

test('stops within a batch as soon as more than 5% failed', async () => {
  const { results, calls } = await runStaged(items.slice(11), {});
  // 26 of the 511 items tried until then. No more calls are made once this is certain.
  expect(failedResults({ results })).toHaveLength(26);
  expect(calls.filter(({ length }) => length === 1)).toHaveLength(27);
  expect(counts(results)).toEqual([11, 26, 2463]);
});

test('counts items that the server reports as rejected, and calls without a response', async () => {
  const outcomes = [
    async (chunk: readonly string[]) => new Map(chunk.map((item) => [item, message('core:error.silent')])),
    () => Promise.reject(new ConnectError('away', Code.Unavailable)),
  ];
  for (const change of outcomes) {
    const results = await runInBatches(runContext(testContext(), true, { staged: true }), {
      items,
      id: (item) => item,
      label: (item) => item,
      change,
    });
    expect(counts(results)).toEqual([0, 1, 2499]);
  }
});

test('is planned from 2,000 items on', () => {
  expect(STAGED_ITEMS).toBe(2000);
  expect([stagesFor(1999), stagesFor(2000)]).toEqual([{}, { staged: true }]);
});

test('reports each call to its monitor, before and after', async () => {
  const log: string[] = [];
  const monitor: CallMonitor = {
    ready: async () => void log.push('ready'),
    begin: async (ids) => void log.push(`begin ${ids.join()}`),
    end: async (results) => void log.push(`end ${results.map((item) => `${item.id} ${resultKind(item)}`).join()}`),
  };
  await runInBatches(runContext(testContext(), true, { monitor }), {
    items: ['a', 'b', 'c'],
    size: 2,
    id: (item) => item,
    label: (item) => item,
    change: async (chunk) => {
      log.push(`call ${chunk.join()}`);
      if (chunk.includes('b')) throw locked();
    },
  });
  // A rejected call changes nothing, so only the calls for its halves have results.
  expect(log.join('; ')).toBe(
    [
      'ready; begin a,b; call a,b',
      'ready; begin a; call a; end a done',
      'ready; begin b; call b; end b failed',
      'ready; begin c; call c; end c done',
    ].join('; '),
  );
});

test('skips what is left if it is canceled while it is paused', async () => {
  const controller = new AbortController();
  let isFirst = true;
  const ready = async (): Promise<void> => {
    if (isFirst) isFirst = false;
    else controller.abort();
  };
  const results = await runInBatches(
    runContext(testContext({ signal: controller.signal }), true, { monitor: { ready } }),
    {
      items: ['a', 'b', 'c'],
      size: 1,
      id: (item) => item,
      label: (item) => item,
      change: async () => undefined,
    },
  );
  expect(results.map(resultKind)).toEqual(['done', 'skipped', 'skipped']);
});
