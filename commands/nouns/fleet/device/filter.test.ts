import { afterAll, beforeAll, expect, test } from 'vitest';

import { Modem_Lifecycle } from '#proto/gen/hiber/modem_pb.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';
import type { Context } from '#commands/model/context.ts';
import { listAll } from '#commands/run/lookup.ts';
import { message } from '#commands/text/message.ts';
import { complete } from '#commands/query/complete.ts';
import { canonicalText } from '#commands/query/edit.ts';
import { parseFilter } from '#commands/query/parse.ts';
import { FilterError, fixedTexts } from '#commands/query/problem.ts';
import { msOf } from '#commands/model/wire.ts';
import { contextAs } from '#commands/testkit/server.ts';
import { brandOf } from './catalogue.ts';
import { device } from './entity.ts';
import type { Device } from './item.ts';

let server: TestServer;
let context: Context;
let all: readonly Device[];
beforeAll(async () => {
  server = await startTestServer({ devices: 120 });
  const now = server.app.now();
  context = {
    ...(await contextAs(server, 'operator')),
    now: () => now,
    // At that moment too.
    cached: (_key, load) => load(context),
  };
  all = await listAll(device, '', context);
});
afterAll(() => server.close());

/** What a filter finds, and what it should: of all devices those that belong. There must be some. */
async function compare(filter: string, belongs: (item: Device) => boolean) {
  const numbers = (items: readonly Device[]): string[] => items.map(device.id).toSorted();
  const wanted = numbers(all.filter(belongs));
  if (wanted.length === 0) throw new Error(`the seed has nothing for ${filter}`);
  return { found: numbers(await listAll(device, filter, context)), wanted };
}

/** Every filter is asked at one moment, so that no device grows older in between. */
const age = ({ modem }: Device): number => context.now().getTime() - (msOf(modem.lastMessageReceivedAt) ?? 0);
const heard = ({ modem }: Device): boolean => modem.lastMessageReceivedAt?.timestamp !== undefined;
const GATEWAY = 2;
const INSTALLED = 1;
const PAUSED = 6;
const SPARE = Modem_Lifecycle.SPARE;
const HOUR = 3_600_000;

type Case = readonly [filter: string, belongs: (item: Device) => boolean];

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
  ['tagtype:well', ({ modem }) => modem.tags.some(({ label }) => label?.type === 'well')],
  ['last<2h', (item) => heard(item) && age(item) < 2 * HOUR],
  ['last>2h', (item) => heard(item) && age(item) > 2 * HOUR],
])('%s', async (filter, belongs) => {
  const { found, wanted } = await compare(filter, belongs);
  expect(found).toEqual(wanted);
});

/** The filters of the trial by a demanding operator: each is understood, or answered with the text that is right. */
test.each<Case>([
  ['lifecycle:spare', ({ modem }) => modem.lifecycle === SPARE],
  ['-health:OK', ({ level }) => level !== 'ok'],
  ['health!=OK', ({ level }) => level !== 'ok'],
  ['NOT health:OK', ({ level }) => level !== 'ok'],
  ['health: error lifecycle=installed', ({ level, modem }) => level === 'error' && modem.lifecycle === INSTALLED],
  ['last > 2 hours', (item) => heard(item) && age(item) > 2 * HOUR],
  ['last<3h last>1h', (item) => heard(item) && age(item) < 3 * HOUR && age(item) > HOUR],
  ['inactivity>2h', (item) => heard(item) && age(item) > 2 * HOUR],
  ['last<1h -type:GATEWAY', (item) => heard(item) && age(item) < HOUR && item.modem.type !== GATEWAY],
  ['lifecycle:*installed,pau*', ({ modem }) => [INSTALLED, PAUSED].includes(modem.lifecycle)],
  ['-type:gate*', ({ modem }) => modem.type !== GATEWAY],
])('%s is understood', async (filter, belongs) => {
  const { found, wanted } = await compare(filter, belongs);
  expect(found).toEqual(wanted);
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
])('%s: did you mean %s', async (filter, meant) => {
  const refused = await listAll(device, filter, context).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(FilterError);
  expect(fixedTexts(filter, (refused as FilterError).problem)[0]).toBe(meant);
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
])('%s is never answered with nothing', async (filter, key) => {
  await expect(listAll(device, filter, context)).rejects.toMatchObject({ userMessage: { key } });
});

test('sort:-last is the longest silent first, as the column says it', async () => {
  for (const typed of ['-last', '-inactivity', '-silent', 'activity', '-last-message'])
    expect(canonicalText(parseFilter(`sort:${typed}`, device))).toBe('sort:-last');
  expect(canonicalText(parseFilter('sort:-activity', device))).toBe('sort:last');
  expect(device.columns.find(({ id }) => id === 'last')?.sort).toBe('last');
});

test('what a value begins with finds all that it stands for, and a part of a gateway offers those there are', async () => {
  const { deviceType } = all[0]!.modem;
  const begin = deviceType.slice(0, 4);
  const { found, wanted } = await compare(`model:"${begin}"*`, ({ modem }) =>
    modem.deviceType.toLowerCase().startsWith(begin.toLowerCase()),
  );
  expect(found).toEqual(wanted);
  const gateway = all.find(({ modem }) => modem.connectedDeviceInfo?.connectedToGateway)!.modem.connectedDeviceInfo!
    .connectedToGateway;
  await expect(listAll(device, `gateway:${gateway.slice(0, 3)}`, context)).rejects.toMatchObject({
    userMessage: { key: 'device:filter.unknownGatewayNear' },
    problem: { fixes: expect.arrayContaining([`gateway:"${gateway}"`]) },
  });
});

test('a tag and a type of tag are asked of one tag, which is said where it cannot be', async () => {
  const tags = all.flatMap(({ modem }) => modem.tags.flatMap(({ label }) => label ?? []));
  const well = tags.find(({ type }) => type === 'well')!;
  const other = tags.find(({ type }) => type !== 'well')!;
  await expect(listAll(device, `tag:"${other.name}" tagtype:well`, context)).rejects.toMatchObject({
    userMessage: { key: 'device:filter.tagAndType' },
  });
  const { found, wanted } = await compare(`tag:"${well.name}" tagtype:well`, ({ modem }) =>
    modem.tags.some(({ label }) => label?.name === well.name && label.type === 'well'),
  );
  expect(found).toEqual(wanted);
});

test('a device is selected and left out by number, gateway, model and tag', async () => {
  const gateway = all.find(({ modem }) => modem.type === GATEWAY)!.modem.number;
  const { number, deviceType } = all[0]!.modem;
  const tag = all.flatMap(({ modem }) => modem.tags)[0]!;
  const cases: readonly Case[] = [
    [`number:${number.replace(' ', '')}`, ({ modem }) => modem.number === number],
    [`-number:"${number}"`, ({ modem }) => modem.number !== number],
    [`gateway:"${gateway}"`, ({ modem }) => modem.connectedDeviceInfo?.connectedToGateway === gateway],
    [`model:${deviceType}`, ({ modem }) => modem.deviceType === deviceType],
    [`tag:"${tag.label!.name}"`, ({ modem }) => modem.tags.some(({ id }) => id === tag.id)],
    [`-tag:"${tag.label!.name}"`, ({ modem }) => !modem.tags.some(({ id }) => id === tag.id)],
  ];
  for (const [filter, belongs] of cases) {
    const { found, wanted } = await compare(filter, belongs);
    expect({ filter, found }).toEqual({ filter, found: wanted });
  }
});

test('a level or a tag that does not exist is refused with those that do', async () => {
  await expect(listAll(device, 'health:purple', context)).rejects.toMatchObject({
    userMessage: { key: 'common:filter.unknownLevel' },
  });
  await expect(listAll(device, 'tag:a', context)).rejects.toMatchObject({ userMessage: { key: 'core:lookup.near' } });
});

test('every brand and model that a device shows can be filtered by, of gateways too', async () => {
  const brands = new Set(all.map(({ modem }) => brandOf(modem)).filter(Boolean));
  expect(brands.size).toBeGreaterThan(1);
  for (const brand of brands) {
    const { found, wanted } = await compare(`brand:"${brand}"`, ({ modem }) => brandOf(modem) === brand);
    expect({ brand, found }).toEqual({ brand, found: wanted });
  }
});

test('models are completed with how many there are of each', async () => {
  const { suggestions } = await complete('model:', 6, device, context);
  const sum = suggestions.reduce((total, { count = 0 }) => total + count, 0);
  expect(sum).toBe(all.filter(({ modem }) => modem.deviceType !== '').length);
  expect(suggestions.length).toBe(new Set(all.map(({ modem }) => modem.deviceType).filter(Boolean)).size);
});

test('the silent come first by -last', async () => {
  const times = (await listAll(device, 'sort:-last', context)).map(
    ({ modem }) => modem.lastMessageReceivedAt?.timestamp?.seconds,
  );
  const known = times.filter((time) => time !== undefined);
  expect(known).toEqual(known.toSorted((a, b) => Number(a - b)));
});

test('values are completed with how many devices each finds', async () => {
  const offered = async (text: string) => {
    const { suggestions } = await complete(text, text.length, device, context);
    return new Map(suggestions.map(({ value, count }) => [value, count]));
  };
  const health = await offered('health:');
  expect(health.get('ERROR')).toBe(all.filter(({ level }) => level === 'error').length);
  expect(health.get('Alarm')).toBe(health.get('ERROR'));
  expect((await offered('type:')).get('GATEWAY')).toBe(all.filter(({ modem }) => modem.type === GATEWAY).length);
  expect((await offered('lifecycle:')).has('ACCEPTANCE_TESTING')).toBe(false);
  const relayed = (await offered('gateway:')).get('*');
  expect(relayed).toBe(all.filter(({ modem }) => modem.connectedDeviceInfo?.connectedToGateway).length);
  const recent = all.filter((item) => heard(item) && age(item) < HOUR).length;
  expect((await offered('last<')).get('1h')).toBe(recent);
  expect((await offered('last>')).get('1h')).toBe(all.filter(heard).length - recent);
  const [{ modem: one }] = all as [Device];
  expect(await offered(`number:${one.number.slice(0, 4)}`)).toEqual(
    new Map(
      all
        .filter(({ modem }) => modem.number.startsWith(one.number.slice(0, 4)))
        .map(({ modem }) => [`"${modem.number}"`, 1]),
    ),
  );
  const identified = all.find(({ modem }) => modem.externalDeviceIds.length > 0)?.modem.externalDeviceIds[0] ?? '';
  expect((await offered(`identifier:${identified.slice(0, -1)}`)).get(identified)).toBe(1);
  const wells = all.filter(({ modem }) => modem.tags.some(({ label }) => label?.type === 'well'));
  expect((await offered('tagtype:')).get('well')).toBe(wells.length);
  const { suggestions } = await complete('tagtype:prod', 12, device, context);
  expect(suggestions).toMatchObject([{ value: 'production_area', about: message('tag:type.production_area') }]);
});
