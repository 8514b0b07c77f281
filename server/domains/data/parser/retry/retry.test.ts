import { Code, ConnectError } from '@connectrpc/connect';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { DeviceService } from '#proto/gen/hiber/device_pb.ts';
import { EventService } from '#proto/gen/hiber/event_service_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { MessageService } from '#proto/gen/hiber/message_pb.ts';
import { ModemMessageBodyParserService } from '#proto/gen/hiber/parser_pb.ts';
import { OrganizationPermission } from '#proto/gen/hiber/permission_pb.ts';
import { TestingService } from '#proto/gen/hiber/testing_pb.ts';
import { TokenService } from '#proto/gen/hiber/token_pb.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { continueRetries } from './job.ts';

let t: TestServer;
let numbers: string[];
beforeAll(async () => {
  t = await startTestServer();
  const { devices } = await t.as('administrator').client(DeviceService).list({});
  numbers = devices.map(({ number }) => number);
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => t.close());

const client = () => t.as('administrator').client(ModemMessageBodyParserService);
const definition = (endian: 'be' | 'le') =>
  `meta: { id: level, endian: ${endian} }\nseq:\n  - { id: level, type: u2 }\n`;
const dataFields = [{ field: 'level', details: { case: 'numeric' as const, value: {} } }];

let count = 0;
async function assignParser(number: string) {
  const parser = await client().upload({
    name: `Level ${(count += 1)}`,
    contentKsy: definition('be'),
    dataFields,
  });
  await client().assign({
    assignParsers: { identifiers: [parser.identifier] },
    toModems: { modems: { include: [number] } },
  });
  return parser.identifier;
}

/** Pushes messages of a device and returns the ids of all its test messages. */
async function push(number: string, levels: readonly number[]): Promise<bigint[]> {
  const messages = levels.map((level) => ({ modemNumber: number, content: Uint8Array.of(level >> 8, level & 255) }));
  await t.as('administrator').client(TestingService).pushModemMessages({ messages });
  const { rows } = await t.app.db.pool.query<{ id: number }>(
    'select id from message where number = $1 and is_test order by id',
    [number],
  );
  return rows.map(({ id }) => BigInt(id));
}

const changeEndian = (identifier: string) => client().updateUploaded({ identifier, contentKsy: definition('le') });

async function readStoredLevels(number: string): Promise<unknown[]> {
  const { rows } = await t.app.db.pool.query<{ numeric: number }>(
    `select "numeric" from value where number = $1 and field = 'level' order by message`,
    [number],
  );
  return rows.map(({ numeric }) => numeric);
}

async function countParsedEvents(number: string): Promise<number> {
  const { unbundledEvents } = await t
    .as('administrator')
    .client(EventService)
    .list({
      selection: { events: { include: [EventType.MESSAGE_BODY_PARSED] }, modems: { include: [number] } },
      unbundledEvents: true,
    });
  return unbundledEvents.flatMap((page) => page.unbundledEvents).length;
}

const countJobs = async () => {
  const { rows } = await t.app.db.pool.query('select 1 from parser_retry union all select 1 from parser_retry_device');
  return rows.length;
};

/** Makes parsing fail from the given call on, as if the server had been killed. */
function makeParsingFail(fromCall: number, error: Error): void {
  const { parse } = t.app.parsing;
  let calls = 0;
  vi.spyOn(t.app.parsing, 'parse').mockImplementation((...args) => {
    calls += 1;
    return calls < fromCall ? parse(...args) : Promise.reject(error);
  });
}

test('replaces the earlier results and values of the selected parsers', async () => {
  const [number = ''] = numbers;
  const parser = await assignParser(number);
  const modemMessageIds = await push(number, [100, 200]);
  await changeEndian(parser);
  const request = { modemMessageIds, parserSelection: { identifiers: [parser] } };
  const { parsedMessages } = await client().retry(request);
  expect(parsedMessages).toMatchObject([
    { parserIdentifier: parser, parsed: { case: 'result', value: { level: 25_600 } } },
    { parsed: { value: { level: 51_200 } } },
  ]);
  expect(await readStoredLevels(number)).toEqual([25_600, 51_200]);
  const { rows } = await t.app.db.pool.query(`select "numeric" from latest_value where number = $1`, [number]);
  expect(rows).toEqual([{ numeric: 51_200 }]);
  expect(await countParsedEvents(number)).toBe(4);
  await client().retry({ ...request, suppressEvents: true });
  expect(await countParsedEvents(number)).toBe(4);
  const { messages } = await t.as('administrator').client(MessageService).list({ selection: { modemMessageIds } });
  expect(messages.map(({ bodyFields }) => bodyFields)).toEqual([{ level: 51_200 }, { level: 25_600 }]);
  expect(await countJobs()).toBe(0);
});

test('returns no results to a caller who may not read messages', async () => {
  const [number = ''] = numbers;
  const parser = await assignParser(number);
  const modemMessageIds = await push(number, [300]);
  const request = { modemMessageIds, parserSelection: { identifiers: [parser] } };
  const include = [OrganizationPermission.MODEMS_MESSAGE_BODY_PARSERS];
  const tokens = t.as('administrator').client(TokenService);
  const { token } = await tokens.create({ name: 'parsers', organizationPermissions: { include } });
  await changeEndian(parser);
  expect((await t.with(token).client(ModemMessageBodyParserService).retry(request)).parsedMessages).toEqual([]);
  expect((await readStoredLevels(number)).at(-1)).toBe(11_265);
});

test('reports messages that do not exist, and does nothing for messages without parsers', async () => {
  await expect(client().retry({ modemMessageIds: [999_999_999n] })).rejects.toMatchObject({
    code: Code.NotFound,
    rawMessage: 'northwind has no message with id 999999999.',
  });
  await expect(client().retry({})).rejects.toMatchObject({ code: Code.InvalidArgument });
  const modemMessageIds = await push(numbers[1] ?? '', [1]);
  expect((await client().retry({ modemMessageIds })).parsedMessages).toEqual([]);
});

test('a killed retry resumes where it stopped', async () => {
  const [, , number = '', otherNumber = ''] = numbers;
  const parser = await assignParser(number);
  await assignParser(otherNumber);
  const otherIds = await push(otherNumber, [7]);
  const levels = Array.from({ length: 250 }, (_, index) => index);
  const modemMessageIds = await push(number, levels);
  await changeEndian(parser);
  makeParsingFail(2, new Error('killed'));
  await expect(client().retry({ modemMessageIds })).rejects.toMatchObject({ code: Code.Internal });
  vi.restoreAllMocks();
  // A killed process releases nothing.
  await t.app.db.pool.query('update parser_retry set leased_until = $1', [new Date(t.app.now().getTime() + 120_000)]);
  expect((await readStoredLevels(number)).filter((level) => level === 256)).toHaveLength(1);
  expect(await readStoredLevels(number)).toContain(249);

  await expect(client().retry({ modemMessageIds: modemMessageIds.slice(-1) })).rejects.toMatchObject({
    code: Code.FailedPrecondition,
    rawMessage: `Messages of ${number} are already being parsed again: 100 of 250 are done. Try again once it has finished.`,
  });
  expect((await client().retry({ modemMessageIds: otherIds })).parsedMessages).toHaveLength(1);

  await continueRetries(t.app);
  expect(await countJobs()).toBe(2);
  t.advance(180_000);
  const parse = vi.spyOn(t.app.parsing, 'parse');
  await continueRetries(t.app);
  expect(parse.mock.calls.map(([, , messages]) => messages.length)).toEqual([100, 50]);
  expect(await readStoredLevels(number)).toEqual(levels.map((level) => (level << 8) & 0xff_ff));
  expect(await countJobs()).toBe(0);
});

test('a failed retry is continued by the next one for its device', async () => {
  const [, , , , , , number = ''] = numbers;
  const parser = await assignParser(number);
  const modemMessageIds = await push(number, [1, 2]);
  await changeEndian(parser);
  makeParsingFail(1, new Error('broken'));
  await expect(client().retry({ modemMessageIds })).rejects.toMatchObject({ code: Code.Internal });
  vi.restoreAllMocks();
  const { parsedMessages } = await client().retry({ modemMessageIds: modemMessageIds.slice(0, 1) });
  expect(parsedMessages).toMatchObject([{ parsed: { value: { level: 256 } } }]);
  expect(await readStoredLevels(number)).toEqual([256, 512]);
  expect(await countJobs()).toBe(0);
});

test('a retry is abandoned after five attempts without progress', async () => {
  const [, , , , number = ''] = numbers;
  await assignParser(number);
  const modemMessageIds = await push(number, [1]);
  makeParsingFail(1, new Error('broken'));
  await expect(client().retry({ modemMessageIds })).rejects.toMatchObject({ code: Code.Internal });
  for (let attempt = 2; attempt <= 5; attempt += 1) {
    expect(await countJobs()).toBe(2);
    await continueRetries(t.app);
  }
  expect(await countJobs()).toBe(0);
  expect(await readStoredLevels(number)).toEqual([1]);
});

test('keeps the earlier results while the server is too busy to parse', async () => {
  const [, , , , , number = ''] = numbers;
  await assignParser(number);
  const modemMessageIds = await push(number, [5]);
  makeParsingFail(1, new ConnectError('The server is busy parsing messages. Try again later.', Code.Unavailable));
  await expect(client().retry({ modemMessageIds })).rejects.toMatchObject({ code: Code.Unavailable });
  expect(await readStoredLevels(number)).toEqual([5]);
});

test('reports messages whose parser was deleted or unassigned meanwhile', async () => {
  const [, , , , , , , number = ''] = numbers;
  const [deleted, unassigned, kept] = [
    await assignParser(number),
    await assignParser(number),
    await assignParser(number),
  ];
  const modemMessageIds = await push(
    number,
    Array.from({ length: 150 }, () => 1),
  );
  const { parse } = t.app.parsing;
  let calls = 0;
  vi.spyOn(t.app.parsing, 'parse').mockImplementation(async (...args) => {
    calls += 1;
    if (calls === 1) {
      await client().delete({ selection: { identifiers: [deleted] } });
      const fromModems = { modems: { include: [number] } };
      await client().unassign({ unassignParsers: { identifiers: [unassigned] }, fromModems });
    }
    return parse(...args);
  });
  const parserSelection = { identifiers: [deleted, unassigned, kept] };
  const { parsedMessages } = await client().retry({ modemMessageIds, parserSelection });
  const resultsOf = (identifier: string) =>
    parsedMessages.filter(({ parserIdentifier }) => parserIdentifier === identifier).map(({ parsed }) => parsed.case);
  expect(resultsOf(kept)).toEqual(Array.from({ length: 150 }, () => 'result'));
  for (const identifier of [deleted, unassigned]) {
    expect(resultsOf(identifier)).toHaveLength(150);
    expect(resultsOf(identifier).slice(-50)).toEqual(Array.from({ length: 50 }, () => 'error'));
  }
  expect(
    parsedMessages.find(({ parserIdentifier, parsed }) => parserIdentifier === deleted && parsed.case === 'error')
      ?.parsed.value,
  ).toBe('The parser was deleted or unassigned before it parsed this message again.');
  await expect(client().retry({ modemMessageIds, parserSelection })).rejects.toMatchObject({
    code: Code.NotFound,
    rawMessage: `northwind has no parser "${deleted}".`,
  });
});
