import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Context } from '#commands/model/context.ts';
import { registry } from '#commands/nouns/all.ts';
import { device } from '#commands/nouns/fleet/device/entity.ts';
import { processPoint } from '#commands/nouns/fleet/process-point/entity.ts';
import { webhook } from '#commands/nouns/integrations/webhook/entity.ts';
import { invitation } from '#commands/nouns/people/invitation/entity.ts';
import { listAll } from '#commands/run/lookup.ts';
import { prepare } from '#commands/run/run.ts';
import { contextAs, invoke, type, undo } from '#commands/testkit/server.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

let server: TestServer;
let context: Context;
beforeAll(async () => {
  server = await startTestServer();
  context = await contextAs(server, 'administrator');
});
afterAll(() => server.close());

const run = (noun: string, rows: string) => invoke(context, { id: `${noun}.import`, args: { rows } });
const planOf = async (noun: string, rows: string) =>
  (await prepare(registry.command(`${noun}.import`)!, { rows }, context)).plan!;
const problemsOf = async (noun: string, rows: string) =>
  JSON.stringify(await planOf(noun, rows).catch((error: unknown) => error));

test('process points are created with tags and metadata and changed in batches, and undo reverts all of it', async () => {
  await type(context, 'tag create Import');
  await type(context, 'process-point create Lapwing --time-zone Europe/Oslo');
  await type(context, "process-point create 'Lapwing 2'");
  const pointTexts = async () =>
    (await processPoint.search(context, 'Lapwing', 10))
      .map(({ point }) =>
        [point.name, point.timeZone, point.tags.length, JSON.stringify(point.metadata ?? {})].join(' '),
      )
      .toSorted();
  const before = await pointTexts();
  const rows = [
    'name,type,timeZone,tags,metadata',
    'Lapwing,,Asia/Tokyo,Import,',
    'Lapwing 2,,Asia/Tokyo,,',
    'Lapwing 3,well_annulus_a,Asia/Tokyo,Import,"site=K12,""max.bar=40"""',
  ].join('\n');
  const plan = await planOf('process-point', rows);
  expect(plan.count).toBe(3);
  expect(plan.notes).toContainEqual({
    key: 'running:import.leavesOut',
    values: { name: { key: 'process-point:commands.create.params.tags' }, count: 1 },
  });
  const completedRun = await run('process-point', rows);
  expect(await pointTexts()).toEqual([
    'Lapwing 2 Asia/Tokyo 0 {}',
    'Lapwing 3 Asia/Tokyo 1 {"site":"K12","max.bar":40}',
    'Lapwing Asia/Tokyo 0 {}',
  ]);
  await undo(context, completedRun);
  expect(await pointTexts()).toEqual(before);
  const problems = await problemsOf('process-point', 'name,tags,timeZone\nLapwing 9,Nowhere,Mars');
  expect(problems).toContain('"line":2,"column":"tags","reason":{"key":"running:lookup.n');
  expect(problems).toContain('"line":2,"column":"timeZone"');
});

test('devices are changed by number, in one step if they get the same values, and undo restores each of them', async () => {
  const items = (await listAll(device, 'sort:number', context)).slice(0, 3);
  const [a, b, c] = items.map(device.id) as [string, string, string];
  const texts = async () =>
    (await device.byIds(context, [a, b, c]))
      .toSorted((first, second) => (device.id(first) < device.id(second) ? -1 : 1))
      .map(({ modem }) => `${modem.name}|${modem.notes}|${modem.transmissionInterval?.duration?.seconds ?? ''}`);
  const before = await texts();
  const rows = `number,Device,name,notes\n${a},,Import 1,"two\nlines"\n${b},,,same\n${c},,,same`;
  await expect(problemsOf('device', rows)).resolves.toContain('running:import.repeatedColumn');
  const completedRun = await run('device', rows.replace('Device', 'health'));
  expect((await texts()).map((text) => text.split('|').slice(0, 2))).toEqual([
    ['Import 1', 'two\nlines'],
    [items[1]!.modem.name, 'same'],
    [items[2]!.modem.name, 'same'],
  ]);
  await undo(context, completedRun);
  expect(await texts()).toEqual(before);
  const problems = await problemsOf('device', `number,lifecycle\n0000 0000,INSTALLED\n,INSTALLED\n${a},NOWHERE`);
  for (const part of [
    '"line":2,"column":"number","reason":{"key":"running:lookup.none"',
    '"line":3,"column":"number","reason":{"key":"running:import.missingItem"',
    '"line":4,"column":"lifecycle","reason":{"key":"core:validation.option"',
  ])
    expect(problems).toContain(part);
  await expect(problemsOf('device', 'name\nNorth')).resolves.toContain('running:import.noColumn');
});

test('undo restores devices that had the same notes and got different ones', async () => {
  const [a, b] = (await listAll(device, 'sort:number', context)).slice(0, 2).map(device.id) as [string, string];
  const notes = async () => (await device.byIds(context, [a, b])).map(({ modem }) => modem.notes);
  await run('device', `number,notes\n${a},Same\n${b},Same`);
  const completedRun = await run('device', `number,notes\n${a},One\n${b},Two`);
  await undo(context, completedRun);
  expect(await notes()).toEqual(['Same', 'Same']);
});

test('webhooks are created and changed by URL or ID, and undo deletes and restores them', async () => {
  await type(context, 'webhook create https://example.com/a --description First --events MESSAGE_RECEIVED');
  const texts = async () =>
    (await listAll(webhook, '', context))
      .filter((item) => item.webhook.data?.url.startsWith('https://example.com/'))
      .map((item) => `${item.webhook.data?.url} ${item.webhook.description} ${item.webhook.data?.disabled}`)
      .toSorted();
  const rows = [
    'url,description,events,disabled',
    'https://example.com/a,Second,,yes',
    'https://example.com/b,New,"MESSAGE_RECEIVED,ALARM_TRIGGERED",no',
  ].join('\n');
  const before = await texts();
  const completedRun = await run('webhook', rows);
  expect(await texts()).toEqual(['https://example.com/a Second true', 'https://example.com/b New false']);
  await undo(context, completedRun);
  expect(await texts()).toEqual(before);
  const problems = await problemsOf('webhook', 'url,healthLevels,secret\nftp://x,,s\nhttps://example.com/c,Nowhere,');
  expect(problems).toContain('running:import.unknownColumn');
  const withoutSecret = await problemsOf('webhook', 'url,healthLevels\nftp://x,\nhttps://example.com/c,Nowhere');
  expect(withoutSecret).toContain('"line":2,"column":"url","reason":{"key":"core:validation.url"');
  expect(withoutSecret).toContain('"line":3,"column":"healthLevels","reason":{"key":"common:filter.unknownLevel"');
});

test('the tags that a webhook has are not the tags that it filters by, although a column and a param are named tags', async () => {
  await type(context, 'tag create Own');
  await type(context, 'tag create Filter');
  await type(context, 'webhook create https://example.com/tags --tags Filter --own-tags Own');
  const rows = 'url,tags,filterTags\nhttps://example.com/tags,Own,Filter';
  expect(await planOf('webhook', rows)).toMatchObject({ count: 0 });
  expect((await planOf('webhook', rows)).notes).toContainEqual({
    key: 'running:import.ignores',
    values: { names: 'tags' },
  });
});

test('invitations are sent in one step for equal roles, and the plan says that nothing can be undone', async () => {
  const rows = 'E-mail;Roles\nann@import.example;Viewer\nBob@import.example;Viewer\n';
  const plan = await planOf('invitation', rows.replace('E-mail', 'email'));
  expect(plan).toMatchObject({ count: 2, reversible: false });
  expect(plan.changes).toHaveLength(2);
  expect(plan.notes).toContainEqual({ key: 'user:plan.cannotWithdraw' });
  const completedRun = await run('invitation', rows.replace('E-mail', 'email'));
  expect(completedRun.inverse).toBeUndefined();
  expect(completedRun.outcome).toMatchObject({ data: { created: 2 } });
  const emails = (await listAll(invitation, '', context)).map(invitation.id);
  expect(emails).toEqual(expect.arrayContaining(['ann@import.example', 'bob@import.example']));
  const problems = await problemsOf(
    'invitation',
    'email,roles\nnobody,Viewer\nc@import.example,\nd@import.example,Emperor',
  );
  for (const part of [
    '"line":2,"column":"email","reason":{"key":"user:validation.address"',
    '"line":3,"column":"roles","reason":{"key":"role:validation.required"',
    '"line":4,"column":"roles","reason":{"key":"running:lookup.n',
  ])
    expect(problems).toContain(part);
});

test('two equal rows are one too many', async () => {
  await expect(
    problemsOf('invitation', 'email,roles\na@import.example,Viewer\nA@import.example,Viewer'),
  ).resolves.toContain('"line":3,"reason":{"key":"running:import.repeatedRow"');
});
