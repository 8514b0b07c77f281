import { create } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import * as resources from '#commands/cli/strings.ts';
import { createTranslator, translateWith } from '#commands/locales/i18n.ts';
import type { Context } from '#commands/model/context.ts';
import type { HostCapabilities } from '#commands/model/host.ts';
import type { Args } from '#commands/model/invocation.ts';
import { failedResults } from '#commands/model/result.ts';
import { device } from '#commands/nouns/fleet/device/entity.ts';
import { listAll } from '#commands/run/lookup.ts';
import { contextAs, planLine, type, undo } from '#commands/testkit/server.ts';
import { message } from '#commands/text/message.ts';
import { WebhookCallSchema, WebhookSchema } from '#proto/gen/hiber/webhook_pb.ts';
import { publisherCall } from '#server/db/schema/publisher.ts';
import { webhook as webhookTable } from '#server/db/schema/webhook.ts';
import { openHeaders } from '#server/publishing/targets/webhook/headers.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { webhook } from './entity.ts';

let server: TestServer;
let context: Context;
beforeAll(async () => {
  server = await startTestServer();
  context = await contextAs(server, 'administrator');
  await type(context, "tag create 'Needs visit'");
});
afterAll(() => server.close());

const translate = translateWith(await createTranslator('en', resources));
const find = async (text: string) => (await webhook.find(context, text))[0]!;

test('shows all event names in the table', async () => {
  await type(context, 'webhook create https://example.com/two --description Two --events MESSAGE_RECEIVED,TRANSFER');
  const events = webhook.columns.find(({ id }) => id === 'events')!;
  expect(JSON.stringify(events.value(await find('Two')))).toMatch(/MESSAGE_RECEIVED.*TRANSFER/);
});

test('creates a webhook for a tag and an event, and undo deletes it', async () => {
  const line =
    "webhook create https://example.com/in --description Orders --events MESSAGE_RECEIVED --tags 'Needs visit' --headers X-Site=north";
  expect(await planLine(context, line)).toMatchObject({ reversible: true, count: 1 });
  const run = await type(context, line);
  const item = await find('Orders');
  expect(item.filterTags.map(({ label }) => label?.name)).toEqual(['Needs visit']);
  expect(item.webhook.filters?.eventTypes?.include).toEqual([5]);
  expect(item.webhook.data?.customHeaders).toEqual({ 'X-Site': '' });
  await undo(context, run);
  expect(await webhook.find(context, 'Orders')).toEqual([]);
});

test.each([
  ['', ['Sends every event']],
  ['--events MESSAGE_RECEIVED', ['Sends Message received']],
  ['--events MESSAGE_RECEIVED,TRANSFER', ['Sends 2 kinds of event: Message received, Transfer']],
  ['--except-events TRANSFER', ['Sends every event except Transfer']],
  ['--events MESSAGE_RECEIVED,TRANSFER --except-events TRANSFER', ['Sends Message received']],
  ['--events TRANSFER --except-events TRANSFER', ['Sends nothing because every event is excluded']],
  [
    "--health-levels Alarm --tags 'Needs visit' --disabled",
    [
      'Sends every event',
      'Only for events tagged Needs visit',
      'Only for events at the health levels Alarm',
      'Starts disabled',
    ],
  ],
])('the plan for a new webhook lists the events it sends: %s', async (options, notes) => {
  const plan = await planLine(context, `webhook create https://example.com/in ${options}`);
  expect(plan?.notes?.map(translate)).toEqual(notes);
});

test('edits several webhooks at once, and undo restores each', async () => {
  await type(context, 'webhook create https://example.com/a --description A --events MESSAGE_RECEIVED');
  await type(context, 'webhook create https://example.com/b --description B');
  const ids = [(await find('A')).webhook.id, (await find('B')).webhook.id].join(',');
  const run = await type(
    context,
    `webhook edit '${ids}' --events ALARM_TRIGGERED,DEVICE_UPDATED --health-levels Alarm --content-type PROTO --warning-period 1h`,
  );
  const a = await find('A');
  expect(a.webhook.filters?.healthLevels).toEqual(['Alarm']);
  expect(a.webhook.data?.contentType).toBe(2);
  await undo(context, run);
  expect((await find('A')).webhook.filters?.eventTypes?.include).toEqual([5]);
  expect((await find('B')).webhook.filters?.eventTypes?.include ?? []).toEqual([]);
  expect((await find('B')).webhook.filters?.healthLevels).toEqual([]);
});

test("hides header values and can't undo changes to them", async () => {
  const created = await type(
    context,
    'webhook create https://example.com/h --description Headers --headers X-Key=one --headers X-Site=two',
  );
  expect(created.invocation.args['headers']).toEqual({ 'X-Key': '@ask', 'X-Site': '@ask' });
  const item = await find('Headers');
  const { id } = item.webhook;
  const detail = webhook.details!.find((field) => field.id === 'headers')!;
  expect(detail.value(item)).toBe('X-Key: ••••••, X-Site: ••••••');

  // Adding a header keeps the write-only values of the others, so it can be undone.
  const addHeader = `webhook edit ${id} --headers X-Key= --headers X-Site= --headers X-New=three`;
  expect(await planLine(context, addHeader)).toMatchObject({
    reversible: true,
    changes: [{ before: 'X-Key, X-Site', after: 'X-Key, X-Site, X-New: ••••••' }],
  });
  await undo(context, await type(context, addHeader));
  expect((await find('Headers')).webhook.data?.customHeaders).toEqual({ 'X-Key': '', 'X-Site': '' });
  expect(await loadHeaders(id)).toEqual({ 'X-Key': 'one', 'X-Site': 'two' });

  // Replacing or removing a header loses its value, so it cannot be undone.
  for (const line of [
    `webhook edit ${id} --headers X-Key=four --headers X-Site=`,
    `webhook edit ${id} --headers x-key= --description Headers`,
  ]) {
    expect(await planLine(context, line)).toMatchObject({ reversible: false });
    expect((await type(context, line)).inverse).toBeUndefined();
  }
  expect(await loadHeaders(id)).toEqual({ 'x-key': 'four' });
  await expect(type(context, `webhook edit ${id} --headers X-Key=@ask`)).rejects.toMatchObject({ param: 'headers' });

  await type(context, `webhook duplicate ${id}`);
  expect((await find('Headers (copy)')).webhook.data?.customHeaders).toEqual({});
  expect((await planLine(context, `webhook duplicate ${id}`))?.notes).toContainEqual({
    key: 'webhook:plan.copyWithoutHeaders',
    values: { names: 'x-key' },
  });
});

/** Returns the stored headers, which no response contains. */
async function loadHeaders(id: bigint): Promise<Record<string, string>> {
  const { orm } = server.app.db;
  const rows = await orm.select().from(webhookTable);
  const { customHeaders } = rows.find((row) => row.organization === 'northwind' && row.id === Number(id))!;
  return openHeaders(server.app.secrets, customHeaders);
}

test('changes filters, the enabled state, and tags, and undo restores them', async () => {
  const isEnabled = async () => !(await find('A')).webhook.data?.disabled;
  const { id } = (await find('A')).webhook;
  const run = await type(context, `webhook set-filter ${id} --tags 'Needs visit' --events MESSAGE_RECEIVED,TRANSFER`);
  expect((await find('A')).filterTags).toHaveLength(1);
  await undo(context, run);
  expect((await find('A')).filterTags).toHaveLength(0);
  const disableRun = await type(context, `webhook disable ${id}`);
  expect(await isEnabled()).toBe(false);
  await undo(context, disableRun);
  expect(await isEnabled()).toBe(true);
  const tagRun = await type(context, `webhook tag ${id} 'Needs visit'`);
  expect((await find('A')).webhook.tags).toHaveLength(1);
  await undo(context, tagRun);
  expect((await find('A')).webhook.tags).toHaveLength(0);
});

test('sets, shows, and edits exclude filters separately from include filters', async () => {
  const [first = '', second = ''] = (await listAll(device, 'lifecycle:INSTALLED', context)).map(device.id);
  await type(context, 'tag create Quiet');
  const line =
    `webhook create https://example.com/x --description Except --tags 'Needs visit' --own-tags Quiet ` +
    `--except-tags Quiet --except-devices '${first}'`;
  expect((await planLine(context, line))?.notes?.map(({ key }) => key)).toEqual(
    expect.arrayContaining(['webhook:plan.exceptDevices', 'webhook:plan.exceptTags', 'webhook:plan.ownTags']),
  );
  await type(context, line);
  const item = await find('Except');
  const { id } = item.webhook;
  const detailValue = (detail: string) => webhook.details!.find((field) => field.id === detail)!.value(item);
  expect(['exceptDevices', 'exceptTags', 'tags'].map(detailValue)).toEqual([first, 'Quiet', 'Quiet']);

  // The contract replaces the included items as a whole and keeps the excluded items.
  await type(context, `webhook edit ${id} --devices '${second}' --tags ''`);
  const filters = async () => (await find('Except')).webhook.filters;
  expect(await filters()).toMatchObject({
    modemNumbers: { include: [second], exclude: [first] },
    tags: { include: [], exclude: [item.excludedTags[0]?.id] },
  });
  const run = await type(context, `webhook set-filter ${id} --except-devices '' --except-tags ''`);
  expect(await filters()).toMatchObject({ modemNumbers: { include: [second], exclude: [] }, tags: { exclude: [] } });
  await undo(context, run);
  expect((await filters())?.modemNumbers?.exclude).toEqual([first]);
  expect((await find('Except')).excludedTags.map(({ label }) => label?.name)).toEqual(['Quiet']);
});

test('filters the history by failures and period, and pages it', async () => {
  await type(context, 'webhook create http://127.0.0.1:9/none --description History');
  const item = await find('History');
  await type(context, `webhook test ${item.webhook.id}`);
  await recordCalls(item.webhook.id, [1]);
  const history = webhook.detailTabs![0]!;
  const count = async (filterValues: Args, page = 0) =>
    (await history.load(context, item, { page, filterValues })).length;
  expect(await count({})).toBe(2);
  expect(await history.load(context, item, { page: 0, filterValues: { onlyFailures: true } })).toMatchObject([
    { successful: false },
  ]);
  expect(await count({ period: { start: '-1h', end: 'now' } })).toBe(2);
  expect(await count({ period: { start: '-2d', end: '-1d' } })).toBe(0);
  expect(await count({}, 1)).toBe(0);
});

test('prints or opens the history with the given filters', async () => {
  const { id } = (await find('History')).webhook;
  const rows = vi.fn<HostCapabilities['output']['rows']>();
  const output = {
    rows,
    list: vi.fn<HostCapabilities['output']['list']>(),
    details: () => undefined,
    stream: async () => undefined,
  };
  const printedRows = async (line: string) => {
    await type({ ...context, host: { output } }, line);
    return rows.mock.lastCall?.[0].rows.length;
  };
  expect(await printedRows(`webhook history ${id}`)).toBe(2);
  expect(await printedRows(`webhook history ${id} --only-failures --period -1h..now`)).toBe(1);
  expect(await printedRows(`webhook history ${id} --period yesterday`)).toBe(0);
  const open = vi.fn<HostCapabilities['panel']['open']>();
  await type(
    { ...context, host: { panel: { open } as unknown as HostCapabilities['panel'] } },
    `webhook history ${id} --only-failures`,
  );
  expect(open).toHaveBeenCalledWith('webhook', `${id}`, 'history', { onlyFailures: true });
});

test('names both certificates', () => {
  const data = { certificateName: 'Client 2026', caCertificateName: 'Field CA' };
  const item = { webhook: create(WebhookSchema, { data }), filterTags: [], excludedTags: [] };
  const names = ['certificate', 'caCertificate'].map((id) =>
    webhook.details!.find((field) => field.id === id)?.value(item),
  );
  expect(names).toEqual(['Client 2026', 'Field CA']);
});

const WEBHOOK = { webhook: create(WebhookSchema), filterTags: [], excludedTags: [] };

test('shows the body of a Protobuf call as bytes and as JSON', () => {
  const { detail } = webhook.detailTabs![0]!;
  const call = { bodyProto: new Uint8Array([10, 2, 255]), bodyJson: '{"type":"TRANSFER"}', url: 'https://example.com' };
  const body = (headers: Record<string, string>) =>
    detail!(create(WebhookCallSchema, { ...call, headers }), WEBHOOK).filter(({ label }) => label.key.includes('body'));
  expect(body({ 'Content-Type': 'application/x-protobuf' })).toMatchObject([
    { label: { key: 'webhook:call.bodyProto' }, text: '0a 02 ff' },
    { label: { key: 'webhook:call.bodyAsJson' } },
  ]);
  expect(body({ 'Content-Type': 'application/json' })).toMatchObject([{ label: { key: 'webhook:call.body' } }]);
});

test.each([
  [{ 'X-Quarterdeck-Status': '204', 'X-Quarterdeck-Milliseconds': '120' }, '204', '120 ms'],
  [{ 'x-quarterdeck-status': '500', 'x-quarterdeck-milliseconds': '1449' }, '500', '1.4 s'],
  [{ 'x-quarterdeck-milliseconds': '999' }, undefined, '999 ms'],
  // Unsent calls have neither header, and some servers send neither.
  [{}, undefined, undefined],
])('shows the status and the duration of a call in the list and in the details: %j', (headers, status, duration) => {
  const { columns, detail } = webhook.detailTabs![0]!;
  const call = create(WebhookCallSchema, { headers, url: 'https://example.com' });
  const cell = (id: string) => {
    const text = columns.find((column) => column.id === id)!.value(call as never);
    return typeof text === 'object' ? translate(text) : text;
  };
  expect([cell('status'), cell('duration')]).toEqual([status, duration]);
  const parts = detail!(call, WEBHOOK).filter(({ label }) => /status|duration/.test(label.key));
  const strings = parts.map(({ text }) => (typeof text === 'object' ? translate(text) : text));
  expect(strings).toEqual([status, duration].filter(Boolean));
});

test('shows a notice instead of the body of a hidden event', () => {
  const { detail } = webhook.detailTabs![0]!;
  const call = create(WebhookCallSchema, { headers: { 'Content-Type': 'application/json' }, successful: true });
  expect(detail!(call, WEBHOOK).at(-1)).toEqual({
    label: message('webhook:call.body'),
    text: message('webhook:call.bodyHidden'),
  });
});

test('creates duplicates disabled and rejects an invalid URL', async () => {
  const id = (await find('A')).webhook.id;
  await type(context, `webhook duplicate ${id}`);
  expect((await find('A (copy)')).webhook.data).toMatchObject({ disabled: true, url: 'https://example.com/a' });
  await expect(type(context, 'webhook create ftp://example.com')).rejects.toMatchObject({
    param: 'url',
    userMessage: { key: 'core:validation.url' },
  });
});

test('undo deletes a webhook after its health warning was rejected', async () => {
  const rejectingContext = withRejection('update');
  const run = await type(
    rejectingContext,
    'webhook create https://example.com/w --description Warned --warning-percentage 20',
  );
  expect(failedResults(run.outcome)).toMatchObject([{ label: 'Warned', failure: { partly: true } }]);
  expect(run.outcome.message).toEqual(message('common:done.createdPartly', { label: 'Warned' }));
  const { id } = (await find('Warned')).webhook;
  expect(run.inverse).toEqual([{ id: 'webhook.delete', args: { webhooks: { ids: [`${id}`] } } }]);
  await type(context, `webhook edit ${id} --warning-percentage 20`);

  const copy = await type(rejectingContext, `webhook duplicate ${id}`);
  expect(failedResults(copy.outcome)).toHaveLength(1);
  expect(await find('Warned (copy)')).toBeDefined();
  await undo(context, copy);
  expect(await webhook.find(context, 'Warned (copy)')).toEqual([]);
  await undo(context, run);
  expect(await webhook.find(context, 'Warned')).toEqual([]);
});

/** Records successful calls in the history, newest first. */
async function recordCalls(id: bigint, deliveries: readonly number[]): Promise<void> {
  const latestTime = server.app.now().getTime();
  await server.app.db.orm.insert(publisherCall).values(
    deliveries.map((delivery, index) => ({
      organization: 'northwind',
      time: new Date(latestTime - (index + 1) * 1000),
      publisher: Number(id),
      delivery,
      url: 'http://127.0.0.1:9/none',
      headers: { 'X-Quarterdeck-Delivery': `${delivery}` },
      bodyProto: new Uint8Array(),
      bodyJson: '{}',
      successful: true,
    })),
  );
}

/** Returns the context of an administrator for whom the server rejects all calls to one rpc. */
function withRejection(rpc: string): Context {
  const reject = async () => {
    throw new ConnectError('The server is being upgraded.', Code.FailedPrecondition);
  };
  return { ...context, api: (service) => ({ ...context.api(service), [rpc]: reject }) };
}

test('tests every selected webhook and reports each failure', async () => {
  const items = [];
  for (const name of ['First', 'Second']) {
    await type(context, `webhook create http://127.0.0.1:9/${name} --description ${name}`);
    items.push(await find(name));
  }
  const run = await type(context, `webhook test '${items.map(webhook.id).join(', ')}'`);
  expect(failedResults(run.outcome).map(({ id }) => id)).toEqual(items.map(webhook.id));
  for (const item of items) {
    const calls = await webhook.detailTabs![0]!.load(context, item);
    expect(calls).toMatchObject([{ successful: false, url: item.webhook.data?.url }]);
  }
});

test("reports a failed test and lists it in the history, but can't resend it", async () => {
  await type(context, 'webhook create http://127.0.0.1:9/none --description Nobody');
  const item = await find('Nobody');
  const plan = await planLine(context, "webhook test '*'");
  expect(plan).toMatchObject({ summary: { key: 'webhook:plan.test' }, reversible: false, harmless: true });
  expect(plan?.count).toBeGreaterThan(1);
  const run = await type(context, `webhook test ${item.webhook.id}`);
  expect(failedResults(run.outcome)).toHaveLength(1);
  // The message gives the reason instead of "nothing was changed", because a test never changes anything.
  expect(run.outcome.message?.key).toBe('webhook:call.rejected');
  const ids = await Promise.all(
    ['Nothing', 'Nowhere'].map(async (name) => {
      await type(context, `webhook create http://127.0.0.1:9/none --description ${name}`);
      return (await find(name)).webhook.id;
    }),
  );
  const runOfBoth = await type(context, `webhook test ${ids.join(',')}`);
  expect(runOfBoth.outcome.message).toEqual(message('webhook:done.testFailed', { count: 2 }));
  const calls = await webhook.detailTabs![0]!.load(context, item);
  expect(calls).toMatchObject([{ successful: false, url: 'http://127.0.0.1:9/none' }]);
  // A test is not a delivery, so it cannot be resent.
  await expect(planLine(context, `webhook resend ${item.webhook.id}`)).rejects.toMatchObject({
    param: 'delivery',
    userMessage: { key: 'webhook:validation.noFailure' },
  });
  await expect(planLine(context, `webhook resend ${item.webhook.id} 7`)).rejects.toMatchObject({
    param: 'delivery',
    userMessage: message('webhook:validation.noDelivery', { delivery: '7' }),
  });
  // The history now has more than 100 calls: the test and 150 deliveries.
  await recordCalls(
    item.webhook.id,
    Array.from({ length: 150 }, (_, index) => 150 - index),
  );
  for (const delivery of ['7', '007', '150']) {
    expect(await planLine(context, `webhook resend ${item.webhook.id} ${delivery}`)).toMatchObject({
      summary: { key: 'webhook:plan.resend', values: { delivery, url: 'http://127.0.0.1:9/none' } },
      harmless: true,
    });
  }
  expect(webhook.detailTabs![0]!.detail!(calls[0], item).map(({ label }) => label.key)).toContain(
    'webhook:labels.headers',
  );
});
