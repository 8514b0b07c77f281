import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Context } from '#commands/model/context.ts';
import { toMs } from '#commands/model/wire.ts';
import { complete } from '#commands/query/complete.ts';
import { canonicalText } from '#commands/query/edit.ts';
import { parseFilter } from '#commands/query/parse.ts';
import { FilterError, applyFixes } from '#commands/query/problem.ts';
import { listAll } from '#commands/run/lookup.ts';
import { contextAs, type } from '#commands/testkit/server.ts';
import { message } from '#commands/text/message.ts';
import { DeviceTypeService } from '#proto/gen/hiber/device_type_pb.ts';
import { Modem_Lifecycle } from '#proto/gen/hiber/modem_pb.ts';
import { ProcessPointService } from '#proto/gen/hiber/process_point_service_pb.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { device } from './entity.ts';
import { brandOf, type Device } from './item.ts';

let server: TestServer;
let context: Context;
let allDevices: readonly Device[];
beforeAll(async () => {
  server = await startTestServer({ devices: 120 });
  const now = server.app.now();
  context = {
    ...(await contextAs(server, 'operator')),
    now: () => now,
    // Bypass the cache, so every filter sees the current reference data.
    loadCached: (_key, load) => load(context),
  };
  allDevices = await listAll(device, '', context);
});
afterAll(() => server.close());

/**
 * Returns the devices that a filter finds and those that it should find.
 *
 * @throws Error if it should find none
 */
async function compare(filter: string, matches: (item: Device) => boolean) {
  const numbers = (items: readonly Device[]): string[] => items.map(device.id).toSorted();
  const expected = numbers(allDevices.filter(matches));
  if (expected.length === 0) throw new Error(`No device in the seed matches ${filter}.`);
  return { actual: numbers(await listAll(device, filter, context)), expected };
}

// The clock is stopped, so devices don't get older between filters.
const age = ({ modem }: Device): number => context.now().getTime() - (toMs(modem.lastMessageReceivedAt) ?? 0);
const hasReported = ({ modem }: Device): boolean => modem.lastMessageReceivedAt?.timestamp !== undefined;
const GATEWAY = 2;
const INSTALLED = 1;
const PAUSED = 6;
const SPARE = Modem_Lifecycle.SPARE;
const HOUR = 3_600_000;

type Case = readonly [filter: string, matches: (item: Device) => boolean];

test.each<Case>([
  ['health:ERROR', ({ level }) => level === 'error'],
  ['health:alarm', ({ modem }) => modem.healthLevel?.level === 'Alarm'],
  ['health:ERROR,WARNING', ({ level }) => level !== 'ok'],
  ['-health:ERROR', ({ level }) => level !== 'error'],
  ['health:ERROR,WARNING -health:WARNING', ({ level }) => level === 'error'],
  ['lifecycle:INSTALLED', ({ modem }) => modem.lifecycle === INSTALLED],
  ['-lifecycle:INSTALLED,PAUSED', ({ modem }) => ![INSTALLED, PAUSED].includes(modem.lifecycle)],
  ['type:GATEWAY', ({ modem }) => modem.type === GATEWAY],
  ['-type:GATEWAY', ({ modem }) => modem.type !== GATEWAY],
  ['gateway:*', ({ modem }) => Boolean(modem.connectedDeviceInfo?.connectedToGateway)],
  ['-gateway:*', ({ modem }) => !modem.connectedDeviceInfo?.connectedToGateway],
  ['tag:*', ({ modem }) => modem.tags.length > 0],
  ['tagtype:well', ({ modem }) => modem.tags.some(({ label }) => label?.type === 'well')],
  ['last<2h', (item) => hasReported(item) && age(item) < 2 * HOUR],
  ['last>2h', (item) => hasReported(item) && age(item) > 2 * HOUR],
])('finds the devices that %s selects', async (filter, matches) => {
  const { actual, expected } = await compare(filter, matches);
  expect(actual).toEqual(expected);
});

test('-tag:* finds exactly the devices that have no tags', async () => {
  const [number = ''] = await listAll(device, 'lifecycle:INSTALLED', context).then((items) => items.map(device.id));
  const administrator = await contextAs(server, 'administrator');
  const tags = (await listAll(device, number, context)).flatMap(({ modem }) => modem.tags.map(({ id }) => id));
  for (const id of tags) await type(administrator, `tag unassign '${number}' --tag '#${id}'`);
  expect((await listAll(device, '-tag:*', context)).map(device.id)).toEqual([number]);
  for (const id of tags) await type(administrator, `tag assign '${number}' --tag '#${id}'`);
});

/** Filters that an operator typed in a usability test. */
test.each<Case>([
  ['lifecycle:spare', ({ modem }) => modem.lifecycle === SPARE],
  ['-health:OK', ({ level }) => level !== 'ok'],
  ['health!=OK', ({ level }) => level !== 'ok'],
  ['NOT health:OK', ({ level }) => level !== 'ok'],
  ['health: error lifecycle=installed', ({ level, modem }) => level === 'error' && modem.lifecycle === INSTALLED],
  ['last > 2 hours', (item) => hasReported(item) && age(item) > 2 * HOUR],
  ['last<3h last>1h', (item) => hasReported(item) && age(item) < 3 * HOUR && age(item) > HOUR],
  ['inactivity>2h', (item) => hasReported(item) && age(item) > 2 * HOUR],
  ['last<1h -type:GATEWAY', (item) => hasReported(item) && age(item) < HOUR && item.modem.type !== GATEWAY],
  ['lifecycle:*installed,pau*', ({ modem }) => [INSTALLED, PAUSED].includes(modem.lifecycle)],
  ['-type:gate*', ({ modem }) => modem.type !== GATEWAY],
])('understands %s', async (filter, matches) => {
  const { actual, expected } = await compare(filter, matches);
  expect(actual).toEqual(expected);
});

test.each([
  ['helth:ERROR', 'health:ERROR'],
  ['lifecycle:instaled', 'lifecycle:INSTALLED'],
  ['health:eror', 'health:ERROR'],
  ['health:ERROR OR health:WARNING', 'health:ERROR,WARNING'],
  ['(health:ERROR', 'health:ERROR'],
  ['health:ERROR health:OK', 'health:ERROR,OK'],
  ['lifecycle:SPARE health:ERROR lifecycle:PAUSED', 'lifecycle:PAUSED,SPARE health:ERROR'],
  ['last>2', 'last>2d'],
  ['-last>2d', 'last<2d'],
  ['number:831', '831'],
  ['number:831*', '831'],
  ['name:avocet', 'avocet'],
  ['avo*', 'avo'],
  ['sort:-inactivty', 'sort:-inactivity'],
  ['state:paused', 'lifecycle:paused'],
  ['peripheral:antenna=3', 'peripheral:"antenna=3 dBi"'],
])('corrects %s to %s', async (filter, suggestion) => {
  const error = await listAll(device, filter, context).catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(FilterError);
  expect(applyFixes(filter, (error as FilterError).problem)[0]).toBe(suggestion);
});

test.each([
  ['avocet OR bittern', 'core:query.or'],
  ['health:', 'core:query.empty'],
  ['foo:bar', 'core:query.key'],
  ['received<10', 'core:query.keyColumn'],
  ['last<1h last>2h', 'common:filter.emptyTime'],
  ['last:7d..1d', 'common:filter.emptyTime'],
  ['model:nothing-like-it', 'common:filter.unknown'],
  ['identifier:nothing-like-it', 'device:filter.unknownIdentifier'],
  ['peripheral:nothing-like-it', 'device:filter.unknownPeripheral'],
  ['tagtype:nothing-like-it', 'common:filter.unknown'],
])('rejects %s instead of matching nothing', async (filter, key) => {
  await expect(listAll(device, filter, context)).rejects.toMatchObject({ userMessage: { key } });
});

test('activity and silence are aliases of the sort by last message', async () => {
  for (const alias of ['-last', '-inactivity', '-silent', 'activity', '-last-message'])
    expect(canonicalText(parseFilter(`sort:${alias}`, device))).toBe('sort:-last');
  expect(canonicalText(parseFilter('sort:-activity', device))).toBe('sort:last');
  expect(device.columns.find(({ id }) => id === 'last')?.sort).toBe('last');
});

test('matches a prefix of a model and suggests complete gateway numbers for part of one', async () => {
  const { deviceType } = allDevices[0]!.modem;
  const prefix = deviceType.slice(0, 4);
  const { actual, expected } = await compare(`model:"${prefix}"*`, ({ modem }) =>
    modem.deviceType.toLowerCase().startsWith(prefix.toLowerCase()),
  );
  expect(actual).toEqual(expected);
  const gateway = allDevices.find(({ modem }) => modem.connectedDeviceInfo?.connectedToGateway)!.modem
    .connectedDeviceInfo!.connectedToGateway;
  await expect(listAll(device, `gateway:${gateway.slice(0, 3)}`, context)).rejects.toMatchObject({
    userMessage: { key: 'device:filter.unknownGatewayNear' },
    problem: { fixes: expect.arrayContaining([`gateway:"${gateway}"`]) },
  });
});

test('requires one tag to match both name and type, and rejects a tag of another type', async () => {
  const tags = allDevices.flatMap(({ modem }) => modem.tags.flatMap(({ label }) => label ?? []));
  const well = tags.find(({ type }) => type === 'well')!;
  const otherTag = tags.find(({ type }) => type !== 'well')!;
  await expect(listAll(device, `tag:"${otherTag.name}" tagtype:well`, context)).rejects.toMatchObject({
    userMessage: { key: 'tag:filter.otherType' },
  });
  const { actual, expected } = await compare(`tag:"${well.name}" tagtype:well`, ({ modem }) =>
    modem.tags.some(({ label }) => label?.name === well.name && label.type === 'well'),
  );
  expect(actual).toEqual(expected);
});

test('finds devices by well, site, and production area, whose names are looked up only among tags of that type', async () => {
  for (const [key, type] of [
    ['well', 'well'],
    ['site', 'site'],
    ['area', 'production_area'],
  ] as const) {
    const tags = allDevices.flatMap(({ modem }) => modem.tags.flatMap(({ label }) => label ?? []));
    const name = tags.find((label) => label.type === type)!.name;
    const otherName = tags.find((label) => label.type !== type)!.name;
    const isTagged = ({ modem }: Device, isNamed: (tagName: string) => boolean): boolean =>
      modem.tags.some(({ label }) => label?.type === type && isNamed(label.name));
    const cases: readonly Case[] = [
      [`${key}:"${name}"`, (item) => isTagged(item, (tagName) => tagName === name)],
      [`-${key}:"${name}"`, (item) => !isTagged(item, (tagName) => tagName === name)],
      [`${key}:*`, (item) => isTagged(item, () => true)],
      [`${key}:"${name.slice(0, -1)}"*`, (item) => isTagged(item, (tagName) => tagName.startsWith(name.slice(0, -1)))],
    ];
    for (const [filter, matches] of cases) {
      const { actual, expected } = await compare(filter, matches);
      expect({ filter, actual }).toEqual({ filter, actual: expected });
    }
    const untagged = allDevices.filter((item) => !isTagged(item, () => true)).map(device.id);
    const excluded = (await listAll(device, `-${key}:*`, context)).map(device.id);
    expect(excluded.toSorted()).toEqual(untagged.toSorted());
    await expect(listAll(device, `${key}:"${otherName}"`, context)).rejects.toBeInstanceOf(FilterError);
    await expect(listAll(device, `tag:"${otherName}" ${key}:*`, context)).rejects.toMatchObject({
      userMessage: { key: 'tag:filter.otherType' },
    });
    await expect(listAll(device, `tag:"${otherName}" ${key}:"${name}"`, context)).rejects.toMatchObject({
      userMessage: { key: 'tag:filter.several' },
    });
  }
});

test('finds devices by what the catalogue says about their types', async () => {
  const { deviceTypes } = await context.api(DeviceTypeService).list({ pagination: { size: 1000 } });
  const typesById = new Map(deviceTypes.map((deviceType) => [deviceType.identifier, deviceType]));
  for (const attribute of ['application', 'category', 'version'] as const) {
    const valueOf = ({ modem }: Device): string => typesById.get(modem.deviceType)?.[attribute] ?? '';
    const value = valueOf(allDevices.find((item) => valueOf(item) !== '')!);
    const model = allDevices.find((item) => valueOf(item) === value)!.modem.deviceType;
    const cases: readonly Case[] = [
      [`${attribute}:"${value}"`, (item) => valueOf(item) === value],
      [`-${attribute}:"${value}"`, (item) => valueOf(item) !== value],
      [`model:"${model}" ${attribute}:"${value}"`, ({ modem }) => modem.deviceType === model],
    ];
    for (const [filter, matches] of cases) {
      const { actual, expected } = await compare(filter, matches);
      expect({ filter, actual }).toEqual({ filter, actual: expected });
    }
    await expect(listAll(device, `${attribute}:nothing-like-it`, context)).rejects.toBeInstanceOf(FilterError);
    const suggestions = await device.filter[attribute]!.suggest!(context, value.slice(0, 2));
    expect(suggestions.map((suggestion) => suggestion.value)).toContain(value);
  }
});

test('finds the devices that measure a process point', async () => {
  const administrator = await contextAs(server, 'administrator');
  const [name, number] = ['Flow line of Avocet', allDevices[0]!.modem.number];
  const { created } = await administrator.api(ProcessPointService).create({ create: [{ name }] });
  const { identifier } = created[0]!;
  await administrator.api(ProcessPointService).assignDevice({
    selection: { identifiers: [identifier] },
    devices: { modems: { include: [number] } },
  });
  const measures = ({ modem }: Device): boolean => modem.number === number;
  for (const [filter, matches] of [
    [`process-point:"${name}"`, measures],
    [`point:${identifier}`, measures],
    [`-process-point:"${name}"`, (item) => !measures(item)],
    [`process-point:"${name}" number:"${number}"`, ({ modem }) => modem.number === number],
  ] satisfies readonly Case[]) {
    const { actual, expected } = await compare(filter, matches);
    expect({ filter, actual }).toEqual({ filter, actual: expected });
  }
  await expect(listAll(device, 'process-point:nothing-like-it', context)).rejects.toMatchObject({
    userMessage: { key: 'device:filter.unknownPoint' },
  });
  const suggestions = await device.filter['process-point']!.suggest!(context, name);
  expect(suggestions).toContainEqual(expect.objectContaining({ value: name }));
});

test('rejects a process point that no device measures, and a name that several have', async () => {
  const administrator = await contextAs(server, 'administrator');
  const { created } = await administrator
    .api(ProcessPointService)
    .create({ create: ['Idle', 'Twin', 'twin'].map((name) => ({ name })) });
  await expect(listAll(device, 'process-point:idle', context)).rejects.toMatchObject({
    userMessage: { key: 'device:filter.idlePoint' },
  });
  const twins = created.slice(1).map(({ identifier }) => identifier);
  await expect(listAll(device, 'process-point:TWIN', context)).rejects.toMatchObject({
    userMessage: { key: 'device:filter.severalPoints' },
    problem: { fixes: expect.arrayContaining(twins.map((identifier) => `process-point:${identifier}`)) },
  });
});

test('includes and excludes devices by number, gateway, model, and tag', async () => {
  const gateway = allDevices.find(({ modem }) => modem.type === GATEWAY)!.modem.number;
  const { number, deviceType } = allDevices[0]!.modem;
  const tag = allDevices.flatMap(({ modem }) => modem.tags)[0]!;
  const cases: readonly Case[] = [
    [`number:${number.replace(' ', '')}`, ({ modem }) => modem.number === number],
    [`-number:"${number}"`, ({ modem }) => modem.number !== number],
    [`gateway:"${gateway}"`, ({ modem }) => modem.connectedDeviceInfo?.connectedToGateway === gateway],
    [`model:${deviceType}`, ({ modem }) => modem.deviceType === deviceType],
    [`tag:"${tag.label!.name}"`, ({ modem }) => modem.tags.some(({ id }) => id === tag.id)],
    [`-tag:"${tag.label!.name}"`, ({ modem }) => !modem.tags.some(({ id }) => id === tag.id)],
  ];
  for (const [filter, matches] of cases) {
    const { actual, expected } = await compare(filter, matches);
    expect({ filter, actual }).toEqual({ filter, actual: expected });
  }
});

test('rejects an unknown level or tag with suggestions', async () => {
  await expect(listAll(device, 'health:purple', context)).rejects.toMatchObject({
    userMessage: { key: 'common:filter.unknownLevel' },
  });
  await expect(listAll(device, 'tag:a', context)).rejects.toMatchObject({
    userMessage: { key: 'running:lookup.near' },
  });
});

test('filters by every brand, including those of gateways', async () => {
  const brands = new Set(allDevices.map(({ modem }) => brandOf(modem)).filter(Boolean));
  expect(brands.size).toBeGreaterThan(1);
  for (const brand of brands) {
    const { actual, expected } = await compare(`brand:"${brand}"`, ({ modem }) => brandOf(modem) === brand);
    expect({ brand, actual }).toEqual({ brand, actual: expected });
  }
});

test('completes models with device counts', async () => {
  const { suggestions } = await complete('model:', 6, device, context);
  const sum = suggestions.reduce((total, { count = 0 }) => total + count, 0);
  expect(sum).toBe(allDevices.filter(({ modem }) => modem.deviceType !== '').length);
  expect(suggestions.length).toBe(new Set(allDevices.map(({ modem }) => modem.deviceType).filter(Boolean)).size);
});

test('sort:-last lists the device with the longest silence first', async () => {
  const times = (await listAll(device, 'sort:-last', context)).map(
    ({ modem }) => modem.lastMessageReceivedAt?.timestamp?.seconds,
  );
  const knownTimes = times.filter((time) => time !== undefined);
  expect(knownTimes).toEqual(knownTimes.toSorted((a, b) => Number(a - b)));
});

test('completes the values of other keys with device counts', async () => {
  const suggestedCounts = async (text: string) => {
    const { suggestions } = await complete(text, text.length, device, context);
    return new Map(suggestions.map(({ value, count }) => [value, count]));
  };
  const health = await suggestedCounts('health:');
  expect(health.get('ERROR')).toBe(allDevices.filter(({ level }) => level === 'error').length);
  expect(health.get('Alarm')).toBe(health.get('ERROR'));
  expect((await suggestedCounts('type:')).get('GATEWAY')).toBe(
    allDevices.filter(({ modem }) => modem.type === GATEWAY).length,
  );
  expect((await suggestedCounts('lifecycle:')).has('ACCEPTANCE_TESTING')).toBe(false);
  const relayedCount = (await suggestedCounts('gateway:')).get('*');
  expect(relayedCount).toBe(allDevices.filter(({ modem }) => modem.connectedDeviceInfo?.connectedToGateway).length);
  const recentCount = allDevices.filter((item) => hasReported(item) && age(item) < HOUR).length;
  expect((await suggestedCounts('last<')).get('1h')).toBe(recentCount);
  expect((await suggestedCounts('last>')).get('1h')).toBe(allDevices.filter(hasReported).length - recentCount);
  const [{ modem: first }] = allDevices as [Device];
  expect(await suggestedCounts(`number:${first.number.slice(0, 4)}`)).toEqual(
    new Map(
      allDevices
        .filter(({ modem }) => modem.number.startsWith(first.number.slice(0, 4)))
        .map(({ modem }) => [`"${modem.number}"`, 1]),
    ),
  );
  const identifier =
    allDevices.find(({ modem }) => modem.externalDeviceIds.length > 0)?.modem.externalDeviceIds[0] ?? '';
  expect((await suggestedCounts(`identifier:${identifier.slice(0, -1)}`)).get(identifier)).toBe(1);
  const wells = allDevices.filter(({ modem }) => modem.tags.some(({ label }) => label?.type === 'well'));
  expect((await suggestedCounts('tagtype:')).get('well')).toBe(wells.length);
  const { suggestions } = await complete('tagtype:prod', 12, device, context);
  expect(suggestions).toMatchObject([{ value: 'production_area', about: message('tag:type.production_area') }]);
});
