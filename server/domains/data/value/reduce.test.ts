import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { UnitOfMeasurement as Unit } from '#proto/gen/hiber/unit_pb.ts';
import { Value_Numeric_Type as NumericType, Value_Type as ValueType } from '#proto/gen/hiber/value_pb.ts';
import { ListValues_Sort as Sort } from '#proto/gen/hiber/value_service_pb.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { downsample } from './downsample.ts';
import type { ValueCriteria } from './selection.ts';

let t: TestServer;
beforeAll(async () => {
  t = await startTestServer();
});
afterAll(() => t.close());

interface Stored {
  readonly number: string;
  readonly field: string;
  readonly parser: string;
  readonly message: number;
  /** Milliseconds after 1 October. */
  readonly ms: number;
  readonly type: ValueType;
  readonly numericType: NumericType | null;
  readonly unit: Unit | null;
  readonly numeric: number | null;
  readonly text: string | null;
  readonly sealed: boolean;
}

const NUMBERS = ['7000 0001', '7000 0002'];
/** Sorted by bytes as the database does: JavaScript would sort the last two the other way round. */
const FIELDS = ['level', 'Level', '\u{ff21}', '\u{1d400}'];

const common = fc.record({
  number: fc.constantFrom(...NUMBERS),
  field: fc.constantFrom(...FIELDS),
  parser: fc.constantFrom('first', 'second'),
  message: fc.constantFrom(0, 1, 2, 2 ** 40),
  ms: fc.oneof(fc.integer({ min: 0, max: 12 }), fc.integer({ min: -1e12, max: 1e12 })),
});
const content = fc.oneof(
  fc.record({
    type: fc.constant(ValueType.NUMERIC),
    numericType: fc.constantFrom(NumericType.PRESSURE, NumericType.TEMPERATURE, NumericType.OTHER),
    unit: fc.constantFrom(Unit.PRESSURE_BAR, Unit.PRESSURE_PSI, Unit.TEMPERATURE_DEGREES_FAHRENHEIT),
    numeric: fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ noNaN: true, noDefaultInfinity: true })),
    text: fc.constant(null),
    sealed: fc.constant(false),
  }),
  fc.record({
    type: fc.constantFrom(ValueType.TEXT, ValueType.ENUM),
    numericType: fc.constant(null),
    unit: fc.constant(null),
    numeric: fc.constant(null),
    text: fc.constantFrom('ok', 'low', ''),
    sealed: fc.constant(false),
  }),
);
const stored = fc.uniqueArray(
  fc.tuple(common, content).map(([one, other]): Stored => ({ ...one, ...other })),
  {
    maxLength: 60,
    selector: ({ number, field, parser, message, ms }) => JSON.stringify([number, field, parser, message, ms]),
  },
);

async function store(values: readonly Stored[]) {
  const column = <Name extends keyof Stored>(name: Name) => values.map((item) => item[name]);
  await t.app.db.pool.query('delete from value');
  await t.app.db.pool.query(
    `insert into value (organization, number, time, field, message, parser, type, numeric_type, unit, "numeric", text, sealed,
       operational, latitude, longitude)
     select 'northwind', number, timestamptz '2026-10-01Z' + ms * interval '1 millisecond', field, message, parser, type,
       numeric_type, unit, "numeric", text, sealed, false, 52, case when message > 0 then message end
       from unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::float8[], $6::smallint[], $7::smallint[], $8::smallint[],
         $9::float8[], $10::text[], $11::boolean[])
         as item (number, field, parser, message, ms, type, numeric_type, unit, "numeric", text, sealed)`,
    [
      column('number'),
      column('field'),
      column('parser'),
      column('message'),
      column('ms'),
      column('type'),
      column('numericType'),
      column('unit'),
      column('numeric'),
      column('text'),
      column('sealed'),
    ],
  );
}

const criteria: ValueCriteria = {
  organization: 'northwind',
  owners: { devices: NUMBERS.map((number) => ({ number, name: '', externalIds: [], timeZone: null })) },
  deviceCondition: undefined,
  range: { start: undefined, end: undefined },
  where: undefined,
  seriesBy: 'field',
  includeLocation: false,
};

const options = fc.record({
  points: fc.integer({ min: 4, max: 30 }),
  sort: fc.constantFrom(Sort.TIME_ASCENDING, Sort.TIME_DESCENDING),
  page: fc
    .tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 2 }))
    .map(([size, number]) => ({ size, number, limit: size, offset: size * number })),
  withExtremes: fc.boolean(),
});

test('the server and the database reduce random values to the same ones, in the same order', async () => {
  await fc.assert(
    fc.asyncProperty(
      stored,
      options,
      fc.constantFrom('field' as const, 'numericType' as const),
      fc.boolean(),
      async (values, request, seriesBy, includeLocation) => {
        await store(values);
        const selection = { ...criteria, seriesBy, includeLocation };
        const inServer = await downsample(t.app, selection, request);
        const inDatabase = await downsample(t.app, selection, request, -1);
        expect(inServer).toEqual(inDatabase);
      },
    ),
    { numRuns: 200 },
  );
});
