import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Context } from '#commands/model/context.ts';
import { failedResults } from '#commands/model/result.ts';
import { registry } from '#commands/nouns/all.ts';
import { organization } from '#commands/nouns/people/organization/entity.ts';
import { user } from '#commands/nouns/people/user/entity.ts';
import { complete } from '#commands/query/complete.ts';
import { canonicalText } from '#commands/query/edit.ts';
import { parseFilter } from '#commands/query/parse.ts';
import { FilterError, applyFixes } from '#commands/query/problem.ts';
import { listAll } from '#commands/run/lookup.ts';
import { planOutline } from '#commands/run/outline.ts';
import { contextAs, planLine, type, undo } from '#commands/testkit/server.ts';
import { message } from '#commands/text/message.ts';
import { TagService } from '#proto/gen/hiber/tag_pb.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { device } from './entity.ts';
import type { Device } from './item.ts';
import { deviceTabs } from './tabs.ts';

// Filters that aren't part of the contract's modem selection: sub-organizations and locations.

let server: TestServer;
let context: Context;
let subOrganizationDevices: readonly Device[];
let childName: string;
const CHILD = 'northwind-north';
beforeAll(async () => {
  server = await startTestServer();
  context = await contextAs(server, 'administrator');
  subOrganizationDevices = (await listAll(device, 'below:*', context)).filter(
    ({ modem }) => modem.organization !== 'northwind',
  );
  const [child] = await organization.byIds(context, [CHILD]);
  childName = organization.label(child!);
});
afterAll(() => server.close());

const numbers = (items: readonly Device[]): readonly string[] => items.map(device.id).toSorted();
const childNumbers = (items: readonly Device[]): readonly string[] =>
  numbers(items.filter(({ modem }) => modem.organization === CHILD));
const subOrganizationNumbers = async (filter: string): Promise<readonly string[]> =>
  numbers((await listAll(device, filter, context)).filter(({ modem }) => modem.organization !== 'northwind'));

async function suggestFilter(filter: string): Promise<string | undefined> {
  const error: unknown = await listAll(device, filter, context).catch((cause: unknown) => cause);
  return error instanceof FilterError ? applyFixes(filter, error.problem)[0] : undefined;
}

test('includes the devices of every sub-organization, of a single one, or of all except one', async () => {
  const otherNumbers = numbers(subOrganizationDevices.filter(({ modem }) => modem.organization !== CHILD));
  expect(childNumbers(subOrganizationDevices).length).toBeGreaterThan(0);
  expect(otherNumbers.length).toBeGreaterThan(0);
  expect(await subOrganizationNumbers('')).toEqual([]);
  expect(await subOrganizationNumbers(`below:"${childName}"`)).toEqual(childNumbers(subOrganizationDevices));
  expect(await subOrganizationNumbers(`below:${CHILD}`)).toEqual(childNumbers(subOrganizationDevices));
  expect(await subOrganizationNumbers(`-below:"${childName}"`)).toEqual(otherNumbers);
  expect(await subOrganizationNumbers(`below:*`)).toEqual(numbers(subOrganizationDevices));
  const column = device.columns.find(({ id }) => id === 'organization')!;
  expect(
    new Set(
      subOrganizationDevices.filter(({ modem }) => modem.organization === CHILD).map((item) => column.value(item)),
    ),
  ).toEqual(new Set([childName]));
});

test('sorts the devices of several organizations by organization, in both directions', async () => {
  const { sort } = device.columns.find(({ id }) => id === 'organization')!;
  const listedOrganizations = async (filter: string) =>
    (await listAll(device, filter, context)).map(({ modem }) => modem.organization);
  const ascendingOrganizations = await listedOrganizations(`below:* sort:${sort}`);
  expect(new Set(ascendingOrganizations).size).toBeGreaterThan(2);
  expect(ascendingOrganizations).toEqual(ascendingOrganizations.toSorted());
  expect(await listedOrganizations(`below:* sort:-${sort}`)).toEqual(ascendingOrganizations.toReversed());
});

test("rejects an organization that isn't a sub-organization, and suggests the nearest name", async () => {
  expect(await suggestFilter(`below:"${childName.slice(0, -1)}x"`)).toBe(`below:"${childName}"`);
  await expect(listAll(device, 'below:quarterdeck', context)).rejects.toMatchObject({
    userMessage: { key: 'common:filter.notBelow' },
  });
  await expect(listAll(user, 'below:quarterdeck', context)).rejects.toMatchObject({
    userMessage: { key: 'common:filter.notBelow' },
  });
});

test('completes sub-organizations with device counts', async () => {
  const { suggestions } = await complete('below:north', 11, device, context);
  const counts = new Map(suggestions.map(({ value, count }) => [value, count]));
  expect(counts.get(`"${childName}"`)).toBe((await listAll(device, `below:${CHILD}`, context)).length);
});

test('finds a device in a sub-organization by number and edits it', async () => {
  const [item] = subOrganizationDevices;
  const id = device.id(item!);
  expect((await device.find(context, id)).map(device.id)).toEqual([id]);
  const [ownDevice] = await listAll(device, 'lifecycle:INSTALLED', context);
  const completedRun = await type(context, `device set-notes '${id}, ${device.id(ownDevice!)}' 'see the ladder'`);
  expect(failedResults(completedRun.outcome)).toEqual([]);
  const plan = await planLine(context, `device set-notes '${id}, ${device.id(ownDevice!)}' 'mind the step'`);
  const { modem, organizations } = item!;
  expect(plan?.notes).toEqual([
    message('common:plan.elsewhere', { count: 1, organization: organizations?.get(modem.organization) ?? '' }),
  ]);
  const notes = async () => (await device.byIds(context, [id, device.id(ownDevice!)])).map(({ modem }) => modem.notes);
  expect(await notes()).toEqual(['see the ladder', 'see the ladder']);
  await undo(context, completedRun);
  expect(await notes()).not.toContain('see the ladder');
});

test("doesn't assign tags to devices in sub-organizations, because those have their own tags", async () => {
  const [childDevice] = subOrganizationDevices.filter(({ modem }) => modem.tags.length > 0);
  const [ownDevice] = await listAll(device, 'lifecycle:INSTALLED', context);
  const [childDeviceId, ownId] = [device.id(childDevice!), device.id(ownDevice!)];
  const elsewhereNote = { key: 'tag:plan.elsewhere', values: { count: 1 } };
  const line = `tag assign '${childDeviceId}, ${ownId}' --tag Reachable`;
  const plan = await planLine(context, line);
  expect(plan?.changes.map(({ id }) => id)).toEqual([ownId]);
  expect(plan?.notes).toEqual([expect.objectContaining({ key: 'tag:plan.creates' }), elsewhereNote]);
  const completedRun = await type(context, line);
  expect([failedResults(completedRun.outcome), completedRun.outcome.results?.map(({ id }) => id)]).toEqual([
    [],
    [ownId],
  ]);
  expect(await planLine(context, `tag assign '${childDeviceId}' --tag Reachable`)).toMatchObject({ count: 0 });

  // Both organizations have a tag with this id.
  const [sharedTag] = childDevice!.modem.tags;
  const unassignPlan = await planLine(context, `tag unassign '${childDeviceId}' --tag '#${sharedTag!.id}'`);
  expect(unassignPlan).toMatchObject({ count: 0, notes: expect.arrayContaining([elsewhereNote]) });
  const { organization: childOrganization } = childDevice!.modem;
  const tagsTab = deviceTabs.find(({ id }) => id === 'tags');
  expect(tagsTab?.opens?.(sharedTag, childDevice!)).toMatchObject({ entity: 'tag', organization: childOrganization });
  expect(device.columns.find(({ id }) => id === 'tags')?.tags?.(childDevice!)[0]).toMatchObject({
    organization: childOrganization,
  });
});

test('does not plan from counts if the list includes sub-organizations', async () => {
  const outline = (query: string) => {
    const args = { devices: { query }, tag: 'Not yet there' };
    return planOutline(registry.command('tag.assign')!, args, context);
  };
  expect(await outline('lifecycle:INSTALLED')).toMatchObject({ changeCounts: [expect.anything()] });
  expect((await outline('lifecycle:INSTALLED below:*'))?.changeCounts).toBeUndefined();
});

test('finds devices within an area in any notation', async () => {
  const locatedDevices = (await listAll(device, '', context)).filter(({ modem }) => modem.location);
  const center = locatedDevices[0]!.modem.location!;
  const cornerAt = (offset: number) =>
    [center.latitude + offset, center.longitude + offset].map((value) => value.toFixed(5));
  const [south = '', west = ''] = cornerAt(-0.02);
  const [north = '', east = ''] = cornerAt(0.02);
  const devicesInArea = locatedDevices.filter(({ modem: { location } }) => {
    const { latitude, longitude } = location!;
    return latitude >= +south && latitude <= +north && longitude >= +west && longitude <= +east;
  });
  expect(devicesInArea.length).toBeLessThan(locatedDevices.length);
  for (const area of [
    `${south}/${west}/${north}/${east}`,
    `"${north},${east} ${south},${west}"`,
    `"[[${south}, ${west}], [${north}, ${east}]]"`,
  ])
    expect(numbers(await listAll(device, `location:${area}`, context))).toEqual(numbers(devicesInArea));
  expect(canonicalText(parseFilter('location:"[[52.9, 6.5], [53.1, -6.8]]"', device))).toBe(
    'location:52.9/6.5/53.1/-6.8',
  );
});

test('rejects the name of no place', async () => {
  await expect(listAll(device, 'location:here', context)).rejects.toMatchObject({
    userMessage: { key: 'device:filter.unknownPlace' },
  });
});

test.each(['52.9/6.5', '91/0/92/1', '52.9/6.5/53.1/181', '1/2/3/4/5'])('rejects location:%s', async (value) => {
  await expect(listAll(device, `location:${value}`, context)).rejects.toMatchObject({
    userMessage: { key: 'device:filter.notAnArea' },
  });
});

test('suggests the tags that have a location, with the area around it', async () => {
  await type(context, "tag create 'K12 platform' --type site --location '52.9124, 6.5581'");
  const { suggestions } = await complete('location:k12', 12, device, context);
  expect(suggestions).toMatchObject([
    {
      value: '"K12 platform"',
      label: 'K12 platform',
      detail: expect.stringMatching(/^52\.8\d+\/6\.4\d+\/52\.9\d+\/6\.6\d+$/),
    },
  ]);
});

test('finds the devices at a place by its name, in any case, or in an area as well', async () => {
  const [item] = (await listAll(device, '', context)).filter(({ modem }) => modem.location);
  const { latitude, longitude } = item!.modem.location!;
  await type(context, `tag create 'Far field' --type site --location '${latitude}, ${longitude}'`);
  const { suggestions } = await complete('location:far', 12, device, context);
  const around = numbers(await listAll(device, `location:${suggestions[0]!.detail}`, context));
  expect(around).toContain(device.id(item!));
  expect(numbers(await listAll(device, 'location:"far FIELD"', context))).toEqual(around);
  expect(numbers(await listAll(device, 'location:"Far field",1/2/3/4', context))).toEqual(around);
  expect(await suggestFilter('location:"Far feild"')).toBe('location:"Far field"');
});

test('finds the devices in the shape of a place', async () => {
  const area = await listAll(device, '', context);
  const [inside] = area.filter(({ modem }) => modem.location);
  const { latitude, longitude } = inside!.modem.location!;
  const path = [
    [latitude - 0.01, longitude - 0.01],
    [latitude + 0.01, longitude],
    [latitude - 0.01, longitude + 0.01],
  ].map(([north, east]) => ({ latitude: north!, longitude: east! }));
  const label = { name: 'Triangle', type: 'site' };
  const location = { case: 'locationShape' as const, value: { path } };
  await server.as('administrator').client(TagService).create({ create: label, location });
  const fresh = await contextAs(server, 'administrator');
  const found = numbers(await listAll(device, 'location:triangle', fresh));
  expect(found).toContain(device.id(inside!));
  const box = `${latitude - 0.01}/${longitude - 0.01}/${latitude + 0.01}/${longitude + 0.01}`;
  const inBox = numbers(await listAll(device, `location:${box}`, fresh));
  expect(found.every((number) => inBox.includes(number))).toBe(true);
});
