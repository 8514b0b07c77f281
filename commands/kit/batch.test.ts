import { Code, ConnectError } from '@connectrpc/connect';
import { expect, test } from 'vitest';

import { testContext } from '#commands/testkit/context.ts';
import { BATCH_SIZE, inBatches } from './batch.ts';
import { runContext, type Context, type Progress } from '#commands/model/context.ts';
import { message } from '#commands/text/message.ts';
import { failed, succeeded } from '#commands/model/result.ts';

const items = Array.from({ length: 12 }, (_, index) => `${index}`);
const batch = (
  context: Context,
  pick: (chunk: readonly string[]) => Promise<ReadonlyMap<string, ReturnType<typeof message>> | void>,
) => inBatches(runContext(context, true), { items, size: 5, id: (item) => item, label: (item) => item, each: pick });

test('runs chunk by chunk and reports after each', async () => {
  const reported: Progress[] = [];
  const chunks: number[] = [];
  const results = await batch(testContext({ progress: (progress) => reported.push(progress) }), async (chunk) => {
    chunks.push(chunk.length);
  });
  expect(chunks).toEqual([5, 5, 2]);
  expect(reported.map(({ done }) => done)).toEqual([5, 10, 12]);
  expect(succeeded({ results })).toHaveLength(12);
});

test('a call carries 500 items, and none is made for nothing', async () => {
  const sizes = async (count: number) => {
    const chunks: number[] = [];
    const many = Array.from({ length: count }, (_, index) => `${index}`);
    const same = (item: string) => item;
    const progress = () => chunks.push(0);
    const each = async ({ length }: readonly string[]) => void chunks.push(length);
    await inBatches(runContext(testContext({ progress }), true), { items: many, id: same, label: same, each });
    return chunks;
  };
  expect(BATCH_SIZE).toBe(500);
  expect([await sizes(0), await sizes(500), await sizes(501)]).toEqual([[], [500, 0], [500, 0, 1, 0]]);
});

test('what a call cannot hold together is sent apart, with one progress and every result', async () => {
  const calls: string[] = [];
  const reported: Progress[] = [];
  const same = (item: string) => item;
  const results = await inBatches(runContext(testContext({ progress: (progress) => reported.push(progress) }), true), {
    items: ['a1', 'b1', 'a2', 'a3', 'b2'],
    size: 2,
    id: same,
    label: same,
    apart: (item) => item.slice(0, 1),
    each: async (chunk) => void calls.push(chunk.join()),
  });
  expect(calls).toEqual(['a1,a2', 'a3', 'b1,b2']);
  expect(reported.map(({ done, total }) => [done, total])).toEqual([
    [2, 5],
    [3, 5],
    [5, 5],
  ]);
  expect(succeeded({ results })).toHaveLength(5);
});

test('a refused call is split until the items that are refused are known, and the others go through', async () => {
  const bad = new Set(['1', '7']);
  const calls: string[] = [];
  const results = await batch(testContext(), async (chunk) => {
    calls.push(chunk.join());
    if (chunk.some((item) => bad.has(item))) throw new ConnectError('locked', Code.FailedPrecondition);
  });
  expect(results.map(({ id }) => id)).toEqual(items);
  expect(failed({ results }).map(({ id }) => id)).toEqual(['1', '7']);
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

test('what is refused for all of them is not asked for each', async () => {
  const many = Array.from({ length: 500 }, (_, index) => `${index}`);
  const same = (item: string) => item;
  const asked: number[] = [];
  const denied = async ({ length }: readonly string[]) => {
    asked.push(length);
    throw new ConnectError('no', Code.PermissionDenied);
  };
  const results = await inBatches(runContext(testContext(), true), {
    items: many,
    id: same,
    label: same,
    each: denied,
  });
  expect(failed({ results })).toHaveLength(500);
  expect(asked.filter((length) => length === 1)).toHaveLength(16);
  // One that is taken shows that it differs by item: then all are asked.
  const even = async ([first = '', ...more]: readonly string[]) => {
    if (more.length > 0 || Number(first) % 2 === 1) throw new ConnectError('odd', Code.PermissionDenied);
  };
  const mixed = await inBatches(runContext(testContext(), true), { items: many, id: same, label: same, each: even });
  expect(succeeded({ results: mixed }).map(({ id }) => id)).toEqual(many.filter((id) => Number(id) % 2 === 0));
});

test('what is refused for something other than a permission is asked for each', async () => {
  const many = Array.from({ length: 500 }, (_, index) => `${index}`);
  const same = (item: string) => item;
  const each = async (chunk: readonly string[]) => {
    if (chunk.some((item) => Number(item) < 40)) throw new ConnectError('locked', Code.FailedPrecondition);
  };
  const results = await inBatches(runContext(testContext(), true), { items: many, id: same, label: same, each });
  expect(failed({ results }).map(({ id }) => id)).toEqual(many.slice(0, 40));
});

test('a call that nobody knows the end of is not sent again in parts', async () => {
  for (const code of [Code.Unavailable, Code.Internal, Code.DeadlineExceeded, Code.Canceled, Code.ResourceExhausted]) {
    let calls = 0;
    const results = await batch(testContext(), async () => {
      calls++;
      if (calls === 1) throw new ConnectError('gone', code);
    });
    expect([calls, failed({ results }).map(({ id }) => id)]).toEqual([3, ['0', '1', '2', '3', '4']]);
  }
});

test('one item that is refused does not stop the others', async () => {
  const results = await batch(testContext(), async ([first]) =>
    first === '5' ? new Map([['6', message('core:error.silent')]]) : undefined,
  );
  expect(failed({ results }).map(({ id }) => id)).toEqual(['6']);
  expect(results[6]?.failure).toEqual({ code: 'command', message: message('core:error.silent'), retryable: false });
});

test('a cancelled run leaves the rest untried, and one that is signed out does not go on', async () => {
  const controller = new AbortController();
  const cancelled = await batch(testContext({ signal: controller.signal }), async () => controller.abort());
  expect(cancelled.map(({ skipped = false }) => skipped)).toEqual(items.map((_, index) => index >= 5));
  let calls = 0;
  const out = await batch(testContext(), async () => {
    calls++;
    throw new ConnectError('expired', Code.Unauthenticated);
  });
  expect([calls, failed({ results: out }).length]).toEqual([1, 12]);
});

test('cancelling while a refused call is split leaves its untried items untried', async () => {
  const controller = new AbortController();
  const results = await batch(testContext({ signal: controller.signal }), async (chunk) => {
    if (chunk.length > 1) throw new ConnectError('locked', Code.FailedPrecondition);
    controller.abort();
  });
  expect(succeeded({ results }).map(({ id }) => id)).toEqual(['0']);
  expect(results.filter(({ skipped }) => skipped)).toHaveLength(11);
});

test('cancelling stops between calls and never inside the call under way', async () => {
  const controller = new AbortController();
  const inside: boolean[] = [];
  const results = await inBatches(runContext(testContext({ signal: controller.signal }), true), {
    items,
    size: 5,
    id: (item) => item,
    label: (item) => item,
    each: async (_chunk, { signal }) => {
      controller.abort();
      inside.push(signal.aborted);
    },
  });
  expect(inside).toEqual([false]);
  expect(succeeded({ results }).map(({ id }) => id)).toEqual(items.slice(0, 5));
});
