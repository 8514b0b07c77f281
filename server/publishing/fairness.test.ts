import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Database } from '#server/db/database.ts';
import { event } from '#server/db/schema/event.ts';
import { publisher, publisherCall, publisherDelivery } from '#server/db/schema/publisher.ts';
import { insertWebhooks } from '#server/publishing/targets/webhook/rows.ts';
import { silentLog } from '#server/base/log.ts';
import { createSender, type Sender } from './targets/webhook/send.ts';
import {
  addOrganization,
  addWebhook,
  asAnotherProcess,
  happenIn,
  openFixture,
  deliverWebhooks,
  startReceiver,
  type TestReceiver,
} from '#server/testkit/publishing.ts';
import type { DeliveryWorker, WorkerOptions } from './worker.ts';

let db: Database;
/** Hundreds of deliveries, each with its transactions, on a machine that may be busy with other things. */
const eventually = (assertion: () => void): Promise<void> => vi.waitFor(assertion, { timeout: 60_000, interval: 10 });
let sender: Sender;
const open: { close(): Promise<void> }[] = [];
const slow = ['a-slow', 'b-slow', 'c-slow', 'd-slow'];
const healthy = Array.from({ length: 20 }, (_, index) => `healthy-${index}`);

beforeAll(async () => {
  db = await openFixture();
  sender = createSender({ policy: { allowLoopback: true }, timeout: 60_000 });
  for (const id of [...slow, ...healthy]) await addOrganization(db, id);
});
afterAll(async () => {
  await sender.close();
  await db.close();
});
beforeEach(async () => {
  await db.orm.delete(publisher);
  await db.orm.delete(publisherCall);
  await db.orm.delete(event);
});
afterEach(async () => {
  for (const item of open.splice(0).toReversed()) await item.close();
});

async function receiver(...answer: Parameters<typeof startReceiver>): Promise<TestReceiver> {
  const started = await startReceiver(...answer);
  open.push(started);
  return started;
}

async function worker(
  options: Partial<Pick<WorkerOptions, 'db' | 'parallel' | 'perOrganization' | 'turn'>> = {},
): Promise<DeliveryWorker> {
  const shared = { db, sender, log: silentLog, now: () => new Date(), poll: 20 };
  const started = await deliverWebhooks({ ...shared, ...options });
  open.push(started);
  return started;
}

/** A receiver that answers when it is told to. */
async function held() {
  const waiting: ServerResponse[] = [];
  let answering = false;
  const target = await receiver((_, response) => {
    if (answering) response.writeHead(204).end();
    else waiting.push(response);
  });
  const organizations = () => waiting.map(({ req }) => req.url?.split('/')[2]);
  return {
    target,
    waiting,
    organizations,
    answer() {
      answering = true;
      for (const response of waiting.splice(0)) response.writeHead(204).end();
    },
  };
}

async function addWebhooks(organizations: readonly string[], value: number, url: string): Promise<void> {
  const rows = organizations.flatMap((organization) =>
    Array.from({ length: value }, (_, index) => ({
      organization,
      id: index + 1,
      url: `${url}/${organization}/${index}`,
    })),
  );
  await insertWebhooks(db.orm, rows);
}

test('64 receivers that do not answer keep nothing from the 200 of other organizations', async () => {
  const stuck = await held();
  const fine = await receiver();
  await addWebhooks(slow, 16, stuck.target.url);
  await addWebhooks(healthy, 10, fine.url);
  await worker();
  for (const organization of slow) await happenIn(db, organization, 'one', 'two', 'three');
  await eventually(() => expect(stuck.waiting).toHaveLength(32));
  for (const organization of healthy) await happenIn(db, organization, 'one', 'two');
  await eventually(() => expect(fine.received).toHaveLength(400));
  expect(new Set(fine.received.map(({ path }) => path)).size).toBe(200);
  // Meanwhile nobody answered, and each slow organization held its slots: no more, and no fewer.
  expect(stuck.target.received).toHaveLength(32);
  for (const organization of slow) expect(stuck.organizations().filter((id) => id === organization)).toHaveLength(8);
  stuck.answer();
  await eventually(() => expect(stuck.target.received).toHaveLength(64 * 3));
}, 180_000);

test('two processes together keep to the slots of an organization', async () => {
  const stuck = await held();
  await addWebhooks(slow, 16, stuck.target.url);
  const { other, opened } = await asAnotherProcess(db);
  open.push(...opened);
  const first = await worker({ perOrganization: 4 });
  const second = await worker({ db: other, perOrganization: 4 });
  for (const organization of slow) await happenIn(db, organization, 'one');
  await eventually(() => expect(stuck.waiting).toHaveLength(16));
  // Neither finds anything more to take.
  for (const worker of [first, second, first, second]) worker.wake();
  await happenIn(db, healthy[0]!, 'nobody is told');
  await addWebhooks(healthy.slice(0, 1), 1, stuck.target.url);
  await happenIn(db, healthy[0]!, 'told');
  await eventually(() => expect(stuck.organizations()).toContain(healthy[0]));
  expect(stuck.waiting).toHaveLength(17);
  stuck.answer();
});

test('a webhook with more to deliver gives its slot back, and the longest waiting goes first', async () => {
  const target = await receiver();
  for (const organization of healthy.slice(0, 3)) await addWebhooks([organization], 1, target.url);
  for (const organization of healthy.slice(0, 3))
    await happenIn(db, organization, 'one', 'two', 'three', 'four', 'five');
  // One slot, and a turn of two calls.
  await worker({ parallel: 1, turn: { calls: 2, milliseconds: 60_000 } });
  await eventually(() => expect(target.received).toHaveLength(15));
  const [a, b, c] = healthy.slice(0, 3).map((organization) => `/in/${organization}/0`);
  expect(target.received.map(({ path }) => path)).toEqual([a, a, b, b, c, c, a, a, b, b, c, c, a, b, c]);
  expect(target.notes()).toEqual(
    [0, 2, 4].flatMap((at) => [1, 2, 3].flatMap(() => ['one', 'two', 'three', 'four', 'five'].slice(at, at + 2))),
  );
});

test('a receiver that takes its time gives the slot back after a while, not after so many calls', async () => {
  const target = await receiver();
  for (const organization of healthy.slice(0, 2)) await addWebhooks([organization], 1, target.url);
  for (const organization of healthy.slice(0, 2)) await happenIn(db, organization, 'one', 'two', 'three');
  // Every call takes longer than that.
  await worker({ parallel: 1, turn: { calls: 50, milliseconds: 0 } });
  await eventually(() => expect(target.received).toHaveLength(6));
  const [a, b] = healthy.map((organization) => `/in/${organization}/0`);
  expect(target.received.map(({ path }) => path)).toEqual([a, b, a, b, a, b]);
});

test('an organization of many webhooks with a backlog does not keep one of a single webhook waiting', async () => {
  const target = await receiver();
  await addWebhooks(['a-slow'], 100, target.url);
  await addWebhooks(['healthy-0'], 1, target.url);
  await happenIn(db, 'a-slow', ...Array.from({ length: 20 }, (_, index) => String(index)));
  await happenIn(db, 'healthy-0', 'one');
  await worker({ parallel: 2, turn: { calls: 5, milliseconds: 60_000 } });
  const at = () => target.received.findIndex(({ path }) => path === '/in/healthy-0/0');
  await eventually(() => expect(at()).toBeGreaterThanOrEqual(0));
  // Both began at once: long before a hundred webhooks have had their turn.
  expect(at()).toBeLessThan(20);
  await db.orm.delete(publisherDelivery);
});

test('every delivery arrives once and in order through many turns', async () => {
  const target = await receiver();
  await addWebhook(db, { url: target.url });
  const texts = Array.from({ length: 130 }, (_, index) => String(index));
  await happenIn(db, 'acme', ...texts);
  await worker();
  await eventually(() => expect(target.notes()).toEqual(texts));
});
