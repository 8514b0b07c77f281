import { fromBinary } from '@bufbuild/protobuf';
import { and, asc, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { EventSchema } from '#proto/gen/hiber/event_pb.ts';
import type { Database } from '#server/db/database.ts';
import { event } from '#server/db/schema/event.ts';
import { publisher, publisherDelivery } from '#server/db/schema/publisher.ts';
import { listLocks } from '#server/testkit/locks.ts';
import { addOrganization, recordTestEventsIn, openFixture } from '#server/testkit/publishing.ts';

import {
  claimPublishers,
  deleteStaleDeliveries,
  listNextDeliveries,
  releaseAllLeases,
  releaseLease,
  renewLeases,
  type Slots,
} from './outbox.ts';
import { contractPolicy } from './policy.ts';
import type { PublisherKey } from './target.ts';
import { insertWebhooks, WEBHOOK_KIND } from './targets/webhook/rows.ts';

let db: Database;
const now = new Date();

/** Two organizations that have webhooks with the same ids. */
const keys = ['acme', 'bravo'].flatMap((organization) => [1, 2].map((id) => ({ organization, id })));
const [acme1, acme2, bravo1] = keys as [PublisherKey, PublisherKey, PublisherKey, PublisherKey];

beforeAll(async () => {
  db = await openFixture();
  await addOrganization(db, 'bravo');
});
afterAll(() => db.close());
beforeEach(async () => {
  await db.orm.delete(publisher);
  await db.orm.delete(event);
  await insertWebhooks(
    db.orm,
    keys.map((key) => ({ ...key, url: 'https://nowhere.example/' })),
  );
});

const nameOf = ({ organization, id }: PublisherKey) => `${organization}/${id}`;
const hasKey = (key: PublisherKey) => and(eq(publisher.organization, key.organization), eq(publisher.id, key.id));
const claim = async (owner: string, options: Partial<Slots & { lease: number }> = {}) => {
  const rows = await claimPublishers(db, {
    kind: WEBHOOK_KIND,
    owner,
    lease: 60,
    limit: 10,
    perOrganization: 4,
    now,
    ...options,
  });
  return rows.map(nameOf).toSorted();
};
/** Reads the lease holder of each webhook. */
async function readLeases(): Promise<Record<string, string | null>> {
  const rows = await db.orm.select().from(publisher).orderBy(publisher.organization, publisher.id);
  return Object.fromEntries(rows.map((row) => [nameOf(row), row.leaseOwner]));
}

test('claims webhooks with due deliveries unless they are disabled, cooling down, or leased', async () => {
  await recordTestEventsIn(db, 'acme', 'one');
  await recordTestEventsIn(db, 'bravo', 'one');
  await db.orm.update(publisher).set({ disabled: true }).where(hasKey(acme1));
  await db.orm
    .update(publisher)
    .set({ inCooldownUntil: new Date(now.getTime() + 1000) })
    .where(hasKey(bravo1));
  await insertWebhooks(db.orm, [{ organization: 'acme', id: 3, url: 'https://nowhere.example/' }]);
  expect(await claim('a')).toEqual(['acme/2', 'bravo/2']);
  expect(await claim('b')).toEqual([]);
  await db.orm.update(publisher).set({ disabled: false, inCooldownUntil: now });
  expect(await claim('b')).toEqual(['acme/1', 'bravo/1']);
});

test('claims no webhook if all of its deliveries are postponed', async () => {
  await recordTestEventsIn(db, 'acme', 'one');
  await db.orm.update(publisherDelivery).set({ nextAttemptAt: new Date(now.getTime() + 1000) });
  expect(await claim('a')).toEqual([]);
  await db.orm.update(publisherDelivery).set({ nextAttemptAt: now }).where(eq(publisherDelivery.publisher, 2));
  expect(await claim('a')).toEqual(['acme/2']);
});

test('claims webhooks regardless of postponed deliveries in another organization', async () => {
  await recordTestEventsIn(db, 'acme', 'one');
  await recordTestEventsIn(db, 'bravo', 'one');
  await db.orm
    .update(publisherDelivery)
    .set({ nextAttemptAt: new Date(now.getTime() + 1000) })
    .where(and(eq(publisherDelivery.organization, 'acme'), eq(publisherDelivery.publisher, 1)));
  expect(await claim('a')).toEqual(['acme/2', 'bravo/1', 'bravo/2']);
});

test("counts one of the organization's slots for each leased webhook", async () => {
  await recordTestEventsIn(db, 'acme', 'one');
  await recordTestEventsIn(db, 'bravo', 'one');
  expect(await claim('a', { perOrganization: 2 })).toEqual(keys.map(nameOf));
  // The process that leased acme/2 has crashed. No process holds bravo/2, but its last lease has not expired.
  await db.orm.update(publisher).set({ leaseOwner: null, leaseUntil: null });
  await db.orm.update(publisher).set({ disabled: true }).where(hasKey(acme1));
  await db.orm
    .update(publisher)
    .set({ leaseOwner: 'crashed', leaseUntil: new Date(Date.now() - 1000) })
    .where(hasKey(acme2));
  await db.orm
    .update(publisher)
    .set({ leaseUntil: new Date(Date.now() + 60_000) })
    .where(and(eq(publisher.organization, 'bravo'), eq(publisher.id, 2)));
  expect(await claim('a', { perOrganization: 1 })).toEqual(['acme/2', 'bravo/1']);
});

test('leases webhooks for the requested time', async () => {
  await recordTestEventsIn(db, 'acme', 'one');
  await claim('a', { lease: 0 });
  expect(await claim('b', { lease: 60 })).toEqual(['acme/1', 'acme/2']);
  expect(await claim('c')).toEqual([]);
});

test('claims the webhook that was released first, even if its lease would have lasted longer', async () => {
  await recordTestEventsIn(db, 'acme', 'one');
  expect(await claim('a', { limit: 1, lease: 1000 })).toEqual(['acme/1']);
  expect(await claim('a', { limit: 1, lease: 1 })).toEqual(['acme/2']);
  await releaseLease(db.orm, 'a', acme1);
  await releaseLease(db.orm, 'a', acme2);
  expect(await claim('a', { limit: 1 })).toEqual(['acme/1']);
});

test("takes an exclusive advisory lock on PostgreSQL, so claims can't run concurrently", async () => {
  await recordTestEventsIn(db, 'acme', 'one');
  const locks: string[] = [];
  const server: Database = {
    ...db,
    kind: 'postgres',
    transaction: (work) =>
      db.transaction(async (tx) => {
        const result = await work(tx);
        locks.push(...(await listLocks(tx)));
        return result;
      }),
  };
  await claimPublishers(server, { kind: WEBHOOK_KIND, owner: 'a', lease: 60, limit: 10, perOrganization: 4, now });
  expect(locks).toContain('advisory exclusive');
});

test('keeps slots and leases separate for each kind of publisher', async () => {
  await recordTestEventsIn(db, 'acme', 'one');
  await db.orm.update(publisher).set({ kind: 'pager' }).where(hasKey(acme1));
  expect(await claim('a', { perOrganization: 1 })).toEqual(['acme/2']);
  expect(await claim('b', { kind: 'pager', perOrganization: 1 })).toEqual(['acme/1']);
  await releaseAllLeases(db.orm, 'pager');
  expect(await readLeases()).toMatchObject({ 'acme/1': null, 'acme/2': 'a' });
});

test('gives every organization a slot before any gets a second, up to its limit', async () => {
  await recordTestEventsIn(db, 'acme', 'one');
  await recordTestEventsIn(db, 'bravo', 'one');
  expect(await claim('a', { limit: 2 })).toEqual(['acme/1', 'bravo/1']);
  expect(await claim('b', { perOrganization: 1 })).toEqual([]);
  await releaseLease(db.orm, 'a', bravo1);
  // Acme already holds one slot, and bravo holds none.
  expect(await claim('b', { limit: 1 })).toEqual(['bravo/2']);
});

// With the four webhooks from the setup, this tests 500 and 604 webhooks. The limit is 500 (MAX_JUMPS).
test.each([496, 600])('considers every webhook when %i more have a backlog', async (length) => {
  const manyKeys = Array.from({ length }, (_, index) => ({ organization: 'acme', id: index + 10 }));
  await insertWebhooks(
    db.orm,
    manyKeys.map((key) => ({ ...key, url: 'https://nowhere.example/' })),
  );
  await recordTestEventsIn(db, 'acme', 'one');
  await recordTestEventsIn(db, 'bravo', 'one');
  expect(await claim('a', { perOrganization: 2, limit: 3 })).toEqual(['acme/1', 'acme/2', 'bravo/1']);
});

test('renews and releases only its own leases', async () => {
  await recordTestEventsIn(db, 'acme', 'one');
  await recordTestEventsIn(db, 'bravo', 'one');
  await claim('a', { limit: 2, lease: 1 });
  await claim('b', { lease: 1 });
  expect(await readLeases()).toEqual({ 'acme/1': 'a', 'acme/2': 'b', 'bravo/1': 'a', 'bravo/2': 'b' });
  expect((await renewLeases(db.orm, 'a', 1000)).map(nameOf).toSorted()).toEqual(['acme/1', 'bravo/1']);
  const { rows } = await db.orm.execute<{ owner: string }>(
    sql`select lease_owner as owner from publisher where lease_until > clock_timestamp() + interval '100 seconds'`,
  );
  expect(rows.map(({ owner }) => owner)).toEqual(['a', 'a']);
  await releaseLease(db.orm, 'b', acme1);
  await releaseLease(db.orm, 'a', acme1);
  expect(await readLeases()).toEqual({ 'acme/1': null, 'acme/2': 'b', 'bravo/1': 'a', 'bravo/2': 'b' });
});

test("returns only the webhook's own deliveries", async () => {
  await recordTestEventsIn(db, 'acme', 'one', 'two');
  await recordTestEventsIn(db, 'bravo', 'three');
  const notes = async (key: PublisherKey) =>
    (await listNextDeliveries(db.orm, contractPolicy, key, now, 10)).map(({ body }) => {
      const { event: detail } = fromBinary(EventSchema, body!);
      return detail.case === 'deviceUpdated' ? detail.value.updatedNotes : detail.case;
    });
  expect(await notes(acme1)).toEqual(['one', 'two']);
  expect(await notes(bravo1)).toEqual(['three']);
  const [delivery] = await db.orm.select().from(publisherDelivery).orderBy(asc(publisherDelivery.id));
  await db.orm
    .update(publisherDelivery)
    .set({ attempts: 10, nextAttemptAt: now })
    .where(eq(publisherDelivery.id, delivery!.id));
  expect(await notes(acme1)).toEqual(['two', 'one']);
});

test('returns due deliveries up to the limit, with postponed deliveries last', async () => {
  await recordTestEventsIn(db, 'acme', 'one', 'two', 'three', 'four', 'five');
  const isOwn = and(eq(publisherDelivery.organization, 'acme'), eq(publisherDelivery.publisher, 1));
  const rows = await db.orm.select().from(publisherDelivery).where(isOwn).orderBy(asc(publisherDelivery.id));
  const [one, two, three, four, five] = rows.map(({ id }) => id);
  const postpone = (id: number | undefined, milliseconds: number, attempts: number) =>
    db.orm
      .update(publisherDelivery)
      .set({ attempts, nextAttemptAt: new Date(now.getTime() + milliseconds) })
      .where(and(isOwn, eq(publisherDelivery.id, id!)));
  await postpone(one, -1000, 10);
  await postpone(two, -2000, 11);
  await postpone(three, 1, 10);
  const ids = async (limit: number) =>
    (await listNextDeliveries(db.orm, contractPolicy, acme1, now, limit)).map(({ id }) => id);
  expect(await ids(10)).toEqual([four, five, two, one]);
  expect(await ids(3)).toEqual([four, five, two]);
});

test('treats a delivery without its event as stale', async () => {
  await recordTestEventsIn(db, 'acme', 'one', 'two', 'three', 'four');
  await recordTestEventsIn(db, 'bravo', 'theirs');
  const [one, two, three] = await db.orm.select().from(event).where(eq(event.organization, 'acme')).orderBy(event.id);
  // For the first delivery, only another organization has an event with that id and time. For the second, the event
  // with that id has another time. For the third, events with that time have other ids.
  await db.orm.delete(event).where(and(eq(event.organization, 'acme'), eq(event.id, one!.id)));
  await db.orm.update(event).set({ id: one!.id, time: one!.time }).where(eq(event.organization, 'bravo'));
  const otherTime = new Date(two!.time.getTime() - 1);
  await db.orm.update(event).set({ time: otherTime }).where(eq(event.id, two!.id));
  await db.orm.delete(event).where(eq(event.id, three!.id));
  const stale = (await listNextDeliveries(db.orm, contractPolicy, acme1, now, 10)).map(({ isStale }) => isStale);
  expect(stale).toEqual([true, true, true, false]);
  await deleteStaleDeliveries(db.orm);
  const remaining = await db.orm.select().from(publisherDelivery).where(eq(publisherDelivery.organization, 'acme'));
  expect(remaining.map(({ publisher: id }) => id).toSorted((a, b) => a - b)).toEqual([1, 2]);
  expect(await listNextDeliveries(db.orm, contractPolicy, acme1, now, 10)).toMatchObject([{ attempts: 0 }]);
});

test("releases all leases after a crash, and keeps the time of each webhook's last turn", async () => {
  const expiredAt = new Date(now.getTime() - 5000);
  await db.orm.update(publisher).set({ leaseOwner: 'crashed', leaseUntil: new Date(now.getTime() + 60_000) });
  await db.orm.update(publisher).set({ leaseOwner: null, leaseUntil: expiredAt }).where(hasKey(acme2));
  await releaseAllLeases(db.orm, WEBHOOK_KIND);
  const rows = await db.orm.select().from(publisher).orderBy(publisher.organization, publisher.id);
  expect(rows.map(({ leaseOwner, leaseUntil }) => [leaseOwner, leaseUntil])).toEqual([
    [null, null],
    [null, expiredAt],
    [null, null],
    [null, null],
  ]);
});
