import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { converter } from '#commands/units/convert.ts';
import { unitOf } from '#commands/units/table.ts';
import { DeviceService } from '#proto/gen/hiber/device_pb.ts';
import { UnitOfMeasurement as Unit } from '#proto/gen/hiber/unit_pb.ts';
import { Value_Numeric_Type as NumericType, Value_Type as ValueType } from '#proto/gen/hiber/value_pb.ts';
import { type ValueContext, ValueService } from '#proto/gen/hiber/value_service_pb.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { inBaseUnit } from './base-unit.ts';

let t: TestServer;
let number: string;
beforeAll(async () => {
  t = await startTestServer();
  const { devices } = await t
    .as('administrator')
    .client(DeviceService)
    .list({ pagination: { size: 1 } });
  number = devices[0]?.number ?? '';
});
afterAll(() => t.close());

async function store(readings: readonly (readonly [numeric: number, unit: Unit])[], numericType: NumericType) {
  await t.app.db.pool.query('delete from value');
  for (const [index, [numeric, unit]] of readings.entries()) {
    await t.app.db.pool.query(
      `insert into value (organization, number, time, field, message, parser, type, numeric_type, unit, "numeric", operational)
       values ('northwind', $1, $2, $3, $4, 'parser', $5, $6, $7, $8, false)`,
      [
        number,
        new Date(Date.UTC(2026, 9, 1, index)),
        `unit-${unit}`,
        index,
        ValueType.NUMERIC,
        numericType,
        unit,
        numeric,
      ],
    );
  }
}

const downsampled = (numericType: NumericType) =>
  t
    .as('administrator')
    .client(ValueService)
    .downsampled({
      selection: {
        ownerSelection: { case: 'devices', value: { modems: { include: [number] } } },
        dataSelection: { case: 'valueType', value: { numericValueType: [numericType] } },
      },
      points: 4,
      determineMinimumAndMaximumValues: true,
    });

const plain = (contexts: readonly ValueContext[]) =>
  contexts.map(({ valueType }) => (valueType.case === 'value' ? valueType.value.value.value : undefined));

test('numbers of one type are compared in one unit, and keep their own', async () => {
  const [bar, psi] = [Unit.PRESSURE_BAR, Unit.PRESSURE_PSI];
  // 10 bar is 145 psi.
  await store(
    [
      [10, bar],
      [100, psi],
      [12, bar],
      [150, psi],
      [11, bar],
      [20, psi],
      [10, bar],
    ],
    NumericType.PRESSURE,
  );
  const { downsampledValues, lowest, highest } = await downsampled(NumericType.PRESSURE);
  expect(plain(downsampledValues)).toMatchObject([
    { value: 10 },
    { value: 12, unit: bar },
    { value: 20, unit: psi },
    { value: 10 },
  ]);
  expect(plain(lowest)).toMatchObject([{ value: 20, unit: psi }]);
  expect(plain(highest)).toMatchObject([{ value: 12, unit: bar }]);
});

test('the database converts as the server does, also reciprocal units', async () => {
  const units = [
    Unit.FUEL_EFFICIENCY_LITER_PER_100_KILOMETER,
    Unit.FUEL_EFFICIENCY_KILOMETER_PER_LITER,
    Unit.FUEL_EFFICIENCY_MILE_PER_US_GALLON,
    Unit.TEMPERATURE_KELVIN,
    Unit.TEMPERATURE_DEGREES_FAHRENHEIT,
  ];
  await store(
    units.map((unit) => [30, unit]),
    NumericType.OTHER,
  );
  const { rows } = await t.app.db.orm.execute<{ base: number }>(
    sql`select ${inBaseUnit} as base from value order by message`,
  );
  const bases = rows.map(({ base }) => base);
  const [perHundred, perLiter, perGallon, kelvin, fahrenheit] = units.map(unitOf);
  const ratio = (from: typeof perLiter, to: typeof perLiter) => (from && to ? converter(from, to)(30) : undefined);
  // In one base unit, two numbers are in the proportion in which the server converts them.
  expect((30 * (bases[0] ?? 0)) / (bases[1] ?? 0)).toBeCloseTo(ratio(perHundred, perLiter) ?? 0, 9);
  expect((30 * (bases[2] ?? 0)) / (bases[1] ?? 0)).toBeCloseTo(ratio(perGallon, perLiter) ?? 0, 9);
  expect((30 * (bases[4] ?? 0)) / (bases[3] ?? 0)).toBeCloseTo(ratio(fahrenheit, kelvin) ?? 0, 9);
});
