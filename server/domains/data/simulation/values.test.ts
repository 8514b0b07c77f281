import { Code } from '@connectrpc/connect';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { DeviceService } from '#proto/gen/hiber/device_pb.ts';
import { EventService } from '#proto/gen/hiber/event_service_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { ModemMessageBodyParserService } from '#proto/gen/hiber/parser_pb.ts';
import { UnitOfMeasurement } from '#proto/gen/hiber/unit_pb.ts';
import {
  Value_Numeric_Pressure_PressureUnit as Pressure,
  Value_Numeric_Type as NumericType,
} from '#proto/gen/hiber/value_pb.ts';
import { ValueService } from '#proto/gen/hiber/value_service_pb.ts';
import { ValueSimulationService } from '#proto/gen/hiber/value_simulation_pb.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';
import {
  addDevices,
  deleteSimulations,
  HOUR,
  hours,
  invalid,
  MINUTE,
  modemSelection,
  readNumbers,
  removeAddedDevices,
} from '#server/testkit/simulations.ts';

import { runSimulations } from './run.ts';

let t: TestServer;
let numbers: [string, string, ...string[]];
beforeAll(async () => {
  t = await startTestServer();
  numbers = await readNumbers(t);
});
afterAll(() => t.close());

beforeEach(() => deleteSimulations(t));

const valueSimulations = () => t.as('administrator').client(ValueSimulationService);

async function round(milliseconds = 0): Promise<void> {
  t.advance(milliseconds);
  await runSimulations(t.app);
}

describe('the simulation of values', () => {
  const bar = { unit: { case: 'pressure' as const, value: Pressure.BAR } };
  let parser = '';
  beforeAll(async () => {
    const created = await t
      .as('administrator')
      .client(ModemMessageBodyParserService)
      .upload({
        name: 'Simulated',
        contentKsy: 'seq:\n  - {id: a, type: u1}\n',
        dataFields: [
          { field: 'pressure', details: { case: 'numeric', value: { unit: bar } } },
          { field: 'status', details: { case: 'enum', value: { values: [{ value: 'ok' }] } } },
          { field: 'note' },
        ],
      });
    parser = created.identifier;
  });

  const path = (value: string) => ({ fieldSelection: { case: 'fieldPath' as const, value } });
  const pressures = (...values: number[]) => ({
    ...path('pressure'),
    value: {
      case: 'numeric' as const,
      value: { values, type: NumericType.PRESSURE, unit: UnitOfMeasurement.PRESSURE_BAR },
    },
  });
  const strings = (field: string, kind: 'text' | 'enum', ...values: string[]) => ({
    ...path(field),
    value: { case: kind, value: { values } } as never,
  });
  const valuesOf = async (number: string) => {
    const { values } = await t
      .as('administrator')
      .client(ValueService)
      .list({ selection: { ownerSelection: { case: 'devices', value: modemSelection(number) } } });
    return values;
  };

  test('ends when its parser is made unavailable to the organization', async () => {
    const organization = 'northwind-offshore';
    const administrator = t.as('administrator');
    const parsers = administrator.client(ModemMessageBodyParserService);
    await parsers.makeAvailableToChildOrganization({ identifier: parser, availableTo: [organization] });
    const { devices } = await administrator.client(DeviceService).list({ organization, pagination: { size: 1 } });
    const modems = modemSelection(devices[0]!.number);
    const request = { organization, modems, parserIdentifier: parser, values: [pressures(1)] };
    await valueSimulations().updateValueSimulations(request);
    const selection = { ownerSelection: { case: 'devices' as const, value: modems } };
    const count = async () =>
      (await administrator.client(ValueService).list({ organization, selection })).values.length;
    await round();
    expect(await count()).toBe(1);
    await parsers.makeUnavailableToChildOrganization({ identifier: parser, unavailableTo: [organization] });
    await round(2 * HOUR);
    expect(await count()).toBe(1);
    expect((await valueSimulations().listValueSimulations({ organization })).simulations).toEqual([]);
  });

  test('is created, listed, and disabled', async () => {
    await valueSimulations().updateValueSimulations({
      modems: modemSelection(numbers[0], numbers[1]),
      parserIdentifier: parser,
      values: [
        { ...pressures(1, 2.5), simulationInterval: { textual: '10m' } },
        strings('status', 'enum', 'ok', 'unheard of'),
        strings('note', 'text', 'hi'),
      ],
      location: {
        case: 'replaceLocationRotation',
        value: { locations: [{ textual: '[1,2]' }], simulationInterval: hours(3) },
      },
    });
    const { simulations: listed, pagination } = await valueSimulations().listValueSimulations({});
    expect(pagination).toMatchObject({ total: 2 });
    expect(listed[0]).toMatchObject({
      modemNumber: numbers[0],
      values: [
        { fieldSelection: { value: 'note' }, value: { case: 'text', value: { values: ['hi'] } } },
        {
          fieldSelection: { value: 'pressure' },
          value: { case: 'numeric', value: { values: [1, 2.5], type: NumericType.PRESSURE } },
          simulationInterval: { textual: '10m' },
        },
        { value: { case: 'enum', value: { values: ['ok', 'unheard of'] } }, simulationInterval: { textual: '1h' } },
      ],
      location: {
        case: 'locationRotation',
        value: { locations: [{ textual: '[1,2]' }], simulationInterval: { textual: '3h' } },
      },
    });
    const disable = async (request: object) => (await valueSimulations().disableValueSimulations(request)).deleted;
    expect(
      await disable({
        modems: modemSelection(numbers[0]),
        field: { case: 'fields', value: { fields: ['note'], location: true } },
      }),
    ).toBe(1);
    const [left] = (await valueSimulations().listValueSimulations({ modems: modemSelection(numbers[0]) })).simulations;
    expect(left?.values).toHaveLength(2);
    expect(left?.location.case).toBeUndefined();
    expect(await disable({ field: { case: 'removeAll', value: true } })).toBe(2);
    expect((await valueSimulations().listValueSimulations({})).simulations).toEqual([]);
    await expect(disable({})).rejects.toMatchObject(invalid('Specify what to disable'));
  });

  test('stores due values, without a message', async () => {
    const number = numbers[3]!;
    const before = await t.app.db.orm.execute(sql`select id from message`);
    await valueSimulations().updateValueSimulations({
      modems: modemSelection(number),
      parserIdentifier: parser,
      values: [pressures(1, 2), { ...strings('note', 'text', 'x'), simulationInterval: hours(2) }],
      location: { case: 'randomLocationInArea', value: { textual: '[[10,20],[11,21]]' } },
    });
    await round();
    await round(61 * MINUTE);
    await round(HOUR);
    const { rows } = await t.app.db.orm.execute(sql`
      select field, numeric, text, message::int as message, latitude between 10 and 11 as inside from value
       where number = ${number} and parser = ${parser} order by time, field`);
    const inside = { message: 0, inside: true };
    expect(rows).toEqual([
      { field: 'note', numeric: null, text: 'x', ...inside },
      { field: 'pressure', numeric: 1, text: null, ...inside },
      { field: 'pressure', numeric: 2, text: null, ...inside },
      { field: 'note', numeric: null, text: 'x', ...inside },
      { field: 'pressure', numeric: 1, text: null, ...inside },
    ]);
    const after = await t.app.db.orm.execute(sql`select id from message`);
    expect(after.rows).toHaveLength(before.rows.length);
    const { unbundledEvents } = await t
      .as('administrator')
      .client(EventService)
      .list({ selection: { events: { include: [EventType.DEVICE_LOCATION_UPDATED] } }, unbundledEvents: true });
    expect(unbundledEvents.flatMap((page) => page.unbundledEvents).length).toBeGreaterThanOrEqual(3);
    expect((await valuesOf(number)).length).toBeGreaterThan(0);
  });

  test('runs once per interval, even if it is updated again and again', async () => {
    const number = numbers[7]!;
    const update = () =>
      valueSimulations().updateValueSimulations({
        modems: modemSelection(number),
        parserIdentifier: parser,
        values: [pressures(1, 2)],
        location: {
          case: 'replaceLocationRotation',
          value: { locations: [{ textual: '[1,2]' }, { textual: '[3,4]' }], simulationInterval: hours(1) },
        },
      });
    const nextRunOf = async () => {
      const [simulation] = (await valueSimulations().listValueSimulations({ modems: modemSelection(number) }))
        .simulations;
      return simulation?.location.case === 'locationRotation'
        ? simulation.location.value.nextSimulationRunAfter?.textual
        : undefined;
    };
    const nextRuns = new Set<string | undefined>();
    for (let minute = 0; minute < 120; minute += 20) {
      await update();
      await round(minute === 0 ? 0 : 20 * MINUTE);
      nextRuns.add(await nextRunOf());
    }
    expect(nextRuns.size).toBe(2);
    const { rows } = await t.app.db.orm.execute(sql`
      select 1 from value where number = ${number} and parser = ${parser} and field = 'pressure'`);
    expect(rows).toHaveLength(2);
  });

  test('is limited for each organization, together with the simulation of locations', async () => {
    await addDevices(t, numbers[0], 800);
    try {
      const location = {
        case: 'replaceLocationRotation' as const,
        value: { locations: [{ textual: '[1,2]' }], simulationInterval: { textual: '1m' } },
      };
      await expect(valueSimulations().updateValueSimulations({ location })).rejects.toMatchObject({
        code: Code.FailedPrecondition,
        rawMessage: expect.stringContaining('at most 1,000,000 simulated values and locations a day'),
      });
      expect((await valueSimulations().listValueSimulations({})).simulations).toEqual([]);
    } finally {
      await removeAddedDevices(t);
    }
  });

  test('adds the numeric types to the device', async () => {
    const number = numbers[5]!;
    await t.app.db.orm.execute(sql`update device set numeric_value_types = '{2}' where number = ${number}`);
    await valueSimulations().updateValueSimulations({
      modems: modemSelection(number),
      parserIdentifier: parser,
      values: [pressures(1), strings('note', 'text', 'x')],
    });
    await round();
    const { devices } = await t
      .as('administrator')
      .client(DeviceService)
      .list({ selection: modemSelection(number) });
    expect(devices[0]?.numericValueTypes).toEqual([NumericType.TEMPERATURE, NumericType.PRESSURE]);
  });

  test('encrypts the values of encrypted fields', async () => {
    const number = numbers[5]!;
    const { identifier } = await t
      .as('administrator')
      .client(ModemMessageBodyParserService)
      .upload({
        name: 'Encrypted',
        contentKsy: 'seq:\n  - {id: a, type: u1}\n',
        dataFields: [{ field: 'code', encrypted: true }],
      });
    await valueSimulations().updateValueSimulations({
      modems: modemSelection(number),
      parserIdentifier: identifier,
      values: [strings('code', 'text', '4711')],
    });
    await round();
    const { rows } = await t.app.db.orm.execute<{ text: string; sealed: boolean }>(sql`
      select text, sealed from value where number = ${number} and parser = ${identifier}`);
    expect(rows).toEqual([{ text: expect.not.stringContaining('4711'), sealed: true }]);
    const { rows: stored } = await t.app.db.orm.execute(sql`
      select rotation::text from value_simulation where number = ${number} and field = 'code'`);
    expect(stored).toEqual([{ rotation: expect.not.stringContaining('4711') }]);
    const { simulations: listed } = await valueSimulations().listValueSimulations({ modems: modemSelection(number) });
    expect(listed[0]?.values).toMatchObject([{ value: { case: 'text', value: { values: ['4711'] } } }]);
    const code = (await valuesOf(number)).find(({ field }) => field === 'code');
    expect(code?.valueType).toMatchObject({ case: 'value', value: { value: { case: 'text', value: '4711' } } });
  });

  test('ends with its field', async () => {
    const parsers = t.as('administrator').client(ModemMessageBodyParserService);
    const { identifier } = await parsers.upload({
      name: 'Short-lived',
      contentKsy: 'seq:\n  - {id: a, type: u1}\n',
      dataFields: [{ field: 'gone' }],
    });
    await valueSimulations().updateValueSimulations({
      modems: modemSelection(numbers[4]!),
      parserIdentifier: identifier,
      values: [strings('gone', 'text', 'x')],
    });
    await parsers.delete({ selection: { identifiers: [identifier] } });
    await round();
    expect((await valueSimulations().listValueSimulations({})).simulations).toEqual([]);
  });

  test.each<[string, object, string, Code?]>([
    ['nothing', {}, 'Specify the values or the location'],
    ['an unknown field', { values: [strings('nope', 'text', 'x')] }, 'has no field nope', Code.NotFound],
    ['no field', { values: [strings('', 'text', 'x')] }, 'needs the path or the identifier'],
    [
      'values of another type',
      { values: [strings('pressure', 'text', 'x')] },
      "is numeric, so it can't have text values",
    ],
    ['no values', { values: [strings('note', 'text')] }, 'needs values'],
    ['a field twice', { values: [strings('note', 'text', 'x'), strings('note', 'text', 'y')] }, 'listed twice'],
    ['a long text', { values: [strings('note', 'text', 'x'.repeat(201))] }, 'at most 200 characters'],
    [
      'a unit of another type',
      {
        values: [
          {
            ...path('pressure'),
            value: {
              case: 'numeric',
              value: { values: [1], type: NumericType.PRESSURE, unit: UnitOfMeasurement.TEMPERATURE_KELVIN },
            },
          },
        ],
      },
      'have the type PRESSURE, but the unit K',
    ],
    [
      'no unit',
      {
        values: [
          { ...path('pressure'), value: { case: 'numeric', value: { values: [1], type: NumericType.PRESSURE } } },
        ],
      },
      'need a unit',
    ],
    ['an unknown parser', { parserIdentifier: 'nope', values: [pressures(1)] }, 'has no parser', Code.NotFound],
  ])('is rejected with %s', async (_, change, sentence, code = Code.InvalidArgument) => {
    await expect(
      valueSimulations().updateValueSimulations({
        modems: modemSelection(numbers[0]),
        parserIdentifier: parser,
        ...change,
      }),
    ).rejects.toMatchObject({ ...invalid(sentence), code });
  });
});
