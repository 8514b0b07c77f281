import { Code, ConnectError } from '@connectrpc/connect';
import { expect, test, vi } from 'vitest';

import { runContext, type Context, type Progress } from '#commands/model/context.ts';
import { failureOf } from '#commands/model/errors.ts';
import { failedResults, maybeChanged, succeededResults } from '#commands/model/result.ts';
import { testContext } from '#commands/testkit/context.ts';
import { message } from '#commands/text/message.ts';

import { BATCH_SIZE, createInOrder, runInBatches, runInOrder } from './batch.ts';

const items = Array.from({ length: 12 }, (_, index) => `${index}`);
const changeInBatches = (
  context: Context,
  changeChunk: (chunk: readonly string[]) => Promise<ReadonlyMap<string, ReturnType<typeof message>> | void>,
) =>
  runInBatches(runContext(context, true), {
    items,
    size: 5,
    id: (item) => item,
    label: (item) => item,
    change: changeChunk,
  });

test('runs batch by batch and reports progress after each', async () => {
  const progressReports: Progress[] = [];
  const chunks: number[] = [];
  const results = await changeInBatches(
    testContext({ progress: (progress) => progressReports.push(progress) }),
    async (chunk) => {
      chunks.push(chunk.length);
    },
  );
  expect(chunks).toEqual([5, 5, 2]);
  expect(progressReports.map(({ done }) => done)).toEqual([5, 10, 12]);
  expect(succeededResults({ results })).toHaveLength(12);
});

test('sends at most 500 items per call and makes no empty calls', async () => {
  const callSizes = async (count: number) => {
    const chunks: number[] = [];
    const manyItems = Array.from({ length: count }, (_, index) => `${index}`);
    const identity = (item: string) => item;
    const progress = () => chunks.push(0);
    const change = async ({ length }: readonly string[]) => void chunks.push(length);
    await runInBatches(runContext(testContext({ progress }), true), {
      items: manyItems,
      id: identity,
      label: identity,
      change,
    });
    return chunks;
  };
  expect(BATCH_SIZE).toBe(500);
  expect([await callSizes(0), await callSizes(500), await callSizes(501)]).toEqual([[], [500, 0], [500, 0, 1, 0]]);
});

test('sends items of different groups in separate calls, with a single progress total', async () => {
  const calls: string[] = [];
  const progressReports: Progress[] = [];
  const identity = (item: string) => item;
  const results = await runInBatches(
    runContext(testContext({ progress: (progress) => progressReports.push(progress) }), true),
    {
      items: ['a1', 'b1', 'a2', 'a3', 'b2'],
      size: 2,
      id: identity,
      label: identity,
      groupKey: (item) => item.slice(0, 1),
      change: async (chunk) => void calls.push(chunk.join()),
    },
  );
  expect(calls).toEqual(['a1,a2', 'a3', 'b1,b2']);
  expect(progressReports.map(({ done, total }) => [done, total])).toEqual([
    [2, 5],
    [3, 5],
    [5, 5],
  ]);
  expect(succeededResults({ results })).toHaveLength(5);
});

test('treats an item as possibly changed if its second call is rejected', async () => {
  const calls: string[] = [];
  const results = await changeInBatches(testContext(), (chunk) =>
    runInOrder([
      async () => void calls.push(`first ${chunk.join()}`),
      async () => {
        calls.push(`second ${chunk.join()}`);
        if (chunk.includes('7')) throw new ConnectError('locked', Code.PermissionDenied);
      },
    ]),
  );
  expect(failedResults({ results })).toEqual([
    expect.objectContaining({
      id: '7',
      failure: { ...failureOf(new ConnectError('locked', Code.PermissionDenied)), partly: true },
    }),
  ]);
  expect(maybeChanged({ results })).toHaveLength(items.length);
  expect(calls.slice(2, 8)).toEqual([
    'first 5,6,7,8,9',
    'second 5,6,7,8,9',
    'first 5,6,7',
    'second 5,6,7',
    'first 5,6',
    'second 5,6',
  ]);
});

test.each([
  ['rejected', () => undefined],
  ['canceled', (cancel: () => void) => cancel()],
])('treats items as possibly changed if their second call is rejected and the retry is %s', async (_how, act) => {
  const controller = new AbortController();
  let count = 0;
  const reject = () => Promise.reject(new ConnectError('locked', Code.PermissionDenied));
  const results = await changeInBatches(testContext({ signal: controller.signal }), () => {
    if (++count > 1) return reject();
    return runInOrder([
      async () => undefined,
      () => {
        act(() => controller.abort());
        return reject();
      },
    ]);
  });
  expect(maybeChanged({ results }).map(({ id }) => id)).toEqual(['0', '1', '2', '3', '4']);
});

test('treats an item as unchanged if its first call is rejected', async () => {
  const reject = () => Promise.reject(new ConnectError('locked', Code.PermissionDenied));
  const results = await changeInBatches(testContext(), () => runInOrder([reject, async () => undefined]));
  expect([failedResults({ results }).length, maybeChanged({ results }).length]).toEqual([items.length, 0]);
});

test('splits a rejected call to isolate the rejected items and changes the other items', async () => {
  const failingIds = new Set(['1', '7']);
  const calls: string[] = [];
  const results = await changeInBatches(testContext(), async (chunk) => {
    calls.push(chunk.join());
    if (chunk.some((item) => failingIds.has(item))) throw new ConnectError('locked', Code.FailedPrecondition);
  });
  expect(results.map(({ id }) => id)).toEqual(items);
  expect(failedResults({ results }).map(({ id }) => id)).toEqual(['1', '7']);
  expect(results[1]?.failure).toMatchObject({ code: 'failed_precondition', message: { values: { text: 'locked' } } });
  expect(calls).toEqual([
    '0,1,2,3,4',
    '0,1,2',
    '0,1',
    '0',
    '1',
    '2',
    '3,4',
    '5,6,7,8,9',
    '5,6,7',
    '5,6',
    '7',
    '8,9',
    '10,11',
  ]);
});

test('stops trying single items after 16 permission errors unless an item succeeds', async () => {
  const manyItems = Array.from({ length: 500 }, (_, index) => `${index}`);
  const identity = (item: string) => item;
  const callSizes: number[] = [];
  const rejectBatch = async ({ length }: readonly string[]) => {
    callSizes.push(length);
    throw new ConnectError('no', Code.PermissionDenied);
  };
  const results = await runInBatches(runContext(testContext(), true), {
    items: manyItems,
    id: identity,
    label: identity,
    change: rejectBatch,
  });
  expect(failedResults({ results })).toHaveLength(500);
  expect(callSizes.filter((length) => length === 1)).toHaveLength(16);
  // One success shows that permission differs by item, so every item is tried.
  const changeEven = async ([first = '', ...others]: readonly string[]) => {
    if (others.length > 0 || Number(first) % 2 === 1) throw new ConnectError('odd', Code.PermissionDenied);
  };
  const mixedResults = await runInBatches(runContext(testContext(), true), {
    items: manyItems,
    id: identity,
    label: identity,
    change: changeEven,
  });
  expect(succeededResults({ results: mixedResults }).map(({ id }) => id)).toEqual(
    manyItems.filter((id) => Number(id) % 2 === 0),
  );
});

test('retries items separately after errors other than permission errors', async () => {
  const manyItems = Array.from({ length: 500 }, (_, index) => `${index}`);
  const identity = (item: string) => item;
  const change = async (chunk: readonly string[]) => {
    if (chunk.some((item) => Number(item) < 40)) throw new ConnectError('locked', Code.FailedPrecondition);
  };
  const results = await runInBatches(runContext(testContext(), true), {
    items: manyItems,
    id: identity,
    label: identity,
    change,
  });
  expect(failedResults({ results }).map(({ id }) => id)).toEqual(manyItems.slice(0, 40));
});

test("doesn't retry a call with an unknown outcome", async () => {
  for (const code of [Code.Unavailable, Code.Internal, Code.DeadlineExceeded, Code.Canceled, Code.ResourceExhausted]) {
    let calls = 0;
    const results = await changeInBatches(testContext(), async () => {
      calls++;
      if (calls === 1) throw new ConnectError('failed', code);
    });
    expect([calls, failedResults({ results }).map(({ id }) => id)]).toEqual([3, ['0', '1', '2', '3', '4']]);
  }
});

test('stops after two consecutive calls without a response', async () => {
  const results = await runInBatches(runContext(testContext(), true), {
    items,
    size: 2,
    id: (item) => item,
    label: (item) => item,
    change: async ([first]) => {
      if (first !== '0') throw new ConnectError('unavailable', Code.Unavailable);
    },
  });
  expect(results.map(({ failure }) => failure?.message.key)).toEqual([
    ...Array.from({ length: 2 }, () => undefined),
    ...Array.from({ length: 4 }, () => 'core:error.connection'),
    ...Array.from({ length: 6 }, () => 'core:error.unsent'),
  ]);
  expect(maybeChanged({ results }).map(({ id }) => id)).toEqual(['0', '1', '2', '3', '4', '5']);
});

test('fails only the items that a successful call reports', async () => {
  const results = await changeInBatches(testContext(), async ([first]) =>
    first === '5' ? new Map([['6', message('core:error.silent')]]) : undefined,
  );
  expect(failedResults({ results }).map(({ id }) => id)).toEqual(['6']);
  expect(results[6]?.failure).toEqual({ code: 'command', message: message('core:error.silent'), retryable: false });
});

test('skips the remaining items after canceling, and stops if the session has expired', async () => {
  const controller = new AbortController();
  const canceledResults = await changeInBatches(testContext({ signal: controller.signal }), async () =>
    controller.abort(),
  );
  expect(canceledResults.map(({ skipped = false }) => skipped)).toEqual(items.map((_, index) => index >= 5));
  let calls = 0;
  const expiredResults = await changeInBatches(testContext(), async () => {
    calls++;
    throw new ConnectError('expired', Code.Unauthenticated);
  });
  expect([calls, failedResults({ results: expiredResults }).length]).toEqual([1, 12]);
});

test('reports an error that may be a defect, but not a rejection', async () => {
  const report = vi.fn<(error: unknown) => void>();
  const context = testContext({ host: { report } });
  const defect = new TypeError('name is undefined');
  await changeInBatches(context, async (chunk) => {
    if (chunk.includes('0')) throw defect;
    throw new ConnectError('locked', Code.FailedPrecondition);
  });
  expect(report.mock.calls).toEqual([[defect]]);
});

test('skips the remaining items if the run is canceled during a split', async () => {
  const controller = new AbortController();
  const results = await changeInBatches(testContext({ signal: controller.signal }), async (chunk) => {
    if (chunk.length > 1) throw new ConnectError('locked', Code.FailedPrecondition);
    controller.abort();
  });
  expect(succeededResults({ results }).map(({ id }) => id)).toEqual(['0']);
  expect(results.filter(({ skipped }) => skipped)).toHaveLength(11);
});

test('cancels between calls, never during a call', async () => {
  const controller = new AbortController();
  const abortedInside: boolean[] = [];
  const results = await runInBatches(runContext(testContext({ signal: controller.signal }), true), {
    items,
    size: 5,
    id: (item) => item,
    label: (item) => item,
    change: async (_chunk, { signal }) => {
      controller.abort();
      abortedInside.push(signal.aborted);
    },
  });
  expect(abortedInside).toEqual([false]);
  expect(succeededResults({ results }).map(({ id }) => id)).toEqual(items.slice(0, 5));
});

test('reports a created item if its second call is rejected, and does not retry', async () => {
  const createdItem = { id: 'new', label: 'New' };
  const create = vi.fn<() => Promise<typeof createdItem>>(async () => createdItem);
  const reject = async () => {
    throw new ConnectError('locked', Code.PermissionDenied);
  };
  const results = await changeInBatches(testContext(), async (chunk) => {
    await createInOrder(create, chunk.includes('7') ? [reject] : []);
  });
  expect(create).toHaveBeenCalledTimes(3);
  expect(failedResults({ results }).map(({ id, failure }) => [id, failure?.createdItem])).toEqual(
    ['5', '6', '7', '8', '9'].map((id) => [id, createdItem]),
  );
  expect(maybeChanged({ results })).toHaveLength(items.length);
});
