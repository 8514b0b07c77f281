import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { Sort as DeviceSort } from '#proto/gen/hiber/device_pb.ts';
import { ListModemsRequest_Sort as ModemSort, Modem_Lifecycle } from '#proto/gen/hiber/modem_pb.ts';
import type { Database } from '#server/db/database.ts';
import { device } from '#server/db/schema/device.ts';
import { healthLevel } from '#server/db/schema/health-level.ts';
import { message } from '#server/db/schema/message.ts';
import { organization } from '#server/db/schema/organization.ts';
import { deviceTag, tag } from '#server/db/schema/tag.ts';
import { deviceFile, file } from '#server/domains/data/file/schema.ts';
import { openTestDatabase } from '#server/testkit/database.ts';

import { listDeviceKeys, loadDevices, missingGateways } from './list.ts';
import type { ListedDevice } from './listed-device.ts';
import { parseDeviceSort, parseModemSort, type Order } from './orders.ts';
import { resolveOrder } from './sort.ts';

const now = new Date('2026-11-20T12:00:00Z');
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000);
const numberEndingIn = (digit: number) => `AAAA 000${digit}`;

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase(now);
  const { orm } = db;
  const levels = { acme: { Healthy: 1, 'Build up': 2, Alarm: 3 }, bravo: { Healthy: 9, 'Build up': 2, Alarm: 1 } };
  for (const [id, severities] of Object.entries(levels)) {
    await orm.insert(organization).values({ id, path: [id], displayName: id });
    const rows = Object.entries(severities).map(([level, severity]) => ({ level, severity }));
    await orm.insert(healthLevel).values(rows.map((row) => ({ organization: id, ...row, colorData: { text: id } })));
  }
  const { INSTALLED, READY_TO_INSTALL, PAUSED, DEFECTIVE } = Modem_Lifecycle;
  const acme = { organization: 'acme', type: 3 };
  await orm.insert(device).values([
    {
      ...acme,
      number: numberEndingIn(1),
      name: 'C',
      lifecycle: INSTALLED,
      healthLevel: 'Alarm',
      sensorBrand: 'Beta',
      deviceType: 'y',
      lastMessageReceivedAt: hoursAgo(3),
    },
    {
      ...acme,
      number: numberEndingIn(2),
      name: 'A',
      lifecycle: READY_TO_INSTALL,
      healthLevel: 'Healthy',
      gatewayBrand: 'Alpha',
      deviceType: 'x',
      gateway: numberEndingIn(1),
    },
    {
      ...acme,
      number: numberEndingIn(3),
      name: 'B',
      lifecycle: PAUSED,
      healthLevel: 'Build up',
      sensorBrand: 'Gamma',
      lastMessageReceivedAt: hoursAgo(1),
      gateway: numberEndingIn(1),
    },
    {
      ...acme,
      number: numberEndingIn(5),
      name: 'Hidden',
      lifecycle: DEFECTIVE,
      healthLevel: 'Alarm',
      gateway: numberEndingIn(1),
    },
    {
      organization: 'bravo',
      type: 3,
      number: numberEndingIn(4),
      name: 'D',
      lifecycle: INSTALLED,
      healthLevel: 'Alarm',
    },
    // The same number as the first device of acme, with a connected device.
    {
      organization: 'bravo',
      type: 3,
      number: numberEndingIn(1),
      name: 'Foreign',
      lifecycle: INSTALLED,
      healthLevel: 'Alarm',
    },
    {
      organization: 'bravo',
      type: 3,
      number: numberEndingIn(6),
      name: 'Connected',
      lifecycle: INSTALLED,
      healthLevel: 'Alarm',
      gateway: numberEndingIn(1),
    },
  ]);
  await orm.insert(tag).values([
    { organization: 'acme', id: 1, name: 'W1', type: 'well' },
    { organization: 'acme', id: 2, name: 'W2', type: 'well' },
    { organization: 'acme', id: 3, name: 'W9', type: 'well', priority: 1 },
    { organization: 'acme', id: 4, name: 'S1', type: 'site' },
    { organization: 'acme', id: 5, name: 'S2', type: 'site' },
    { organization: 'acme', id: 6, name: 'P1', type: 'production_area' },
    { organization: 'bravo', id: 1, name: 'W0', type: 'well' },
  ]);
  const links = { 1: [2], 2: [4], 3: [1, 3, 5, 6] };
  await orm
    .insert(deviceTag)
    .values([
      ...Object.entries(links).flatMap(([digit, ids]) =>
        ids.map((id) => ({ organization: 'acme', number: numberEndingIn(Number(digit)), tag: id })),
      ),
      { organization: 'bravo', number: numberEndingIn(4), tag: 1 },
    ]);
});
afterAll(() => db.close());

const home = sql`${device.organization} = 'acme' and ${device.number} < 'AAAA 0004'`;
const homeAndBravo = sql`${home} or ${device.number} = 'AAAA 0004'`;
async function listDigits(orders: readonly Order[], organizations = ['acme'], where = home): Promise<string> {
  const order = await resolveOrder(db.orm, organizations, orders);
  const { keys } = await listDeviceKeys(db, where, order, { limit: 10, offset: 0 }, () => Promise.resolve(0));
  return keys.map((key) => key.number.at(-1)).join('');
}

describe('a list of devices', () => {
  test.each([
    ['name', ModemSort.MODEM_NAME_ASC, DeviceSort.DEVICE_NAME_ASC, '231'],
    ['name, descending', ModemSort.MODEM_NAME_DESC, DeviceSort.DEVICE_NAME_DESC, '132'],
    ['number', ModemSort.MODEM_NUMBER_ASC, DeviceSort.DEVICE_NUMBER_ASC, '123'],
    ['number, descending', ModemSort.MODEM_NUMBER_DESC, DeviceSort.DEVICE_NUMBER_DESC, '321'],
    ['activity', ModemSort.LAST_MESSAGE_RECEIVED, DeviceSort.ACTIVITY, '312'],
    ['inactivity', ModemSort.LAST_MESSAGE_RECEIVED_INVERTED, DeviceSort.INACTIVITY, '213'],
    ['lifecycle', ModemSort.STATUS_ASC, DeviceSort.LIFECYCLE_ASC, '213'],
    ['lifecycle, descending', ModemSort.STATUS_DESC, DeviceSort.LIFECYCLE_DESC, '312'],
    ['lifecycle name', ModemSort.STATUS_ASC_ALPHABETICAL, DeviceSort.LIFECYCLE_ALPHABETICAL_ASC, '132'],
    ['lifecycle name, descending', ModemSort.STATUS_DESC_ALPHABETICAL, DeviceSort.LIFECYCLE_ALPHABETICAL_DESC, '231'],
    ['organization', ModemSort.ORGANIZATION_ASC, DeviceSort.ORGANIZATION_ASC, '123'],
    ['organization, descending', ModemSort.ORGANIZATION_DESC, DeviceSort.ORGANIZATION_DESC, '321'],
    ['process point', ModemSort.PROCESS_POINT_ASC, DeviceSort.PROCESS_POINT_ASC, '123'],
    ['process point, descending', ModemSort.PROCESS_POINT_DESC, DeviceSort.PROCESS_POINT_DESC, '321'],
    ['health', ModemSort.HEALTH, DeviceSort.HEALTH_ASC, '231'],
    ['health, descending', ModemSort.HEALTH_DESC, DeviceSort.HEALTH_DESC, '132'],
    ['health name', ModemSort.HEALTH_ASC_ALPHABETICAL, DeviceSort.HEALTH_ALPHABETICAL_ASC, '132'],
    ['health name, descending', ModemSort.HEALTH_DESC_ALPHABETICAL, DeviceSort.HEALTH_ALPHABETICAL_DESC, '231'],
    ['brand', ModemSort.SENSOR_BRAND_ASC, DeviceSort.SENSOR_BRAND_ASC, '213'],
    ['brand, descending', ModemSort.SENSOR_BRAND_DESC, DeviceSort.SENSOR_BRAND_DESC, '312'],
    ['type', ModemSort.DEVICE_TYPE_ASC, DeviceSort.DEVICE_TYPE_ASC, '213'],
    ['type, descending', ModemSort.DEVICE_TYPE_DESC, DeviceSort.DEVICE_TYPE_DESC, '123'],
    ['well', ModemSort.TAG_TYPE_WELL_ASC, DeviceSort.TAG_TYPE_WELL_ASC, '312'],
    ['well, descending', ModemSort.TAG_TYPE_WELL_DESC, DeviceSort.TAG_TYPE_WELL_DESC, '132'],
    ['site', ModemSort.TAG_TYPE_SITE_ASC, DeviceSort.TAG_TYPE_SITE_ASC, '231'],
    ['site, descending', ModemSort.TAG_TYPE_SITE_DESC, DeviceSort.TAG_TYPE_SITE_DESC, '321'],
    ['area', ModemSort.TAG_TYPE_PRODUCTION_AREA_ASC, DeviceSort.TAG_TYPE_PRODUCTION_AREA_ASC, '312'],
    ['area, descending', ModemSort.TAG_TYPE_PRODUCTION_AREA_DESC, DeviceSort.TAG_TYPE_PRODUCTION_AREA_DESC, '321'],
  ])('sorts by %s', async (_, modems, devices, order) => {
    expect(await listDigits(parseModemSort([modems]).orders)).toBe(order);
    expect(await listDigits(parseDeviceSort([devices]).orders)).toBe(order);
  });

  test('sorts devices of several organizations by their own tags and levels', async () => {
    const order = (sort: ModemSort) => listDigits(parseModemSort([sort]).orders, ['acme', 'bravo'], homeAndBravo);
    expect(await order(ModemSort.ORGANIZATION_ASC)).toBe('1234');
    expect(await order(ModemSort.ORGANIZATION_DESC)).toBe('4321');
    // A level sorts by its highest severity in any of the organizations.
    expect(await order(ModemSort.HEALTH)).toBe('3142');
    expect(await order(ModemSort.TAG_TYPE_WELL_ASC)).toBe('4312');
  });

  test('sorts by several keys in order', async () => {
    const { ORGANIZATION_ASC, MODEM_NAME_DESC } = ModemSort;
    expect(await listDigits(parseModemSort([ORGANIZATION_ASC, MODEM_NAME_DESC]).orders)).toBe('132');
  });

  test('ignores unknown sorts and repeated keys', () => {
    const { MODEM_NAME_ASC, MODEM_NAME_DESC, MODEM_NUMBER_DESC } = ModemSort;
    expect(parseModemSort([]).sortedBy).toEqual([ModemSort.LAST_MESSAGE_RECEIVED]);
    expect(parseDeviceSort([]).sortedBy).toEqual([DeviceSort.DEVICE_NAME_ASC]);
    expect(parseModemSort([999 as ModemSort]).sortedBy).toEqual([ModemSort.LAST_MESSAGE_RECEIVED]);
    expect(parseModemSort([999 as ModemSort, MODEM_NUMBER_DESC])).toEqual({
      sortedBy: [MODEM_NUMBER_DESC],
      orders: [{ key: 'number', descending: true }],
    });
    expect(parseModemSort([MODEM_NAME_ASC, MODEM_NAME_DESC, MODEM_NUMBER_DESC])).toEqual({
      sortedBy: [MODEM_NAME_ASC, MODEM_NUMBER_DESC],
      orders: [
        { key: 'name', descending: false },
        { key: 'number', descending: true },
      ],
    });
  });
});

test.each([
  ['a first page with more to come', home, 2, 0, 3, '12', 1],
  ['a last page', home, 2, 2, 3, '3', 0],
  ['a single full page', home, 3, 0, 3, '123', 0],
  ['a page beyond the end', home, 2, 5, 3, '', 1],
  ['an empty result', sql`false`, 2, 0, 0, '', 0],
  ['a page of every device', undefined, 10, 0, 7, '1123456', 0],
])('%s includes the total, with a count query only if necessary', async (...row) => {
  const [, where, limit, offset, total, digits, countQueries] = row;
  const count = vi.fn<() => Promise<number>>(() => db.orm.$count(device, where).then(Number));
  const order = await resolveOrder(db.orm, ['acme'], parseModemSort([ModemSort.MODEM_NUMBER_ASC]).orders);
  const page = await listDeviceKeys(db, where, order, { limit, offset }, count);
  expect([await page.findTotal(), page.keys.map((key) => key.number.at(-1)).join('')]).toEqual([total, digits]);
  expect(count).toHaveBeenCalledTimes(countQueries);
});

describe('the devices on a page', () => {
  const scope = { home: 'acme', organizations: ['acme'], allLifecycles: false };
  const key = (digit: number, organizationId = 'acme') => ({
    organization: organizationId,
    number: numberEndingIn(digit),
  });
  const load = (...keys: ReturnType<typeof key>[]) => loadDevices(db.orm, scope, keys, now);

  test('follow the key order and leave out deleted devices', async () => {
    expect((await load(key(3), key(9), key(1))).map(({ row }) => row.name)).toEqual(['B', 'C']);
    expect(await load()).toEqual([]);
    expect((await load(key(1))).map(({ row }) => row.name)).toEqual(['C']);
  });

  test("have their organization's level, and their own tags by priority and name", async () => {
    const [hiddenDevice, thirdDevice, foreignDevice] = await load(key(5), key(3), key(4, 'bravo'));
    expect([hiddenDevice, foreignDevice].map((listed) => [listed?.level?.level, listed?.level?.color])).toEqual([
      ['Alarm', 'acme'],
      ['Alarm', 'bravo'],
    ]);
    expect(thirdDevice?.tags.map(({ id, name, type, priority }) => [id, name, type, priority])).toEqual([
      [3, 'W9', 'well', 1],
      [6, 'P1', 'production_area', 0],
      [5, 'S2', 'site', 0],
      [1, 'W1', 'well', 0],
    ]);
    expect([hiddenDevice?.tags, foreignDevice?.tags].map((tags) => tags?.map(({ name }) => name))).toEqual([
      [],
      ['W0'],
    ]);
    expect((await load(key(4, 'bravo')))[0]?.files).toEqual([]);
  });

  test('have empty lists and zeros if there is no related data', async () => {
    await db.orm
      .update(device)
      .set({ healthLevel: 'Healthy' })
      .where(sql`${device.number} = 'AAAA 0006'`);
    expect(await load(key(6, 'bravo'))).toMatchObject([{ tags: [], files: [], receivedCount: 0, connectedCount: 0 }]);
  });

  test('include the number of connected devices that the caller may see', async () => {
    expect((await load(key(1), key(2))).map(({ connectedCount }) => connectedCount)).toEqual([2, 0]);
    const [all] = await loadDevices(db.orm, { ...scope, allLifecycles: true }, [key(1)], now);
    expect(all?.connectedCount).toBe(3);
  });

  test('include the number of their messages in the last 24 hours', async () => {
    const messageRow = (digit: number, hours: number, overrides: Partial<typeof message.$inferInsert> = {}) => ({
      organization: 'acme',
      number: numberEndingIn(digit),
      sentAt: hoursAgo(hours),
      receivedAt: hoursAgo(hours),
      body: new Uint8Array(),
      ...overrides,
    });
    await db.orm.insert(message).values([
      messageRow(1, 1),
      messageRow(1, 24),
      // The next four don't count: sent too early, received too early, not yet received, and another organization's.
      messageRow(1, 30, { receivedAt: hoursAgo(1) }),
      messageRow(1, 1, { receivedAt: hoursAgo(30) }),
      messageRow(1, 1, { receivedAt: hoursAgo(-1) }),
      messageRow(1, 1, { organization: 'bravo' }),
      messageRow(2, 2),
    ]);
    expect((await load(key(1), key(2), key(3))).map(({ receivedCount }) => receivedCount)).toEqual([2, 1, 0]);
  });

  test('have their own files', async () => {
    const rows = ['acme', 'bravo'].map((id) => ({
      organization: id,
      identifier: 'f',
      name: id,
      mediaType: 'text/csv',
    }));
    await db.orm.insert(file).values(rows);
    await db.orm.insert(deviceFile).values([
      { organization: 'acme', number: numberEndingIn(1), file: 'f' },
      { organization: 'bravo', number: numberEndingIn(1), file: 'f' },
    ]);
    expect((await load(key(1), key(2))).map(({ files }) => files.map(({ name }) => name))).toEqual([['acme'], []]);
    expect((await load(key(2))).map(({ files }) => files)).toEqual([[]]);
  });
});

test('lists gateways missing from the page, without duplicates, by number', () => {
  const listedDevice = (deviceNumber: string, gateway: string | null) =>
    ({ row: { organization: 'acme', number: deviceNumber, gateway } }) as ListedDevice;
  const gateways = (...page: ListedDevice[]) => missingGateways(page).map((missing) => missing.number);
  const page = [
    listedDevice('1', 'G2'),
    listedDevice('2', null),
    listedDevice('3', 'G1'),
    listedDevice('4', 'G2'),
    listedDevice('5', '2'),
  ];
  expect(gateways(...page, listedDevice('6', 'G3'))).toEqual(['G1', 'G2', 'G3']);
  expect(missingGateways([listedDevice('1', 'G2')])).toEqual([{ organization: 'acme', number: 'G2' }]);
  expect(gateways(listedDevice('2', null))).toEqual([]);
});
