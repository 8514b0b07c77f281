import type { ServerResponse } from 'node:http';

import { fromBinary } from '@bufbuild/protobuf';
import { asc, eq } from 'drizzle-orm';
import { beforeAll, expect, test, vi } from 'vitest';

import { EventSchema } from '#proto/gen/hiber/event_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { Webhook_ContentType } from '#proto/gen/hiber/webhook_pb.ts';
import type { Database } from '#server/db/database.ts';
import { event } from '#server/db/schema/event.ts';
import { publisher, publisherCall, publisherDelivery } from '#server/db/schema/publisher.ts';
import { eventually } from '#server/testkit/eventually.ts';
import { createWorkerKit } from '#server/testkit/publishing-worker.ts';
import { addWebhook, openSecondDatabase, recordTestEvents, secrets } from '#server/testkit/publishing.ts';

import { deleteStaleDeliveries } from './outbox.ts';
import { sealHeaders } from './targets/webhook/headers.ts';
import { verifySignature } from './targets/webhook/signature.ts';

const kit = createWorkerKit();
const { clock, openReceiver, startWorker, open, webhooks, calls, events } = kit;
let db: Database;
beforeAll(() => {
  ({ db } = kit);
});

test('delivers signed events in order and empties the outbox', async () => {
  const target = await openReceiver();
  await addWebhook(db, {
    url: target.url,
    secret: secrets.seal('s3cret'),
    customHeaders: sealHeaders(secrets, { 'X-Site': 'north' }),
  });
  // Poll so rarely that only the notification can wake it.
  await startWorker({ poll: 60_000 });
  await recordTestEvents(db, 'one', 'two', 'three');
  await recordTestEvents(db, 'four');
  await eventually(() => expect(target.notes()).toEqual(['one', 'two', 'three', 'four']));
  const [first] = target.received;
  expect(first?.headers).toMatchObject({
    'content-type': 'application/json',
    'x-site': 'north',
    'x-quarterdeck-event': 'DEVICE_UPDATED',
  });
  expect(verifySignature('s3cret', first?.body ?? Buffer.alloc(0), String(first?.headers['x-hub-signature']))).toBe(
    true,
  );
  await eventually(async () => expect(await db.orm.select().from(publisherDelivery)).toEqual([]));
  expect(await db.orm.select().from(publisherCall)).toHaveLength(4);
});

test('sends protobuf on request, with the configured signature header', async () => {
  const target = await openReceiver();
  await addWebhook(db, {
    url: target.url,
    secret: secrets.seal('s3cret'),
    hmacHeaderName: 'X-Signed',
    contentType: Webhook_ContentType.PROTO,
  });
  await startWorker();
  await recordTestEvents(db, 'binary');
  await eventually(() => expect(target.received).toHaveLength(1));
  const { body, headers } = target.received[0]!;
  expect(fromBinary(EventSchema, body)).toMatchObject({ type: EventType.DEVICE_UPDATED, title: 'Device updated' });
  expect(headers['content-type']).toBe('application/x-protobuf');
  expect(verifySignature('s3cret', body, String(headers['x-signed']))).toBe(true);
});

test('starts a cooldown after a failure, and ends it after a success', async () => {
  let healthy = false;
  const target = await openReceiver((_, response) => response.writeHead(healthy ? 200 : 503).end('down'));
  await addWebhook(db, { url: target.url });
  await startWorker();
  await recordTestEvents(db, 'one', 'two');
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
  await eventually(async () => expect(await db.orm.select().from(publisherDelivery)).toEqual([]));
  const failures = (await events()).filter(({ type }) => type === EventType.PUBLISHER_FAILED);
  expect(failures.map(({ resolvedAt }) => resolvedAt)).toEqual([clock.now, clock.now]);
  expect((await calls()).map(({ status, error }) => [status, error])).toEqual([
    [503, 'HTTP 503: down'],
    [503, 'HTTP 503: down'],
    [200, ''],
    [200, ''],
  ]);
});

test('postpones a delivery after ten failures, and retries it a day later', async () => {
  const rejected = new Set(['poison']);
  const target = await openReceiver(({ body }, response) =>
    response.writeHead([...rejected].some((text) => body.includes(text)) ? 422 : 200).end(),
  );
  await addWebhook(db, { url: target.url });
  await recordTestEvents(db, 'poison', 'one');
  await db.orm
    .update(publisherDelivery)
    .set({ attempts: 9 })
    .where(eq(publisherDelivery.id, await waitForFirstDelivery()));
  await startWorker();
  await eventually(() => expect(target.notes()).toEqual(['poison']));
  await eventually(async () => expect((await webhooks())[0]?.cooldownStep).toBe(1));
  clock.now = new Date('2026-11-20T10:02:00Z');
  await eventually(() => expect(target.notes()).toEqual(['poison', 'one']));
  rejected.clear();
  clock.now = new Date('2026-11-21T10:03:00Z');
  await eventually(() => expect(target.notes()).toEqual(['poison', 'one', 'poison']));
  await eventually(async () => expect(await db.orm.select().from(publisherDelivery)).toEqual([]));
});

test('disables a webhook after three days of failure, and records an event', async () => {
  const target = await openReceiver((_, response) => response.writeHead(500).end());
  await addWebhook(db, { url: target.url, failingSince: new Date(clock.now.getTime() - 3 * 86_400_000) });
  await startWorker();
  await recordTestEvents(db, 'one');
  await eventually(async () => expect(await webhooks()).toMatchObject([{ disabled: true, autoDisabled: true }]));
  expect((await events()).map(({ type }) => type)).toContain(EventType.PUBLISHER_AUTO_DISABLED);
});

test('drops deliveries to a disabled webhook when their event is deleted', async () => {
  await addWebhook(db, { url: 'https://nowhere.example/' });
  await recordTestEvents(db, 'old', 'new');
  await db.orm.update(publisher).set({ disabled: true });
  const [first, second] = await db.orm.select().from(publisherDelivery).orderBy(asc(publisherDelivery.id));
  await db.orm.delete(event).where(eq(event.id, first?.eventId ?? 0));
  await deleteStaleDeliveries(db.orm);
  const remaining = await db.orm.select().from(publisherDelivery);
  expect(remaining.map(({ eventId }) => eventId)).toEqual([second?.eventId]);
});

test('does not delay a webhook because the receiver of another one fails', async () => {
  const failing = await openReceiver((_, response) => response.writeHead(500).end());
  const slow = await openReceiver((_, response) => setTimeout(() => response.writeHead(200).end(), 50));
  await addWebhook(db, { id: 1, url: failing.url });
  await addWebhook(db, { id: 2, url: slow.url });
  await startWorker();
  await recordTestEvents(db, 'one', 'two', 'three');
  await eventually(() => expect(slow.notes().slice(0, 3)).toEqual(['one', 'two', 'three']));
  expect(failing.notes()).toEqual(['one']);
});

test('shares the webhooks with another worker, without sending anything twice', async () => {
  const target = await openReceiver();
  for (let id = 1; id <= 8; id += 1) await addWebhook(db, { id, url: `${target.url}/${id}` });
  const { secondDatabase, opened } = await openSecondDatabase(db);
  open.push(...opened);
  await startWorker();
  await startWorker({ db: secondDatabase });
  const notes = Array.from({ length: 10 }, (_, index) => String(index));
  await recordTestEvents(db, ...notes);
  await vi.waitFor(() => expect(target.received).toHaveLength(80), { timeout: 60_000 });
  for (let id = 1; id <= 8; id += 1) {
    const sent = target.received.filter(({ path }) => path === `/in/${id}`);
    expect(sent.map(({ headers }) => headers['x-quarterdeck-delivery'])).toEqual([
      ...new Set(sent.map(({ headers }) => headers['x-quarterdeck-delivery'])),
    ]);
    expect(sent).toHaveLength(10);
  }
});

test('takes over webhooks from a dead process once its lease expires', async () => {
  const target = await openReceiver();
  const paths = () => target.received.map(({ path }) => path);
  await startWorker();
  await addWebhook(db, { id: 1, url: `${target.url}/free` });
  const leaseUntil = new Date(Date.now() + 600_000);
  await addWebhook(db, { id: 2, url: `${target.url}/leased`, leaseOwner: 'dead', leaseUntil });
  await recordTestEvents(db, 'one');
  await eventually(() => expect(paths()).toEqual(['/in/free']));
  await recordTestEvents(db, 'two');
  await eventually(() => expect(paths()).toEqual(['/in/free', '/in/free']));
  await db.orm
    .update(publisher)
    .set({ leaseUntil: new Date(Date.now() - 1) })
    .where(eq(publisher.id, 2));
  await eventually(() => expect(paths()).toEqual(['/in/free', '/in/free', '/in/leased', '/in/leased']));
});

test('stops sending to a webhook that is disabled during its turn', async () => {
  const responses: ServerResponse[] = [];
  const target = await openReceiver((_, response) => void responses.push(response));
  await addWebhook(db, { url: target.url });
  await recordTestEvents(db, 'one', 'two', 'three');
  await startWorker();
  await eventually(() => expect(responses).toHaveLength(1));
  await db.orm.update(publisher).set({ disabled: true });
  responses[0]!.writeHead(204).end();
  // The turn ends when the lease is released.
  await eventually(async () => expect(await webhooks()).toMatchObject([{ leaseOwner: null }]));
  expect(target.notes()).toEqual(['one']);
  expect(await db.orm.select().from(publisherDelivery)).toHaveLength(2);
});

test('aborts its call and gives up a webhook that another process has taken over', async () => {
  const closedPaths: string[] = [];
  const target = await openReceiver(({ path }, response) => void response.on('close', () => closedPaths.push(path)));
  await addWebhook(db, { url: target.url });
  await recordTestEvents(db, 'one', 'two');
  await startWorker({ lease: 1 });
  await eventually(() => expect(target.notes()).toEqual(['one']));
  await db.orm.update(publisher).set({ leaseOwner: 'other', leaseUntil: new Date(Date.now() + 600_000) });
  await eventually(() => expect(closedPaths).toEqual(['/in']));
  await eventually(async () => expect(await webhooks()).toMatchObject([{ leaseOwner: 'other', cooldownStep: 0 }]));
  expect(target.notes()).toEqual(['one']);
  expect(await calls()).toEqual([]);
});

async function waitForFirstDelivery(): Promise<number> {
  const [first] = await db.orm.select().from(publisherDelivery).orderBy(asc(publisherDelivery.id)).limit(1);
  return first?.id ?? 0;
}
