import { Code } from '@connectrpc/connect';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { Health } from '#proto/gen/hiber/base_pb.ts';
import { EventService } from '#proto/gen/hiber/event_service_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { ListWebhooksRequest_Sort, Webhook_ContentType, WebhookService } from '#proto/gen/hiber/webhook_pb.ts';
import { publisher, publisherCall } from '#server/db/schema/publisher.ts';
import { webhook } from '#server/db/schema/webhook.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

let t: TestServer;
const RECEIVER = 'https://receiver.example/in';

beforeAll(async () => {
  t = await startTestServer();
});
afterAll(() => t.close());
beforeEach(async () => {
  await t.app.db.orm.delete(publisher);
});

const webhooks = (kind: Parameters<TestServer['as']>[0] = 'administrator') => t.as(kind).client(WebhookService);

test('a new webhook is enabled, never returns its secret, and records its creation', async () => {
  const createdWebhook = await webhooks().create({
    description: 'Historian',
    data: { url: RECEIVER, secret: 's3cret', customHeaders: { 'X-Site': 'north' } },
    filters: { eventTypes: { include: [EventType.MESSAGE_RECEIVED] } },
    healthLevels: ['Alarm'],
    tags: [1n],
  });
  expect(createdWebhook).toMatchObject({
    organization: 'northwind',
    data: {
      url: RECEIVER,
      secret: '',
      disabled: false,
      hmacHeaderName: 'X-Hub-Signature',
      customHeaders: { 'X-Site': '' },
    },
    filters: { eventTypes: { include: [EventType.MESSAGE_RECEIVED] }, healthLevels: ['Alarm'] },
    tags: [{ id: 1n }],
    health: Health.OK,
    createdBy: 'demo-administrator',
  });
  expect(await webhooks().get({ id: createdWebhook.id })).toEqual(createdWebhook);
  const storedSecret = (await t.app.db.orm.select({ secret: webhook.secret }).from(webhook))[0]?.secret ?? '';
  expect(storedSecret).not.toContain('s3cret');
  expect(t.app.secrets.open(storedSecret)).toBe('s3cret');
  const { events } = await t
    .as('administrator')
    .client(EventService)
    .history({ pagination: { size: 1 } });
  expect(events[0]).toMatchObject({ type: EventType.PUBLISHER_CREATED, tags: [{ id: 1n }] });
});

test.each([
  ['', 'needs a URL'],
  ['ftp://x.example', 'https:// or http://'],
  ['https://me:pw@x.example', 'custom header'],
  ['http://10.0.0.7/in', "isn't a public address (private)"],
  ['http://[::ffff:192.168.1.1]/', "isn't a public address (private)"],
  ['http://169.254.169.254/latest', "isn't a public address (linkLocal)"],
])('rejects the URL "%s": %s', async (url, reason) => {
  const call = webhooks().create({ data: { url } });
  await expect(call).rejects.toMatchObject({ code: Code.InvalidArgument });
  await expect(call).rejects.toThrow(reason);
});

test('rejects headers that the server sets itself', async () => {
  const call = webhooks().create({ data: { url: RECEIVER, customHeaders: { Host: 'elsewhere' } } });
  await expect(call).rejects.toThrow('The server sets the header Host itself. Remove it.');
});

test('rejects a description with invisible characters', async () => {
  const creation = webhooks().create({ data: { url: RECEIVER }, description: 'Historian\u202e' });
  await expect(creation).rejects.toMatchObject({
    code: Code.InvalidArgument,
    rawMessage: 'The description of a webhook contains an invisible character (U+202E). Remove it.',
  });
});

test('supports deprecated fields, but new fields take precedence', async () => {
  const { id } = await webhooks().create({ data: { url: RECEIVER, secret: 'old' }, description: 'one' });
  const bothFields = { description: 'new', deprecatedDescription: { updated: true, value: 'old way' } };
  expect((await webhooks().update({ id, update: bothFields })).description).toBe('new');
  const clearedWebhook = await webhooks().update({
    id,
    update: { deprecatedDescription: { updated: true, value: '' }, deprecatedSecret: { updated: true, value: '' } },
  });
  expect(clearedWebhook).toMatchObject({ description: '', data: { url: RECEIVER } });
  expect(clearedWebhook.data?.secret).toBeUndefined();
  const unchangedWebhook = await webhooks().update({
    id,
    update: { deprecatedActive: { updated: false, value: false } },
  });
  expect(unchangedWebhook.data?.disabled).toBe(false);
});

test('adds, removes, and replaces headers, ignoring the case of names', async () => {
  const { id } = await webhooks().create({ data: { url: RECEIVER, customHeaders: { A: '1', B: '2' } } });
  const change = async (update: Parameters<ReturnType<typeof webhooks>['update']>[0]['update']) =>
    (await webhooks().update({ id, update })).data?.customHeaders;
  expect(await change({ addCustomHeaders: { a: '3', C: '4' }, removeCustomHeaders: ['B'] })).toEqual({
    a: '',
    C: '',
  });
  expect(await change({ replaceCustomHeaders: { D: '5' }, removeCustomHeaders: ['D'] })).toEqual({ D: '' });
});

test('replaces whole filters, and adds and removes health levels', async () => {
  const { id } = await webhooks().create({ data: { url: RECEIVER }, filters: { tags: { include: [1n] } } });
  const updatedWebhook = await webhooks().updateFilter({
    id,
    tagFilter: {},
    eventFilter: { include: [EventType.ALARM_TRIGGERED] },
    addHealthLevelsToFilter: ['Alarm', 'Build up'],
    removeHealthLevelsFromFilter: ['Alarm'],
  });
  expect(updatedWebhook.filters).toMatchObject({
    tags: { include: [] },
    eventTypes: { include: [EventType.ALARM_TRIGGERED] },
    healthLevels: ['Alarm', 'Build up'],
  });
});

test("a webhook can't send events that its creator may not see", async () => {
  const creation = webhooks('developer').create({
    data: { url: RECEIVER },
    filters: { eventTypes: { include: [EventType.USER_INVITED] } },
  });
  await expect(creation).rejects.toMatchObject({ code: Code.PermissionDenied });
  const unfiltered = await webhooks('developer').create({ data: { url: RECEIVER } });
  expect(unfiltered.filters?.eventTypes?.exclude).toContain(EventType.USER_INVITED);
  await expect(webhooks('viewer').list({})).rejects.toMatchObject({ code: Code.PermissionDenied });
});

test('a batch returns the changes without secrets', async () => {
  const { id } = await webhooks().create({ data: { url: RECEIVER } });
  const response = await webhooks().updateWebhooks({
    webhookUpdates: [{ id, update: { secret: 's3cret', description: 'x' } }],
  });
  expect(response.webhooks).toMatchObject([{ id, description: 'x', data: { secret: '' } }]);
  expect(response.request?.webhookUpdates).toMatchObject([{ id, update: { secret: '', description: 'x' } }]);
});

test('a batch applies all changes or none', async () => {
  const { id } = await webhooks().create({ data: { url: RECEIVER }, description: 'one' });
  const update = { description: 'two' };
  const call = webhooks().updateWebhooks({
    webhookUpdates: [
      { id, update },
      { id: 999n, update },
    ],
  });
  await expect(call).rejects.toMatchObject({ code: Code.NotFound });
  expect((await webhooks().get({ id })).description).toBe('one');
});

test('sorts by health, unhealthy first, and filters by health and tag', async () => {
  const ids: bigint[] = [];
  for (const description of ['fine', 'often', 'now']) {
    ids.push((await webhooks().create({ data: { url: RECEIVER }, description })).id);
  }
  const call = { url: RECEIVER, headers: {}, bodyProto: new Uint8Array(), bodyJson: '', organization: 'northwind' };
  const time = t.app.now();
  const calls = [1, 2, 3].map((id) => ({ ...call, time, publisher: Number(ids[1]), successful: id > 1, id }));
  await t.app.db.orm.insert(publisherCall).values(calls);
  await webhooks().updateTags({
    webhookIds: [ids[2]!],
    update: { newTagsToAdd: [{ name: 'Fresh label', type: 'group' }] },
  });
  await t.app.db.orm
    .update(publisher)
    .set({ lastCallFailed: true })
    .where(eq(publisher.id, Number(ids[2])));
  const { webhooks: listed, pagination } = await webhooks().list({ sort: [ListWebhooksRequest_Sort.HEALTH] });
  expect(listed.map(({ description, health }) => [description, health])).toEqual([
    ['now', Health.ERROR],
    ['often', Health.WARNING],
    ['fine', Health.OK],
  ]);
  expect(pagination).toMatchObject({ total: 3, totalPages: 1 });
  const unhealthy = await webhooks().list({ selection: { health: [Health.WARNING], search: 'OFT' } });
  expect(unhealthy.webhooks.map(({ id }) => id)).toEqual([ids[1]]);
  const taggedList = await webhooks().list({ selection: { tags: { names: ['Fresh label'] } } });
  expect(taggedList.webhooks.map(({ id }) => id)).toEqual([ids[2]]);
});

test('enabling after an automatic disable ends the cooldown and turns automatic disabling off for a week', async () => {
  const { id } = await webhooks().create({ data: { url: RECEIVER, contentType: Webhook_ContentType.PROTO } });
  const until = new Date(t.app.now().getTime() + 3_600_000);
  await t.app.db.orm
    .update(publisher)
    .set({ disabled: true, autoDisabled: true, cooldownStep: 7, inCooldownUntil: until });
  expect(new Date((await webhooks().get({ id })).inCooldownUntil?.textual ?? '')).toEqual(until);
  const enabledWebhook = await webhooks().enable({ id });
  expect(enabledWebhook).toMatchObject({ data: { disabled: false, contentType: Webhook_ContentType.PROTO } });
  expect(enabledWebhook.inCooldownUntil).toBeUndefined();
  const [row] = await t.app.db.orm.select().from(publisher);
  expect((row?.autoDisableSuspendedUntil?.getTime() ?? 0) - t.app.now().getTime()).toBeGreaterThan(6.9 * 86_400_000);
});

test('a deleted webhook and its history are not found', async () => {
  const { id } = await webhooks().create({ data: { url: RECEIVER } });
  await webhooks().delete({ id });
  await expect(webhooks().get({ id })).rejects.toMatchObject({ code: Code.NotFound });
  await expect(webhooks().history({ webhookId: id })).rejects.toMatchObject({ code: Code.NotFound });
});
