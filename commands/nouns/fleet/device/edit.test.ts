import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Context } from '#commands/model/context.ts';
import { registry } from '#commands/nouns/all.ts';
import { listAll } from '#commands/run/lookup.ts';
import { agreesWithOutline, planOutline } from '#commands/run/outline.ts';
import { resolveArgs } from '#commands/run/resolve.ts';
import { prepare } from '#commands/run/run.ts';
import { prepareUndo } from '#commands/run/undo.ts';
import { testContext } from '#commands/testkit/context.ts';
import { contextAs, planLine, type, undo } from '#commands/testkit/server.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { device } from './entity.ts';
import { deviceFields } from './fields.ts';
import { deviceTabs } from './tabs.ts';

let server: TestServer;
let context: Context;
let ids: readonly string[];
beforeAll(async () => {
  server = await startTestServer();
  context = await contextAs(server, 'administrator');
  ids = (await listAll(device, 'lifecycle:INSTALLED', context)).slice(0, 3).map(device.id);
});
afterAll(() => server.close());

const modems = async () => (await device.byIds(context, ids)).map(({ modem }) => modem);

test('resets a cleared name to the number, and undo restores the name without a conflict', async () => {
  const [number = ''] = ids;
  const [deviceBefore] = await device.byIds(context, [number]);
  const plan = await planLine(context, `device rename '${number}' ''`);
  expect(plan).toMatchObject({
    summary: { key: 'common:plan.clear' },
    changes: [{ before: deviceBefore?.modem.name, after: number }],
  });
  const completedRun = await type(context, `device rename '${number}' ''`);
  expect((await device.byIds(context, [number]))[0]?.modem.name).toBe(number);
  expect(
    await prepareUndo({ entry: { run: completedRun, undone: false }, skippedLater: false }, registry, context),
  ).toMatchObject({
    confirm: false,
  });
  await undo(context, completedRun);
  expect((await device.byIds(context, [number]))[0]?.modem.name).toBe(deviceBefore?.modem.name);
});

test('sets a lifecycle on several devices, and undo restores the previous lifecycles', async () => {
  const [first] = ids;
  await type(context, `device set-lifecycle '${first}' paused`);
  const lifecyclesBefore = new Map((await modems()).map(({ number, lifecycle }) => [number, lifecycle]));
  const line = `device set-lifecycle '${ids.join(', ')}' pending_maintenance`;
  const plan = await planLine(context, line);
  expect(plan?.changes.map((change) => [change.before, change.after])).toContainEqual([
    { key: 'device:lifecycle.PAUSED' },
    { key: 'device:lifecycle.PENDING_MAINTENANCE' },
  ]);
  expect(plan?.summary).toMatchObject({
    key: 'common:plan.setTo',
    values: { value: { key: 'device:lifecycle.PENDING_MAINTENANCE' } },
  });
  const completedRun = await type(context, line);
  expect(new Set((await modems()).map(({ lifecycle }) => lifecycle)).size).toBe(1);
  expect(completedRun.outcome.message).toEqual(completedRun.summary);
  expect(completedRun.inverse).toHaveLength(2);
  await undo(context, completedRun);
  expect(new Map((await modems()).map(({ number, lifecycle }) => [number, lifecycle]))).toEqual(lifecyclesBefore);
});

test('rejects one name for several devices and confirms overwriting differing notes', async () => {
  const idList = ids.join(', ');
  await expect(type(context, `device rename '${idList}' Pump`)).rejects.toMatchObject({ param: 'name' });
  await type(context, `device set-notes '${ids[0]}' 'ladder needed'`);
  const line = `device set-notes '${idList}' 'closed in winter'`;
  await expect(type(context, line)).rejects.toMatchObject({ param: 'overwriteNotes' });
  await type(context, `${line} --overwrite-notes`);
  expect(new Set((await modems()).map(({ notes }) => notes))).toEqual(new Set(['closed in winter']));
  await type(context, `device set-notes '${idList}' ''`);
  expect(new Set((await modems()).map(({ notes }) => notes))).toEqual(new Set(['']));
});

test('the editor starts with the shared values and names the fields that differ', async () => {
  await type(context, `device set-notes '${ids[0]}' 'ladder needed'`);
  const edit = registry.command('device.edit')!;
  const args = await resolveArgs(edit, { devices: { ids } }, context);
  const initialState = await edit.initial?.(context, args);
  expect(initialState?.various).toEqual(expect.arrayContaining(['name', 'notes']));
  expect(initialState?.values).toMatchObject({ timeZone: 'Europe/Amsterdam' });
  expect(initialState?.values).not.toHaveProperty('notes');
});

test('adds and removes peripherals, and undo restores them', async () => {
  const peripheralsBefore = (await modems()).map(({ peripherals }) => peripherals?.peripherals);
  const completedRun = await type(
    context,
    `device set-peripherals '${ids.join(', ')}' --add barometer=2.1 --remove nothing`,
  );
  expect((await modems()).every(({ peripherals }) => peripherals?.peripherals['barometer'] === '2.1')).toBe(true);
  await undo(context, completedRun);
  expect((await modems()).map(({ peripherals }) => peripherals?.peripherals)).toEqual(peripheralsBefore);
});

test('rejects fields that only support may set', async () => {
  await expect(type(context, `device set-interval '${ids[0]}' 15m`)).rejects.toMatchObject({
    userMessage: { key: 'core:unavailable.support' },
  });
  expect(deviceFields.interval.param.blockedReason?.(context)).toEqual({ key: 'core:unavailable.field' });
  expect(
    deviceFields.secureNotes.param.blockedReason?.(testContext({ actor: { ...context.actor, abilities: new Set() } })),
  ).toMatchObject({
    key: 'core:unavailable.ability',
  });
  await type(await contextAs(server, 'support', context.organization.id), 'support allow-changes');
  const support = await contextAs(server, 'support', context.organization.id);
  await type(support, `device edit '${ids[0]}' --interval 15m --expected-rate 48 --time-zone Europe/Amsterdam`);
  const [updatedDevice] = await device.byIds(support, [ids[0]!]);
  expect(updatedDevice?.modem.timeZone).toBe('Europe/Amsterdam');
  expect(updatedDevice?.modem.expectedTransmissionRate?.value).toBe(48);
  expect(updatedDevice?.modem.transmissionInterval?.duration?.seconds).toBe(900n);
});

test('sends test messages, replaces batteries, creates devices, and validates their input', async () => {
  const sender = (await modems()).find(({ type: kind }) => kind === 3)!.number;
  await type(context, `device send-test-message '${sender}' '0141 4E9A'`);
  await expect(planLine(context, `device send-test-message '${sender}' --at +1d`)).rejects.toMatchObject({
    userMessage: { key: 'core:validation.max' },
    param: 'at',
  });
  await expect(planLine(context, `device replace-battery '${sender}' --at 1500-01-01`)).rejects.toMatchObject({
    userMessage: { key: 'core:validation.min' },
    param: 'at',
  });
  const dayFirst = { ...context, preferences: { ...context.preferences, dateTimeFormat: 'day-first' } };
  const plan = await planLine(dayFirst, `device replace-battery '${sender}' --at 2026-01-31T12:00`);
  expect(plan?.changes[0]?.after).toMatch(/^31-01-2026 \d\d:00:00$/);
  await type(context, `device replace-battery '${sender}' --at 2026-01-31`);
  const [item] = await device.byIds(context, [sender]);
  const rows = await deviceTabs.find(({ id }) => id === 'messages')!.load(context, item!);
  expect(rows[0]).toMatchObject({ deviceMessage: { isTest: true, bodyBytes: { hex: '01414E9A' } } });
  expect(item?.modem.connectedDeviceInfo?.lastBatteryReplacement?.textual).toMatch(/^2026-01-31/);
  await expect(type(context, 'device create a,b --identifiers x,y,x --amount 3')).rejects.toMatchObject({
    userMessage: { key: 'device:validation.repeatedIdentifier', values: { identifier: 'x' } },
    param: 'identifiers',
  });
  const creation = await type(context, "device create 'Pump 1,Pump 2' --model pressure-lora-2");
  expect(creation.outcome.results?.map(({ label }) => label)).toEqual(['Pump 1', 'Pump 2']);
});

test('the outline matches the plan for any filter', async () => {
  const lifecycle = registry.command('device.set-lifecycle')!;
  await type(context, `device set-lifecycle '${ids[0]}' spare`);
  for (const query of ['', 'lifecycle:INSTALLED,SPARE', 'health:ERROR sort:-inactivity', '-lifecycle:INSTALLED']) {
    for (const value of ['PAUSED', 'SPARE']) {
      const args = { devices: { query }, lifecycle: value };
      const outline = await planOutline(lifecycle, args, context);
      const { plan } = await prepare(lifecycle, args, context);
      expect(agreesWithOutline(plan!, outline!), `${query} ${value}`).toBe(true);
      expect([outline!.summary, outline!.notes, outline!.reversible]).toEqual([plan!.summary, plan!.notes, true]);
    }
  }
  expect(
    agreesWithOutline((await prepare(lifecycle, { devices: { query: '' }, lifecycle: 'PAUSED' }, context)).plan!, {
      ...(await planOutline(lifecycle, { devices: { query: '' }, lifecycle: 'SPARE' }, context))!,
    }),
  ).toBe(false);
  // There is no outline for devices named by id, which are looked up quickly, or for missing or invalid arguments.
  expect(await planOutline(lifecycle, { devices: { ids }, lifecycle: 'PAUSED' }, context)).toBeUndefined();
  expect(await planOutline(lifecycle, { devices: { query: '' } }, context)).toBeUndefined();
  expect(
    await planOutline(lifecycle, { devices: { query: 'lifecycle:' }, lifecycle: 'PAUSED' }, context),
  ).toBeUndefined();
  expect(await planOutline(lifecycle, { devices: { query: '' }, lifecycle: 'DEFECTIVE' }, context)).toBeUndefined();
});
