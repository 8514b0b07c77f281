import { and, asc, eq, sql } from 'drizzle-orm';
import { fromBinary } from '@bufbuild/protobuf';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { EventSchema } from '#proto/hiber/event_pb';
import type { Database } from '#server/db/database';
import { event } from '#server/db/schema/event';
import { webhook, webhookDelivery } from '#server/db/schema/webhook';
import { claimWebhooks, nextDeliveries, releaseLease, renewLeases, type WebhookKey } from './outbox.ts';
import { addOrganization, happenIn, openFixture } from './test-kit.ts';

let db: Database;
const now = new Date();

/** Two organizations with webhooks of the same ids. */
const keys = ['acme', 'bravo'].flatMap((organization) => [1, 2].map((id) => ({ organization, id })));
const [acme1, , bravo1] = keys as [WebhookKey, WebhookKey, WebhookKey, WebhookKey];

beforeAll(async () => {
  db = await openFixture();
  await addOrganization(db, 'bravo');
});
afterAll(() => db.close());
beforeEach(async () => {
  await db.orm.delete(webhook);
  await db.orm.delete(event);
  await db.orm.insert(webhook).values(keys.map((key) => ({ ...key, url: 'https://nowhere.example/' })));
});

const named = ({ organization, id }: WebhookKey) => `${organization}/${id}`;
const is = (key: WebhookKey) => and(eq(webhook.organization, key.organization), eq(webhook.id, key.id));
const claimed = async (owner: string, options: { limit?: number; perOrganization?: number; lease?: number } = {}) => {
  const rows = await claimWebhooks(db, { owner, lease: 60, limit: 10, perOrganization: 4, now, ...options });
  return rows.map(named).toSorted();
};
/** Who holds which webhook, with the seconds that are left. */
async function leases(): Promise<Record<string, string | null>> {
  const rows = await db.orm.select().from(webhook).orderBy(webhook.organization, webhook.id);
  return Object.fromEntries(rows.map((row) => [named(row), row.leaseOwner]));
}

test('takes what has something due, and neither what is disabled, cooling down, held nor without anything to send', async () => {
  await happenIn(db, 'acme', 'one');
  await happenIn(db, 'bravo', 'one');
  await db.orm.update(webhook).set({ disabled: true }).where(is(acme1));
  await db.orm
    .update(webhook)
    .set({ inCooldownUntil: new Date(now.getTime() + 1000) })
    .where(is(bravo1));
  await db.orm.insert(webhook).values({ organization: 'acme', id: 3, url: 'https://nowhere.example/' });
  expect(await claimed('a')).toEqual(['acme/2', 'bravo/2']);
  expect(await claimed('b')).toEqual([]);
  await db.orm.update(webhook).set({ disabled: false, inCooldownUntil: now });
  expect(await claimed('b')).toEqual(['acme/1', 'bravo/1']);
});

test('takes nothing whose deliveries are all postponed', async () => {
  await happenIn(db, 'acme', 'one');
  await db.orm.update(webhookDelivery).set({ nextAttemptAt: new Date(now.getTime() + 1000) });
  expect(await claimed('a')).toEqual([]);
  await db.orm.update(webhookDelivery).set({ nextAttemptAt: now }).where(eq(webhookDelivery.webhook, 2));
  expect(await claimed('a')).toEqual(['acme/2']);
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

test('looks at every webhook when there are too many with a backlog to jump from one to the next', async () => {
  const many = Array.from({ length: 600 }, (_, index) => ({ organization: 'acme', id: index + 10 }));
  await db.orm.insert(webhook).values(many.map((key) => ({ ...key, url: 'https://nowhere.example/' })));
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
    sql`select lease_owner as owner from webhook where lease_until > clock_timestamp() + interval '100 seconds'`,
  );
  expect(rows.map(({ owner }) => owner)).toEqual(['a', 'a']);
  await releaseLease(db.orm, 'b', acme1);
  await releaseLease(db.orm, 'a', acme1);
  expect(await leases()).toEqual({ 'acme/1': null, 'acme/2': 'b', 'bravo/1': 'a', 'bravo/2': 'b' });
});

test('the next deliveries of a webhook are its own, of its organization', async () => {
  await happenIn(db, 'acme', 'one', 'two');
  await happenIn(db, 'bravo', 'three');
  const notes = async (key: WebhookKey) =>
    (await nextDeliveries(db.orm, key, now, 10)).map(({ body }) => {
      const { event: detail } = fromBinary(EventSchema, body!);
      return detail.case === 'deviceUpdated' ? detail.value.updatedNotes : detail.case;
    });
  expect(await notes(acme1)).toEqual(['one', 'two']);
  expect(await notes(bravo1)).toEqual(['three']);
  const [first] = await db.orm.select().from(webhookDelivery).orderBy(asc(webhookDelivery.id));
  await db.orm
    .update(webhookDelivery)
    .set({ attempts: 10, nextAttemptAt: now })
    .where(eq(webhookDelivery.id, first!.id));
  expect(await notes(acme1)).toEqual(['two', 'one']);
});
