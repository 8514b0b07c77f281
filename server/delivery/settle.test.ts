import { asc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { EventType } from '#proto/hiber/event_type_pb';
import type { Database } from '#server/db/database';
import { event } from '#server/db/schema/event';
import { webhook, webhookCall, webhookDelivery } from '#server/db/schema/webhook';
import type { WebhookKey } from './outbox.ts';
import { settleFailure, settleSuccess, trimHistory } from './settle.ts';
import { addOrganization, happenIn, openFixture } from './test-kit.ts';

let db: Database;
const time = new Date();
const day = 86_400_000;

/** Two organizations with webhooks of the same ids. */
const keys = ['acme', 'bravo'].flatMap((organization) => [1, 2].map((id) => ({ organization, id })));
const own = keys[0]!;
const named = ({ organization, id }: WebhookKey) => `${organization}/${id}`;

beforeAll(async () => {
  db = await openFixture();
  await addOrganization(db, 'bravo');
});
afterAll(() => db.close());
beforeEach(async () => {
  await db.orm.delete(webhook);
  await db.orm.delete(webhookCall);
  await db.orm.delete(event);
  await db.orm.insert(webhook).values(keys.map((key) => ({ ...key, url: 'https://nowhere.example/' })));
});

const call = { url: '', shownHeaders: {}, bodyProto: new Uint8Array(), bodyJson: '{}', credentials: [] };
const made = (delivery: number, attempts: number, key: WebhookKey = own) => ({
  key,
  delivery,
  attempts,
  call,
  time,
  manual: false,
});
const succeed = (delivery: number, attempts = 0, key?: WebhookKey) =>
  db.transaction((tx) =>
    settleSuccess(tx, { ...made(delivery, attempts, key), outcome: { successful: true, error: '', milliseconds: 1 } }),
  );
const fail = (delivery: number, attempts = 0, key?: WebhookKey) =>
  db.transaction((tx) =>
    settleFailure(tx, {
      ...made(delivery, attempts, key),
      outcome: { successful: false, status: 500, error: 'HTTP 500', milliseconds: 1 },
    }),
  );

/** The outbox by webhook, in order. */
async function outbox(): Promise<Record<string, (typeof webhookDelivery.$inferSelect)[]>> {
  const rows = await db.orm.select().from(webhookDelivery).orderBy(asc(webhookDelivery.id));
  return Object.fromEntries(
    keys.map((key) => [named(key), rows.filter((row) => named({ ...row, id: row.webhook }) === named(key))]),
  );
}

/** One event for everybody, of which each webhook failed ten times and is to be tried tomorrow. */
async function outOfLine(...texts: string[]) {
  for (const organization of ['acme', 'bravo']) await happenIn(db, organization, ...texts);
  await db.orm.update(webhookDelivery).set({ attempts: 10, nextAttemptAt: new Date(time.getTime() + day) });
  return outbox();
}

test('a success of a delivery that had lost its place reschedules the others of its webhook, and no others', async () => {
  const before = await outOfLine('one', 'two', 'three');
  await succeed(before['acme/1']![0]!.id, 10);
  const after = await outbox();
  expect(after['acme/1']!.map(({ nextAttemptAt }) => nextAttemptAt)).toEqual([null, null]);
  for (const other of ['acme/2', 'bravo/1', 'bravo/2']) expect(after[other]).toEqual(before[other]);
});

test('a success of a delivery in line leaves those that lost their place for their day', async () => {
  const before = await outOfLine('one', 'two');
  await succeed(before['acme/1']![0]!.id, 9);
  expect((await outbox())['acme/1']!.map(({ nextAttemptAt }) => nextAttemptAt)).toEqual([
    new Date(time.getTime() + day),
  ]);
});

test('the twentieth failure of a delivery is its last, and only its own', async () => {
  const before = await outOfLine('one', 'two');
  const [first, second] = before['acme/1']!;
  await fail(first!.id, 18);
  expect((await outbox())['acme/1']!.map(({ id, attempts }) => [id, attempts])).toEqual([
    [first!.id, 11],
    [second!.id, 10],
  ]);
  await fail(first!.id, 19);
  const after = await outbox();
  expect(after['acme/1']!.filter(({ eventId }) => eventId <= second!.eventId).map(({ id }) => id)).toEqual([
    second!.id,
  ]);
  for (const other of ['bravo/1', 'bravo/2']) expect(after[other]).toEqual(before[other]);
});

test('long failure disables, unless a person enabled it within the last week', async () => {
  await happenIn(db, 'acme', 'one');
  const failingSince = new Date(time.getTime() - 3 * day);
  const { id } = (await outbox())['acme/1']![0]!;
  const own1 = async () => (await db.orm.select().from(webhook).orderBy(webhook.organization, webhook.id))[0]!;
  await db.orm.update(webhook).set({ failingSince, autoDisableSuspendedUntil: new Date(time.getTime() + 1) });
  await fail(id);
  expect(await own1()).toMatchObject({ disabled: false, autoDisabled: false, lastCallFailed: true, cooldownStep: 1 });
  await db.orm.update(webhook).set({ autoDisableSuspendedUntil: time });
  await fail(id);
  expect(await own1()).toMatchObject({ disabled: true, autoDisabled: true });
  const others = (await db.orm.select().from(webhook)).filter((row) => named(row) !== 'acme/1');
  expect(others.map(({ disabled }) => disabled)).toEqual([false, false, false]);
});

test('a success resolves the failures of its own webhook only', async () => {
  for (const key of keys) await happenIn(db, key.organization, named(key));
  for (const key of keys) await fail((await outbox())[named(key)]![0]!.id, 0, key);
  const unresolved = async () => {
    const rows = await db.orm.select().from(event).where(eq(event.type, EventType.PUBLISHER_FAILED));
    return rows
      .filter(({ resolvedAt }) => resolvedAt === null)
      .map((row) => named({ ...row, id: row.publisher! }))
      .toSorted();
  };
  expect(await unresolved()).toEqual(keys.map(named));
  await succeed((await outbox())['acme/1']![0]!.id, 1);
  expect(await unresolved()).toEqual(['acme/2', 'bravo/1', 'bravo/2']);
});

test('trims the history of one webhook to the newest thousand calls', async () => {
  const rows = keys.flatMap((key) =>
    Array.from({ length: key === own ? 1_003 : 1_001 }, (_, index) => ({
      organization: key.organization,
      webhook: key.id,
      time: new Date(time.getTime() + index),
      url: '',
      headers: {},
      bodyProto: new Uint8Array(),
      bodyJson: '{}',
      successful: true,
    })),
  );
  for (let start = 0; start < rows.length; start += 1_000) {
    await db.orm.insert(webhookCall).values(rows.slice(start, start + 1_000));
  }
  await db.transaction((tx) => trimHistory(tx, own));
  const kept = await db.orm.select().from(webhookCall).orderBy(webhookCall.time);
  const count = (key: WebhookKey) => kept.filter((row) => named({ ...row, id: row.webhook }) === named(key)).length;
  expect(keys.map(count)).toEqual([1_000, 1_001, 1_001, 1_001]);
  expect(kept.find((row) => row.webhook === 1 && row.organization === 'acme')?.time).toEqual(
    new Date(time.getTime() + 3),
  );
});
