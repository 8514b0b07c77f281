import { and, asc, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import type { Database } from '#server/db/database.ts';
import { event } from '#server/db/schema/event.ts';
import { publisher, publisherCall, publisherDelivery } from '#server/db/schema/publisher.ts';
import { insertWebhooks } from '#server/publishing/targets/webhook/rows.ts';
import { listLocks } from '#server/testkit/locks.ts';
import { addOrganization, recordTestEventsIn, openFixture } from '#server/testkit/publishing.ts';

import { recordCall, settleFailure, settleRoutine, settleSuccess, trimHistory } from './settle.ts';
import type { PublisherKey } from './target.ts';
import { webhookTarget } from './targets/webhook/target.ts';

let db: Database;
const time = new Date();
const DAY = 86_400_000;

/** Two organizations that have webhooks with the same ids. */
const keys = ['acme', 'bravo'].flatMap((organization) => [1, 2].map((id) => ({ organization, id })));
const ownKey = keys[0]!;
const nameOf = ({ organization, id }: PublisherKey) => `${organization}/${id}`;

beforeAll(async () => {
  db = await openFixture();
  await addOrganization(db, 'bravo');
});
afterAll(() => db.close());
beforeEach(async () => {
  await db.orm.delete(publisher);
  await db.orm.delete(publisherCall);
  await db.orm.delete(event);
  await insertWebhooks(
    db.orm,
    keys.map((key) => ({ ...key, url: 'https://nowhere.example/' })),
  );
});

const call = { url: '', headers: {}, bodyProto: new Uint8Array(), bodyJson: '{}', milliseconds: 1 };
const successfulAttempt = { successful: true, error: '', call: { ...call, error: '' } };
const failedAttempt = { successful: false, error: 'HTTP 500', call: { ...call, status: 500, error: 'HTTP 500' } };
/** The id of a delivery that is no longer in the outbox. This is the default. */
const REMOVED_ID = 0;
const succeed = (id = REMOVED_ID, attempts = 0, key = ownKey) =>
  db.transaction((tx) =>
    settleSuccess(tx, webhookTarget, { key, deliveries: [{ id, attempts }], attempt: successfulAttempt, time }),
  );
const fail = (id = REMOVED_ID, attempts = 0, key = ownKey) =>
  db.transaction((tx) =>
    settleFailure(tx, webhookTarget, { key, deliveries: [{ id, attempts }], attempt: failedAttempt, time }),
  );

/** Reads the outbox by webhook, in order. */
async function readOutbox(): Promise<Record<string, (typeof publisherDelivery.$inferSelect)[]>> {
  const rows = await db.orm.select().from(publisherDelivery).orderBy(asc(publisherDelivery.id));
  return Object.fromEntries(
    keys.map((key) => [nameOf(key), rows.filter((row) => nameOf({ ...row, id: row.publisher }) === nameOf(key))]),
  );
}

/** Returns the first webhook of the first organization. */
const readOwnRow = async () =>
  (await db.orm.select().from(publisher).orderBy(publisher.organization, publisher.id))[0]!;
const change = (values: Partial<typeof publisher.$inferInsert>) =>
  db.orm
    .update(publisher)
    .set(values)
    .where(and(eq(publisher.organization, ownKey.organization), eq(publisher.id, ownKey.id)));
const typeName = (type: number) => Object.entries(EventType).find(([, value]) => value === type)?.[0];
/** Reads the events about webhooks as `acme/1 type`, each with the time it was resolved. */
async function readWebhookEvents(): Promise<[string, Date | null][]> {
  const rows = await db.orm.select().from(event).orderBy(asc(event.id));
  return rows
    .filter(({ publisher }) => publisher !== null)
    .map((row) => [`${nameOf({ ...row, id: row.publisher! })} ${typeName(row.type)}`, row.resolvedAt]);
}

/** Records events and postpones their deliveries at every webhook, as if they had failed ten times. */
async function recordPostponed(...notes: string[]) {
  for (const organization of ['acme', 'bravo']) await recordTestEventsIn(db, organization, ...notes);
  await db.orm.update(publisherDelivery).set({ attempts: 10, nextAttemptAt: new Date(time.getTime() + DAY) });
  return readOutbox();
}

test("makes the webhook's other postponed deliveries due after a postponed delivery succeeds", async () => {
  const before = await recordPostponed('one', 'two', 'three');
  await succeed(before['acme/1']![0]!.id, 10);
  const after = await readOutbox();
  expect(after['acme/1']!.map(({ nextAttemptAt }) => nextAttemptAt)).toEqual([null, null]);
  for (const value of ['acme/2', 'bravo/1', 'bravo/2']) expect(after[value]).toEqual(before[value]);
});

test('leaves postponed deliveries unchanged after another delivery succeeds', async () => {
  const before = await recordPostponed('one', 'two');
  await succeed(before['acme/1']![0]!.id, 9);
  expect((await readOutbox())['acme/1']!.map(({ nextAttemptAt }) => nextAttemptAt)).toEqual([
    new Date(time.getTime() + DAY),
  ]);
});

test('drops only the failed delivery after its twentieth failure', async () => {
  const before = await recordPostponed('one', 'two');
  const [first, second] = before['acme/1']!;
  await fail(first!.id, 18);
  expect((await readOutbox())['acme/1']!.map(({ id, attempts }) => [id, attempts])).toEqual([
    [first!.id, 11],
    [second!.id, 10],
  ]);
  await fail(first!.id, 19);
  const after = await readOutbox();
  expect(after['acme/1']!.filter(({ eventId }) => eventId! <= second!.eventId!).map(({ id }) => id)).toEqual([
    second!.id,
  ]);
  for (const value of ['bravo/1', 'bravo/2']) expect(after[value]).toEqual(before[value]);
});

test('disables a webhook after days of failure, unless a user enabled it in the last week', async () => {
  await recordTestEventsIn(db, 'acme', 'one');
  const failingSince = new Date(time.getTime() - 3 * DAY);
  const { id } = (await readOutbox())['acme/1']![0]!;
  await db.orm.update(publisher).set({ failingSince, autoDisableSuspendedUntil: new Date(time.getTime() + 1) });
  await fail(id);
  expect(await readOwnRow()).toMatchObject({
    disabled: false,
    autoDisabled: false,
    lastCallFailed: true,
    cooldownStep: 1,
  });
  await db.orm.update(publisher).set({ autoDisableSuspendedUntil: time });
  await fail(id);
  expect(await readOwnRow()).toMatchObject({ disabled: true, autoDisabled: true });
  const others = (await db.orm.select().from(publisher)).filter((row) => nameOf(row) !== 'acme/1');
  expect(others.map(({ disabled }) => disabled)).toEqual([false, false, false]);
});

test("resolves only the webhook's own failures after a success", async () => {
  for (const key of keys) await recordTestEventsIn(db, key.organization, nameOf(key));
  for (const key of keys) await fail((await readOutbox())[nameOf(key)]![0]!.id, 0, key);
  const unresolvedNames = async () => {
    const rows = await db.orm.select().from(event).where(eq(event.type, EventType.PUBLISHER_FAILED));
    return rows
      .filter(({ resolvedAt }) => resolvedAt === null)
      .map((row) => nameOf({ ...row, id: row.publisher! }))
      .toSorted();
  };
  expect(await unresolvedNames()).toEqual(keys.map(nameOf));
  await succeed((await readOutbox())['acme/1']![0]!.id, 1);
  expect(await unresolvedNames()).toEqual(['acme/2', 'bravo/1', 'bravo/2']);
});

test('starts the cooldown and keeps the time of the first failure', async () => {
  await recordTestEventsIn(db, 'acme', 'one');
  const { id } = (await readOutbox())['acme/1']![0]!;
  await fail(id);
  const wait = (minutes: number) => new Date(time.getTime() + minutes * 60_000);
  const failing = { failingSince: time, lastCallFailed: true, disabled: false, autoDisabled: false };
  expect(await readOwnRow()).toMatchObject({ ...failing, cooldownStep: 1, inCooldownUntil: wait(1) });
  const since = new Date(time.getTime() - 3 * DAY + 1);
  await change({ failingSince: since });
  await fail(id, 1);
  expect(await readOwnRow()).toMatchObject({
    ...failing,
    cooldownStep: 2,
    inCooldownUntil: wait(2),
    failingSince: since,
  });
  expect((await readOutbox())['acme/1']).toMatchObject([{ id, attempts: 2, nextAttemptAt: null }]);
  // The webhook stayed enabled, so there is no event about disabling it.
  expect(await readWebhookEvents()).toEqual([
    ['acme/1 PUBLISHER_FAILED', null],
    ['acme/1 PUBLISHER_FAILED', null],
  ]);
});

test('postpones deliveries by at least a day after the tenth failure', async () => {
  await recordTestEventsIn(db, 'acme', 'tenth', 'next', 'sooner', 'later');
  const [tenthId, , soonerId, laterId] = (await readOutbox())['acme/1']!.map(({ id }) => id);
  const updateDelivery = (id: number | undefined, values: Partial<typeof publisherDelivery.$inferInsert>) =>
    db.orm.update(publisherDelivery).set(values).where(eq(publisherDelivery.id, id!));
  await updateDelivery(tenthId, { attempts: 9 });
  await updateDelivery(soonerId, { attempts: 10, nextAttemptAt: new Date(time.getTime() + 1) });
  await updateDelivery(laterId, { attempts: 10, nextAttemptAt: new Date(time.getTime() + 2 * DAY) });
  await fail(tenthId, 9);
  const tomorrow = new Date(time.getTime() + DAY);
  const after = (await readOutbox())['acme/1']!;
  expect(after.slice(0, 4).map(({ attempts, nextAttemptAt }) => [attempts, nextAttemptAt])).toEqual([
    [10, tomorrow],
    [0, null],
    [10, tomorrow],
    [10, new Date(time.getTime() + 2 * DAY)],
  ]);
});

test("settles only the webhook's own delivery, even if others have the same id", async () => {
  for (const organization of ['acme', 'bravo']) await recordTestEventsIn(db, organization, 'one', 'two');
  await db.orm.execute(sql`update publisher_delivery d set id = numbered.ordinal from (
    select organization, publisher, id, row_number() over (partition by organization, publisher order by id) as ordinal
    from publisher_delivery) numbered
    where (d.organization, d.publisher, d.id) = (numbered.organization, numbered.publisher, numbered.id)`);
  const before = await readOutbox();
  await fail(1);
  expect((await readOutbox())['acme/1']!.slice(0, 2)).toMatchObject([
    { id: 1, attempts: 1 },
    { id: 2, attempts: 0 },
  ]);
  await succeed(1);
  expect((await readOutbox())['acme/1']!.filter(({ id }) => id <= 2)).toMatchObject([{ id: 2, attempts: 0 }]);
  const after = await readOutbox();
  for (const value of ['bravo/1', 'bravo/2']) expect(after[value]).toEqual(before[value]);
  expect(after['acme/2']!.filter(({ id }) => id <= 2)).toEqual(before['acme/2']);
});

test.each([
  ['a cooldown', { cooldownStep: 1, inCooldownUntil: time }],
  ['a failed call', { lastCallFailed: true }],
  ['an ongoing failure', { failingSince: time }],
])('ends %s after a success', async (_, failing) => {
  await change(failing);
  const recovered = { cooldownStep: 0, inCooldownUntil: null, failingSince: null, lastCallFailed: false };
  expect(await succeed()).toMatchObject(recovered);
  expect(await readOwnRow()).toMatchObject(recovered);
});

test('does not update a healthy webhook after a success', async () => {
  const version = async () =>
    (await db.orm.execute(sql`select organization, id, xmin::text from publisher order by 1, 2`)).rows;
  const before = await version();
  expect(await succeed()).toMatchObject({ organization: 'acme', id: 1, kind: 'webhook' });
  expect(await version()).toEqual(before);
});

test('resolves only open failure and disable events after a success', async () => {
  await recordTestEventsIn(db, 'acme', 'one');
  await fail();
  await change({ failingSince: new Date(time.getTime() - 3 * DAY) });
  await fail();
  const earlierTime = new Date(time.getTime() - 1000);
  const [first] = await db.orm.select().from(event).where(eq(event.type, EventType.PUBLISHER_FAILED)).orderBy(event.id);
  await db.orm.update(event).set({ resolvedAt: earlierTime }).where(eq(event.id, first!.id));
  // This event is about the same webhook, but not about a failure.
  await db.orm.update(event).set({ publisher: 1 }).where(eq(event.type, EventType.DEVICE_UPDATED));
  await succeed();
  expect(await readWebhookEvents()).toEqual([
    ['acme/1 DEVICE_UPDATED', null],
    ['acme/1 PUBLISHER_FAILED', earlierTime],
    ['acme/1 PUBLISHER_FAILED', time],
    ['acme/1 PUBLISHER_AUTO_DISABLED', time],
  ]);
});

test('does not automatically disable a webhook that a user disabled', async () => {
  await change({ disabled: true, failingSince: new Date(time.getTime() - 4 * DAY) });
  await fail();
  expect(await readOwnRow()).toMatchObject({ disabled: true, autoDisabled: false, lastCallFailed: true });
  expect(await readWebhookEvents()).toEqual([['acme/1 PUBLISHER_FAILED', null]]);
});

test('locks the webhook first and does nothing for a deleted webhook', async () => {
  const workerAttempt = {
    key: ownKey,
    deliveries: [{ id: REMOVED_ID, attempts: 0 }],
    attempt: successfulAttempt,
    time,
  };
  const locks = await db.transaction(async (tx) => {
    await settleSuccess(tx, webhookTarget, workerAttempt);
    return listLocks(tx);
  });
  expect(locks).toEqual(['publisher rows']);
  await db.orm.delete(publisher);
  expect(await succeed(1)).toBeUndefined();
  expect(await fail(1)).toBeUndefined();
  expect(await db.orm.select().from(publisherCall)).toHaveLength(1);
});

test('leaves the outbox unchanged after a call without a delivery (a test)', async () => {
  await recordTestEventsIn(db, 'acme', 'one');
  const before = [await readOutbox(), await readOwnRow()];
  for (const { call, successful } of [successfulAttempt, failedAttempt])
    await db.transaction((tx) =>
      recordCall(tx, { key: ownKey, delivery: undefined, call, successful, time, manual: true }),
    );
  expect([await readOutbox(), await readOwnRow()]).toEqual(before);
  const calls = await db.orm.select().from(publisherCall).orderBy(asc(publisherCall.id));
  expect(calls.map(({ delivery, status, successful }) => [delivery, status, successful])).toEqual([
    [null, null, true],
    [null, 500, false],
  ]);
});

test('leaves the outbox unchanged when settling a delivery that is no longer in it', async () => {
  await recordTestEventsIn(db, 'acme', 'one');
  const before = await readOutbox();
  await succeed(REMOVED_ID);
  await fail(REMOVED_ID);
  await fail(REMOVED_ID, 19);
  expect((await readOutbox())['acme/1']!.slice(0, 1)).toEqual(before['acme/1']);
});

test('keeps the highest ids of calls made at the same time', async () => {
  const rows = Array.from({ length: 1002 }, () => ({
    organization: 'acme',
    publisher: 1,
    time,
    url: '',
    headers: {},
    bodyProto: new Uint8Array(),
    bodyJson: '{}',
    successful: true,
  }));
  const stored = await db.orm.insert(publisherCall).values(rows).returning({ id: publisherCall.id });
  await db.transaction((tx) => trimHistory(tx, ownKey));
  const history = await db.orm.select({ id: publisherCall.id }).from(publisherCall).orderBy(asc(publisherCall.id));
  expect(history.map(({ id }) => id)).toEqual(stored.slice(2).map(({ id }) => id));
});

test("trims one webhook's history to the newest thousand calls", async () => {
  const rows = keys.flatMap((key) =>
    Array.from({ length: key === ownKey ? 1003 : 1001 }, (_, index) => ({
      organization: key.organization,
      publisher: key.id,
      time: new Date(time.getTime() + index),
      url: '',
      headers: {},
      bodyProto: new Uint8Array(),
      bodyJson: '{}',
      successful: true,
    })),
  );
  for (let start = 0; start < rows.length; start += 1000) {
    await db.orm.insert(publisherCall).values(rows.slice(start, start + 1000));
  }
  await db.transaction((tx) => trimHistory(tx, ownKey));
  const history = await db.orm.select().from(publisherCall).orderBy(publisherCall.time);
  const count = (key: PublisherKey) =>
    history.filter((row) => nameOf({ ...row, id: row.publisher }) === nameOf(key)).length;
  expect(keys.map(count)).toEqual([1000, 1001, 1001, 1001]);
  expect(history.find((row) => row.publisher === 1 && row.organization === 'acme')?.time).toEqual(
    new Date(time.getTime() + 3),
  );
});

const routine = (id: number, attempts = 0, overrides: Partial<typeof successfulAttempt> = {}) =>
  settleRoutine(db.orm, webhookTarget, {
    key: ownKey,
    deliveries: [{ id, attempts }],
    attempt: { ...successfulAttempt, ...overrides },
    time,
  });

test('settles a routine success in one statement, like a transaction does', async () => {
  const calls = async () => {
    const rows = await db.orm.select().from(publisherCall);
    return rows.map(({ id: _id, delivery: _delivery, ...row }) => row);
  };
  for (const organization of ['acme', 'bravo']) await recordTestEventsIn(db, organization, 'one', 'two');
  const before = await readOutbox();
  const [first, second] = before['acme/1']!;
  await succeed(first!.id);
  const [expectedCall] = await calls();
  const row = await readOwnRow();
  expect(await routine(second!.id)).toBe(true);
  expect(await calls()).toEqual([expectedCall, expectedCall]);
  expect(await readOwnRow()).toEqual(row);
  expect(await readOutbox()).toEqual({ ...before, 'acme/1': [] });
});

test.each([
  ['is disabled', { disabled: true }],
  ['was failing', { cooldownStep: 1 }],
  ['failed in the last call', { lastCallFailed: true }],
  ['has been failing', { failingSince: time }],
])('a success is not routine if the webhook %s', async (_, values) => {
  await recordTestEventsIn(db, 'acme', 'one');
  await change(values);
  const before = await readOutbox();
  expect(await routine(before['acme/1']![0]!.id)).toBe(false);
  expect(await readOutbox()).toEqual(before);
  expect(await db.orm.select().from(publisherCall)).toEqual([]);
});

test('a success is not routine if the delivery was postponed, or the webhook was deleted', async () => {
  const before = await recordPostponed('one');
  expect(await routine(before['acme/1']![0]!.id, 10)).toBe(false);
  expect(await readOutbox()).toEqual(before);
  await db.orm.delete(publisher);
  expect(await routine(before['acme/1']![0]!.id)).toBe(false);
  expect(await db.orm.select().from(publisherCall)).toEqual([]);
});
