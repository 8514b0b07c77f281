import { create } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { expect, test } from 'vitest';

import type { Context } from '#commands/model/context.ts';
import { ListMessages_ResponseSchema } from '#proto/gen/hiber/message_pb.ts';

import { allMessages, compareDefinitions, type MessageQuery } from './comparison.ts';
import { definitionSource } from './source.ts';
import { openTrials } from './trials.ts';

interface FakeOptions {
  readonly total?: number;
  /** The number of messages that arrive between two pages. */
  readonly arriving?: number;
  /** The number of results that the server returns in a batch. By default, it doesn't have batches. */
  readonly batch?: number;
  /** Called before each trial or batch. */
  readonly onTest?: () => void;
  readonly signal?: AbortSignal;
}

/**
 * A server with messages 1 to `total`, every other one parsed by the parser `p`. The definition `old` returns the
 * first byte, and `new` fails for the byte 02.
 */
function fakeContext({
  total = 10,
  arriving = 0,
  batch,
  onTest,
  signal = new AbortController().signal,
}: FakeOptions = {}) {
  const calls = { tests: 0, batches: 0, batched: 0, inFlight: 0, maxInFlight: 0 };
  const parse = (definition: string, hex: string) =>
    definition === 'new' && hex === '02'
      ? { result: { case: 'error', value: 'Two is not a byte.' } }
      : { result: { case: 'parsed', value: { byte: hex } } };
  const api = () => ({
    list: async ({ pagination: { page, size } }: { pagination: { page: number; size: number } }) => {
      const first = page * (size - arriving);
      const ids = Array.from({ length: total }, (_, index) => index + 1).slice(first, first + size);
      return create(ListMessages_ResponseSchema, {
        messages: ids.map((id) => ({
          messageId: BigInt(id),
          modemNumber: 'AAAA BBBB',
          bodyBytes: { hex: `0${id % 3}` },
          bodyParsed: id % 2 === 0 ? [{ parserIdentifier: 'p' }] : [],
        })),
        pagination: { total, totalPages: Math.ceil(total / size) },
      });
    },
    test: async (request: { parser: { value: string }; data: { value: { hex: string } } }) => {
      calls.tests++;
      calls.inFlight++;
      calls.maxInFlight = Math.max(calls.maxInFlight, calls.inFlight);
      onTest?.();
      await Promise.resolve();
      calls.inFlight--;
      return parse(request.parser.value, request.data.value.hex);
    },
    testBatch: async (request: { parser: { value: string }; parseBytes: { hex: string }[] }) => {
      calls.batches++;
      if (batch === undefined) throw new ConnectError('unimplemented', Code.Unimplemented);
      calls.batched += request.parseBytes.length;
      onTest?.();
      await Promise.resolve();
      return { results: request.parseBytes.slice(0, batch).map(({ hex }) => parse(request.parser.value, hex)) };
    },
  });
  return { calls, context: { api, organization: { id: 'northwind' }, signal } as unknown as Context };
}

const definitions = { before: definitionSource('old'), after: definitionSource('new'), fields: [] };
const query = (changes: Partial<MessageQuery> = {}): MessageQuery => ({
  selection: allMessages(),
  limit: 100,
  ...changes,
});

test('counts every message and lists failures first', async () => {
  const { context } = fakeContext({ total: 6 });
  const { counts, rows } = await compareDefinitions(context, definitions, query());
  expect(counts).toEqual({ nowFails: 2, fails: 0, changed: 0, nowWorks: 0, works: 0, same: 4 });
  expect(rows.map(({ id, difference }) => `${id} ${difference.verdict}`).slice(0, 3)).toEqual([
    '2 nowFails',
    '5 nowFails',
    '1 same',
  ]);
});

test('compares only the given number of messages, a few at a time', async () => {
  const { context, calls } = fakeContext({ total: 1000 });
  const { verdicts } = await compareDefinitions(context, definitions, query({ limit: 250 }));
  expect(verdicts).toHaveLength(250);
  expect(calls.maxInFlight).toBeLessThanOrEqual(6);
});

test('counts a message once, although new messages push it to the next page', async () => {
  const { context } = fakeContext({ total: 700, arriving: 3 });
  const { verdicts, rows } = await compareDefinitions(context, definitions, query({ limit: 500 }));
  expect(verdicts).toHaveLength(500);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
});

test('keeps a bounded number of rows', async () => {
  const { context } = fakeContext({ total: 2000 });
  const { verdicts, rows } = await compareDefinitions(context, definitions, query({ limit: 2000 }));
  expect(verdicts).toHaveLength(2000);
  expect(rows).toHaveLength(550);
});

test('keeps every message that differs if asked', async () => {
  const { context } = fakeContext({ total: 2000 });
  const { counts, rows } = await compareDefinitions(context, definitions, query({ limit: 2000, keepsAll: true }));
  expect(counts.nowFails).toBeGreaterThan(500);
  expect(rows.filter(({ difference }) => difference.verdict === 'nowFails')).toHaveLength(counts.nowFails);
  expect(rows).toHaveLength(counts.nowFails + 50);
});

test('searches for the messages that a parser was applied to', async () => {
  const { context } = fakeContext({ total: 9 });
  const { rows } = await compareDefinitions(context, definitions, query({ parsedBy: 'p', limit: 3 }));
  expect(rows.map(({ id }) => id).toSorted()).toEqual(['2', '4', '6']);
});

test('stops when canceled', async () => {
  const abort = new AbortController();
  const { context, calls } = fakeContext({ total: 500, onTest: () => abort.abort(), signal: abort.signal });
  await expect(compareDefinitions(context, definitions, query())).rejects.toMatchObject({ name: 'AbortError' });
  expect(calls.tests).toBeLessThanOrEqual(6);
});

test("parses once if the definition didn't change", async () => {
  const { context, calls } = fakeContext({ total: 4 });
  const { counts } = await compareDefinitions(context, { ...definitions, after: definitionSource('old') }, query());
  expect([counts.same, calls.tests]).toEqual([4, 4]);
});

test('reports its progress', async () => {
  const { context } = fakeContext({ total: 5 });
  const progress: string[] = [];
  await compareDefinitions(context, definitions, query(), ({ done, total }) => progress.push(`${done}/${total}`));
  expect(progress).toEqual(['3/5', '5/5']);
});

test('compares a page of messages in a call for each definition, and finds the same', async () => {
  const { context, calls } = fakeContext({ total: 1000, batch: 200 });
  const alone = fakeContext({ total: 1000 });
  const limit = query({ limit: 1000 });
  expect(await compareDefinitions(context, definitions, limit)).toEqual(
    await compareDefinitions(alone.context, definitions, limit),
  );
  expect(calls).toMatchObject({ batches: 10, tests: 0 });
  expect(alone.calls).toMatchObject({ batches: 2, tests: 2000 });
});

test('continues after a part of a batch, and reports its progress and stops there', async () => {
  const partial = fakeContext({ total: 20, batch: 8 });
  const progress: string[] = [];
  const { verdicts } = await compareDefinitions(partial.context, definitions, query(), ({ done, total }) =>
    progress.push(`${done}/${total}`),
  );
  expect(progress).toEqual(['8/20', '16/20', '20/20']);
  expect(verdicts).toHaveLength(20);
  // At most twice as many as the server returned the time before.
  const slow = fakeContext({ total: 200, batch: 1 });
  await compareDefinitions(slow.context, definitions, query({ limit: 200 }));
  expect(slow.calls.batched).toBeLessThan(2 * (200 + 2 * 200));
  const abort = new AbortController();
  const canceled = fakeContext({ total: 500, batch: 8, onTest: () => abort.abort(), signal: abort.signal });
  await expect(compareDefinitions(canceled.context, definitions, query())).rejects.toMatchObject({
    name: 'AbortError',
  });
  expect(canceled.calls.batches).toBe(2);
});

test('sends at most a part of the messages if they are large', async () => {
  const { context, calls } = fakeContext({ total: 6, batch: 200 });
  const large = 'AA'.repeat(300 * 1024);
  const trySome = openTrials(context, []);
  expect(await trySome(definitionSource('new'), [large, large, large])).toHaveLength(1);
  expect(
    await trySome(
      definitionSource('new'),
      Array.from({ length: 300 }, () => '01'),
    ),
  ).toHaveLength(200);
  expect(calls.tests).toBe(0);
});

test('parses only with the new definition the next time', async () => {
  const { context, calls } = fakeContext({ total: 20, batch: 200 });
  const kept = { ...definitions, savedTrials: new Map() };
  const first = await compareDefinitions(context, kept, query());
  expect(calls.batches).toBe(2);
  expect(await compareDefinitions(context, kept, query())).toEqual(first);
  expect(calls.batches).toBe(3);
});
