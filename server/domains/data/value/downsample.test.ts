import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { converter } from '#commands/units/convert.ts';
import { unitOf } from '#commands/units/table.ts';
import { UnitOfMeasurement as Unit } from '#proto/gen/hiber/unit_pb.ts';
import { Value_Numeric_Type as NumericType, Value_Type as ValueType } from '#proto/gen/hiber/value_pb.ts';
import { type ValueContext, ValueService } from '#proto/gen/hiber/value_service_pb.ts';
import { findFirstNumber } from '#server/testkit/devices.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { inBaseUnit } from './base-unit.ts';

let t: TestServer;
let number: string;
beforeAll(async () => {
  t = await startTestServer();
  number = await findFirstNumber(t);
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

const toPlain = (contexts: readonly ValueContext[]) =>
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
  expect(toPlain(downsampledValues)).toMatchObject([
    { value: 10 },
    { value: 12, unit: bar },
    { value: 20, unit: psi },
    { value: 10 },
  ]);
  expect(toPlain(lowest)).toMatchObject([{ value: 20, unit: psi }]);
  expect(toPlain(highest)).toMatchObject([{ value: 12, unit: bar }]);
});

test('the database converts units as the server does, including reciprocal ones', async () => {
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
  // In the base unit, the ratio of two numbers is the ratio that the server converts with.
  expect((30 * (bases[0] ?? 0)) / (bases[1] ?? 0)).toBeCloseTo(ratio(perHundred, perLiter) ?? 0, 9);
  expect((30 * (bases[2] ?? 0)) / (bases[1] ?? 0)).toBeCloseTo(ratio(perGallon, perLiter) ?? 0, 9);
  expect((30 * (bases[4] ?? 0)) / (bases[3] ?? 0)).toBeCloseTo(ratio(fahrenheit, kelvin) ?? 0, 9);
});

interface Reading {
  readonly field: string;
  /** Minutes since 1 October. */
  readonly minute: number;
  readonly numeric: number;
}

async function storeReadings(readings: readonly Reading[]) {
  await t.app.db.pool.query('delete from value');
  await t.app.db.pool.query(
    `insert into value (organization, number, time, field, message, parser, type, "numeric", operational)
     select 'northwind', $1, timestamptz '2026-10-01Z' + make_interval(mins => minute), field, index, 'parser', $2,
       "numeric", false
       from unnest($3::text[], $4::int[], $5::float8[]) with ordinality as reading (field, minute, "numeric", index)`,
    [
      number,
      ValueType.NUMERIC,
      readings.map(({ field }) => field),
      readings.map(({ minute }) => minute),
      readings.map(({ numeric }) => numeric),
    ],
  );
}

/** Reduces a series, sorted by time, to the first, lowest, highest, and last reading of each bucket of time. */
function reduced(series: readonly Reading[], points: number): readonly Reading[] {
  const [start = 0, end = 0] = [series[0]?.minute, series.at(-1)?.minute];
  const buckets = Math.floor(points / 4);
  const bucketOf = ({ minute }: Reading) =>
    start === end ? 0 : Math.min(buckets - 1, Math.floor(((minute - start) / (end - start)) * buckets));
  if (series.length <= points) return series;
  const kept = Array.from({ length: buckets }, (_, bucket) => series.filter((item) => bucketOf(item) === bucket)).map(
    (items) => {
      const numbers = items.map(({ numeric }) => numeric);
      const lowest = items.find(({ numeric }) => numeric === Math.min(...numbers));
      const highest = items.find(({ numeric }) => numeric === Math.max(...numbers));
      return [items[0], lowest, highest, items.at(-1)];
    },
  );
  const keptReadings = new Set(kept.flat());
  return series.filter((reading) => keptReadings.has(reading));
}

test('random series keep the first, lowest, highest, and last value of each bucket', async () => {
  const reading = fc.record({
    field: fc.constantFrom('left', 'right'),
    minute: fc.integer({ min: 0, max: 90 }),
    numeric: fc.integer({ min: -6, max: 6 }),
  });
  const format = (readings: readonly Reading[]) =>
    readings.map(({ field, minute, numeric }) => `${field} at ${minute}: ${numeric}`).toSorted();
  await fc.assert(
    fc.asyncProperty(
      fc.array(reading, { minLength: 1, maxLength: 80 }),
      fc.integer({ min: 4, max: 30 }),
      async (readings, points) => {
        await storeReadings(readings);
        const { downsampledValues } = await t
          .as('administrator')
          .client(ValueService)
          .downsampled({
            selection: {
              ownerSelection: { case: 'devices', value: { modems: { include: [number] } } },
              dataSelection: { case: 'field', value: { fields: ['left', 'right'] } },
            },
            points,
            pagination: { size: 1000 },
          });
        const answered = downsampledValues.map(({ field, time, valueType }) => ({
          field,
          minute: (Number(time?.timestamp?.seconds) * 1000 - Date.UTC(2026, 9, 1)) / 60_000,
          numeric:
            valueType.case === 'value' && valueType.value.value.case === 'numeric'
              ? valueType.value.value.value.value
              : 0,
        }));
        const expected = ['left', 'right'].flatMap((field) => {
          const series = readings.filter((item) => item.field === field).toSorted((a, b) => a.minute - b.minute);
          return reduced(series, points);
        });
        expect(format(answered)).toEqual(format(expected));
      },
    ),
    { numRuns: 150 },
  );
});
