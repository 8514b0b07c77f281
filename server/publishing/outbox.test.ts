import { and, asc, eq, sql } from 'drizzle-orm';
import { fromBinary } from '@bufbuild/protobuf';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { EventSchema } from '#proto/gen/hiber/event_pb.ts';
import type { Database } from '#server/db/database.ts';
import { event } from '#server/db/schema/event.ts';
import { publisher, publisherDelivery } from '#server/db/schema/publisher.ts';
import { contractPolicy } from './policy.ts';
import type { PublisherKey } from './target.ts';
import { insertWebhooks, WEBHOOK_KIND } from './targets/webhook/rows.ts';
import { locksOf } from '#server/testkit/locks.ts';
import {
  claimPublishers,
  dropStaleDeliveries,
  nextDeliveries,
  releaseAllLeases,
  releaseLease,
  renewLeases,
  type Slots,
} from './outbox.ts';
import { addOrganization, happenIn, openFixture } from '#server/testkit/publishing.ts';

let db: Database;
const now = new Date();

/** Two organizations with webhooks of the same ids. */
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

const named = ({ organization, id }: PublisherKey) => `${organization}/${id}`;
const is = (key: PublisherKey) => and(eq(publisher.organization, key.organization), eq(publisher.id, key.id));
const claimed = async (owner: string, options: Partial<Slots & { lease: number }> = {}) => {
  const rows = await claimPublishers(db, {
    kind: WEBHOOK_KIND,
    owner,
    lease: 60,
    limit: 10,
    perOrganization: 4,
    now,
    ...options,
  });
  return rows.map(named).toSorted();
};
/** Who holds which webhook, with the seconds that are left. */
async function leases(): Promise<Record<string, string | null>> {
  const rows = await db.orm.select().from(publisher).orderBy(publisher.organization, publisher.id);
  return Object.fromEntries(rows.map((row) => [named(row), row.leaseOwner]));
}

test('takes what has something due, and neither what is disabled, cooling down, held nor without anything to send', async () => {
  await happenIn(db, 'acme', 'one');
  await happenIn(db, 'bravo', 'one');
  await db.orm.update(publisher).set({ disabled: true }).where(is(acme1));
  await db.orm
    .update(publisher)
    .set({ inCooldownUntil: new Date(now.getTime() + 1000) })
    .where(is(bravo1));
  await insertWebhooks(db.orm, [{ organization: 'acme', id: 3, url: 'https://nowhere.example/' }]);
  expect(await claimed('a')).toEqual(['acme/2', 'bravo/2']);
  expect(await claimed('b')).toEqual([]);
  await db.orm.update(publisher).set({ disabled: false, inCooldownUntil: now });
  expect(await claimed('b')).toEqual(['acme/1', 'bravo/1']);
});

test('takes nothing whose deliveries are all postponed', async () => {
  await happenIn(db, 'acme', 'one');
  await db.orm.update(publisherDelivery).set({ nextAttemptAt: new Date(now.getTime() + 1000) });
  expect(await claimed('a')).toEqual([]);
  await db.orm.update(publisherDelivery).set({ nextAttemptAt: now }).where(eq(publisherDelivery.publisher, 2));
  expect(await claimed('a')).toEqual(['acme/2']);
});

test('a webhook whose deliveries are postponed does not wait for those of another organization', async () => {
  await happenIn(db, 'acme', 'one');
  await happenIn(db, 'bravo', 'one');
  await db.orm
    .update(publisherDelivery)
    .set({ nextAttemptAt: new Date(now.getTime() + 1000) })
    .where(and(eq(publisherDelivery.organization, 'acme'), eq(publisherDelivery.publisher, 1)));
  expect(await claimed('a')).toEqual(['acme/2', 'bravo/1', 'bravo/2']);
});

test('each webhook takes one slot of its organization, and one that cannot deliver takes none', async () => {
  await happenIn(db, 'acme', 'one');
  await happenIn(db, 'bravo', 'one');
  expect(await claimed('a', { perOrganization: 2 })).toEqual(keys.map(named));
  // The process that held acme/2 is gone; nobody holds bravo/2, whatever time it has from its last turn.
  await db.orm.update(publisher).set({ leaseOwner: null, leaseUntil: null });
  await db.orm.update(publisher).set({ disabled: true }).where(is(acme1));
  await db.orm
    .update(publisher)
    .set({ leaseOwner: 'gone', leaseUntil: new Date(Date.now() - 1000) })
    .where(is(acme2));
  await db.orm
    .update(publisher)
    .set({ leaseUntil: new Date(Date.now() + 60_000) })
    .where(and(eq(publisher.organization, 'bravo'), eq(publisher.id, 2)));
  expect(await claimed('a', { perOrganization: 1 })).toEqual(['acme/2', 'bravo/1']);
});

test('a lease lasts as long as it was taken for', async () => {
  await happenIn(db, 'acme', 'one');
  await claimed('a', { lease: 0 });
  expect(await claimed('b', { lease: 60 })).toEqual(['acme/1', 'acme/2']);
  expect(await claimed('c')).toEqual([]);
});

test('the webhook given back first goes first, however long its lease would have lasted', async () => {
  await happenIn(db, 'acme', 'one');
  expect(await claimed('a', { limit: 1, lease: 1000 })).toEqual(['acme/1']);
  expect(await claimed('a', { limit: 1, lease: 1 })).toEqual(['acme/2']);
  await releaseLease(db.orm, 'a', acme1);
  await releaseLease(db.orm, 'a', acme2);
  expect(await claimed('a', { limit: 1 })).toEqual(['acme/1']);
});

test('a claim on a server shuts out other claims, as each counts the slots before it takes its own', async () => {
  await happenIn(db, 'acme', 'one');
  const locks: string[] = [];
  const server: Database = {
    ...db,
    kind: 'postgres',
    transaction: (work) =>
      db.transaction(async (tx) => {
        const result = await work(tx);
        locks.push(...(await locksOf(tx)));
        return result;
      }),
  };
  await claimPublishers(server, { kind: WEBHOOK_KIND, owner: 'a', lease: 60, limit: 10, perOrganization: 4, now });
  expect(locks).toContain('advisory alone');
});

test('kinds of publishers share neither slots nor leases', async () => {
  await happenIn(db, 'acme', 'one');
  await db.orm.update(publisher).set({ kind: 'pager' }).where(is(acme1));
  expect(await claimed('a', { perOrganization: 1 })).toEqual(['acme/2']);
  expect(await claimed('b', { kind: 'pager', perOrganization: 1 })).toEqual(['acme/1']);
  await releaseAllLeases(db.orm, 'pager');
  expect(await leases()).toMatchObject({ 'acme/1': null, 'acme/2': 'a' });
});

test('every organization gets a slot before any gets a second, and none more than its share', async () => {
  await happenIn(db, 'acme', 'one');
  await happenIn(db, 'bravo', 'one');
  expect(await claimed('a', { limit: 2 })).toEqual(['acme/1', 'bravo/1']);
  expect(await claimed('b', { perOrganization: 1 })).toEqual([]);
  await releaseLease(db.orm, 'a', bravo1);
  // Acme holds one already, and bravo none.
  expect(await claimed('b', { limit: 1 })).toEqual(['bravo/2']);
});

// With the two of each organization 500 and 604, on both sides of the limit.
test.each([496, 600])('looks at every webhook when there are too many with a backlog: %i more', async (length) => {
  const many = Array.from({ length }, (_, index) => ({ organization: 'acme', id: index + 10 }));
  await insertWebhooks(
    db.orm,
    many.map((key) => ({ ...key, url: 'https://nowhere.example/' })),
  );
  await happenIn(db, 'acme', 'one');
  await happenIn(db, 'bravo', 'one');
  expect(await claimed('a', { perOrganization: 2, limit: 3 })).toEqual(['acme/1', 'acme/2', 'bravo/1']);
});

test('extends and gives back only what is its own', async () => {
  await happenIn(db, 'acme', 'one');
  await happenIn(db, 'bravo', 'one');
  await claimed('a', { limit: 2, lease: 1 });
  await claimed('b', { lease: 1 });
  expect(await leases()).toEqual({ 'acme/1': 'a', 'acme/2': 'b', 'bravo/1': 'a', 'bravo/2': 'b' });
  expect((await renewLeases(db.orm, 'a', 1000)).map(named).toSorted()).toEqual(['acme/1', 'bravo/1']);
  const { rows } = await db.orm.execute<{ owner: string }>(
    sql`select lease_owner as owner from publisher where lease_until > clock_timestamp() + interval '100 seconds'`,
  );
  expect(rows.map(({ owner }) => owner)).toEqual(['a', 'a']);
  await releaseLease(db.orm, 'b', acme1);
  await releaseLease(db.orm, 'a', acme1);
  expect(await leases()).toEqual({ 'acme/1': null, 'acme/2': 'b', 'bravo/1': 'a', 'bravo/2': 'b' });
});

test('the next deliveries of a webhook are its own, of its organization', async () => {
  await happenIn(db, 'acme', 'one', 'two');
  await happenIn(db, 'bravo', 'three');
  const notes = async (key: PublisherKey) =>
    (await nextDeliveries(db.orm, contractPolicy, key, now, 10)).map(({ body }) => {
      const { event: detail } = fromBinary(EventSchema, body!);
      return detail.case === 'deviceUpdated' ? detail.value.updatedNotes : detail.case;
    });
  expect(await notes(acme1)).toEqual(['one', 'two']);
  expect(await notes(bravo1)).toEqual(['three']);
  const [first] = await db.orm.select().from(publisherDelivery).orderBy(asc(publisherDelivery.id));
  await db.orm
    .update(publisherDelivery)
    .set({ attempts: 10, nextAttemptAt: now })
    .where(eq(publisherDelivery.id, first!.id));
  expect(await notes(acme1)).toEqual(['two', 'one']);
});

test('the next deliveries are those that are due, in line before out of line, and no more than asked for', async () => {
  await happenIn(db, 'acme', 'one', 'two', 'three', 'four', 'five');
  const own = and(eq(publisherDelivery.organization, 'acme'), eq(publisherDelivery.publisher, 1));
  const rows = await db.orm.select().from(publisherDelivery).where(own).orderBy(asc(publisherDelivery.id));
  const [one, two, three, four, five] = rows.map(({ id }) => id);
  const postpone = (id: number | undefined, milliseconds: number, attempts: number) =>
    db.orm
      .update(publisherDelivery)
      .set({ attempts, nextAttemptAt: new Date(now.getTime() + milliseconds) })
      .where(and(own, eq(publisherDelivery.id, id!)));
  await postpone(one, -1000, 10);
  await postpone(two, -2000, 11);
  await postpone(three, 1, 10);
  const ids = async (limit: number) =>
    (await nextDeliveries(db.orm, contractPolicy, acme1, now, limit)).map(({ id }) => id);
  expect(await ids(10)).toEqual([four, five, two, one]);
  expect(await ids(3)).toEqual([four, five, two]);
});

test('a delivery goes without its own event, not with one of the same id or the same time', async () => {
  await happenIn(db, 'acme', 'one', 'two', 'three', 'four');
  await happenIn(db, 'bravo', 'theirs');
  const [one, two, three] = await db.orm.select().from(event).where(eq(event.organization, 'acme')).orderBy(event.id);
  // The first delivery is of an event that only another organization has, the second of one at another time, and the
  // third of one that has its time but not its id.
  await db.orm.delete(event).where(and(eq(event.organization, 'acme'), eq(event.id, one!.id)));
  await db.orm.update(event).set({ id: one!.id, time: one!.time }).where(eq(event.organization, 'bravo'));
  const moved = new Date(two!.time.getTime() - 1);
  await db.orm.update(event).set({ time: moved }).where(eq(event.id, two!.id));
  await db.orm.delete(event).where(eq(event.id, three!.id));
  const stale = (await nextDeliveries(db.orm, contractPolicy, acme1, now, 10)).map(({ stale }) => stale);
  expect(stale).toEqual([true, true, true, false]);
  await dropStaleDeliveries(db.orm);
  const left = await db.orm.select().from(publisherDelivery).where(eq(publisherDelivery.organization, 'acme'));
  expect(left.map(({ publisher: of }) => of).toSorted((a, b) => a - b)).toEqual([1, 2]);
  expect(await nextDeliveries(db.orm, contractPolicy, acme1, now, 10)).toMatchObject([{ attempts: 0 }]);
});

test('after a crash everything held is free at once, and the last turns are remembered', async () => {
  const ended = new Date(now.getTime() - 5000);
  await db.orm.update(publisher).set({ leaseOwner: 'gone', leaseUntil: new Date(now.getTime() + 60_000) });
  await db.orm.update(publisher).set({ leaseOwner: null, leaseUntil: ended }).where(is(acme2));
  await releaseAllLeases(db.orm, WEBHOOK_KIND);
  const rows = await db.orm.select().from(publisher).orderBy(publisher.organization, publisher.id);
  expect(rows.map(({ leaseOwner, leaseUntil }) => [leaseOwner, leaseUntil])).toEqual([
    [null, null],
    [null, ended],
    [null, null],
    [null, null],
  ]);
});
