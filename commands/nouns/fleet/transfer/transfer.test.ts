import { afterAll, beforeAll, expect, test } from 'vitest';

import * as resources from '#commands/cli/strings.ts';
import { createTranslator, translateWith } from '#commands/locales/i18n.ts';
import type { Context } from '#commands/model/context.ts';
import { registry } from '#commands/nouns/all.ts';
import { device } from '#commands/nouns/fleet/device/entity.ts';
import { outboundTransfer } from '#commands/nouns/fleet/outbound-transfer/entity.ts';
import { complete } from '#commands/query/complete.ts';
import { availability } from '#commands/run/availability.ts';
import { listAll } from '#commands/run/lookup.ts';
import { contextAs, planLine, type } from '#commands/testkit/server.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { devicesTab } from './devices-tab.ts';
import { transfer } from './entity.ts';

const NORTH = 'northwind-north';

let server: TestServer;
let context: Context;
let english: ReturnType<typeof translateWith>;
beforeAll(async () => {
  server = await startTestServer();
  context = await contextAs(server, 'administrator');
  english = translateWith(await createTranslator('en', resources));
});
afterAll(() => server.close());

/** Returns the numbers of installed devices that are still here. */
const numbers = async (count: number) =>
  (await listAll(device, 'lifecycle:INSTALLED -type:GATEWAY', context)).slice(0, count).map(device.id);
const quote = (values: readonly string[]) => `'${values.join(',')}'`;

test('moves devices, lists the transfer on both sides, and cannot be undone', async () => {
  const devices = await numbers(2);
  const run = await type(context, `transfer start ${quote(devices)} ${NORTH} --comment 'For trials' --acknowledge`);
  expect(english(run.outcome.message!)).toBe('Transferred 2 devices to Northwind North');
  expect(registry.command('transfer.start')?.inverse).toBeUndefined();

  const [sent] = await listAll(outboundTransfer, "device:'" + devices[0] + "' trials", context);
  expect(sent?.transfer).toMatchObject({ recipientOrganization: NORTH, comment: 'For trials' });
  expect(await listAll(transfer, '', context)).toEqual([]);
  const north = await contextAs(server, 'administrator', NORTH);
  const [received] = await listAll(transfer, 'created<1h', north);
  expect(received?.transfer.identifier).toBe(sent?.transfer.identifier);
  expect(transfer.label(received!)).toBe('Northwind Energy → Northwind North');
  expect(await listAll(transfer, 'created>1h', north)).toEqual([]);
  expect(await listAll(outboundTransfer, '', north)).toEqual([]);
});

test('the panel lists the devices, and opens those that are there', async () => {
  const devices = await numbers(2);
  await type(context, `transfer start ${quote(devices)} ${NORTH} --acknowledge`);
  const north = await contextAs(server, 'administrator', NORTH);
  await type(north, `transfer start '${devices[0]}' northwind-permian --acknowledge`);
  const [item] = await listAll(transfer, `device:'${devices[0]}'`, north);
  const rows = await devicesTab.load(north, item!);
  expect(rows.map(devicesTab.key)).toEqual(devices.toSorted());
  expect(rows.map((row) => devicesTab.opens?.(row, item!)?.id).filter(Boolean)).toEqual([devices[1]]);
  // From above, the device that moved on can still be opened, but isn't where this transfer brought it.
  const [sent] = await listAll(outboundTransfer, `device:'${devices[1]}'`, context);
  const fromAbove = await devicesTab.load(context, sent!);
  expect(fromAbove.map((row) => devicesTab.opens?.(row, sent!)?.id).filter(Boolean)).toEqual([devices[1]]);
});

test('the plan names what is lost, and asks for the count', async () => {
  const devices = await numbers(3);
  await type(context, `tag create Outgoing`);
  await type(context, `tag assign ${quote(devices)} --tag Outgoing`);
  const plan = await planLine(context, `transfer start ${quote(devices)} ${NORTH} --acknowledge`);
  expect(plan).toMatchObject({ count: 3, confirm: '3', reversible: false });
  expect(english(plan!.summary)).toBe('Transfer to Northwind North: 3 devices');
  const notes = plan!.notes!.map((note) => english(note));
  expect(notes).toContain('Permanently deletes their messages, values, events, notes, metadata, and files here');
  expect(notes.join('\n')).toMatch(/Loses \d+ messages\n/);
  expect(notes.join('\n')).toMatch(/Loses \d+ tag assignments/);
  expect(plan!.changes[0]).toMatchObject({ before: 'Northwind Energy', after: 'Northwind North' });
});

test.each([
  [NORTH, 'acknowledge'],
  ['northwind --acknowledge', 'recipient'],
  ['nowhere --acknowledge', 'recipient'],
  ['quarterdeck --acknowledge', 'recipient'],
])('rejects %s', async (args, param) => {
  const [number] = await numbers(1);
  await expect(type(context, `transfer start '${number}' ${args}`)).rejects.toMatchObject({ param });
});

test('asks to accept the loss of the data, also if the box was never ticked', async () => {
  const [number] = await numbers(1);
  await expect(type(context, `transfer start '${number}' ${NORTH}`)).rejects.toMatchObject({
    userMessage: { key: 'transfer:validation.acknowledge' },
  });
});

test('hides the column that repeats the organization', () => {
  const hidden = (entity: typeof transfer) => entity.columns.filter(({ optional }) => optional).map(({ id }) => id);
  expect(hidden(transfer)).toEqual(['recipient']);
  expect(hidden(outboundTransfer)).toEqual(['sender']);
});

test('creates the recipient for those who may', async () => {
  const [number] = await numbers(1);
  const line = `transfer start-to-new '${number}' trials --name Trials --contact-name A --contact-email a@b.example`;
  const plan = await planLine(context, `${line} --acknowledge`);
  expect(plan!.notes!.map((note) => english(note))).toContain('Creates the organization trials');
  await type(context, `${line} --acknowledge`);
  const [sent] = await listAll(outboundTransfer, 'trials', context);
  expect(sent?.transfer.recipientOrganization).toBe('trials');
  expect(sent?.organizations.get('trials')).toBe('Trials');
  const operator = await contextAs(server, 'operator');
  expect(availability(registry.command('transfer.start-to-new')!, operator)).toMatchObject({ ok: false });
  expect(availability(registry.command('transfer.start')!, operator)).toMatchObject({ ok: true });
  const viewer = await contextAs(server, 'viewer');
  expect(availability(registry.command('transfer.start')!, viewer)).toMatchObject({ ok: false });
});

test('devices can be filtered by the transfer that brought them', async () => {
  const devices = await numbers(2);
  await type(context, `transfer start ${quote(devices)} ${NORTH} --comment Filtered --acknowledge`);
  const north = await contextAs(server, 'administrator', NORTH);
  const [item] = await listAll(transfer, 'Filtered', north);
  const id = transfer.id(item!);
  expect((await listAll(device, `transfer:${id}`, north)).map(device.id).toSorted()).toEqual(devices.toSorted());
  expect(await listAll(device, `transfer:${id}`, context)).toEqual([]);
  expect((await listAll(device, `transfer:${id} below:*`, context)).length).toBe(2);
  const text = 'transfer:Filt';
  expect((await complete(text, text.length, device, north)).suggestions.map(({ value }) => value)).toContain(id);
});
