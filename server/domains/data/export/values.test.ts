import { afterAll, beforeAll, expect, test } from 'vitest';

import { AssignmentService } from '#proto/gen/hiber/assignment_pb.ts';
import { Export_Format_Type as Type, ExportService } from '#proto/gen/hiber/export_pb.ts';
import { FieldService } from '#proto/gen/hiber/field_service_pb.ts';
import { Modem_Lifecycle as Lifecycle } from '#proto/gen/hiber/modem_pb.ts';
import { ProcessPointService } from '#proto/gen/hiber/process_point_service_pb.ts';
import { TestingService } from '#proto/gen/hiber/testing_pb.ts';
import { UnitPreferencesService } from '#proto/gen/hiber/unit_preferences_pb.ts';
import { Value_Numeric_Pressure_PressureUnit as PressureUnit } from '#proto/gen/hiber/value_pb.ts';
import type { App } from '#server/app/app.ts';
import { readAll } from '#server/domains/data/file/content.ts';
import { findFirstNumber, uploadParser } from '#server/testkit/devices.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { runExports } from './run.ts';
import { exportFile } from './schema.ts';

let t: TestServer;
let number: string;
let point: string;
beforeAll(async () => {
  t = await startTestServer();
  number = await findFirstNumber(t);
  await uploadParser(t, number, {
    name: 'Sensor',
    contentKsy: 'meta: { id: sensor, endian: be }\nseq:\n  - { id: pressure, type: u2 }\n  - { id: level, type: u1 }\n',
    dataFields: [
      {
        field: 'pressure',
        displayName: 'Pressure',
        details: { case: 'numeric', value: { unit: { unit: { case: 'pressure', value: PressureUnit.BAR } } } },
      },
      { field: 'level', details: { case: 'numeric', value: {} } },
    ],
  });
  const points = t.as('administrator').client(ProcessPointService);
  const { created } = await points.create({ create: [{ name: 'Header' }] });
  point = created[0]!.identifier;
  await t
    .as('administrator')
    .client(AssignmentService)
    .assign({
      assign: { case: 'assignModems', value: { modems: { include: [number] } } },
      to: { case: 'toProcessPoints', value: { identifiers: [point] } },
      overrideTime: { textual: '2026-01-01' },
    });
  const now = t.app.now().getTime();
  await t
    .as('administrator')
    .client(TestingService)
    .pushModemMessages({
      messages: [3, 2, 1].map((hours) => ({
        modemNumber: number,
        content: Uint8Array.of(0, 10 * hours, hours),
        time: { textual: new Date(now - hours * 3_600_000).toISOString() },
      })),
    });
});
afterAll(() => t.close());

const request = (value: object = {}, processPointIdentifiers = [point]) =>
  t
    .as('administrator')
    .client(ExportService)
    .create({
      name: 'Values',
      format: { type: Type.CSV, configuration: { case: 'csv', value } },
      configuration: {
        type: {
          case: 'processPointValues',
          value: { processPointIdentifiers, timeRange: { start: { textual: '-1d' } } },
        },
      },
    });

const paced = (rows: number, pauseMs = 0): App => ({
  ...t.app,
  config: { ...t.app.config, exportPace: { rows, pauseMs } },
});

async function readContent(identifier: string | undefined): Promise<string> {
  const files = await t.app.db.orm.select().from(exportFile);
  const file = files.find((row) => row.export === identifier)!;
  return (await readAll(t.app.db.orm, 'northwind', file.content)).toString();
}

async function exportValues(rows: number, value: object = {}): Promise<string> {
  const { created } = await request(value);
  await runExports(paced(rows));
  return readContent(created?.identifier);
}

test('writes the values of a process point by field and time, with its device', async () => {
  const text = await exportValues(250);
  const [head, ...lines] = text.trimEnd().split('\n');
  expect(head).toBe('Process point,Process point identifier,Device number,Device identifier,Time,Field,Value,Unit');
  const cells = lines.map((line) => line.split(','));
  expect(cells.map((row) => [row[0], row[2], row[5], row[6], row[7]])).toEqual([
    ...[3, 2, 1].map((hours) => ['Header', number, 'level', `${hours}`, '']),
    ...[3, 2, 1].map((hours) => ['Header', number, 'pressure', `${10 * hours}`, 'bar']),
  ]);
  for (const rows of [1, 2, 4]) expect(await exportValues(rows)).toBe(text);
});

test("uses the requester's units, as they were at the request", async () => {
  const client = t.as('administrator').client(UnitPreferencesService);
  await client.unitPreferences({
    pressure: {
      case: 'updatePressurePreference',
      value: { preference: PressureUnit.PSI, format: { round: { case: 'roundToScale', value: 1 } } },
    },
  });
  const text = await exportValues(250, {
    columns: [{ name: 'v', jsonPath: '$.value.numeric.textual' }],
    separator: ';',
  });
  expect(text.trimEnd().split('\n').at(-1)).toBe('145.0 psi');
});

test('suggests the fields of messages with their units', async () => {
  const client = t.as('administrator').client(ExportService);
  const configuration = { case: 'modemMessage' as const, value: { modems: [number] } };
  const { csvColumns, jsonPaths } = await client.availableFields({ configuration });
  expect(csvColumns).toContainEqual(
    expect.objectContaining({ name: 'Pressure (bar)', jsonPath: '$.bodyFields.pressure' }),
  );
  expect(jsonPaths).toContain('$.bodyFields.level');
  const all = await client.availableFields({ configuration: { case: 'modemMessage', value: {} } });
  expect(all.jsonPaths).toEqual(expect.arrayContaining(['$.bodyFields.level', '$.sentAt.textual']));
  const values = { case: 'processPointValues' as const, value: { processPointIdentifiers: [point] } };
  expect((await client.availableFields({ configuration: values })).csvColumns.map(({ name }) => name)).not.toContain(
    'Text',
  );
});

test.each(['point', 'device'] as const)(
  'leaves out what is no longer there for the requester: the %s',
  async (kind) => {
    const administrator = t.as('administrator');
    const { created: points } = await administrator
      .client(ProcessPointService)
      .create({ create: [{ name: 'Footer' }] });
    const other = points[0]!.identifier;
    await administrator.client(AssignmentService).assign({
      assign: { case: 'assignModems', value: { modems: { include: [number] } } },
      to: { case: 'toProcessPoints', value: { identifiers: [other] } },
      overrideTime: { textual: '2026-01-01' },
    });
    const { created } = await request({ columns: [{ name: 'Field', jsonPath: '$.field' }] }, [other]);
    const app = paced(1, 3_600_000);
    await runExports(app);
    if (kind === 'point') {
      await administrator.client(ProcessPointService).delete({ selection: { identifiers: [other] } });
    } else {
      await t.app.db.pool.query('update device set lifecycle = $1 where number = $2', [
        Lifecycle.DECOMMISSIONED,
        number,
      ]);
    }
    await runExports({ ...paced(250), now: () => new Date(t.app.now().getTime() + 7_200_000) });
    expect(await readContent(created?.identifier)).toBe('Field\nlevel\n');
    await t.app.db.pool.query('update device set lifecycle = $1 where number = $2', [Lifecycle.INSTALLED, number]);
  },
);

test('writes the values of a field from before it became operational', async () => {
  const administrator = t.as('administrator');
  const text = await exportValues(250);
  const { fields } = await administrator.client(FieldService).list({ selection: { search: 'level' } });
  await administrator.client(FieldService).update({ fieldIdentifier: fields[0]!.identifier, operational: true });
  await administrator.client(TestingService).pushModemMessages({
    messages: [{ modemNumber: number, content: Uint8Array.of(0, 1, 9), time: { textual: 'now' } }],
  });
  const rows = (await exportValues(250)).split('\n');
  expect(rows.filter((row) => row.includes('level'))).toEqual(text.split('\n').filter((row) => row.includes('level')));
});
