import { create, fromBinary, toBinary, toJsonString } from '@bufbuild/protobuf';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { EventSchema } from '#proto/gen/hiber/event_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import type { Database } from '#server/db/database.ts';
import { event } from '#server/db/schema/event.ts';
import { publisherCall } from '#server/db/schema/publisher.ts';
import { setting } from '#server/db/schema/setting.ts';
import { webhook } from '#server/db/schema/webhook.ts';
import { eventJson } from '#server/events/json.ts';
import { eventTypeName } from '#server/events/visibility.ts';
import { openHeaders } from '#server/publishing/targets/webhook/headers.ts';
import { insertWebhooks } from '#server/publishing/targets/webhook/rows.ts';
import { openFixture, ORGANIZATION, secrets } from '#server/testkit/publishing.ts';

import { sealStoredHeaders } from './seal-stored-headers.ts';

let db: Database;
beforeAll(async () => void (db = await openFixture()));
afterAll(() => db.close());

const RECEIVER = 'https://hooks.example/services/PATH-SECRET?token=QUERY-SECRET';
const headers = { Authorization: 'Bearer CLEAR-SECRET', 'X-Site': 'v1.PLAIN' };
const credentials = ['CLEAR-SECRET', 'v1.PLAIN', 'PATH-SECRET', 'QUERY-SECRET', 'ECHO-SECRET'];
const time = new Date();

/** Returns an event as the previous release stored it. */
function earlierEvent(type: EventType) {
  const publisher = {
    id: 1n,
    deprecatedData: { url: RECEIVER },
    data: { case: 'http', value: { url: RECEIVER, customHeaders: headers } },
  } as const;
  const common = {
    organization: ORGANIZATION,
    title: 'Publisher',
    description: `Webhook "${RECEIVER}" failed: HTTP 401: ECHO-SECRET`,
  };
  const details = {
    [EventType.PUBLISHER_CREATED]: { case: 'publisherCreated', value: { ...common, created: publisher } },
    [EventType.PUBLISHER_DELETED]: { case: 'publisherDeleted', value: { ...common, deleted: publisher } },
    [EventType.PUBLISHER_FAILED]: {
      case: 'publisherFailed',
      value: { ...common, failed: publisher, reason: 'HTTP 401: ECHO-SECRET' },
    },
  } as const;
  const updateEvent = {
    case: 'publisherUpdated',
    value: {
      ...common,
      partialUpdateData: { url: RECEIVER },
      updatedData: { case: 'webhook', value: { url: RECEIVER } },
    },
  } as const;
  const detail = type in details ? details[type as keyof typeof details] : updateEvent;
  const { description: failed } = common;
  const description =
    type === EventType.PUBLISHER_FAILED
      ? failed
      : `Webhook "${RECEIVER}" was ${type === EventType.PUBLISHER_UPDATED ? 'updated: URL' : 'created'}.`;
  const value = { ...detail.value, description };
  return create(EventSchema, { type, ...common, description: value.description, event: { ...detail, value } as never });
}

async function readAll(): Promise<string> {
  const bodies = [
    ...(await db.orm.select({ body: event.body }).from(event)),
    ...(await db.orm.select({ body: publisherCall.bodyProto }).from(publisherCall)),
  ];
  const tables = await db.orm.execute(sql`
    select (select jsonb_agg(to_jsonb(w) - 'url') from webhook w) as webhooks,
      (select jsonb_agg(to_jsonb(e)) from event e) as events,
      (select jsonb_agg(to_jsonb(c) - 'url') from publisher_call c) as calls`);
  return (
    JSON.stringify(tables.rows) +
    bodies.map(({ body }) => toJsonString(EventSchema, fromBinary(EventSchema, body))).join()
  );
}

test('seals header values only once, even with two concurrent starts', async () => {
  const types = [
    EventType.PUBLISHER_CREATED,
    EventType.PUBLISHER_UPDATED,
    EventType.PUBLISHER_DELETED,
    EventType.PUBLISHER_FAILED,
  ];
  await insertWebhooks(db.orm, [
    { organization: ORGANIZATION, id: 1, url: RECEIVER, customHeaders: headers },
    // Sealed before the server was killed.
    { organization: ORGANIZATION, id: 2, url: RECEIVER, customHeaders: { A: secrets.seal('sealed'), B: 'clear' } },
  ]);
  for (let index = 0; index < 220; index += 1) {
    const type = types[index % types.length]!;
    const stored = earlierEvent(type);
    const body = Buffer.from(toBinary(EventSchema, stored));
    await db.orm.insert(event).values({
      organization: ORGANIZATION,
      time: new Date(time.getTime() + Math.floor(index / 3)),
      type,
      title: 'Publisher',
      description: stored.description,
      body,
    });
    await db.orm.insert(publisherCall).values({
      organization: ORGANIZATION,
      time: new Date(time.getTime() + Math.floor(index / 3)),
      publisher: 1,
      url: RECEIVER,
      headers: { ...headers, 'X-Quarterdeck-Event': eventTypeName(type) ?? '', 'Content-Type': 'application/json' },
      bodyProto: body,
      bodyJson: JSON.stringify(eventJson(stored)),
      successful: false,
      error: 'HTTP 401: ECHO-SECRET',
    });
  }
  const before = await readAll();
  for (const credential of credentials) expect(before.includes(credential), credential).toBe(true);
  const warnings: string[] = [];
  const log = { info() {}, error() {}, warn: (message: string) => void warnings.push(message) };
  await Promise.all([sealStoredHeaders(db, secrets, log), sealStoredHeaders(db, secrets, log)]);
  const after = await readAll();
  for (const credential of credentials) expect(after.includes(credential), credential).toBe(false);
  expect(warnings).toHaveLength(1);
  const rows = await db.orm.select().from(webhook).orderBy(webhook.id);
  const headerValues = rows.map(({ customHeaders }) => Object.values(openHeaders(secrets, customHeaders)).toSorted());
  expect(headerValues).toEqual([Object.values(headers), ['clear', 'sealed']]);
  expect(after).toContain('"Authorization":""');
  expect(after).toContain('HTTP 401');
  const [call] = await db.orm.select().from(publisherCall).limit(1);
  expect(call?.headers).toMatchObject({ Authorization: '', 'X-Site': '', 'Content-Type': 'application/json' });
});

test('leaves the database unchanged on later startups', async () => {
  await db.orm.update(webhook).set({ customHeaders: { A: 'not looked at' } });
  await sealStoredHeaders(db, secrets, { info() {}, error() {}, warn() {} });
  expect((await db.orm.select().from(webhook))[0]?.customHeaders).toEqual({ A: 'not looked at' });
  await db.orm.delete(setting);
});
