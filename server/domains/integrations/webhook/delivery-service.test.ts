import { Code } from '@connectrpc/connect';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

import { Health } from '#proto/gen/hiber/base_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { TestingService } from '#proto/gen/hiber/testing_pb.ts';
import { UserService } from '#proto/gen/hiber/user_pb.ts';
import { WebhookService } from '#proto/gen/hiber/webhook_pb.ts';
import { WebhookDeliveryService } from '#proto/gen/quarterdeck/webhook/v1/webhook_delivery_service_pb.ts';
import { publisherCall } from '#server/db/schema/publisher.ts';
import { verifySignature } from '#server/publishing/targets/webhook/signature.ts';
import { type BackgroundWorkers, startBackgroundWorkers } from '#server/start/background.ts';
import { eventually } from '#server/testkit/eventually.ts';
import { startReceiver, type TestReceiver } from '#server/testkit/publishing.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { testEvent } from './send-now.ts';

let t: TestServer;
let backgroundWorkers: BackgroundWorkers;
let receiver: TestReceiver;
let status = 204;

beforeAll(async () => {
  t = await startTestServer();
  backgroundWorkers = await startBackgroundWorkers(t.app, { rate: 0 });
  receiver = await startReceiver((_, response) => response.writeHead(status).end());
});
afterAll(async () => {
  await receiver.close();
  await backgroundWorkers.close();
  await t.close();
});

const webhooks = () => t.as('administrator').client(WebhookService);
const deliveries = () => t.as('administrator').client(WebhookDeliveryService);

test('delivers a signed event that matches the tag filter, and shows the call in the history', async () => {
  const { rows } = await t.app.db.orm.execute<{ number: string; tag: string }>(sql`
    select number, tag from device_tag join device using (organization, number)
    where organization = 'northwind' and lifecycle = 1 order by number, tag limit 1`);
  const { number, tag } = rows[0]!;
  const { id } = await webhooks().create({
    data: { url: receiver.url, secret: 's3cret' },
    filters: { eventTypes: { include: [EventType.MESSAGE_RECEIVED] }, tags: { include: [BigInt(tag)] } },
  });
  await t
    .as('administrator')
    .client(TestingService)
    .pushModemMessages({ messages: [{ modemNumber: number }] });
  await eventually(() => expect(receiver.received).toHaveLength(1));
  const { body, headers } = receiver.received[0]!;
  expect(JSON.parse(body.toString())).toMatchObject({ type: 'MESSAGE_RECEIVED', device: { number } });
  expect(verifySignature('s3cret', body, String(headers['x-hub-signature']))).toBe(true);
  await eventually(async () => {
    const { calls } = await webhooks().history({ webhookId: id });
    expect(calls).toMatchObject([{ successful: true, url: receiver.url, bodyJson: body.toString() }]);
    expect(calls[0]?.headers).toMatchObject({
      'X-Quarterdeck-Status': '204',
      'X-Quarterdeck-Milliseconds': expect.stringMatching(/^\d+$/),
    });
  });
});

test('tests a disabled webhook and changes only its history', async () => {
  const { id } = await webhooks().create({ data: { url: receiver.url, disabled: true } });
  status = 500;
  const { outcome } = await deliveries().test({ webhookId: id });
  status = 204;
  expect(outcome).toMatchObject({ status: 500, call: { successful: false, error: 'HTTP 500' } });
  expect(await webhooks().get({ id })).toMatchObject({ health: Health.OK, data: { disabled: true } });
  const { calls } = await webhooks().history({ webhookId: id, selection: { onlyFailures: true } });
  expect(calls).toHaveLength(1);
});

test('resends a call with the same body and delivery id', async () => {
  const { webhooks: listedWebhooks } = await webhooks().list({
    selection: { url: receiver.url, webhooks: { onlyActive: true } },
  });
  const { id } = listedWebhooks[0]!;
  const original = receiver.received[0]!;
  const deliveryId = String(original.headers['x-quarterdeck-delivery']);
  const { outcome } = await deliveries().resend({ webhookId: id, deliveryId });
  expect(outcome).toMatchObject({ status: 204, call: { successful: true } });
  const resentRequest = receiver.received.at(-1)!;
  expect([String(resentRequest.body), resentRequest.headers['x-quarterdeck-delivery']]).toEqual([
    String(original.body),
    deliveryId,
  ]);
  const unknownResend = deliveries().resend({ webhookId: id, deliveryId: '999999' });
  await expect(unknownResend).rejects.toMatchObject({ code: Code.NotFound });
});

test('the history and a resend hide the content of events that the caller may not see', async () => {
  const echo = await startReceiver(({ body }, response) => response.writeHead(500).end(body));
  onTestFinished(() => echo.close());
  const { id } = await webhooks().create({
    data: { url: echo.url },
    filters: { eventTypes: { include: [EventType.USER_INVITED] } },
  });
  const invitedAddress = 'invited@example.com';
  await t
    .as('administrator')
    .client(UserService)
    .invite({ email: invitedAddress, roles: { include: ['viewer'] } });
  const historyOf = (who: 'administrator' | 'developer') => t.as(who).client(WebhookService).history({ webhookId: id });
  await eventually(async () => expect((await historyOf('administrator')).calls).not.toEqual([]));
  const [visibleCall] = (await historyOf('administrator')).calls;
  expect(visibleCall?.bodyJson).toContain(invitedAddress);
  expect(visibleCall?.error).toContain('HTTP 500: {');

  const [hiddenCall] = (await historyOf('developer')).calls;
  expect(hiddenCall).toMatchObject({ successful: false, error: 'HTTP 500', bodyJson: '', bodyProto: new Uint8Array() });
  const deliveryId = hiddenCall?.headers['X-Quarterdeck-Delivery'] ?? '';
  const { outcome } = await t.as('developer').client(WebhookDeliveryService).resend({ webhookId: id, deliveryId });
  expect(outcome).toMatchObject({
    status: 500,
    call: { error: 'HTTP 500', bodyJson: '', bodyProto: new Uint8Array() },
  });
});

test('applies a single rate limit per webhook to both tests and resends', async () => {
  const { id } = await webhooks().create({ data: { url: receiver.url, disabled: true } });
  const { id: otherId } = await webhooks().create({ data: { url: receiver.url, disabled: true } });
  const before = receiver.received.length;
  // A fixed clock, so the duration of the calls does not matter.
  const time = t.app.now();
  let elapsedMs = 0;
  const { now } = t.app;
  onTestFinished(() => void (t.app.now = now));
  t.app.now = () => new Date(time.getTime() + elapsedMs);
  for (let count = 1; count <= 10; count += 1) await deliveries().test({ webhookId: id });
  const excessTest = deliveries().test({ webhookId: id });
  await expect(excessTest).rejects.toMatchObject({ code: Code.ResourceExhausted });
  await expect(excessTest).rejects.toThrow(
    /^\[resource_exhausted\] Webhook \d+ was tested or resent .*\. Try again in \d seconds?\.$/,
  );
  expect(receiver.received).toHaveLength(before + 10);
  await t.app.db.orm.insert(publisherCall).values({
    organization: 'northwind',
    time,
    publisher: Number(id),
    delivery: 77,
    url: receiver.url,
    headers: {},
    bodyProto: testEvent('northwind', time),
    bodyJson: '{}',
    successful: true,
  });
  await expect(deliveries().resend({ webhookId: id, deliveryId: '77' })).rejects.toMatchObject({
    code: Code.ResourceExhausted,
  });
  await deliveries().test({ webhookId: otherId });
  elapsedMs = 6000;
  await deliveries().resend({ webhookId: id, deliveryId: '77' });
});

test('counts webhooks by health, including disabled webhooks', async () => {
  const { counts } = await deliveries().healthCount({});
  const { pagination } = await webhooks().list({});
  expect(counts.map(({ health }) => health)).toEqual([Health.OK, Health.WARNING, Health.ERROR]);
  expect(counts.reduce((sum, { webhooks }) => sum + webhooks, 0)).toBe(pagination?.total);
  await expect(t.as('viewer').client(WebhookDeliveryService).healthCount({})).rejects.toMatchObject({
    code: Code.PermissionDenied,
  });
});
