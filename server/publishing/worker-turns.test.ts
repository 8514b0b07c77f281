// The turns of the worker: how they begin and end, what it does when a process stalls, and what it leaves behind.
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { asc, eq } from 'drizzle-orm';
import { beforeAll, expect, test, vi } from 'vitest';
import type { Database } from '#server/db/database.ts';
import { event } from '#server/db/schema/event.ts';
import { publisher, publisherCall, publisherDelivery } from '#server/db/schema/publisher.ts';
import { createSealer } from '#server/base/secrets.ts';
import { eventually } from '#server/testkit/eventually.ts';
import { claimPublishers } from './outbox.ts';
import { WEBHOOK_KIND } from './targets/webhook/rows.ts';
import type { Sender } from './targets/webhook/send.ts';
import { addWebhook, asAnotherProcess, happen } from '#server/testkit/publishing.ts';
import { workerKit } from '#server/testkit/publishing-worker.ts';

const kit = workerKit();
const { clock, closeAll, errors, open, receiver, worker, webhooks, calls } = kit;
let db: Database;
beforeAll(() => {
  ({ db } = kit);
});

test('a delivery whose event is past its retention is dropped, and the next is sent', async () => {
  const target = await receiver();
  await addWebhook(db, { url: target.url });
  await happen(db, 'old', 'new');
  const [delivery] = await db.orm.select().from(publisherDelivery).orderBy(asc(publisherDelivery.id));
  await db.orm.delete(event).where(eq(event.id, delivery!.eventId!));
  await worker();
  await eventually(() => expect(target.notes()).toEqual(['new']));
  await eventually(async () => expect(await db.orm.select().from(publisherDelivery)).toEqual([]));
  expect(await calls()).toMatchObject([{ successful: true, manual: false }]);
});

test('without its secret nothing leaves, and the history says why', async () => {
  const target = await receiver();
  const lost = createSealer(Buffer.alloc(32, 8));
  await addWebhook(db, { url: target.url, secret: lost.seal('s3cret') });
  await happen(db, 'one');
  await worker();
  await eventually(async () => expect(await calls()).toHaveLength(1));
  const [call] = await calls();
  expect(call).toMatchObject({ successful: false, status: null, url: target.url, bodyJson: '', milliseconds: 0 });
  expect(call?.error).toMatch(/^Not sent: (?!Error)[A-Z]/);
  expect(target.received).toEqual([]);
  await eventually(async () => expect(await webhooks()).toMatchObject([{ lastCallFailed: true, leaseOwner: null }]));
});

test('what goes wrong in a turn is logged, and the webhook is free for the next', async () => {
  await addWebhook(db, { url: 'https://nowhere.example/' });
  await happen(db, 'one');
  let sent = 0;
  const broken: Sender = { send: async () => Promise.reject(new Error(`broken ${++sent}`)), close: async () => {} };
  await worker({ sender: broken });
  await eventually(() => expect(sent).toBeGreaterThan(1));
  expect(errors.splice(0)[0]).toBe('Delivery stopped unexpectedly. broken 1');
  await closeAll();
  errors.length = 0;
  expect(await webhooks()).toMatchObject([{ leaseOwner: null, cooldownStep: 0 }]);
});

test('closing breaks off the call under way, to be repeated, and gives everything back first', async () => {
  await addWebhook(db, { url: 'https://nowhere.example/' });
  await happen(db, 'one', 'two');
  const { sender, sent } = hangingSender();
  await worker({ sender });
  await eventually(() => expect(sent).toHaveLength(1));
  await closeAll();
  expect(await webhooks()).toMatchObject([{ leaseOwner: null, cooldownStep: 0 }]);
  expect(await calls()).toEqual([]);
  expect((await db.orm.select().from(publisherDelivery)).map(({ attempts }) => attempts)).toEqual([0, 0]);
  expect(sent).toHaveLength(1);
});

test('closing does not wait for the next look, and leaves nothing that listens or ticks', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    let listening = 0;
    const listen: Database['listen'] = async (...given) => {
      const end = await db.listen(...given);
      listening += 1;
      return async () => {
        listening -= 1;
        await end();
      };
    };
    await worker({ db: { ...db, listen }, poll: 600_000 });
    expect([listening, vi.getTimerCount()]).toEqual([1, 1]);
    await Promise.race([closeAll(), delay(10_000).then(() => Promise.reject(new Error('It waits.')))]);
    expect([listening, vi.getTimerCount()]).toEqual([0, 0]);
  } finally {
    vi.useRealTimers();
  }
});

test('after a stall it asks whether the webhook is still its own before it sends more', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    // The lease is not renewed meanwhile, as in a process that stalls.
    const target = await receiver((_, response) => {
      void delay(700)
        .then(() => db.orm.update(publisher).set({ leaseOwner: 'thief', leaseUntil: new Date(Date.now() + 600_000) }))
        .then(() => response.writeHead(204).end());
    });
    await addWebhook(db, { url: target.url });
    await happen(db, 'one', 'two');
    // Nor does the worker look again, and take up what it no longer holds.
    await worker({ lease: 1, poll: 600_000 });
    await inRealTime(async () => (await calls()).length > 0);
    await closeAll();
    expect(target.notes()).toEqual(['one']);
    expect(await db.orm.select().from(publisherDelivery)).toHaveLength(1);
  } finally {
    vi.useRealTimers();
  }
});

test('a lease is renewed three times before it would end', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    await addWebhook(db, { url: 'https://nowhere.example/' });
    await happen(db, 'one');
    const { sender, sent } = hangingSender();
    await worker({ sender, lease: 3, poll: 600_000 });
    await inRealTime(() => sent.length === 1);
    const until = async () => (await webhooks())[0]?.leaseUntil?.getTime();
    const taken = await until();
    vi.advanceTimersByTime(999);
    await delay(100);
    expect(await until()).toBe(taken);
    vi.advanceTimersByTime(1);
    await inRealTime(async () => (await until())! > taken!);
    await closeAll();
  } finally {
    vi.useRealTimers();
  }
});

test('a webhook is held for as long as a call takes, beyond its lease', async () => {
  const target = await receiver((_, response) => void setTimeout(() => response.writeHead(204).end(), 1_800));
  await addWebhook(db, { url: target.url });
  await happen(db, 'one');
  await worker({ lease: 1 });
  await eventually(() => expect(target.notes()).toEqual(['one']));
  const { other, opened } = await asAnotherProcess(db);
  open.push(...opened);
  await delay(1_300);
  expect(
    await claimPublishers(other, {
      kind: WEBHOOK_KIND,
      owner: 'thief',
      lease: 1,
      limit: 1,
      perOrganization: 8,
      now: clock.now,
    }),
  ).toEqual([]);
  await eventually(async () => expect(await calls()).toHaveLength(1));
});

test('a webhook that is deleted during its turn gets no more', async () => {
  const held: ServerResponse[] = [];
  const target = await receiver((_, response) => void held.push(response));
  await addWebhook(db, { url: target.url });
  await happen(db, 'one', 'two');
  await worker();
  await eventually(() => expect(held).toHaveLength(1));
  // What waits for it goes with it; the turn has it in hand already.
  await db.orm.delete(publisher);
  held[0]!.writeHead(204).end();
  await delay(200);
  await closeAll();
  expect(target.notes()).toEqual(['one']);
});

test('a process of the embedded database is alone, so what a crashed one held is free at once', async () => {
  const target = await receiver();
  const leaseUntil = new Date(Date.now() + 600_000);
  await addWebhook(db, { url: target.url, leaseOwner: 'gone', leaseUntil });
  await worker({ db: { ...db, kind: 'postgres' } });
  expect(await webhooks()).toMatchObject([{ leaseOwner: 'gone', leaseUntil }]);
  await worker({ db: { ...db, kind: 'pglite' } });
  expect(await webhooks()).toMatchObject([{ leaseOwner: null, leaseUntil: null }]);
});

test('a slot that comes free is used at once', async () => {
  const target = await receiver();
  for (const id of [1, 2, 3]) await addWebhook(db, { id, url: `${target.url}/${id}` });
  await happen(db, 'one', 'two', 'three');
  await worker({ parallel: 1, turn: { calls: 2, milliseconds: 60_000 }, poll: 600_000 });
  await eventually(() => expect(target.received).toHaveLength(9));
});

test('without anything to do it looks at the outbox once, not again and again', async () => {
  let looks = 0;
  const update = db.orm.update;
  const counted = vi.spyOn(db.orm, 'update').mockImplementation((...given) => {
    looks += 1;
    return Reflect.apply(update, db.orm, given);
  });
  await worker({ db: { ...db, kind: 'pglite' }, poll: 600_000 });
  await delay(400);
  await closeAll();
  counted.mockRestore();
  // What a crashed process held, and the outbox.
  expect(looks).toBe(2);
});

test('the history is trimmed after every hundred calls', async () => {
  const target = await receiver();
  await addWebhook(db, { url: target.url });
  const old = { organization: 'acme', publisher: 1, url: '', headers: {}, bodyProto: new Uint8Array(), bodyJson: '{}' };
  const time = new Date(clock.now.getTime() - 1_000);
  await db.orm.insert(publisherCall).values(Array.from({ length: 990 }, () => ({ ...old, time, successful: true })));
  await worker();
  const deliver = async (count: number) => {
    const before = target.received.length;
    await happen(db, ...Array.from({ length: count }, (_, index) => String(index)));
    await vi.waitFor(() => expect(target.received).toHaveLength(before + count), { timeout: 60_000 });
    // A trim belongs to the turn, which is over when the lease is given back.
    await eventually(async () => {
      expect(await db.orm.select().from(publisherDelivery)).toEqual([]);
      expect(await webhooks()).toMatchObject([{ leaseOwner: null }]);
    });
  };
  const kept = async () => (await calls()).length;
  await deliver(99);
  expect(await kept()).toBe(1_089);
  await deliver(1);
  expect(await kept()).toBe(1_000);
  await deliver(1);
  expect(await kept()).toBe(1_001);
});

/** Waits while the false clock stands still, which `eventually` would let tick. */
async function inRealTime(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const started = performance.now(); !(await holds()); await delay(10)) {
    if (performance.now() - started > 10_000) throw new Error('It never came.');
  }
}

/** Never answers, and breaks off as slowly as a connection may. */
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
