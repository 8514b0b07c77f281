import { fromBinary, toJsonString } from '@bufbuild/protobuf';
import { Code } from '@connectrpc/connect';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { EventSchema } from '#proto/gen/hiber/event_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { WebhookService } from '#proto/gen/hiber/webhook_pb.ts';
import { WebhookDeliveryService } from '#proto/gen/quarterdeck/webhook/v1/webhook_delivery_service_pb.ts';
import { event } from '#server/db/schema/event.ts';
import { publisher } from '#server/db/schema/publisher.ts';
import { webhook } from '#server/db/schema/webhook.ts';
import { startBackgroundWorkers, type BackgroundWorkers } from '#server/start/background.ts';
import { eventually } from '#server/testkit/eventually.ts';
import { startReceiver, type TestReceiver } from '#server/testkit/publishing.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

let t: TestServer;
let backgroundWorkers: BackgroundWorkers;
let otherReceiver: TestReceiver;
let ownReceiver: TestReceiver;

beforeAll(async () => {
  t = await startTestServer();
  backgroundWorkers = await startBackgroundWorkers(t.app, { rate: 0 });
  otherReceiver = await startReceiver();
  // Quote the request headers, as some receivers do in their errors.
  ownReceiver = await startReceiver(({ headers: requestHeaders, path }, response) => {
    const quotedHeaders = [requestHeaders['authorization'], requestHeaders['x-api-key']].join(' and ');
    response.writeHead(401).end(`${path}: ${quotedHeaders} are not known`);
  });
});
afterAll(async () => {
  await otherReceiver.close();
  await ownReceiver.close();
  await backgroundWorkers.close();
  await t.close();
});
beforeEach(async () => {
  await t.app.db.orm.delete(publisher);
  await t.app.db.orm.delete(event);
  otherReceiver.received.length = 0;
  ownReceiver.received.length = 0;
});

const webhooks = () => t.as('administrator').client(WebhookService);
const secrets = ['VERY-SECRET-123', 'KEY-456', 'query-789', 'T00000000PATH0000SECRET'];
const headers = { Authorization: 'Bearer VERY-SECRET-123', 'X-Api-Key': 'KEY-456' };
const blankHeaders = { Authorization: '', 'X-Api-Key': '' };
const tables = ['webhook', 'event', 'publisher_call'];

/** Reads the tables' contents as text, without URLs, which the webhook and its history store in full. */
async function readTables(): Promise<string> {
  const contents: string[] = [];
  for (const table of tables) {
    const { rows } = await t.app.db.orm.execute<{ row: Record<string, unknown> }>(
      sql`select (to_jsonb(t) - 'url') as row from ${sql.identifier(table)} t`,
    );
    contents.push(JSON.stringify(rows));
  }
  const bodies = await t.app.db.orm.select({ body: event.body }).from(event);
  return [...contents, ...bodies.map(({ body }) => toJsonString(EventSchema, fromBinary(EventSchema, body)))].join(
    '\n',
  );
}

test("sends header values only to the webhook's own receiver", async () => {
  await webhooks().create({ data: { url: otherReceiver.url } });
  const url = `${ownReceiver.url}/T00000000PATH0000SECRET?token=query-789`;
  const createdWebhook = await webhooks().create({ data: { url, customHeaders: headers } });
  const { id } = createdWebhook;
  const responses: unknown[] = [
    await webhooks().get({ id }),
    await webhooks().list({}),
    await webhooks().disable({ id }),
    await webhooks().enable({ id }),
    await webhooks().update({ id, update: { addCustomHeaders: { 'X-Api-Key': 'KEY-456 ' } } }),
    await webhooks().updateFilter({ id, eventFilter: { include: [EventType.PUBLISHER_DELETED] } }),
    await webhooks().updateTags({ webhookIds: [id], update: { newTagsToAdd: [{ name: 'Sealed', type: 'group' }] } }),
    await webhooks().updateWebhooks({
      webhookUpdates: [{ id, update: { replaceCustomHeaders: headers, addCustomHeaders: headers } }],
    }),
    await t.as('administrator').client(WebhookDeliveryService).test({ webhookId: id }),
    await webhooks().update({ id, update: { eventFilter: {}, url: `${url}&x=1` } }),
  ];
  expect(createdWebhook.data?.customHeaders).toEqual(blankHeaders);
  await webhooks().updateTags({ webhookIds: [id], update: { newTagsToAdd: [{ name: 'Sealed 2', type: 'group' }] } });
  await eventually(async () => expect((await webhooks().get({ id })).inCooldownUntil).toBeDefined());
  const { calls } = await webhooks().history({ webhookId: id });
  expect(calls[0]?.headers).toMatchObject({ ...blankHeaders, 'Content-Type': 'application/json' });
  expect(calls[0]?.error).toMatch(/^HTTP 401: .*\(hidden\) and \(hidden\) are not known$/);
  responses.push(calls.map((call) => ({ ...call, url: '' })));
  expect(ownReceiver.received.at(-1)?.headers).toMatchObject({
    authorization: headers.Authorization,
    'x-api-key': 'KEY-456',
  });
  await webhooks().delete({ id });
  const bodiesReceived = () => otherReceiver.received.map(({ body }) => String(body)).join('\n');
  // Wait for the field rather than the type, because an earlier event contains the type in the webhook's filter.
  await eventually(() => expect(bodiesReceived()).toContain('"publisherDeleted"'));
  const bodies = bodiesReceived();
  expect(bodies).toContain('PUBLISHER_FAILED');
  expect(bodies).toContain('"Authorization":""');
  for (const secret of secrets) {
    expect(bodies, 'events to others').not.toContain(secret);
    expect(await readTables(), 'the database').not.toContain(secret);
  }
  const responseText = JSON.stringify(responses, (key, value: unknown) =>
    key === 'url' ? '' : typeof value === 'bigint' ? String(value) : value,
  );
  for (const secret of secrets.slice(0, 2)) expect(responseText, 'responses').not.toContain(secret);
});

/** Loads the header values that a webhook would send, keyed by name. */
async function loadHeaders(id: bigint): Promise<Record<string, string>> {
  const [row] = await t.app.db.orm
    .select()
    .from(webhook)
    .where(eq(webhook.id, Number(id)));
  const entries = Object.entries(row?.customHeaders ?? {});
  return Object.fromEntries(entries.map(([name, value]) => [name, t.app.secrets.open(value)]));
}

test('keeps the stored value of a header that a client sends back blank', async () => {
  const { id } = await webhooks().create({ data: { url: ownReceiver.url, customHeaders: { A: '1', B: '2', C: '3' } } });
  const { customHeaders } = (await webhooks().get({ id })).data!;
  expect(customHeaders).toEqual({ A: '', B: '', C: '' });
  await webhooks().update({ id, update: { replaceCustomHeaders: { ...customHeaders, B: 'two' } } });
  expect(await loadHeaders(id)).toEqual({ A: '1', B: 'two', C: '3' });
  await webhooks().update({ id, update: { addCustomHeaders: { a: '', D: '4' }, removeCustomHeaders: ['c'] } });
  expect(await loadHeaders(id)).toEqual({ a: '1', B: 'two', D: '4' });
  await webhooks().update({ id, update: { replaceCustomHeaders: { B: '' } } });
  expect(await loadHeaders(id)).toEqual({ B: 'two' });
});

test('rejects a blank value for a new header', async () => {
  const creation = webhooks().create({ data: { url: ownReceiver.url, customHeaders: { A: '' } } });
  await expect(creation).rejects.toMatchObject({ code: Code.InvalidArgument });
  await expect(creation).rejects.toThrow('The header A needs a value.');
  const { id } = await webhooks().create({ data: { url: ownReceiver.url, customHeaders: { A: '1' } } });
  const addition = webhooks().update({ id, update: { addCustomHeaders: { B: '' } } });
  await expect(addition).rejects.toThrow('The header B needs a value.');
});

test('rejects a name that is listed twice', async () => {
  const creation = webhooks().create({ data: { url: ownReceiver.url, customHeaders: { 'X-A': '1', 'x-a': '2' } } });
  await expect(creation).rejects.toMatchObject({ code: Code.InvalidArgument });
  await expect(creation).rejects.toThrow('The header x-a is listed twice');
});

test('records no event if an update sets the same values again', async () => {
  const { id } = await webhooks().create({ data: { url: ownReceiver.url, customHeaders: headers } });
  await t.app.db.orm.delete(event);
  await webhooks().update({ id, update: { replaceCustomHeaders: headers } });
  await webhooks().update({ id, update: { replaceCustomHeaders: blankHeaders } });
  expect(await t.app.db.orm.select().from(event)).toEqual([]);
  await webhooks().update({ id, update: { addCustomHeaders: { 'X-Api-Key': 'other' } } });
  expect((await t.app.db.orm.select().from(event))[0]?.description).toContain('was updated: headers.');
});

test('never sends stored values to a different host', async () => {
  const { id } = await webhooks().create({ data: { url: 'https://a.example/in', customHeaders: headers } });
  const move = webhooks().update({ id, update: { url: 'https://b.example/in' } });
  await expect(move).rejects.toMatchObject({ code: Code.FailedPrecondition });
  await expect(move).rejects.toThrow(/stored values of (Authorization and X-Api-Key|X-Api-Key and Authorization)\./);
  const partialUpdate = webhooks().update({
    id,
    update: { url: 'https://b.example/in', addCustomHeaders: { 'X-Api-Key': 'mine' } },
  });
  await expect(partialUpdate).rejects.toThrow('stored values of Authorization.');
  await webhooks().update({ id, update: { url: 'https://a.example/elsewhere' } });
  await webhooks().update({
    id,
    update: { url: 'https://b.example/in', replaceCustomHeaders: { 'X-Api-Key': 'mine' } },
  });
  expect(await loadHeaders(id)).toEqual({ 'X-Api-Key': 'mine' });
});
