import { create } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';

import type { Context } from '#commands/model/context.ts';
import { ListMessages_ResponseSchema } from '#proto/gen/hiber/message_pb.ts';

import { allMessages, compareDefinitions, type MessageQuery } from './comparison.ts';
import { definitionSource } from './source.ts';

interface FakeOptions {
  readonly total?: number;
  /** Called before each trial. */
  readonly onTest?: () => void;
  readonly signal?: AbortSignal;
}

/**
 * A server with messages 1 to `total`, every other one parsed by the parser `p`. The definition `old` returns the
 * first byte, and `new` fails for the byte 02.
 */
function fakeContext({ total = 10, onTest, signal = new AbortController().signal }: FakeOptions = {}) {
  const calls = { tests: 0, inFlight: 0, maxInFlight: 0 };
  const api = () => ({
    list: async ({ pagination: { page, size } }: { pagination: { page: number; size: number } }) => {
      const ids = Array.from({ length: total }, (_, index) => index + 1).slice(page * size, (page + 1) * size);
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
      const { hex } = request.data.value;
      return request.parser.value === 'new' && hex === '02'
        ? { result: { case: 'error', value: 'Two is not a byte.' } }
        : { result: { case: 'parsed', value: { byte: hex } } };
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
  expect(counts).toEqual({ nowFails: 2, changed: 0, nowWorks: 0, same: 4 });
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

test('keeps a bounded number of rows', async () => {
  const { context } = fakeContext({ total: 2000 });
  const { verdicts, rows } = await compareDefinitions(context, definitions, query({ limit: 2000 }));
  expect(verdicts).toHaveLength(2000);
  expect(rows).toHaveLength(550);
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
