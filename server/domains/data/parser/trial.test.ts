import type { MessageInitShape } from '@bufbuild/protobuf';
import { Code } from '@connectrpc/connect';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { MessageService } from '#proto/gen/hiber/message_pb.ts';
import { ModemMessageBodyParserService } from '#proto/gen/hiber/parser_pb.ts';
import {
  ParserTraceService,
  type TestBatchRequestSchema,
  type TraceRequestSchema,
} from '#proto/gen/quarterdeck/parser/v1/parser_trace_service_pb.ts';
import { eventually } from '#server/testkit/eventually.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

let t: TestServer;
beforeAll(async () => void (t = await startTestServer()));
afterAll(() => t.close());

const parsers = () => t.as('administrator').client(ModemMessageBodyParserService);

const LEVEL = 'meta:\n  id: level\n  endian: be\nseq:\n  - id: level\n    type: u2\n';

let count = 0;
const upload = (more: object = {}) => parsers().upload({ name: `Level ${(count += 1)}`, contentKsy: LEVEL, ...more });

describe('a test', () => {
  const bytes = (hex: string) => ({ case: 'parseBytes' as const, value: { hex } });
  test('returns the result of a definition, or an error message', async () => {
    const parser = { case: 'contentKsy' as const, value: LEVEL };
    expect((await parsers().test({ parser, data: bytes('01 02') })).result).toEqual({
      case: 'parsed',
      value: { level: 258 },
    });
    expect((await parsers().test({ parser, data: bytes('01') })).result).toEqual({
      case: 'error',
      value: 'Field level at byte 0: 2 bytes needed, 1 left.',
    });
    expect(
      (await parsers().test({ parser: { case: 'contentKsy', value: 'seq: 1' }, data: bytes('01') })).result,
    ).toEqual({
      case: 'error',
      value: 'Line 1: Expected array, found 1 (seq).',
    });
    await expect(parsers().test({ parser, data: bytes('0') })).rejects.toMatchObject({ code: Code.InvalidArgument });
    await expect(parsers().test({ parser })).rejects.toMatchObject({ code: Code.InvalidArgument });
    await expect(parsers().test({ data: bytes('00') })).rejects.toMatchObject({ code: Code.InvalidArgument });
  });

  test('fails without a required field, and for a message without the required metadata', async () => {
    const { identifier } = await upload({
      dataFields: [{ field: 'level' }, { field: 'pressure' }, { field: 'other', optional: true }],
      metadataFields: { requireMessageMetadata: { 'lora.fPort': { kind: { case: 'numberValue', value: 2 } } } },
    });
    const parser = { case: 'identifier' as const, value: identifier };
    expect((await parsers().test({ parser, data: bytes('0001') })).result).toEqual({
      case: 'error',
      value: 'The result is missing required fields: pressure.',
    });
    const messageId = await storeMessage();
    expect((await parsers().test({ parser, data: { case: 'modemMessageId', value: messageId } })).result).toEqual({
      case: 'error',
      value: 'The parser requires metadata lora.fPort = 2, but the message has none.',
    });
  });

  test('reads only messages of the organization', async () => {
    const parser = { case: 'contentKsy' as const, value: 'seq:\n  - {id: all, size-eos: true}\n' };
    const data = { case: 'modemMessageId' as const, value: await storeMessage() };
    expect((await parsers().test({ parser, data })).result).toMatchObject({
      case: 'parsed',
      value: { all: expect.stringMatching(/^[0-9A-F]*$/) },
    });
    await expect(parsers().test({ organization: CHILD, parser, data })).rejects.toMatchObject({ code: Code.NotFound });
  });
});

const CHILD = 'northwind-offshore';

async function storeMessage(): Promise<bigint> {
  const { messages } = await t
    .as('administrator')
    .client(MessageService)
    .list({ pagination: { size: 1 } });
  return messages[0]?.messageId ?? 0n;
}

describe('a trace', () => {
  const trace = (request: MessageInitShape<typeof TraceRequestSchema>) =>
    t.as('administrator').client(ParserTraceService).trace(request);
  const data = (hex: string) => ({ case: 'parseBytes', value: { hex } }) as const;

  test('returns the bytes of each field', async () => {
    const contentKsy = `${LEVEL}  - id: items\n    type: u1\n    repeat: expr\n    repeat-expr: 2\ninstances:\n  double:\n    value: level * 2\n`;
    const parser = { case: 'contentKsy', value: contentKsy } as const;
    expect(await trace({ parser, data: data('010203FF') })).toMatchObject({
      result: { case: 'parsed', value: { level: 258, items: [3, 255], double: 516 } },
      ranges: [
        { path: 'level', start: 0, end: 2 },
        { path: 'items', start: 2, end: 4 },
        { path: 'items[0]', start: 2, end: 3 },
        { path: 'items[1]', start: 3, end: 4 },
      ],
    });
  });

  test('reports the field and the byte of a failure in a message', async () => {
    const { identifier } = await upload();
    expect(await trace({ parser: { case: 'identifier', value: identifier }, data: data('01') })).toMatchObject({
      result: {
        case: 'failure',
        value: { error: 'Field level at byte 0: 2 bytes needed, 1 left.', path: 'level', offset: 0 },
      },
      ranges: [],
    });
  });

  test('reports the line of an error in a definition', async () => {
    const parser = { case: 'contentKsy', value: `${LEVEL}  - id: more\n    type: nope\n` } as const;
    expect(await trace({ parser, data: data('0102') })).toMatchObject({
      result: { case: 'failure', value: { line: 8, error: expect.stringMatching(/^Line 8: /) } },
    });
  });

  test('reports a definition that is invalid as a whole in its first line', async () => {
    const parser = { case: 'contentKsy', value: '#'.repeat(1024 * 1024) } as const;
    expect(await trace({ parser, data: data('0102') })).toMatchObject({
      result: { case: 'failure', value: { line: 1, error: expect.stringMatching(/^A definition can have at most /) } },
    });
  });

  test("doesn't name a line of a definition that nobody has seen", async () => {
    const text = {
      case: 'string',
      value: { size: { size: { case: 'sizeBytes', value: 1 } }, encoding: 'x-1' },
    } as const;
    const value = { name: 'texts', fields: [{ name: 'label', type: text }] };
    const error = expect.stringMatching(/^The encoding "x-1" isn't supported\. Use ASCII, /) as string;
    expect(await trace({ parser: { case: 'simpleParser', value }, data: data('0102') })).toMatchObject({
      result: { case: 'failure', value: { line: expect.any(Number), error } },
    });
    const { createSimple } = t.as('administrator').client(ModemMessageBodyParserService);
    await expect(createSimple({ parser: value })).rejects.toMatchObject({ rawMessage: error });
  });
});

describe('a test of several messages', () => {
  const testBatch = (request: MessageInitShape<typeof TestBatchRequestSchema>) =>
    t.as('administrator').client(ParserTraceService).testBatch(request);
  const parser = { case: 'contentKsy', value: LEVEL } as const;
  const parseBytes = (...hexes: string[]) => hexes.map((hex) => ({ hex }));

  test('returns what Test returns for each', async () => {
    const { identifier } = await upload({ dataFields: [{ field: 'level' }, { field: 'pressure' }] });
    const sources = [
      parser,
      { case: 'contentKsy', value: 'seq: 1' } as const,
      { case: 'identifier', value: identifier } as const,
    ];
    for (const source of sources) {
      const hexes = ['0102', '01', ''];
      const { results } = await testBatch({ parser: source, parseBytes: parseBytes(...hexes) });
      const single = hexes.map((hex) =>
        parsers().test({ parser: source, data: { case: 'parseBytes', value: { hex } } }),
      );
      expect(results).toEqual(await Promise.all(single));
    }
  });

  test('accepts between 1 and 200 messages', async () => {
    const bodies = Array.from({ length: 201 }, () => '0001');
    // A busy machine may return the results of the first messages only.
    await eventually(async () => {
      const { results } = await testBatch({ parser, parseBytes: parseBytes(...bodies.slice(1)) });
      expect(results).toHaveLength(200);
    });
    await expect(testBatch({ parser, parseBytes: parseBytes(...bodies) })).rejects.toMatchObject({
      code: Code.InvalidArgument,
    });
    await expect(testBatch({ parser })).rejects.toThrow('Specify the bytes to parse.');
    await expect(testBatch({ parseBytes: parseBytes('00') })).rejects.toMatchObject({ code: Code.InvalidArgument });
    await expect(testBatch({ parser, parseBytes: parseBytes('00', '0') })).rejects.toThrow('parse_bytes[1].hex');
  });

  test('returns the results of the first messages if those of all are too large', async () => {
    const all = { case: 'contentKsy', value: 'seq:\n  - {id: all, size-eos: true}\n' } as const;
    // A larger message might exceed the time limit on a busy machine.
    const bodies = Array.from({ length: 100 }, (_, index) => `${index + 100}`.slice(1).repeat(8000));
    const { results } = await testBatch({ parser: all, parseBytes: parseBytes(...bodies) });
    expect(results.length).toBeGreaterThan(0);
    expect(results.length).toBeLessThan(100);
    for (const [index, { result }] of results.entries()) {
      expect(result).toEqual({ case: 'parsed', value: { all: bodies[index] } });
    }
  });

  test('uses only parsers of the organization that the caller may use', async () => {
    const { identifier } = await upload();
    const own = { case: 'identifier', value: identifier } as const;
    await expect(testBatch({ organization: CHILD, parser: own, parseBytes: parseBytes('0102') })).rejects.toMatchObject(
      { code: Code.NotFound },
    );
  });
});
