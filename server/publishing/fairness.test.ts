import type { ServerResponse } from 'node:http';

import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';

import { silentLog } from '#server/base/log.ts';
import type { Database } from '#server/db/database.ts';
import { event } from '#server/db/schema/event.ts';
import { publisher, publisherCall, publisherDelivery } from '#server/db/schema/publisher.ts';
import { insertWebhooks } from '#server/publishing/targets/webhook/rows.ts';
import {
  addOrganization,
  addWebhook,
  openSecondDatabase,
  recordTestEventsIn,
  openFixture,
  deliverWebhooks,
  startReceiver,
  type TestReceiver,
} from '#server/testkit/publishing.ts';

import { createSender, type Sender } from './targets/webhook/send.ts';
import type { DeliveryWorker, WorkerOptions } from './worker.ts';

let db: Database;
/** A generous timeout, for hundreds of deliveries with their own transactions on a machine that may be busy. */
const eventually = (assertion: () => void): Promise<void> => vi.waitFor(assertion, { timeout: 60_000, interval: 10 });
let sender: Sender;
const openResources: { close(): Promise<void> }[] = [];
const slowOrganizations = ['a-slow', 'b-slow', 'c-slow', 'd-slow'];
const healthyOrganizations = Array.from({ length: 20 }, (_, index) => `healthy-${index}`);

beforeAll(async () => {
  db = await openFixture();
  sender = createSender({ policy: { allowLoopback: true }, timeout: 60_000 });
  for (const id of [...slowOrganizations, ...healthyOrganizations]) await addOrganization(db, id);
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
  for (const item of openResources.splice(0).toReversed()) await item.close();
});

async function openReceiver(...args: Parameters<typeof startReceiver>): Promise<TestReceiver> {
  const receiver = await startReceiver(...args);
  openResources.push(receiver);
  return receiver;
}

async function startWorker(
  options: Partial<Pick<WorkerOptions, 'db' | 'parallel' | 'perOrganization' | 'turn'>> = {},
): Promise<DeliveryWorker> {
  const defaults = { db, sender, log: silentLog, now: () => new Date(), poll: 20 };
  const worker = await deliverWebhooks({ ...defaults, ...options });
  openResources.push(worker);
  return worker;
}

/** Starts a receiver that responds on command. */
async function startPausedReceiver() {
  const pending: ServerResponse[] = [];
  let responding = false;
  const target = await openReceiver((_, response) => {
    if (responding) response.writeHead(204).end();
    else pending.push(response);
  });
  const organizations = () => pending.map(({ req }) => req.url?.split('/')[2]);
  return {
    target,
    pending,
    organizations,
    respond() {
      responding = true;
      for (const response of pending.splice(0)) response.writeHead(204).end();
    },
  };
}

async function addWebhooks(organizations: readonly string[], count: number, url: string): Promise<void> {
  const rows = organizations.flatMap((organization) =>
    Array.from({ length: count }, (_, index) => ({
      organization,
      id: index + 1,
      url: `${url}/${organization}/${index}`,
    })),
  );
  await insertWebhooks(db.orm, rows);
}

test('does not delay 200 receivers because of 64 unresponsive ones in other organizations', async () => {
  const paused = await startPausedReceiver();
  const responsive = await openReceiver();
  await addWebhooks(slowOrganizations, 16, paused.target.url);
  await addWebhooks(healthyOrganizations, 10, responsive.url);
  await startWorker();
  for (const organization of slowOrganizations) await recordTestEventsIn(db, organization, 'one', 'two', 'three');
  await eventually(() => expect(paused.pending).toHaveLength(32));
  for (const organization of healthyOrganizations) await recordTestEventsIn(db, organization, 'one', 'two');
  await eventually(() => expect(responsive.received).toHaveLength(400));
  expect(new Set(responsive.received.map(({ path }) => path)).size).toBe(200);
  // In the meantime, no slow receiver responded, and each slow organization used exactly its share of the slots.
  expect(paused.target.received).toHaveLength(32);
  for (const organization of slowOrganizations)
    expect(paused.organizations().filter((id) => id === organization)).toHaveLength(8);
  paused.respond();
  await eventually(() => expect(paused.target.received).toHaveLength(64 * 3));
}, 180_000);

test("limits an organization's slots across two processes", async () => {
  const paused = await startPausedReceiver();
  await addWebhooks(slowOrganizations, 16, paused.target.url);
  const { secondDatabase, opened } = await openSecondDatabase(db);
  openResources.push(...opened);
  const first = await startWorker({ perOrganization: 4 });
  const second = await startWorker({ db: secondDatabase, perOrganization: 4 });
  for (const organization of slowOrganizations) await recordTestEventsIn(db, organization, 'one');
  await eventually(() => expect(paused.pending).toHaveLength(16));
  // Neither worker finds another webhook to claim.
  for (const worker of [first, second, first, second]) worker.wake();
  await recordTestEventsIn(db, healthyOrganizations[0]!, 'unheard');
  await addWebhooks(healthyOrganizations.slice(0, 1), 1, paused.target.url);
  await recordTestEventsIn(db, healthyOrganizations[0]!, 'heard');
  await eventually(() => expect(paused.organizations()).toContain(healthyOrganizations[0]));
  expect(paused.pending).toHaveLength(17);
  paused.respond();
});

test("returns a backlogged webhook's slot after its turn", async () => {
  const target = await openReceiver();
  for (const organization of healthyOrganizations.slice(0, 3)) await addWebhooks([organization], 1, target.url);
  for (const organization of healthyOrganizations.slice(0, 3))
    await recordTestEventsIn(db, organization, 'one', 'two', 'three', 'four', 'five');
  // The worker has one slot, and a turn has two calls.
  await startWorker({ parallel: 1, turn: { calls: 2, milliseconds: 60_000 } });
  await eventually(() => expect(target.received).toHaveLength(15));
  const [a, b, c] = healthyOrganizations.slice(0, 3).map((organization) => `/in/${organization}/0`);
  expect(target.received.map(({ path }) => path)).toEqual([a, a, b, b, c, c, a, a, b, b, c, c, a, b, c]);
  expect(target.notes()).toEqual(
    [0, 2, 4].flatMap((start) =>
      [1, 2, 3].flatMap(() => ['one', 'two', 'three', 'four', 'five'].slice(start, start + 2)),
    ),
  );
});

test('takes the slot back from a slow receiver when its time is up, even before the call limit', async () => {
  const target = await openReceiver();
  for (const organization of healthyOrganizations.slice(0, 2)) await addWebhooks([organization], 1, target.url);
  for (const organization of healthyOrganizations.slice(0, 2))
    await recordTestEventsIn(db, organization, 'one', 'two', 'three');
  // Every call takes longer than a turn.
  await startWorker({ parallel: 1, turn: { calls: 50, milliseconds: 0 } });
  await eventually(() => expect(target.received).toHaveLength(6));
  const [a, b] = healthyOrganizations.map((organization) => `/in/${organization}/0`);
  expect(target.received.map(({ path }) => path)).toEqual([a, b, a, b, a, b]);
});

test('does not delay an organization because another organization has many backlogged webhooks', async () => {
  const target = await openReceiver();
  await addWebhooks(['a-slow'], 100, target.url);
  await addWebhooks(['healthy-0'], 1, target.url);
  await recordTestEventsIn(db, 'a-slow', ...Array.from({ length: 20 }, (_, index) => String(index)));
  await recordTestEventsIn(db, 'healthy-0', 'one');
  await startWorker({ parallel: 2, turn: { calls: 5, milliseconds: 60_000 } });
  const indexOfHealthy = () => target.received.findIndex(({ path }) => path === '/in/healthy-0/0');
  await eventually(() => expect(indexOfHealthy()).toBeGreaterThanOrEqual(0));
  // Both organizations got a slot immediately, long before all of the hundred webhooks had a turn.
  expect(indexOfHealthy()).toBeLessThan(20);
  await db.orm.delete(publisherDelivery);
});

test('delivers every event once and in order across many turns', async () => {
  const target = await openReceiver();
  await addWebhook(db, { url: target.url });
  const notes = Array.from({ length: 130 }, (_, index) => String(index));
  await recordTestEventsIn(db, 'acme', ...notes);
  await startWorker();
  await eventually(() => expect(target.notes()).toEqual(notes));
});
