import { Code } from '@connectrpc/connect';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { AssignmentService } from '#proto/gen/hiber/assignment_pb.ts';
import { DeviceService } from '#proto/gen/hiber/device_pb.ts';
import { ModemMessageBodyParserService } from '#proto/gen/hiber/parser_pb.ts';
import { ProcessPointService } from '#proto/gen/hiber/process_point_service_pb.ts';
import { TestingService } from '#proto/gen/hiber/testing_pb.ts';
import { UnitPreferencesService } from '#proto/gen/hiber/unit_preferences_pb.ts';
import {
  Value_Numeric_Pressure_PressureUnit as PressureUnit,
  Value_Numeric_Temperature_TemperatureUnit as TemperatureUnit,
  Value_Numeric_Type,
  Value_Type,
} from '#proto/gen/hiber/value_pb.ts';
import {
  ListValues_Sort,
  type ValueContext,
  ValueService,
  ValueTransformation,
} from '#proto/gen/hiber/value_service_pb.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

let t: TestServer;
let number: string;
let other: string;
let third: string;
const SENSOR = `
meta: { id: sensor, endian: be }
seq:
  - { id: pressure, type: u2 }
  - { id: status, type: u1, enum: status }
  - { id: battery, type: u1 }
enums:
  status: { 0: ok, 1: low }
`;
const day = (n: number) => `2026-11-${String(n).padStart(2, '0')}T00:00:00Z`;

beforeAll(async () => {
  t = await startTestServer();
  const { devices } = await t
    .as('administrator')
    .client(DeviceService)
    .list({ pagination: { size: 3 } });
  [number = '', other = '', third = ''] = devices.map((device) => device.number);
  const parsers = t.as('administrator').client(ModemMessageBodyParserService);
  const { identifier } = await parsers.upload({
    name: 'Sensor',
    contentKsy: SENSOR,
    dataFields: [
      {
        field: 'pressure',
        details: {
          case: 'numeric',
          value: {
            unit: { unit: { case: 'pressure', value: PressureUnit.BAR } },
            format: { round: { case: 'roundToScale', value: 1 } },
          },
        },
      },
      {
        field: 'status',
        details: { case: 'enum', value: { values: [{ value: 'low', displayName: 'Too low', color: 'red' }] } },
      },
      { field: 'battery', operational: true, details: { case: 'numeric', value: {} } },
    ],
  });
  await parsers.assign({
    assignParsers: { identifiers: [identifier] },
    toModems: { modems: { include: [number, other] } },
  });
  await push(number, [
    [1, 10, 0],
    [2, 90, 0],
    [3, 20, 1],
    [4, 20, 0],
  ]);
  await push(other, [[2, 500, 0]]);
});
afterAll(() => t.close());

async function push(device: string, readings: readonly (readonly [number, number, number])[]) {
  await t
    .as('administrator')
    .client(TestingService)
    .pushModemMessages({
      messages: readings.map(([date, pressure, status]) => ({
        modemNumber: device,
        time: { textual: day(date) },
        content: new Uint8Array([pressure >> 8, pressure & 255, status, 50]),
      })),
    });
}

const values = () => t.as('administrator').client(ValueService);
const ofDevices = (...include: string[]) => ({
  ownerSelection: { case: 'devices', value: { modems: { include } } } as const,
});
const field = (...fields: string[]) => ({ dataSelection: { case: 'field', value: { fields } } as const });
const november = { timeRange: { start: { textual: day(1) }, end: { textual: day(5) } } };

/** Returns the number or text of each value. */
const toPlain = (contexts: readonly ValueContext[]) =>
  contexts.map(({ valueType }) => {
    const held = valueType.case === 'value' ? valueType.value.value : undefined;
    return held?.case === 'numeric' ? held.value.value : held?.case === 'enum' ? held.value.value : held?.value;
  });

describe('a list', () => {
  test('returns the values in chronological order, with unit, format, and labels', async () => {
    const { values: listed } = await values().list({ selection: { ...ofDevices(number), ...november } });
    expect(toPlain(listed)).toEqual([10, 'ok', 90, 'ok', 20, 'low', 20, 'ok']);
    expect(listed[0]).toMatchObject({
      field: 'pressure',
      device: { number },
      valueType: {
        value: { type: Value_Type.NUMERIC, value: { value: { textual: '10.0 bar', unitSymbol: 'bar' } } },
      },
    });
    expect(listed[5]).toMatchObject({
      valueType: { value: { value: { case: 'enum', value: { value: 'low', displayName: 'Too low', color: 'red' } } } },
    });
  });

  test('selects by field, type, time, enum value, and operation, in either order', async () => {
    const list = async (selection: object, more: object = {}) => {
      const { values: listed } = await values().list({
        selection: { ...ofDevices(number), ...november, ...selection },
        ...more,
      });
      return toPlain(listed);
    };
    expect(await list(field('pressure'), { sort: ListValues_Sort.TIME_DESCENDING })).toEqual([20, 20, 90, 10]);
    expect(await list({ ...field('battery') })).toEqual([]);
    expect(await list({ ...field('battery'), includeOperationalData: true })).toEqual([50, 50, 50, 50]);
    expect(
      await list({
        dataSelection: { case: 'valueType', value: { numericValueType: [Value_Numeric_Type.PRESSURE] } },
        timeRange: { start: { textual: day(2) }, end: { textual: day(3) } },
      }),
    ).toEqual([90, 20]);
    expect(await list({ dataSelection: { case: 'valueType', value: { valueType: [Value_Type.ENUM] } } })).toHaveLength(
      4,
    );
    expect(await list({ ...field('status'), filterEnumValues: [{ field: 'status', include: ['low'] }] })).toEqual([
      'low',
    ]);
  });

  test('finds a field by any spelling of its path', async () => {
    for (const path of ['$.pressure', "$['pressure']", '.pressure', ' pressure ']) {
      const { values: listed } = await values().list({
        selection: { ...ofDevices(number), ...november, ...field(path) },
        transformFields: { [path]: ValueTransformation.DELTA },
      });
      expect(
        listed.map(({ field: listedField, valueType }) => [listedField, valueType.case]),
        path,
      ).toEqual([
        ['pressure', 'delta'],
        ['pressure', 'delta'],
        ['pressure', 'delta'],
      ]);
      const filterEnumValues = [{ field: path.replace('pressure', 'status'), include: ['low'] }];
      const filtered = await values().list({
        selection: { ...ofDevices(number), ...november, ...field('$.status'), filterEnumValues },
      });
      expect(toPlain(filtered.values), path).toEqual(['low']);
    }
  });

  test('finds a field that is declared with another spelling, or no longer', async () => {
    const parsers = t.as('administrator').client(ModemMessageBodyParserService);
    const { identifier } = await parsers.upload({
      name: 'Nested',
      contentKsy:
        'meta: { id: nested }\nseq: [{ id: tank, type: tank }]\ntypes: { tank: { seq: [{ id: depth, type: u1 }] } }\n',
      dataFields: [{ field: "$.tank['depth']", details: { case: 'numeric', value: {} } }],
    });
    await parsers.assign({ assignParsers: { identifiers: [identifier] }, toModems: { modems: { include: [third] } } });
    await push(third, [[2, 0x0102, 0]]);
    const list = async (path: string) =>
      toPlain((await values().list({ selection: { ...ofDevices(third), ...november, ...field(path) } })).values);
    expect(await list('tank.depth')).toEqual([1]);
    expect(await list('$["tank"].depth')).toEqual([1]);
    expect(await list('depth')).toEqual([]);
    await parsers.delete({ selection: { identifiers: [identifier] } });
    expect(await list("$.tank['depth']")).toEqual([1]);
    const pressures = await values().list({ selection: { ...ofDevices(number), ...november, ...field('pressure') } });
    expect(pressures.values).toHaveLength(4);
  });

  test('is paginated', async () => {
    const { values: listed, pagination } = await values().list({
      selection: { ...ofDevices(number), ...november, ...field('pressure') },
      pagination: { size: 3, page: 1 },
    });
    expect(toPlain(listed)).toEqual([20]);
    expect(pagination).toMatchObject({ total: 4, totalPages: 2 });
  });

  test('requires owners, and permission for them', async () => {
    await expect(values().list({})).rejects.toMatchObject({ code: Code.InvalidArgument });
    await expect(values().list({ selection: ofDevices('FFFF FFFF') })).rejects.toMatchObject({ code: Code.NotFound });
  });

  test('converts to the units that the caller prefers', async () => {
    const preferences = t.as('operator').client(UnitPreferencesService);
    await preferences.unitPreferences({
      pressure: { case: 'updatePressurePreference', value: { preference: PressureUnit.K_PA } },
    });
    const { values: listed } = await t
      .as('operator')
      .client(ValueService)
      .list({ selection: { ...ofDevices(number), ...november, ...field('pressure') } });
    expect(toPlain(listed)).toEqual([1000, 9000, 2000, 2000]);
  });

  test('transforms fields to differences and durations', async () => {
    const { values: listed } = await values().list({
      selection: { ...ofDevices(number), ...november },
      transformFields: { pressure: ValueTransformation.DELTA, status: ValueTransformation.DURATION },
    });
    const deltas = listed.flatMap(({ valueType }) => (valueType.case === 'delta' ? [valueType.value] : []));
    expect(deltas).toMatchObject([
      { delta: { value: { value: { value: 80 } } }, current: { value: { value: { value: 90 } } } },
      { delta: { value: { value: { value: -70 } } } },
      { delta: { value: { value: { value: 0 } } } },
    ]);
    const durations = listed.flatMap(({ valueType }) => (valueType.case === 'valueDurations' ? [valueType.value] : []));
    expect(durations).toMatchObject([
      {
        durations: [
          { value: { value: { value: { value: 'ok' } } }, duration: { textual: '3d' } },
          { value: { value: { value: { value: 'low' } } }, duration: { textual: '1d' } },
        ],
      },
    ]);
  });
});

describe('the latest values', () => {
  test('are the newest of each field, or numeric type, of each owner', async () => {
    const latest = async (selection: object) => toPlain((await values().latest({ selection })).values);
    expect(await latest({ ...ofDevices(number, other), ...field('pressure') })).toHaveLength(2);
    expect(await latest({ ...ofDevices(number) })).toEqual([20, 'ok']);
    expect(await latest({ ...ofDevices(number), ...november, timeRange: { end: { textual: day(2) } } })).toEqual([
      90,
      'ok',
    ]);
    expect(
      await latest({
        ...ofDevices(number),
        dataSelection: { case: 'valueType', value: { numericValueType: [Value_Numeric_Type.PRESSURE] } },
      }),
    ).toEqual([20]);
  });

  test('of a numeric type that several fields of a message have are those of the same field', async () => {
    const { devices } = await t
      .as('administrator')
      .client(DeviceService)
      .list({ pagination: { size: 12 } });
    const several = devices.slice(6).map((device) => device.number);
    // Not in the order of an index.
    const names = Array.from({ length: 30 }, (_, index) => `p${String((index * 7) % 30).padStart(2, '0')}`);
    const indexOf = (name: string) => Number(name.slice(1));
    const bar = { unit: { case: 'pressure', value: PressureUnit.BAR } } as const;
    const kelvin = { unit: { case: 'temperature', value: TemperatureUnit.KELVIN } } as const;
    const parsers = t.as('administrator').client(ModemMessageBodyParserService);
    const { identifier } = await parsers.upload({
      name: 'Several',
      contentKsy: `meta: { id: several }\nseq: [${names.map((id) => `{ id: ${id}, type: u1 }`).join(', ')}]`,
      dataFields: names.map((name) => ({
        field: name,
        details: { case: 'numeric', value: { unit: indexOf(name) % 2 === 0 ? bar : kelvin } },
      })),
    });
    await parsers.assign({ assignParsers: { identifiers: [identifier] }, toModems: { modems: { include: several } } });
    const messages = several.map((modemNumber) => ({ modemNumber, content: Uint8Array.from(names, indexOf) }));
    await t.as('administrator').client(TestingService).pushModemMessages({ messages });
    const latest = async (include: string[]) => {
      const selection = {
        ...ofDevices(...include),
        dataSelection: { case: 'valueType' as const, value: { valueType: [Value_Type.NUMERIC] } },
      };
      return toPlain((await values().latest({ selection })).values);
    };
    const expected = await latest(several.slice(0, 1));
    expect(new Set(expected)).toEqual(new Set([0, 1]));
    expect(await latest(several)).toEqual(several.flatMap(() => expected));
  });
});

describe('downsampled values', () => {
  test('keep the peaks, both ends, the lowest, and the highest', async () => {
    const readings = Array.from({ length: 40 }, (_, index): [number, number, number] => [
      index,
      index === 17 ? 1000 : 100 + (index % 3),
      0,
    ]);
    await t
      .as('administrator')
      .client(TestingService)
      .pushModemMessages({
        messages: readings.map(([index, pressure]) => ({
          modemNumber: other,
          time: {
            textual: `2026-10-10T${String(Math.floor(index / 2)).padStart(2, '0')}:${index % 2 ? '30' : '00'}:00Z`,
          },
          content: new Uint8Array([pressure >> 8, pressure & 255, 0, 50]),
        })),
      });
    const timeRange = { start: { textual: '2026-10-10' }, end: { textual: '2026-10-11' } };
    const request = { selection: { ...ofDevices(other), ...field('pressure'), timeRange } };
    const reduced = await values().downsampled({ ...request, points: 12, determineMinimumAndMaximumValues: true });
    const numbers = toPlain(reduced.downsampledValues);
    expect(numbers.length).toBeLessThanOrEqual(12);
    expect(numbers).toContain(1000);
    expect([numbers[0], numbers.at(-1)]).toEqual([100, 100]);
    expect(toPlain(reduced.lowest)).toEqual([100]);
    expect(toPlain(reduced.highest)).toEqual([1000]);
    expect(reduced.request).toMatchObject({ points: 12 });
    const all = await values().downsampled({ ...request, points: 100, pagination: { size: 100 } });
    expect(all.downsampledValues).toHaveLength(40);
    // A bucket keeps up to four values, which the response says (contract: requests in responses).
    const fewest = await values().downsampled({ ...request, points: 1 });
    expect(fewest.request).toMatchObject({ points: 4 });
    expect(toPlain(fewest.downsampledValues)).toEqual([100, 1000, 100]);
    const page = await values().downsampled({ ...request, pagination: { size: 1 } });
    expect(page.request).toMatchObject({ points: 4, pagination: { size: 1 } });
    expect(page.pagination).toMatchObject({ total: 3 });
  });
});

describe('the values of a process point', () => {
  test('come from its devices at the time, so backdating moves history', async () => {
    const { created } = await t
      .as('administrator')
      .client(ProcessPointService)
      .create({ create: [{ name: 'Casing' }] });
    const identifiers = [created[0]?.identifier ?? ''];
    const selection = {
      ownerSelection: { case: 'processPoints', value: { identifiers } } as const,
      ...november,
      includeOperationalData: true,
    };
    const list = async (more: object = {}) => (await values().list({ selection: { ...selection, ...more } })).values;
    const latest = async () =>
      toPlain((await values().latest({ selection: { ...selection, timeRange: undefined } })).values);
    expect(await list()).toEqual([]);
    const assign = (device: string, start: string, more: object = {}) =>
      t
        .as('administrator')
        .client(AssignmentService)
        .assign({
          assign: { case: 'assignModems', value: { modems: { include: [device] } } },
          to: { case: 'toProcessPoints', value: { identifiers } },
          overrideTime: { textual: start },
          ...more,
        });
    await assign(number, day(2), { endTime: { textual: day(3) } });
    expect(toPlain(await list())).toEqual([90, 'ok']);
    expect(await latest()).toEqual([90, 'ok']);
    await assign(other, day(1), {
      additionalConfiguration: { case: 'processPointDevice', value: { sharedFields: { fields: ['pressure'] } } },
    });
    const bothContexts = await list(field('pressure'));
    expect(new Set(toPlain(bothContexts))).toEqual(new Set([90, 500]));
    const ownContext = bothContexts.find((context) => context.device?.number === number);
    expect(ownContext).toMatchObject({ processPoint: { name: 'Casing' } });
    expect(await latest()).toEqual([500, 'ok']);
    const reduced = await values().downsampled({ selection: { ...selection, ...field('pressure') }, points: 8 });
    expect(new Set(toPlain(reduced.downsampledValues))).toEqual(new Set([90, 500]));
  });
});
