import { fromBinary } from '@bufbuild/protobuf';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { EventSchema } from '#proto/gen/hiber/event_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { Modem_Lifecycle, ModemMessage_Source } from '#proto/gen/hiber/modem_pb.ts';
import type { Database } from '#server/db/database.ts';
import { listLocks } from '#server/testkit/locks.ts';
import { NUMBER, openFixture, ORGANIZATION } from '#server/testkit/publishing.ts';

import { type IncomingMessage, ingestMessages, UnknownDevicesError } from './ingest.ts';

let db: Database;
const FOREIGN_ORGANIZATION = 'globex';
const FOREIGN_NUMBER = '0BAD CAFE';
/** The organization's second device. */
const SECOND_NUMBER = '0DDB A115';
const now = new Date();
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000);

/** Adds a second organization, with a device that has the same number and a device that no other organization has. */
beforeAll(async () => {
  db = await openFixture();
  await db.orm.execute(
    sql`insert into organization (id, path, display_name) values (${FOREIGN_ORGANIZATION}, array[${FOREIGN_ORGANIZATION}], 'Globex')`,
  );
  await db.orm.execute(sql`insert into health_level (organization, level, severity, catch_all, color_data)
    values (${FOREIGN_ORGANIZATION}, 'Healthy', 1, true, '{}')`);
  await db.orm.execute(sql`insert into device (organization, number, name, type, lifecycle, health_level)
    select ${FOREIGN_ORGANIZATION}, unnest(array[${NUMBER}, ${FOREIGN_NUMBER}]), 'Foreign', 3, ${Modem_Lifecycle.PAUSED}, 'Healthy'`);
  await db.orm.execute(sql`insert into device (organization, number, name, type, lifecycle, health_level)
    values (${ORGANIZATION}, ${SECOND_NUMBER}, 'Well 8', 3, 1, 'Healthy')`);
});
beforeEach(async () => {
  for (const table of ['event', 'message']) await db.orm.execute(sql`delete from ${sql.identifier(table)}`);
  await db.orm.execute(sql`update device set lifecycle = ${Modem_Lifecycle.INSTALLED}, latitude = 52, longitude = 6,
    last_message_id = null, last_message_sent_at = null, last_message_body = null, last_message_received_at = null
    where organization = ${ORGANIZATION}`);
});
afterAll(() => db.close());

const message = (overrides: Partial<IncomingMessage> = {}): IncomingMessage => ({
  number: NUMBER,
  sentAt: minutesAgo(1),
  body: new Uint8Array([1]),
  source: ModemMessage_Source.TEST,
  ...overrides,
});

const ingest = (...messages: IncomingMessage[]) =>
  db.transaction((tx) => ingestMessages(tx, ORGANIZATION, messages, now));

async function readDevice(organization = ORGANIZATION, number = NUMBER) {
  const { rows } = await db.orm.execute<Record<string, unknown>>(sql`
    select lifecycle, latitude, longitude, last_message_id::int as last, encode(last_message_body, 'hex') as body
    from device where organization = ${organization} and number = ${number}`);
  return rows[0];
}

async function readEventTypes(): Promise<number[]> {
  const { rows } = await db.orm.execute<{ type: number }>(sql`select type from event order by id`);
  return rows.map(({ type }) => type);
}

const body = (byte: number) => new Uint8Array([byte]);
const { DEVICE_INSTALLED, DEVICE_LOCATION_UPDATED, MESSAGE_BODY_RECEIVED, MESSAGE_RECEIVED } = EventType;

test("does not affect another organization's device with the same number", async () => {
  const before = await readDevice(FOREIGN_ORGANIZATION);
  // The other organization's device is paused, and this message must not install it.
  await ingest(message({ location: { latitude: 52, longitude: 6 } }));
  expect(await readEventTypes()).toEqual([MESSAGE_BODY_RECEIVED, MESSAGE_RECEIVED]);
  expect(await readDevice(FOREIGN_ORGANIZATION)).toEqual(before);
});

test('rejects a number that only another organization has', async () => {
  await expect(ingest(message({ number: FOREIGN_NUMBER }))).rejects.toEqual(
    new UnknownDevicesError(ORGANIZATION, [FOREIGN_NUMBER]),
  );
  await expect(ingest(message({ number: FOREIGN_NUMBER }))).rejects.toMatchObject({ numbers: [FOREIGN_NUMBER] });
});

test('rejects the whole batch for one unknown device and writes nothing', async () => {
  await expect(ingest(message(), message({ number: '0000 0000' }))).rejects.toThrow(
    "These devices don't exist in acme: 0000 0000.",
  );
  expect(await readEventTypes()).toEqual([]);
  expect((await readDevice())?.['last']).toBeNull();
});

test('picks the last of several messages sent at the same time as the last message', async () => {
  const sentAt = minutesAgo(1);
  const [, second] = await ingest(message({ sentAt, body: body(1) }), message({ sentAt, body: body(2) }));
  expect(await readDevice()).toMatchObject({ last: second, body: '02' });
  // A message in another batch also counts.
  const [third] = await ingest(message({ sentAt, body: body(3) }));
  expect(await readDevice()).toMatchObject({ last: third, body: '03' });
});

test('stores the message that was sent last as the last message, in any order of arrival', async () => {
  const [newer] = await ingest(
    message({ sentAt: minutesAgo(1), body: body(9) }),
    message({ sentAt: minutesAgo(5), body: body(1) }),
  );
  expect(await readDevice()).toMatchObject({ last: newer, body: '09' });
  await ingest(message({ sentAt: minutesAgo(3), body: body(2) }));
  expect(await readDevice()).toMatchObject({ last: newer, body: '09' });
});

test('a device that is ready to install is installed by its first message only', async () => {
  await db.orm.execute(sql`update device set lifecycle = ${Modem_Lifecycle.READY_TO_INSTALL}
    where organization = ${ORGANIZATION}`);
  await ingest(message(), message(), message());
  expect((await readEventTypes()).filter((type) => type === DEVICE_INSTALLED)).toHaveLength(1);
  expect(await readDevice()).toMatchObject({ lifecycle: Modem_Lifecycle.INSTALLED });
});

test.each([
  ['latitude', { latitude: 53, longitude: 6 }],
  ['longitude', { latitude: 52, longitude: 7 }],
])('detects a move if only the %s changes', async (_, location) => {
  await ingest(message({ location }));
  expect(await readEventTypes()).toEqual([MESSAGE_BODY_RECEIVED, DEVICE_LOCATION_UPDATED, MESSAGE_RECEIVED]);
  expect(await readDevice()).toMatchObject(location);
});

test('stores the location that was sent last', async () => {
  await ingest(
    message({ sentAt: minutesAgo(2), location: { latitude: 10, longitude: 20 } }),
    message({ sentAt: minutesAgo(1), location: { latitude: 30, longitude: 40 } }),
    message({ sentAt: minutesAgo(3), location: { latitude: 50, longitude: 60 } }),
  );
  expect(await readDevice()).toMatchObject({ latitude: 30, longitude: 40 });
});

test('stores a message unchanged, for its organization', async () => {
  await ingest(
    message({ body: body(7), location: { latitude: 1.5, longitude: -2.5 }, metadata: { site: 'north' } }),
    message({ body: body(8), source: ModemMessage_Source.HIBERBAND }),
  );
  const { rows } = await db.orm.execute(sql`select organization, number, encode(body, 'hex') as body, latitude,
    longitude, sources, is_test, metadata, received_at = ${now.toISOString()}::timestamptz as received,
    sent_at = ${minutesAgo(1).toISOString()}::timestamptz as sent from message order by id`);
  const common = { organization: ORGANIZATION, number: NUMBER, received: true, sent: true };
  expect(rows).toEqual([
    {
      ...common,
      body: '07',
      latitude: 1.5,
      longitude: -2.5,
      sources: [ModemMessage_Source.TEST],
      is_test: true,
      metadata: { site: 'north' },
    },
    {
      ...common,
      body: '08',
      latitude: null,
      longitude: null,
      sources: [ModemMessage_Source.HIBERBAND],
      is_test: false,
      metadata: null,
    },
  ]);
});

test('a message without a location, or with an unchanged location, does not move the device', async () => {
  await ingest(message(), message({ location: { latitude: 52, longitude: 6 } }));
  expect(await readEventTypes()).not.toContain(DEVICE_LOCATION_UPDATED);
  expect(await readDevice()).toMatchObject({ latitude: 52, longitude: 6 });
});

test('records the time of arrival, not the time of sending, as the last message time', async () => {
  await ingest(message({ sentAt: minutesAgo(600) }));
  const { rows } = await db.orm.execute<{ matches: boolean }>(sql`select
    last_message_received_at = ${now.toISOString()}::timestamptz as matches from device
    where organization = ${ORGANIZATION} and number = ${NUMBER}`);
  expect(rows).toEqual([{ matches: true }]);
});

test('a message installs a paused device and does not change other lifecycles', async () => {
  const { PAUSED, INSTALLED, PENDING_MAINTENANCE } = Modem_Lifecycle;
  for (const [before, after] of [
    [PAUSED, INSTALLED],
    [PENDING_MAINTENANCE, PENDING_MAINTENANCE],
  ]) {
    await db.orm.execute(sql`update device set lifecycle = ${before} where organization = ${ORGANIZATION}`);
    await ingest(message());
    expect(await readDevice()).toMatchObject({ lifecycle: after });
  }
  expect((await readEventTypes()).filter((type) => type === DEVICE_INSTALLED)).toHaveLength(1);
});

test('an empty batch records nothing and locks nothing', async () => {
  const locks = await db.transaction(async (tx) => {
    expect(await ingestMessages(tx, ORGANIZATION, [], now)).toEqual([]);
    return listLocks(tx);
  });
  expect([await readEventTypes(), locks]).toEqual([[], []]);
});

test('locks levels and devices until the transaction ends', async () => {
  const locks = await db.transaction(async (tx) => {
    await ingestMessages(tx, ORGANIZATION, [message()], now);
    return listLocks(tx);
  });
  expect(locks).toEqual(['advisory shared', 'device rows']);
});

test('messages update only their own devices', async () => {
  const rowBefore = await readDevice(ORGANIZATION, SECOND_NUMBER);
  await ingest(message({ body: body(1) }));
  expect(await readDevice(ORGANIZATION, SECOND_NUMBER)).toEqual(rowBefore);
  const [firstId, secondId] = await ingest(
    message({ body: body(2), location: { latitude: 1, longitude: 2 } }),
    message({ number: SECOND_NUMBER, body: body(3) }),
  );
  expect(await readDevice()).toMatchObject({ last: firstId, body: '02', latitude: 1 });
  expect(await readDevice(ORGANIZATION, SECOND_NUMBER)).toMatchObject({ last: secondId, body: '03', latitude: 52 });
});

test("a message ends only its own device's inactivity", async () => {
  await db.orm.execute(sql`insert into device_condition (organization, number, source, health_level, since)
    select ${ORGANIZATION}, number, 'inactivity', 'Build up', now() from device where organization = ${ORGANIZATION}`);
  await ingest(message());
  const { rows } = await db.orm.execute(sql`delete from device_condition returning organization, number`);
  expect(rows).toEqual([{ organization: ORGANIZATION, number: SECOND_NUMBER }]);
});

test.each([
  ['an older last message', 600, false],
  ['a newer last message', 0, true],
])('%s in another organization has no effect', async (_, minutes, isNewer) => {
  const sentAt = minutesAgo(10);
  const setLastSent = (organizationId: string, time: Date) =>
    db.orm.execute(sql`update device set last_message_sent_at = ${time.toISOString()}::timestamptz
      where organization = ${organizationId} and number = ${NUMBER}`);
  await setLastSent(FOREIGN_ORGANIZATION, minutesAgo(minutes));
  // The two organizations get opposite values, so confusing them would change the result.
  await setLastSent(ORGANIZATION, minutesAgo(isNewer ? 600 : 0));
  const [id] = await ingest(message({ sentAt, body: body(5) }));
  expect((await readDevice())?.['last']).toBe(isNewer ? id : null);
});

test('the event for a message contains all its data', async () => {
  await db.orm.execute(sql`update device set time_zone = 'Asia/Tokyo', external_ids = array['mac-7']
    where organization = ${ORGANIZATION} and number = ${NUMBER}`);
  const location = { latitude: 1.5, longitude: -2.5 };
  const [id, plainId] = await ingest(
    message({ location, metadata: { site: 'north' }, body: body(7) }),
    message({ source: ModemMessage_Source.HIBERBAND, body: body(8) }),
  );
  await db.orm.execute(sql`update device set time_zone = null, external_ids = '{}'
    where organization = ${ORGANIZATION} and number = ${NUMBER}`);
  const { rows } = await db.orm.execute<{ body: Uint8Array }>(
    sql`select body from event where type = ${MESSAGE_RECEIVED} order by id`,
  );
  const messages = rows.map((row) => {
    const { event } = fromBinary(EventSchema, new Uint8Array(row.body));
    return event.case === 'messageReceived' ? event.value.message : undefined;
  });
  const tokyo = (time: Date) =>
    `${new Date(time.getTime() + 9 * 3_600_000).toISOString().replace(/(\.000)?Z$/, '')}+09:00`;
  expect(messages[0]).toMatchObject({
    modemNumber: NUMBER,
    modemName: 'Well 7',
    sentAt: { textual: tokyo(minutesAgo(1)) },
    receivedAt: { textual: tokyo(now) },
    location: { ...location, textual: '[1.5,-2.5]' },
    body: body(7),
    bodyBytes: { bytes: body(7) },
    messageId: BigInt(id!),
    isTest: true,
    sources: [ModemMessage_Source.TEST],
    metadata: { site: 'north' },
    tags: [{ label: { name: 'Needs visit' } }],
    tagNames: ['Needs visit'],
  });
  expect(messages[1]).toMatchObject({
    messageId: BigInt(plainId!),
    isTest: false,
    sources: [ModemMessage_Source.HIBERBAND],
  });
  expect([messages[1]?.location, messages[1]?.metadata]).toEqual([undefined, undefined]);
});
