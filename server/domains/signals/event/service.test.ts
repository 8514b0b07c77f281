import { Code, ConnectError } from '@connectrpc/connect';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { EventService, ListEventsRequest_Sort } from '#proto/gen/hiber/event_service_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { TestingService } from '#proto/gen/hiber/testing_pb.ts';
import { silentLog } from '#server/base/log.ts';
import { deviceUpdated } from '#server/domains/fleet/device/model/events.ts';
import { openEventBus } from '#server/events/bus.ts';
import { recordEvents } from '#server/events/record.ts';
import { openSecondDatabase } from '#server/testkit/publishing.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

let t: TestServer;
let number: string;

beforeAll(async () => {
  t = await startTestServer();
  const { rows } = await t.app.db.orm.execute<{ number: string }>(
    sql`select number from device where organization = 'northwind' and lifecycle = 1 and health_level = 'Healthy'
      order by number limit 1`,
  );
  number = rows[0]!.number;
});
afterAll(() => t.close());

const events = (kind: Parameters<TestServer['as']>[0] = 'administrator') => t.as(kind).client(EventService);

async function pushMessage(content: string): Promise<void> {
  const message = { modemNumber: number, content: new TextEncoder().encode(content) };
  await t
    .as('administrator')
    .client(TestingService)
    .pushModemMessages({ messages: [message] });
}

test('lists the events for a pushed message, newest first, with the device and without details', async () => {
  await pushMessage('hello');
  const { events: messageEvents, pagination } = await events().history({
    selection: { modems: { include: [number.replace(' ', '').toLowerCase()] } },
    pagination: { size: 2 },
  });
  expect(messageEvents.map(({ type }) => type)).toEqual([EventType.MESSAGE_RECEIVED, EventType.MESSAGE_BODY_RECEIVED]);
  expect(messageEvents[0]).toMatchObject({ device: { number }, event: { case: undefined } });
  expect(pagination).toMatchObject({ size: 2, page: 0 });
});

test('lists events bundled by type with an exact amount, or unbundled with a page per type', async () => {
  await pushMessage('one');
  const selection = { events: { include: [EventType.MESSAGE_RECEIVED] }, modems: { include: [number] } };
  const { events: bundledEvents } = await events().list({ selection });
  expect(bundledEvents).toHaveLength(1);
  expect(bundledEvents[0]).toMatchObject({ title: 'Message received', amount: { case: 'exactAmount' } });
  const { unbundledEvents } = await events().list({
    selection,
    unbundledEvents: true,
    sort: ListEventsRequest_Sort.TIME_ASCENDING,
    pagination: { size: 1 },
  });
  expect(unbundledEvents[0]?.unbundledEvents[0]?.event.case).toBe('messageReceived');
  expect(unbundledEvents[0]?.pagination?.next).toMatchObject({ page: 1, size: 1 });
});

test('limits unbundled pages to 100 events, because one response has a page per type', async () => {
  const { request, unbundledEvents } = await events().list({ unbundledEvents: true, pagination: { size: 1000 } });
  expect(request?.pagination?.size).toBe(100);
  expect(unbundledEvents.map(({ pagination }) => pagination?.size)).not.toContain(1000);
  const { request: history } = await events().history({ pagination: { size: 1000 } });
  expect(history?.pagination?.size).toBe(1000);
});

test('omits types the caller may not see and rejects them if the selection names them', async () => {
  const response = await events('viewer').list({});
  expect(response.events.map(({ type }) => type)).not.toContain(EventType.TOKEN_CREATED);
  const call = events('viewer').list({ selection: { events: { include: [EventType.TOKEN_CREATED] } } });
  await expect(call).rejects.toMatchObject({ code: Code.PermissionDenied });
});

test('rejects an unknown device', async () => {
  const call = events().history({ selection: { modems: { include: ['0000 0000'] } } });
  await expect(call).rejects.toThrow(ConnectError);
  await expect(call).rejects.toMatchObject({ code: Code.NotFound });
});

test('a stream announces its start, then delivers selected events as they happen', async () => {
  const selection = { events: { include: [EventType.MESSAGE_RECEIVED] } };
  const call = events().stream({ selection }, { headers: { 'quarterdeck-keep-alive': '30' } });
  const stream = call[Symbol.asyncIterator]();
  expect((await stream.next()).value).toMatchObject({ type: EventType.DEFAULT });
  await pushMessage('live');
  expect((await stream.next()).value).toMatchObject({
    type: EventType.MESSAGE_RECEIVED,
    event: { case: 'messageReceived', value: { deviceNumber: number, message: { isTest: true } } },
  });
});

test('delivers events to another process on the same database', async () => {
  const { secondDatabase, opened: openCount } = await openSecondDatabase(t.app.db);
  const bus = await openEventBus(secondDatabase, silentLog);
  const receivedTypes = new Promise((resolve) => {
    bus.subscribe(['northwind'], { receive: (stored) => resolve(stored.map(({ type }) => type)) });
  });
  await pushMessage('far');
  expect(await receivedTypes).toEqual([EventType.MESSAGE_BODY_RECEIVED, EventType.MESSAGE_RECEIVED]);
  await bus.close();
  for (const database of openCount) await database.close();
});

test('a stream can include child organizations', async () => {
  const { rows } = await t.app.db.orm.execute<{ id: string }>(
    sql`select id from organization where path @> array['northwind'] and id <> 'northwind' order by id limit 1`,
  );
  const child = rows[0]!.id;
  const childOrganizations = { include: [child] };
  // Events of the message that an earlier test pushed may still arrive.
  const selection = { events: { include: [EventType.DEVICE_UPDATED] } };
  const call = events().stream({ childOrganizations, selection }, { headers: { 'quarterdeck-keep-alive': '30' } });
  const stream = call[Symbol.asyncIterator]();
  await stream.next();
  await t.app.db.transaction((tx) => {
    const organization = child;
    const subject = { organization, number, name: 'Child', identifier: '', timeZone: 'UTC', tags: [], hidden: false };
    return recordEvents(tx, [deviceUpdated(subject, t.app.now(), { changed: ['name'] })]);
  });
  expect((await stream.next()).value).toMatchObject({ type: EventType.DEVICE_UPDATED, device: { name: 'Child' } });
  const foreignStream = events().stream({ childOrganizations: { include: ['quarterdeck'] } });
  await expect(foreignStream[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: Code.InvalidArgument });
});

test('a ninth stream ends the oldest stream of the same user', async () => {
  const header = { headers: { 'quarterdeck-keep-alive': '30' } };
  const client = events('viewer');
  const first = client.stream({}, header)[Symbol.asyncIterator]();
  await first.next();
  for (let index = 0; index < 8; index += 1) await client.stream({}, header)[Symbol.asyncIterator]().next();
  expect(await first.next()).toMatchObject({ done: true });
});

test('streams end when the server stops', async () => {
  const stoppingServer = await startTestServer();
  const client = stoppingServer.as('viewer').client(EventService);
  const stream = client.stream({}, { headers: { 'quarterdeck-keep-alive': '30' } })[Symbol.asyncIterator]();
  await stream.next();
  const next = stream.next();
  await stoppingServer.close();
  expect(await next).toMatchObject({ done: true });
});
