import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { LocationSelectionSchema } from '#proto/gen/hiber/base_pb.ts';
import { DeviceSelectionSchema } from '#proto/gen/hiber/device_pb.ts';
import { ListModemsRequest_Sort, Modem_Type, ModemSelectionSchema } from '#proto/gen/hiber/modem_pb.ts';
import type { Database } from '#server/db/database.ts';
import { device } from '#server/db/schema/device.ts';
import { healthLevel } from '#server/db/schema/health-level.ts';
import { organization } from '#server/db/schema/organization.ts';
import { deviceTag, tag } from '#server/db/schema/tag.ts';
import { openTestDatabase } from '#server/testkit/database.ts';

import { readDeviceCriteria, selectsEverything, readModemCriteria } from './criteria.ts';
import { parseModemSort } from './orders.ts';
import { resolveOrder } from './sort.ts';
import { deviceWhere } from './where.ts';

const now = new Date('2026-11-20T12:00:00Z');
const scope = { home: 'acme', organizations: ['acme'], allLifecycles: false };
const HOUR = 3_600_000;

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase(now);
  const { orm } = database;
  await orm.insert(organization).values({ id: 'acme', path: ['acme'], displayName: 'Acme' });
  await orm.insert(healthLevel).values({ organization: 'acme', level: 'Healthy', severity: 1, colorData: {} });
  const commonFields = { organization: 'acme', lifecycle: 1, healthLevel: 'Healthy' };
  const hoursAgo = (hours: number) => new Date(now.getTime() - hours * HOUR);
  await orm.insert(device).values([
    {
      ...commonFields,
      number: 'AAAA 0001',
      name: 'Gateway 50%',
      type: 2,
      gatewayBrand: '',
      lastMessageReceivedAt: hoursAgo(1),
      latitude: 52,
      longitude: 6,
    },
    {
      ...commonFields,
      number: 'AAAA 0002',
      name: 'Old probe',
      type: 3,
      gateway: 'AAAA 0001',
      lastMessageReceivedAt: hoursAgo(50),
      peripherals: { probe: '1', antenna: '' },
      externalIds: ['mac-2'],
      deviceType: 'pressure-1',
      latitude: 53,
      longitude: 7,
    },
    {
      ...commonFields,
      number: 'AAAA 0003',
      name: 'New probe',
      type: 3,
      gateway: 'AAAA 0001',
      peripherals: { probe: '2' },
      sensorBrand: 'Sensara',
    },
    { ...commonFields, number: 'AAAA 0004', name: 'Spare', lifecycle: 9 },
  ]);
  await orm.insert(tag).values([
    { organization: 'acme', id: 1, name: 'North', type: 'group' },
    { organization: 'acme', id: 2, name: 'South', type: 'group' },
  ]);
  await orm.insert(deviceTag).values([
    { organization: 'acme', number: 'AAAA 0002', tag: 1 },
    { organization: 'acme', number: 'AAAA 0003', tag: 1 },
    { organization: 'acme', number: 'AAAA 0003', tag: 2 },
  ]);
});
afterAll(() => database.close());

/** Finds the last digits of the selected numbers, in order. */
async function findDigits(where: ReturnType<typeof deviceWhere>): Promise<string> {
  const rows = await database.orm.select({ number: device.number }).from(device).where(where).orderBy(device.number);
  return rows.map(({ number }) => number.at(-1)).join('');
}
const byDevice = (selection: MessageInitShape<typeof DeviceSelectionSchema>) =>
  findDigits(deviceWhere(scope, readDeviceCriteria(create(DeviceSelectionSchema, selection), now)));
const byModem = (selection: MessageInitShape<typeof ModemSelectionSchema>) =>
  findDigits(deviceWhere(scope, readModemCriteria(create(ModemSelectionSchema, selection), now)));

describe('a device selection', () => {
  test('filters peripherals by the rules of MapFilter', async () => {
    const peripherals = (includeAnd: Record<string, string[]>, exclude: Record<string, string[]> = {}) => {
      const values = (lists: Record<string, string[]>) =>
        Object.fromEntries(Object.entries(lists).map(([name, value]) => [name, { value }]));
      const value = { includeAnd: values(includeAnd), exclude: values(exclude) };
      return byDevice({ peripherals: { selection: { case: 'properties', value } } });
    };
    expect(await peripherals({ probe: [] })).toBe('23');
    expect(await peripherals({ probe: ['1', '3'] })).toBe('2');
    expect(await peripherals({ probe: [], antenna: [''] })).toBe('2');
    expect(await peripherals({ antenna: ['5'] })).toBe('');
    expect(await peripherals({}, { probe: ['1'] })).toBe('134');
    expect(await peripherals({ probe: [] }, { probe: [] })).toBe('');
    expect(await byDevice({ peripherals: { selection: { case: 'includeOnlyEmpty', value: true } } })).toBe('14');
    expect(await byModem({ peripheralSelection: { case: 'onlyWithoutPeripheral', value: true } })).toBe('14');
  });

  test('matches devices with any included tag and no excluded tag', async () => {
    expect(await byDevice({ filterByTags: { names: ['North', 'South'] } })).toBe('23');
    expect(await byDevice({ filterByTags: { filter: { include: [1n], exclude: [2n] } } })).toBe('2');
    expect(await byDevice({ filterByTags: { filter: { exclude: [2n] } } })).toBe('124');
    expect(await byDevice({ filterByTags: {} })).toBe('1234');
  });

  test('matches search terms literally, in the device and its tags', async () => {
    expect(await byDevice({ freeTextSearch: '50%' })).toBe('1');
    expect(await byDevice({ freeTextSearch: 'probe south' })).toBe('3');
    expect(await byDevice({ freeTextSearch: 'aaaa0002' })).toBe('2');
    expect(await byDevice({ freeTextSearch: 'MAC-2' })).toBe('2');
  });

  test('includes and excludes gateways, types, brands, and identifiers', async () => {
    expect(await byDevice({ withGateways: { include: ['aaaa0001'] } })).toBe('23');
    expect(await byDevice({ excludeGateways: true, sensorBrands: { exclude: ['Sensara'] } })).toBe('24');
    expect(await byDevice({ identifiers: { exclude: ['mac-2'] } })).toBe('134');
    expect(await byModem({ includeTypes: [Modem_Type.GATEWAY, Modem_Type.SENSOR], onlyConnectedToGateway: true })).toBe(
      '23',
    );
    expect(await byModem({ notConnectedToGateway: true, excludeTypes: [Modem_Type.GATEWAY] })).toBe('4');
  });

  test('leaves out devices that never sent a message when filtering by last message', async () => {
    expect(await byDevice({ withLastMessageIn: { end: { textual: '-2d' } } })).toBe('2');
    expect(await byDevice({ withLastMessageIn: { start: { textual: '-2h' }, end: { textual: 'now' } } })).toBe('1');
  });

  test('matches any of the areas and shapes', async () => {
    const digitsIn = (selection: MessageInitShape<typeof LocationSelectionSchema>) =>
      findDigits(deviceWhere(scope, readDeviceCriteria(undefined, now), create(LocationSelectionSchema, selection)));
    expect(await digitsIn({ areas: [{ textual: '[[52.5,6.5],[51.5,5.5]]' }] })).toBe('1');
    expect(await digitsIn({ shapes: [{ textual: '[[52.5,6.5],[53.5,6.5],[53.5,7.5],[52.5,7.5]]' }] })).toBe('2');
    expect(await digitsIn({})).toBe('1234');
    expect(() => digitsIn({ areas: [{ textual: '[[91,0],[0,0]]' }] })).toThrow("[91,0] isn't a location");
  });

  test('is empty if no field narrows it', () => {
    const empty = (selection: MessageInitShape<typeof DeviceSelectionSchema>) =>
      selectsEverything(readDeviceCriteria(create(DeviceSelectionSchema, selection), now));
    expect(empty({})).toBe(true);
    expect(empty({ freeTextSearch: '  ', modems: {}, filterByTags: {}, withLastMessageIn: {} })).toBe(true);
    expect(empty({ filterByTags: { names: ['North'] } })).toBe(false);
    expect(empty({ withLastMessageIn: { end: { textual: 'now' } } })).toBe(false);
  });
});

describe('devices without a value for the sort key', () => {
  const listDigits = async (sort: ListModemsRequest_Sort): Promise<string> => {
    const { joins, order } = await resolveOrder(database.orm, ['acme'], parseModemSort([sort]).orders);
    const { rows } = await database.orm.execute<{ number: string }>(
      sql`select ${device.number} from ${device} ${joins ?? sql``} where ${device.organization} = 'acme' order by ${order}`,
    );
    return rows.map(({ number }) => number.at(-1)).join('');
  };

  test.each([
    ['brand', ListModemsRequest_Sort.SENSOR_BRAND_ASC, '3124', ListModemsRequest_Sort.SENSOR_BRAND_DESC, '3421'],
    ['device type', ListModemsRequest_Sort.DEVICE_TYPE_ASC, '2134', ListModemsRequest_Sort.DEVICE_TYPE_DESC, '2431'],
  ])(
    'come last when sorted by %s, in either direction',
    async (_, ascendingSort, ascending, descendingSort, descending) => {
      expect(await listDigits(ascendingSort)).toBe(ascending);
      expect(await listDigits(descendingSort)).toBe(descending);
    },
  );
});

test('a search runs as hashed subplans, and loops only over the matching tags', async () => {
  for (const search of ['north', 'no', 'north probe old']) {
    const where = deviceWhere(scope, readModemCriteria(create(ModemSelectionSchema, { freeTextSearch: search }), now));
    const { rows } = await database.orm.execute<{ 'QUERY PLAN': string }>(
      sql`explain select ${device.number} from ${device} where ${where}`,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    const subplans = plan.match(/(hashed )?SubPlan \d+\)/g) ?? [];
    const words = search.split(' ').length;
    expect(subplans.length).toBeGreaterThanOrEqual(words);
    for (const value of subplans) expect(value).toContain('hashed');
    // PostgreSQL can run a join as nested loops, and it compares every row with the result of an InitPlan, such as an
    // array.
    expect(plan).not.toMatch(/InitPlan|Join/);
    expect(plan.match(/Nested Loop/g) ?? []).toHaveLength(words);
  }
});
