import type { ServerResponse } from 'node:http';
import { fromBinary } from '@bufbuild/protobuf';
import { asc, eq } from 'drizzle-orm';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { EventType } from '#proto/hiber/event_type_pb';
import { EventSchema } from '#proto/hiber/event_pb';
import { Webhook_ContentType } from '#proto/hiber/webhook_pb';
import type { Database } from '#server/db/database';
import { event } from '#server/db/schema/event';
import { webhook, webhookCall, webhookDelivery } from '#server/db/schema/webhook';
import { type Log, silentLog } from '../log.ts';
import { eventually } from './eventually.ts';
import { sealHeaders } from './headers.ts';
import { claimWebhooks, dropStaleDeliveries } from './outbox.ts';
import { createSender, type Sender } from './send.ts';
import { verifies } from './signature.ts';
import {
  addWebhook,
  asAnotherProcess,
  happen,
  openFixture,
  secrets,
  startReceiver,
  type TestReceiver,
} from './test-kit.ts';
import { createSealer } from '../secrets.ts';
import { type DeliveryWorker, startDelivery, type WorkerOptions } from './worker.ts';

let db: Database;
let sender: Sender;
const open: { close(): Promise<void> }[] = [];
const clock = { now: new Date() };

beforeAll(async () => {
  db = await openFixture();
  sender = createSender({ policy: { allowLoopback: true }, timeout: 2_000 });
});
afterAll(async () => {
  await sender.close();
  await db.close();
});

beforeEach(async () => {
  clock.now = new Date('2026-11-20T10:00:00Z');
  await db.orm.delete(webhook);
  await db.orm.delete(webhookCall);
  await db.orm.delete(event);
});
/** What the workers of a test logged as errors: nothing, unless the test takes it. */
const errors: string[] = [];
const log: Log = { ...silentLog, error: (message, fields) => void errors.push(`${message} ${fields?.['reason']}`) };
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close();
  expect(errors.splice(0)).toEqual([]);
});

async function receiver(...answer: Parameters<typeof startReceiver>): Promise<TestReceiver> {
  const started = await startReceiver(...answer);
  open.push(started);
  return started;
}

async function worker(options: Partial<WorkerOptions> = {}): Promise<DeliveryWorker> {
  const started = await startDelivery({
    db,
    sender,
    secrets,
    log,
    now: () => clock.now,
    version: 'test',
    poll: 20,
    ...options,
  });
  open.push(started);
  return started;
}

test('delivers in the order of the events, signed, and empties the outbox', async () => {
  const target = await receiver();
  await addWebhook(db, {
    url: target.url,
    secret: secrets.seal('s3cret'),
    customHeaders: sealHeaders(secrets, { 'X-Site': 'north' }),
  });
  // So rarely that only the notification can wake it.
  await worker({ poll: 60_000 });
  await happen(db, 'one', 'two', 'three');
  await happen(db, 'four');
  await eventually(() => expect(target.notes()).toEqual(['one', 'two', 'three', 'four']));
  const [first] = target.received;
  expect(first?.headers).toMatchObject({
    'content-type': 'application/json',
    'x-site': 'north',
    'x-quarterdeck-event': 'DEVICE_UPDATED',
  });
  expect(verifies('s3cret', first?.body ?? Buffer.alloc(0), String(first?.headers['x-hub-signature']))).toBe(true);
  await eventually(async () => expect(await db.orm.select().from(webhookDelivery)).toEqual([]));
  expect(await db.orm.select().from(webhookCall)).toHaveLength(4);
});

test('sends protobuf when asked, under the chosen signature header', async () => {
  const target = await receiver();
  await addWebhook(db, {
    url: target.url,
    secret: secrets.seal('s3cret'),
    hmacHeaderName: 'X-Signed',
    contentType: Webhook_ContentType.PROTO,
  });
  await worker();
  await happen(db, 'binary');
  await eventually(() => expect(target.received).toHaveLength(1));
  const { body, headers } = target.received[0]!;
  expect(fromBinary(EventSchema, body)).toMatchObject({ type: EventType.DEVICE_UPDATED, title: 'Device updated' });
  expect(headers['content-type']).toBe('application/x-protobuf');
  expect(verifies('s3cret', body, String(headers['x-signed']))).toBe(true);
});

test('a failure starts a cooldown and keeps the order; the next success ends it and resolves the failure', async () => {
  let healthy = false;
  const target = await receiver((_, response) => response.writeHead(healthy ? 200 : 503).end('down'));
  await addWebhook(db, { url: target.url });
  await worker();
  await happen(db, 'one', 'two');
  await eventually(async () =>
    expect(await webhooks()).toMatchObject([
      { cooldownStep: 1, inCooldownUntil: new Date('2026-11-20T10:01:00Z'), lastCallFailed: true },
    ]),
  );
  clock.now = new Date('2026-11-20T10:01:00Z');
  await eventually(async () =>
    expect(await webhooks()).toMatchObject([{ cooldownStep: 2, inCooldownUntil: new Date('2026-11-20T10:03:00Z') }]),
  );
  expect(target.notes()).toEqual(['one', 'one']);
  healthy = true;
  clock.now = new Date('2026-11-20T10:03:00Z');
  await eventually(() => expect(target.notes()).toEqual(['one', 'one', 'one', 'two']));
  await eventually(async () =>
    expect(await webhooks()).toMatchObject([{ cooldownStep: 0, inCooldownUntil: null, lastCallFailed: false }]),
  );
  await eventually(async () => expect(await db.orm.select().from(webhookDelivery)).toEqual([]));
  const failures = (await events()).filter(({ type }) => type === EventType.PUBLISHER_FAILED);
  expect(failures.map(({ resolvedAt }) => resolvedAt)).toEqual([clock.now, clock.now]);
  expect((await calls()).map(({ status, error }) => [status, error])).toEqual([
    [503, 'HTTP 503: down'],
    [503, 'HTTP 503: down'],
    [200, ''],
    [200, ''],
  ]);
});

test('after ten failures a delivery loses its place, and is tried again a day later', async () => {
  const refused = new Set(['poison']);
  const target = await receiver(({ body }, response) =>
    response.writeHead([...refused].some((text) => body.includes(text)) ? 422 : 200).end(),
  );
  await addWebhook(db, { url: target.url });
  await happen(db, 'poison', 'one');
  await db.orm
    .update(webhookDelivery)
    .set({ attempts: 9 })
    .where(eq(webhookDelivery.id, await firstDelivery()));
  await worker();
  await eventually(() => expect(target.notes()).toEqual(['poison']));
  await eventually(async () => expect((await webhooks())[0]?.cooldownStep).toBe(1));
  clock.now = new Date('2026-11-20T10:02:00Z');
  await eventually(() => expect(target.notes()).toEqual(['poison', 'one']));
  refused.clear();
  clock.now = new Date('2026-11-21T10:03:00Z');
  await eventually(() => expect(target.notes()).toEqual(['poison', 'one', 'poison']));
  await eventually(async () => expect(await db.orm.select().from(webhookDelivery)).toEqual([]));
});

test('three days of failure disable the webhook and say so', async () => {
  const target = await receiver((_, response) => response.writeHead(500).end());
  await addWebhook(db, { url: target.url, failingSince: new Date(clock.now.getTime() - 3 * 86_400_000) });
  await worker();
  await happen(db, 'one');
  await eventually(async () => expect(await webhooks()).toMatchObject([{ disabled: true, autoDisabled: true }]));
  expect((await events()).map(({ type }) => type)).toContain(EventType.PUBLISHER_AUTO_DISABLED);
});

test('what waits for a webhook that stays disabled goes with its event', async () => {
  await addWebhook(db, { url: 'https://nowhere.example/' });
  await happen(db, 'old', 'new');
  await db.orm.update(webhook).set({ disabled: true });
  const [first, second] = await db.orm.select().from(webhookDelivery).orderBy(asc(webhookDelivery.id));
  await db.orm.delete(event).where(eq(event.id, first?.eventId ?? 0));
  await dropStaleDeliveries(db.orm);
  const left = await db.orm.select().from(webhookDelivery);
  expect(left.map(({ eventId }) => eventId)).toEqual([second?.eventId]);
});

test('a receiver that fails does not hold up another webhook', async () => {
  const broken = await receiver((_, response) => response.writeHead(500).end());
  const slow = await receiver((_, response) => setTimeout(() => response.writeHead(200).end(), 50));
  await addWebhook(db, { id: 1, url: broken.url });
  await addWebhook(db, { id: 2, url: slow.url });
  await worker();
  await happen(db, 'one', 'two', 'three');
  await eventually(() => expect(slow.notes().slice(0, 3)).toEqual(['one', 'two', 'three']));
  expect(broken.notes()).toEqual(['one']);
});

test('two workers share the webhooks and send nothing twice', async () => {
  const target = await receiver();
  for (let id = 1; id <= 8; id += 1) await addWebhook(db, { id, url: `${target.url}/${id}` });
  const { other, opened } = await asAnotherProcess(db);
  open.push(...opened);
  await worker();
  await worker({ db: other });
  const texts = Array.from({ length: 10 }, (_, index) => String(index));
  await happen(db, ...texts);
  await eventually(() => expect(target.received).toHaveLength(80));
  for (let id = 1; id <= 8; id += 1) {
    const sent = target.received.filter(({ path }) => path === `/in/${id}`);
    expect(sent.map(({ headers }) => headers['x-quarterdeck-delivery'])).toEqual([
      ...new Set(sent.map(({ headers }) => headers['x-quarterdeck-delivery'])),
    ]);
    expect(sent).toHaveLength(10);
  }
});

test('takes over from a process that is gone once its lease has lapsed', async () => {
  const target = await receiver();
  await worker();
  await addWebhook(db, { url: target.url, leaseOwner: 'gone', leaseUntil: new Date(Date.now() + 700) });
  const started = performance.now();
  await happen(db, 'one');
  await eventually(() => expect(target.notes()).toEqual(['one']));
  expect((target.received[0]?.at ?? 0) - started).toBeGreaterThan(500);
});

test('a webhook that is disabled during its turn gets no more', async () => {
  const held: ServerResponse[] = [];
  const target = await receiver((_, response) => void held.push(response));
  await addWebhook(db, { url: target.url });
  await happen(db, 'one', 'two', 'three');
  await worker();
  await eventually(() => expect(held).toHaveLength(1));
  await db.orm.update(webhook).set({ disabled: true });
  held[0]!.writeHead(204).end();
  // The turn is over when the lease is given back.
  await eventually(async () => expect(await webhooks()).toMatchObject([{ leaseOwner: null }]));
  expect(target.notes()).toEqual(['one']);
  expect(await db.orm.select().from(webhookDelivery)).toHaveLength(2);
});

test('a webhook that another process took over is let go at once, with the call under way', async () => {
  const broken: string[] = [];
  const target = await receiver(({ path }, response) => void response.on('close', () => broken.push(path)));
  await addWebhook(db, { url: target.url });
  await happen(db, 'one', 'two');
  await worker({ lease: 1 });
  await eventually(() => expect(target.notes()).toEqual(['one']));
  await db.orm.update(webhook).set({ leaseOwner: 'thief', leaseUntil: new Date(Date.now() + 600_000) });
  await eventually(() => expect(broken).toEqual(['/in']));
  await eventually(async () => expect(await webhooks()).toMatchObject([{ leaseOwner: 'thief', cooldownStep: 0 }]));
  expect(target.notes()).toEqual(['one']);
  expect(await calls()).toEqual([]);
});

test('a delivery whose event is past its retention is dropped, and the next is sent', async () => {
  const target = await receiver();
  await addWebhook(db, { url: target.url });
  await happen(db, 'old', 'new');
  const [delivery] = await db.orm.select().from(webhookDelivery).orderBy(asc(webhookDelivery.id));
  await db.orm.delete(event).where(eq(event.id, delivery!.eventId));
  await worker();
  await eventually(() => expect(target.notes()).toEqual(['new']));
  await eventually(async () => expect(await db.orm.select().from(webhookDelivery)).toEqual([]));
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
  await open.splice(0)[0]?.close();
  errors.length = 0;
  expect(await webhooks()).toMatchObject([{ leaseOwner: null, cooldownStep: 0 }]);
});

test('closing breaks off the call under way, to be repeated, and gives everything back first', async () => {
  await addWebhook(db, { url: 'https://nowhere.example/' });
  await happen(db, 'one', 'two');
  const sent: number[] = [];
  // Breaks off as slowly as a connection may.
  const hanging: Sender = {
    async send(_, signal) {
      sent.push(1);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      await delay(100);
      throw signal.reason;
    },
    close: async () => {},
  };
  const started = await startDelivery({ db, sender: hanging, secrets, log, now: () => clock.now, version: 'test' });
  await eventually(() => expect(sent).toHaveLength(1));
  await started.close();
  expect(await webhooks()).toMatchObject([{ leaseOwner: null, cooldownStep: 0 }]);
  expect(await calls()).toEqual([]);
  expect((await db.orm.select().from(webhookDelivery)).map(({ attempts }) => attempts)).toEqual([0, 0]);
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
    const started = await startDelivery({
      db: { ...db, listen },
      sender,
      secrets,
      log,
      now: () => clock.now,
      version: 'test',
      poll: 600_000,
    });
    expect([listening, vi.getTimerCount()]).toEqual([1, 1]);
    await Promise.race([started.close(), delay(10_000).then(() => Promise.reject(new Error('It waits.')))]);
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
        .then(() => db.orm.update(webhook).set({ leaseOwner: 'thief', leaseUntil: new Date(Date.now() + 600_000) }))
        .then(() => response.writeHead(204).end());
    });
    await addWebhook(db, { url: target.url });
    await happen(db, 'one', 'two');
    const started = await startDelivery({
      db,
      sender,
      secrets,
      log,
      now: () => clock.now,
      version: 'test',
      lease: 1,
    });
    // Not `eventually`, which would let the false clock tick.
    while ((await calls()).length === 0) await delay(10);
    await started.close();
    expect(target.notes()).toEqual(['one']);
    expect(await db.orm.select().from(webhookDelivery)).toHaveLength(1);
  } finally {
    vi.useRealTimers();
  }
});

test('a webhook is held for as long as a call takes, beyond its lease', async () => {
  const target = await receiver((_, response) => void setTimeout(() => response.writeHead(204).end(), 1_500));
  await addWebhook(db, { url: target.url });
  await happen(db, 'one');
  await worker({ lease: 0.5 });
  await eventually(() => expect(target.notes()).toEqual(['one']));
  const { other, opened } = await asAnotherProcess(db);
  open.push(...opened);
  await delay(1_000);
  expect(await claimWebhooks(other, { owner: 'thief', lease: 1, limit: 1, perOrganization: 8, now: clock.now })).toEqual(
    [],
  );
  await eventually(async () => expect(await calls()).toHaveLength(1));
});

test('a webhook that is deleted during its turn gets no more', async () => {
  const held: ServerResponse[] = [];
  const target = await receiver((_, response) => void held.push(response));
  await addWebhook(db, { url: target.url });
  await happen(db, 'one', 'two');
  const started = await startDelivery({ db, sender, secrets, log, now: () => clock.now, version: 'test' });
  await eventually(() => expect(held).toHaveLength(1));
  // What waits for it goes with it; the turn has it in hand already.
  await db.orm.delete(webhook);
  held[0]!.writeHead(204).end();
  await delay(200);
  await started.close();
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
  const started = await startDelivery({
    db: { ...db, kind: 'pglite' },
    sender,
    secrets,
    log,
    now: () => clock.now,
    version: 'test',
    poll: 600_000,
  });
  await delay(400);
  await started.close();
  counted.mockRestore();
  // What a crashed process held, and the outbox.
  expect(looks).toBe(2);
});

test('the history is trimmed after every hundred calls', async () => {
  const target = await receiver();
  await addWebhook(db, { url: target.url });
  const old = { organization: 'acme', webhook: 1, url: '', headers: {}, bodyProto: new Uint8Array(), bodyJson: '{}' };
  const time = new Date(clock.now.getTime() - 1_000);
  await db.orm.insert(webhookCall).values(Array.from({ length: 990 }, () => ({ ...old, time, successful: true })));
  await worker();
  const deliver = async (count: number) => {
    const before = target.received.length;
    await happen(db, ...Array.from({ length: count }, (_, index) => String(index)));
    await vi.waitFor(() => expect(target.received).toHaveLength(before + count), { timeout: 60_000 });
    // A trim belongs to the turn, which is over when the lease is given back.
    await eventually(async () => {
      expect(await db.orm.select().from(webhookDelivery)).toEqual([]);
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

async function firstDelivery(): Promise<number> {
  const [first] = await db.orm.select().from(webhookDelivery).orderBy(asc(webhookDelivery.id)).limit(1);
  return first?.id ?? 0;
}
const webhooks = () => db.orm.select().from(webhook);
const events = () => db.orm.select({ type: event.type, resolvedAt: event.resolvedAt }).from(event);
const calls = () => db.orm.select().from(webhookCall).orderBy(asc(webhookCall.id));
