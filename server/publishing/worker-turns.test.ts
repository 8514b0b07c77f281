// Tests the worker's turns: how they start and end, what happens if the process stalls, and what the worker leaves
// behind.
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

import { asc, eq } from 'drizzle-orm';
import { beforeAll, expect, test, vi } from 'vitest';

import { createSealer } from '#server/base/secrets.ts';
import type { Database } from '#server/db/database.ts';
import { event } from '#server/db/schema/event.ts';
import { publisher, publisherCall, publisherDelivery } from '#server/db/schema/publisher.ts';
import { eventually } from '#server/testkit/eventually.ts';
import { createWorkerKit } from '#server/testkit/publishing-worker.ts';
import { addWebhook, openSecondDatabase, recordTestEvents } from '#server/testkit/publishing.ts';

import { claimPublishers } from './outbox.ts';
import { WEBHOOK_KIND } from './targets/webhook/rows.ts';
import type { Sender } from './targets/webhook/send.ts';

const kit = createWorkerKit();
const { clock, closeAll, errors, open, openReceiver, startWorker, webhooks, calls } = kit;
let db: Database;
beforeAll(() => {
  ({ db } = kit);
});

test('drops a delivery whose event is past retention, and sends the next', async () => {
  const target = await openReceiver();
  await addWebhook(db, { url: target.url });
  await recordTestEvents(db, 'old', 'new');
  const [delivery] = await db.orm.select().from(publisherDelivery).orderBy(asc(publisherDelivery.id));
  await db.orm.delete(event).where(eq(event.id, delivery!.eventId!));
  await startWorker();
  await eventually(() => expect(target.notes()).toEqual(['new']));
  await eventually(async () => expect(await db.orm.select().from(publisherDelivery)).toEqual([]));
  expect(await calls()).toMatchObject([{ successful: true, manual: false }]);
});

test("sends nothing if it can't decrypt the secret, and records why in the history", async () => {
  const target = await openReceiver();
  const lostSealer = createSealer(Buffer.alloc(32, 8));
  await addWebhook(db, { url: target.url, secret: lostSealer.seal('s3cret') });
  await recordTestEvents(db, 'one');
  await startWorker();
  await eventually(async () => expect(await calls()).toHaveLength(1));
  const [call] = await calls();
  expect(call).toMatchObject({ successful: false, status: null, url: target.url, bodyJson: '', milliseconds: 0 });
  expect(call?.error).toMatch(/^Not sent: (?!Error)[A-Z]/);
  expect(target.received).toEqual([]);
  await eventually(async () => expect(await webhooks()).toMatchObject([{ lastCallFailed: true, leaseOwner: null }]));
});

test('logs an error during a turn and retries after a pause', async () => {
  await addWebhook(db, { url: 'https://nowhere.example/' });
  await recordTestEvents(db, 'one');
  let sent = 0;
  const brokenSender: Sender = {
    send: async () => Promise.reject(new Error(`broken ${++sent}`)),
    close: async () => {},
  };
  const first = await startWorker({ sender: brokenSender, lease: 3600 });
  await eventually(async () => expect(await webhooks()).toMatchObject([{ leaseOwner: 'resting', cooldownStep: 0 }]));
  for (let polls = 0; polls < 5; polls++) {
    first.wake();
    await recordTestEvents(db, `more ${polls}`);
  }
  expect(sent).toBe(1);
  await db.orm.update(publisher).set({ leaseUntil: new Date(0) });
  first.wake();
  await eventually(() => expect(errors).toHaveLength(2));
  expect(errors.splice(0)).toEqual(['Delivery stopped unexpectedly. broken 1', expect.stringContaining('broken 2')]);
  await closeAll();
});

test('aborts the current call and releases all leases on closing', async () => {
  await addWebhook(db, { url: 'https://nowhere.example/' });
  await recordTestEvents(db, 'one', 'two');
  const { sender, sent } = hangingSender();
  await startWorker({ sender });
  await eventually(() => expect(sent).toHaveLength(1));
  await closeAll();
  expect(await webhooks()).toMatchObject([{ leaseOwner: null, cooldownStep: 0 }]);
  expect(await calls()).toEqual([]);
  expect((await db.orm.select().from(publisherDelivery)).map(({ attempts }) => attempts)).toEqual([0, 0]);
  expect(sent).toHaveLength(1);
});

test('closes without waiting for the next poll and leaves no listener or timer', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    let listening = 0;
    const listen: Database['listen'] = async (...args) => {
      const end = await db.listen(...args);
      listening += 1;
      return async () => {
        listening -= 1;
        await end();
      };
    };
    await startWorker({ db: { ...db, listen }, poll: 600_000 });
    expect([listening, vi.getTimerCount()]).toEqual([1, 1]);
    await Promise.race([
      closeAll(),
      delay(10_000).then(() => Promise.reject(new Error('Closing waited for the next poll.'))),
    ]);
    expect([listening, vi.getTimerCount()]).toEqual([0, 0]);
  } finally {
    vi.useRealTimers();
  }
});

test('checks after a stall that it still holds the webhook before sending more', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    // The lease is not renewed in the meantime, as in a stalled process.
    const target = await openReceiver((_, response) => {
      void delay(700)
        .then(() => db.orm.update(publisher).set({ leaseOwner: 'other', leaseUntil: new Date(Date.now() + 600_000) }))
        .then(() => response.writeHead(204).end());
    });
    await addWebhook(db, { url: target.url });
    await recordTestEvents(db, 'one', 'two');
    // The worker doesn't poll again, so it can't reclaim the webhook.
    await startWorker({ lease: 1, poll: 600_000 });
    await waitInRealTime(async () => (await calls()).length > 0);
    await closeAll();
    expect(target.notes()).toEqual(['one']);
    expect(await db.orm.select().from(publisherDelivery)).toHaveLength(1);
  } finally {
    vi.useRealTimers();
  }
});

test('renews a lease three times before its expiry', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    await addWebhook(db, { url: 'https://nowhere.example/' });
    await recordTestEvents(db, 'one');
    const { sender, sent } = hangingSender();
    await startWorker({ sender, lease: 3, poll: 600_000 });
    await waitInRealTime(() => sent.length === 1);
    const leaseEnd = async () => (await webhooks())[0]?.leaseUntil?.getTime();
    const claimedIds = await leaseEnd();
    vi.advanceTimersByTime(999);
    await delay(100);
    expect(await leaseEnd()).toBe(claimedIds);
    vi.advanceTimersByTime(1);
    await waitInRealTime(async () => (await leaseEnd())! > claimedIds!);
    await closeAll();
  } finally {
    vi.useRealTimers();
  }
});

test('keeps a webhook leased during a call that outlasts the lease', async () => {
  const target = await openReceiver((_, response) => void setTimeout(() => response.writeHead(204).end(), 1800));
  await addWebhook(db, { url: target.url });
  await recordTestEvents(db, 'one');
  await startWorker({ lease: 1 });
  await eventually(() => expect(target.notes()).toEqual(['one']));
  const { secondDatabase, opened } = await openSecondDatabase(db);
  open.push(...opened);
  await delay(1300);
  expect(
    await claimPublishers(secondDatabase, {
      kind: WEBHOOK_KIND,
      owner: 'other',
      lease: 1,
      limit: 1,
      perOrganization: 8,
      now: clock.now,
    }),
  ).toEqual([]);
  await eventually(async () => expect(await calls()).toHaveLength(1));
});

test('stops sending to a webhook that is deleted during its turn', async () => {
  const responses: ServerResponse[] = [];
  const target = await openReceiver((_, response) => void responses.push(response));
  await addWebhook(db, { url: target.url });
  await recordTestEvents(db, 'one', 'two');
  await startWorker();
  await eventually(() => expect(responses).toHaveLength(1));
  // The webhook's outbox is deleted with it, but the turn has already read the delivery.
  await db.orm.delete(publisher);
  responses[0]!.writeHead(204).end();
  await delay(200);
  await closeAll();
  expect(target.notes()).toEqual(['one']);
});

test('immediately releases the leases of a crashed process on the embedded database', async () => {
  const target = await openReceiver();
  const leaseUntil = new Date(Date.now() + 600_000);
  await addWebhook(db, { url: target.url, leaseOwner: 'crashed', leaseUntil });
  await startWorker({ db: { ...db, kind: 'postgres' } });
  expect(await webhooks()).toMatchObject([{ leaseOwner: 'crashed', leaseUntil }]);
  await startWorker({ db: { ...db, kind: 'pglite' } });
  expect(await webhooks()).toMatchObject([{ leaseOwner: null, leaseUntil: null }]);
});

test('reuses a freed slot immediately', async () => {
  const target = await openReceiver();
  for (const id of [1, 2, 3]) await addWebhook(db, { id, url: `${target.url}/${id}` });
  await recordTestEvents(db, 'one', 'two', 'three');
  await startWorker({ parallel: 1, turn: { calls: 2, milliseconds: 60_000 }, poll: 600_000 });
  await eventually(() => expect(target.received).toHaveLength(9));
});

test('polls the outbox once, not repeatedly, when there is nothing to do', async () => {
  let polls = 0;
  const update = db.orm.update;
  const spy = vi.spyOn(db.orm, 'update').mockImplementation((...args) => {
    polls += 1;
    return Reflect.apply(update, db.orm, args);
  });
  await startWorker({ db: { ...db, kind: 'pglite' }, poll: 600_000 });
  await delay(400);
  await closeAll();
  spy.mockRestore();
  // One update for the leases of a crashed process, and one for the claim.
  expect(polls).toBe(2);
});

test('trims the history after every hundred calls', async () => {
  const target = await openReceiver();
  await addWebhook(db, { url: target.url });
  const old = { organization: 'acme', publisher: 1, url: '', headers: {}, bodyProto: new Uint8Array(), bodyJson: '{}' };
  const time = new Date(clock.now.getTime() - 1000);
  await db.orm.insert(publisherCall).values(Array.from({ length: 990 }, () => ({ ...old, time, successful: true })));
  await startWorker();
  const deliver = async (count: number) => {
    const before = target.received.length;
    await recordTestEvents(db, ...Array.from({ length: count }, (_, index) => String(index)));
    await vi.waitFor(() => expect(target.received).toHaveLength(before + count), { timeout: 60_000 });
    // A trim belongs to the turn, which ends when the lease is released.
    await eventually(async () => {
      expect(await db.orm.select().from(publisherDelivery)).toEqual([]);
      expect(await webhooks()).toMatchObject([{ leaseOwner: null }]);
    });
  };
  const countCalls = async () => (await calls()).length;
  await deliver(99);
  expect(await countCalls()).toBe(1089);
  await deliver(1);
  expect(await countCalls()).toBe(1000);
  await deliver(1);
  expect(await countCalls()).toBe(1001);
});

/** Waits without moving the fake clock, which `eventually` would advance. */
async function waitInRealTime(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const startTime = performance.now(); !(await condition()); await delay(10)) {
    if (performance.now() - startTime > 10_000) throw new Error('The condition did not hold within 10 s.');
  }
}

/** Creates a sender that never responds and, like a real connection, takes a while to abort. */
function hangingSender() {
  const sent: number[] = [];
  const sender: Sender = {
    async send(_, signal) {
      sent.push(1);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      await delay(100);
      throw signal.reason;
    },
    close: async () => {},
  };
  return { sender, sent };
}
