import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { MessageInitShape } from '@bufbuild/protobuf';
import { sql } from 'drizzle-orm';

import { DeviceService } from '#proto/gen/hiber/device_pb.ts';
import type { Field_Numeric_UnitSchema, FieldSchema } from '#proto/gen/hiber/field_pb.ts';
import { ModemMessageBodyParserService } from '#proto/gen/hiber/parser_pb.ts';
import { UnitOfMeasurement } from '#proto/gen/hiber/unit_pb.ts';
import { Value_Numeric_Type as NumericType, Value_Type as ValueType } from '#proto/gen/hiber/value_pb.ts';
import { ValueService } from '#proto/gen/hiber/value_service_pb.ts';
import { DEMO_ORGANIZATION as organization } from '#server/demo/seed/people.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { measureInTurn, percentile, type Bench, type Row } from './bench.ts';
import { createCall } from './call.ts';

const DEVICES = 290;
const FIELDS = ['pressure', 'temperature', 'level', 'battery'];
const INTERVAL_MINUTES = 10;
const DAYS = 60;
/** 290 devices, 4 fields, and 8,640 values of each. */
const VALUES = DEVICES * FIELDS.length * DAYS * ((24 * 60) / INTERVAL_MINUTES);

const OWNERS = 200;
const LATEST_MS = 40;
const CHARTED = 5;
const CHART_DAYS = 30;
const POINTS = 1000;
const CHART_MS = 120;
/** The maximum cost compared with bare SQL. */
const TARGET = 4;
const ROUNDS = 20;

/** Stores the values device by device and returns the numbers of the devices. */
async function addValues(server: TestServer): Promise<string[]> {
  const { orm, pool } = server.app.db;
  const administrator = server.as('administrator');
  const { devices } = await administrator.client(DeviceService).list({ pagination: { size: DEVICES } });
  const numbers = devices.map(({ number }) => number);
  const unit: MessageInitShape<typeof Field_Numeric_UnitSchema> = { unit: { case: 'pressure', value: 0 } };
  const dataFields = FIELDS.map((field): MessageInitShape<typeof FieldSchema> => ({
    field,
    details: { case: 'numeric', value: { unit, format: { round: { case: 'roundToScale', value: 1 } } } },
  }));
  const contentKsy = 'meta: { id: bench }\nseq:\n  - { id: pressure, type: u1 }\n';
  const parsers = administrator.client(ModemMessageBodyParserService);
  const { identifier } = await parsers.upload({ name: 'Benchmark', contentKsy, dataFields });
  await orm.execute(sql`delete from latest_value where organization = ${organization}`);
  for (const number of numbers) {
    await orm.execute(sql`
      insert into value (organization, number, time, field, message, parser, type, numeric_type, unit, "numeric",
        operational)
      select ${organization}, ${number}, time, field, extract(epoch from time)::bigint, ${identifier},
          ${ValueType.NUMERIC}, ${NumericType.PRESSURE}, ${UnitOfMeasurement.PRESSURE_BAR},
          100 + 20 * sin(extract(epoch from time) / 20000) + random(), false
        from generate_series(now() - make_interval(days => ${DAYS}), now() - interval '1 minute',
            make_interval(mins => ${INTERVAL_MINUTES})) as time,
          unnest(${sql.param(FIELDS)}::text[]) as field`);
  }
  await orm.execute(sql`
    insert into latest_value (organization, number, field, time, message, parser, type, numeric_type, unit, "numeric",
      operational)
    select distinct on (number, field) organization, number, field, time, message, parser, type, numeric_type, unit,
        "numeric", operational
      from value where organization = ${organization} and time > now() - interval '1 day'
     order by number, field, time desc`);
  await pool.query('vacuum analyze');
  return numbers;
}

async function measure(server: TestServer): Promise<Row[]> {
  const numbers = await addValues(server);
  const { orm } = server.app.db;
  const call = createCall(server);
  const ofDevices = (include: string[]) => ({
    ownerSelection: { case: 'devices' as const, value: { modems: { include } } },
  });
  const [latestOwners, chartedOwners] = [numbers.slice(0, OWNERS), numbers.slice(0, CHARTED)];
  const dataSelection = { case: 'field' as const, value: { fields: ['pressure'] } };
  const timeRange = { start: { textual: `-${CHART_DAYS * 24}h` } };
  const bucketSeconds = (CHART_DAYS * 24 * 3600) / (POINTS / 4);
  const times = await measureInTurn(
    {
      latest: () =>
        call(ValueService.method.latest, { selection: ofDevices(latestOwners), pagination: { size: 1000 } }),
      latestSql: () =>
        orm.execute(sql`
          select * from latest_value where organization = ${organization}
             and number = any(${sql.param(latestOwners)}::text[]) order by number, field`),
      chart: () =>
        call(ValueService.method.downsampled, {
          selection: { ...ofDevices(chartedOwners), dataSelection, timeRange },
          points: POINTS,
          pagination: { size: CHARTED * POINTS },
        }),
      chartSql: () =>
        orm.execute(sql`
          select number, floor(extract(epoch from time) / ${bucketSeconds}) as bucket, min("numeric"), max("numeric"),
              min(time), max(time)
            from value where organization = ${organization} and number = any(${sql.param(chartedOwners)}::text[])
             and field = 'pressure' and time >= now() - make_interval(days => ${CHART_DAYS})
           group by 1, 2`),
    },
    ROUNDS,
  );
  const rowsFor = (name: string, measured: readonly number[], bare: readonly number[], budget: number): Row[] => {
    const value = percentile(measured, 95);
    return [
      { name: `${name}, p95 vs ${budget} ms`, unit: 'ms', value, baseline: budget, isWorkBudget: true, target: 1 },
      { name: `${name}, p95 vs bare SQL`, unit: 'ms', value, baseline: percentile(bare, 95), target: TARGET },
    ];
  };
  return [
    ...rowsFor(`newest values of ${OWNERS} devices`, times.latest, times.latestSql, LATEST_MS),
    ...rowsFor(`${CHART_DAYS} days of ${CHARTED} devices as a chart`, times.chart, times.chartSql, CHART_MS),
  ];
}

async function run(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-values-'));
  const server = await startTestServer({ devices: DEVICES, folder });
  try {
    return await measure(server);
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

export const bench: Bench = { title: `ValueService, ${(VALUES / 1e6).toFixed(0)} million values on PGlite`, run };
