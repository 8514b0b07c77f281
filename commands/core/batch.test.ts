import { Code, ConnectError } from '@connectrpc/connect';
import { expect, test } from 'vitest';

import { testContext } from '../testing/context.ts';
import { BATCH_SIZE, inBatches } from './batch.ts';
import type { Context, Progress } from './context.ts';
import { message } from './message.ts';
import { failed, succeeded } from './result.ts';

const items = Array.from({ length: 12 }, (_, at) => `${at}`);
const batch = (
  context: Context,
  each: (chunk: readonly string[]) => Promise<ReadonlyMap<string, ReturnType<typeof message>> | void>,
) => inBatches(context, { items, size: 5, id: (item) => item, label: (item) => item, each });

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
    const many = Array.from({ length: count }, (_, at) => `${at}`);
    const same = (item: string) => item;
    const progress = () => chunks.push(0);
    const each = async ({ length }: readonly string[]) => void chunks.push(length);
    await inBatches(testContext({ progress }), { items: many, id: same, label: same, each });
    return chunks;
  };
  expect(BATCH_SIZE).toBe(500);
  expect([await sizes(0), await sizes(500), await sizes(501)]).toEqual([[], [500, 0], [500, 0, 1, 0]]);
});

test('one chunk that fails, or one item that is refused, does not stop the others', async () => {
  const results = await batch(testContext(), async ([first]) => {
    if (first === '0') throw new ConnectError('locked', Code.FailedPrecondition);
    return first === '5' ? new Map([['6', message('core:error.silent')]]) : undefined;
  });
  expect(failed({ results }).map(({ id }) => id)).toEqual(['0', '1', '2', '3', '4', '6']);
  expect(results[0]?.failure).toMatchObject({ code: 'failed_precondition', message: { values: { text: 'locked' } } });
  expect(results[6]?.failure).toEqual({ code: 'command', message: message('core:error.silent'), retryable: false });
});

test('a cancelled run leaves the rest untried, and one that is signed out does not go on', async () => {
  const controller = new AbortController();
  const cancelled = await batch(testContext({ signal: controller.signal }), async () => controller.abort());
  expect(cancelled.map(({ skipped = false }) => skipped)).toEqual(items.map((_, at) => at >= 5));
  let calls = 0;
  const out = await batch(testContext(), async () => {
    calls++;
    throw new ConnectError('expired', Code.Unauthenticated);
  });
  expect([calls, failed({ results: out }).length]).toEqual([1, 12]);
});

test('cancelling stops between chunks and never inside the call under way', async () => {
  const controller = new AbortController();
  const inside: boolean[] = [];
  const context = testContext({ signal: controller.signal });
  const results = await inBatches(context, {
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

test('a call that was aborted counts as not tried, not as failed', async () => {
  const results = await batch(testContext(), async ([first]) => {
    if (first === '5') throw new DOMException('The operation was aborted.', 'AbortError');
  });
  expect(failed({ results })).toEqual([]);
  expect(results.filter(({ skipped }) => skipped).map(({ id }) => id)).toEqual(['5', '6', '7', '8', '9']);
});
