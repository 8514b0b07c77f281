import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Context } from '#commands/model/context.ts';
import { device } from '#commands/nouns/fleet/device/entity.ts';
import { deviceTabs } from '#commands/nouns/fleet/device/tabs.ts';
import { tag } from '#commands/nouns/fleet/tag/entity.ts';
import { compileText } from '#commands/query/compile.ts';
import { listAll } from '#commands/run/lookup.ts';
import { contextAs, planLine, type, undo } from '#commands/testkit/server.ts';
import { ProcessPoint_Type } from '#proto/gen/hiber/process_point_pb.ts';
import { ProcessPointService } from '#proto/gen/hiber/process_point_service_pb.ts';
import { ValueService } from '#proto/gen/hiber/value_service_pb.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { processPoint } from './entity.ts';

let server: TestServer;
let context: Context;
beforeAll(async () => {
  server = await startTestServer();
  context = await contextAs(server, 'administrator');
});
afterAll(() => server.close());

const names = async (query: string) => (await listAll(processPoint, query, context)).map(processPoint.label);
async function findPoint(name: string) {
  const [item] = await processPoint.find(context, name);
  if (!item) throw new Error(`No process point is named ${name}.`);
  return item.point;
}

test('creates a point with all of its fields and a tag, and undo deletes it', async () => {
  await type(context, "tag create 'Kestrel 14' --type well");
  const run = await type(
    context,
    `process-point create 'Kestrel annulus' --type WELL_ANNULUS_A --description Outer --notes 'Behind the shed'
      --location '52.5, 6.25' --time-zone Europe/Amsterdam --expected-rate 24 --metadata max.bar=40
      --metadata serial=007 --tags 'Kestrel 14'`.replace(/\s+/g, ' '),
  );
  expect(await findPoint('kestrel annulus')).toMatchObject({
    type: ProcessPoint_Type.WELL_ANNULUS_A,
    description: 'Outer',
    notes: 'Behind the shed',
    timeZone: 'Europe/Amsterdam',
    expectedTransmissionRate: { value: 24 },
    location: { latitude: 52.5, longitude: 6.25 },
    metadata: { 'max.bar': 40, serial: '007' },
    tags: [{ label: { name: 'Kestrel 14' } }],
  });
  await undo(context, run);
  expect(await names('Kestrel')).toEqual([]);
});

test('filters by type, tag, and text, and sorts by every sort', async () => {
  for (const line of [
    "process-point create 'Avocet 10' --type PIPELINE",
    "process-point create 'Avocet 2' --type WELL_HEAD --tags 'Kestrel 14'",
    "process-point create 'Avocet 3'",
  ])
    await type(context, line);
  expect(await names('avocet')).toEqual(['Avocet 2', 'Avocet 3', 'Avocet 10']);
  expect(await names('avocet sort:-name')).toEqual(['Avocet 10', 'Avocet 3', 'Avocet 2']);
  expect(await names('type:PIPELINE,WELL_HEAD')).toEqual(['Avocet 2', 'Avocet 10']);
  expect(await names("tag:'Kestrel 14'")).toEqual(['Avocet 2']);
  expect(await names('avocet -tag:*')).toEqual(['Avocet 3', 'Avocet 10']);
  expect(await names('tagtype:well')).toEqual(['Avocet 2']);
  expect(await names("well:'Kestrel 14'")).toEqual(['Avocet 2']);
  expect(await names('avocet -well:*')).toEqual(['Avocet 3', 'Avocet 10']);
  expect(await names(`id:${(await findPoint('Avocet 3')).identifier}`)).toEqual(['Avocet 3']);
  for (const sort of processPoint.sorts) {
    expect((await names(`avocet sort:${sort}`)).toSorted()).toEqual((await names(`avocet sort:-${sort}`)).toSorted());
  }
  expect((await names('avocet sort:well'))[0]).toBe('Avocet 2');
});

test('edits several points at once and restores each of them', async () => {
  await type(context, "process-point edit 'Avocet 2' --notes Before");
  const run = await type(
    context,
    "process-point edit 'Avocet 2,Avocet 10' --notes After --type PIPELINE --location '1.5, 2.5'",
  );
  expect(await findPoint('Avocet 2')).toMatchObject({ notes: 'After', type: ProcessPoint_Type.PIPELINE });
  await undo(context, run);
  expect(await findPoint('Avocet 2')).toMatchObject({ notes: 'Before', type: ProcessPoint_Type.WELL_HEAD });
  expect((await findPoint('Avocet 10')).location).toBeUndefined();
  await expect(planLine(context, "process-point edit 'Avocet 2,Avocet 10' --name Same")).rejects.toMatchObject({
    userMessage: { key: 'process-point:validation.bulkName' },
  });
});

test('adds and removes metadata, keeps JSON values, and restores the metadata of each point', async () => {
  await type(context, "process-point set-metadata 'Avocet 2' --add max.bar=40 --add site=K12");
  const run = await type(
    context,
    "process-point set-metadata 'Avocet 2,Avocet 3' --add max.bar=high --add tested=true --remove site",
  );
  expect((await findPoint('Avocet 2')).metadata).toEqual({ 'max.bar': 'high', tested: true });
  await undo(context, run);
  expect((await findPoint('Avocet 2')).metadata).toEqual({ 'max.bar': 40, site: 'K12' });
  expect((await findPoint('Avocet 3')).metadata).toEqual({});
  await expect(planLine(context, "process-point set-metadata 'Avocet 2' --add 'Max Bar=1'")).rejects.toMatchObject({
    userMessage: { key: 'process-point:validation.key' },
  });
});

test('tags and untags points, and undo restores each of them', async () => {
  const tagged = await type(context, "process-point tag 'Avocet 2,Avocet 3' --tags 'Kestrel 14'");
  expect(tagged.outcome.results).toHaveLength(1);
  await undo(context, tagged);
  expect(await names("tag:'Kestrel 14'")).toEqual(['Avocet 2']);
  const untagged = await type(context, "process-point untag 'tag:*' --tags 'Kestrel 14'");
  expect(await names("tag:'Kestrel 14'")).toEqual([]);
  await undo(context, untagged);
  expect(await names("tag:'Kestrel 14'")).toEqual(['Avocet 2']);
});

test('duplicates points with their tags and metadata, and undo deletes the copies', async () => {
  const run = await type(context, "process-point duplicate 'Avocet 2,Avocet 3'");
  expect(await findPoint('Avocet 2 (copy)')).toMatchObject({
    type: ProcessPoint_Type.WELL_HEAD,
    metadata: { 'max.bar': 40, site: 'K12' },
    tags: [{ label: { name: 'Kestrel 14' } }],
  });
  await undo(context, run);
  expect(await names('copy')).toEqual([]);
});

test('has a column for every field of a point, and hides those that few people need', () => {
  const optional = new Map(processPoint.columns.map((column) => [column.id, column.optional ?? false]));
  for (const id of ['health', 'name', 'type', 'devices', 'well', 'site', 'area', 'tags'])
    expect([id, optional.get(id)]).toEqual([id, false]);
  for (const id of ['inactiveDevices', 'location', 'timeZone', 'expectedRate', 'description', 'metadata', 'notes'])
    expect([id, optional.get(id)]).toEqual([id, true]);
  for (const id of ['files', 'id']) expect([id, optional.get(id)]).toEqual([id, true]);
});

test('shows the current and past devices of a point, and the points of a device', async () => {
  const [first, second] = (await listAll(device, '', context)).slice(0, 2);
  const point = await findPoint('Avocet 2');
  const selection = { identifiers: [point.identifier] };
  const devices = (item: typeof first) => ({ modems: { include: [item!.modem.number] } });
  const points = context.api(ProcessPointService);
  for (const item of [first, second]) await points.assignDevice({ selection, devices: devices(item) });
  await points.unassignDevice({ selection, devices: devices(first) });

  const [item] = await processPoint.byIds(context, [point.identifier]);
  const rows = await processPoint.detailTabs!.find(({ id }) => id === 'devices')!.load(context, item!);
  expect(rows).toMatchObject([{ number: second!.modem.number }, { number: first!.modem.number }]);
  expect(item?.level).not.toBe('none');

  const tab = deviceTabs.find(({ id }) => id === 'processPoints')!;
  const [past] = await tab.load(context, first!);
  expect(past).toMatchObject({ identifier: point.identifier, name: 'Avocet 2', assignment: { end: {} } });
  const plan = await planLine(context, "process-point delete 'Avocet 2'");
  expect(plan).toMatchObject({ confirm: 'Avocet 2', reversible: false, notes: [{ values: { count: 1 } }] });
});

test('loads no values to plan a command for all points, but to list them', async () => {
  const calls: string[] = [];
  const counted: Context = {
    ...context,
    api: (service) => {
      calls.push(service.typeName);
      return context.api(service);
    },
  };
  expect((await planLine(counted, "process-point delete '*'"))?.count).toBeGreaterThan(1);
  expect(calls).toContain(ProcessPointService.typeName);
  expect(calls).not.toContain(ValueService.typeName);
  await processPoint.list(counted, await compileText(processPoint, '', context), { page: 0, size: 1 });
  expect(calls).toContain(ValueService.typeName);
});

test('shows the points of a tag, and the plan to delete the tag counts the points that lose it', async () => {
  const [item] = await tag.find(context, 'Kestrel 14');
  expect(item?.processPoints).toBe(1);
  const plan = await planLine(context, "tag delete 'Kestrel 14'");
  expect(plan?.notes).toEqual([{ key: 'tag:plan.deleteProcessPoints', values: { count: 1 } }]);
});
