import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { loadSeries } from '#commands/kit/series.ts';
import { loadFieldValues } from '#commands/kit/value-loading.ts';
import type { Context } from '#commands/model/context.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import { CommandError } from '#commands/model/errors.ts';
import type { Listing, RowStream } from '#commands/model/host.ts';
import { device } from '#commands/nouns/fleet/device/entity.ts';
import { deviceTabs } from '#commands/nouns/fleet/device/tabs.ts';
import { deviceOwner } from '#commands/nouns/fleet/device/value-owner.ts';
import { processPoint } from '#commands/nouns/fleet/process-point/entity.ts';
import { pointOwner } from '#commands/nouns/fleet/process-point/value-owner.ts';
import { listAll } from '#commands/run/lookup.ts';
import { contextAs, type } from '#commands/testkit/server.ts';
import { ModemMessageBodyParserService } from '#proto/gen/hiber/parser_pb.ts';
import { Value_Numeric_Pressure_PressureUnit as PressureUnit } from '#proto/gen/hiber/value_pb.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

let server: TestServer;
let context: Context;
let number: string;
let otherNumber: string;
const SENSOR = `
meta: { id: sensor, endian: be }
seq:
  - { id: pressure, type: u2 }
  - { id: battery, type: u1 }
`;

beforeAll(async () => {
  server = await startTestServer();
  context = await contextAs(server, 'administrator');
  [number = '', otherNumber = ''] = (await listAll(device, 'sort:number', context)).map(device.id);
  const parsers = context.api(ModemMessageBodyParserService);
  const { identifier } = await parsers.upload({
    name: 'Sensor',
    contentKsy: SENSOR,
    dataFields: [
      {
        field: 'pressure',
        displayName: 'Line pressure',
        priority: 9,
        details: {
          case: 'numeric',
          value: {
            unit: { unit: { case: 'pressure', value: PressureUnit.BAR } },
            format: { round: { case: 'roundToScale', value: 1 } },
          },
        },
      },
      { field: 'battery', operational: true, details: { case: 'numeric', value: {} } },
    ],
  });
  await parsers.assign({
    assignParsers: { identifiers: [identifier] },
    toModems: { modems: { include: [number, otherNumber] } },
  });
  for (const [device, content, at] of [
    [number, '000A32', '-50m'],
    [number, '005A32', '-40m'],
    [number, '001431', '-70m'],
    [otherNumber, '01F430', '-30m'],
  ])
    await type(context, `device send-test-message '${device}' ${content} --at ${at}`);
  await type(context, "process-point create 'Kestrel annulus'");
});
afterAll(() => server.close());

/** Runs a line in a terminal and returns the printed rows as `field value unit`. */
async function printValues(line: string) {
  let stream: RowStream | undefined;
  const rows: unknown[] = [];
  const output = {
    list: () => undefined,
    details: () => undefined,
    rows: () => undefined,
    stream: async (next: RowStream) => {
      stream = next;
      for await (const batch of next.batches) rows.push(...batch);
    },
  };
  await type({ ...context, host: { output } }, line);
  const columns = stream!.columns.filter(({ id }) => ['field', 'value', 'unit'].includes(id));
  return {
    csv: stream!.csv,
    json: rows.map((row) => stream!.json(row)),
    heads: stream!.columns.map(({ id }) => id),
    lines: rows.map((row) => columns.map((column) => column.value(row as never) as string).join(' ')),
  };
}

describe('values in a terminal', () => {
  test("print oldest first, in the user's units", async () => {
    const { lines, heads, csv } = await printValues(`values '${number}' --field pressure`);
    expect(lines).toEqual(['pressure 20.0 bar', 'pressure 10.0 bar', 'pressure 90.0 bar']);
    expect(heads).toEqual(['time', 'device', 'number', 'field', 'value', 'unit']);
    expect(csv).toBe(false);
    await type(context, 'me set-units --pressure PSI');
    expect((await printValues(`values '${number}' --field pressure --from -45m`)).lines[0]).toMatch(
      /^pressure \d+\.\d+ psi$/,
    );
    await type(context, 'me set-units --pressure AS_SENT');
  });

  test('count both ends of a period back from now', async () => {
    expect((await printValues(`values '${number}' --field pressure --from -1h --to -45m`)).lines).toEqual([
      'pressure 10.0 bar',
    ]);
  });

  test('include operational fields and accept a field name', async () => {
    expect((await printValues(`values '${number}' --from -45m`)).lines.toSorted()).toEqual([
      'battery 50 ',
      'pressure 90.0 bar',
    ]);
    expect((await printValues(`values '${number}' --field 'line pressure' --from -45m`)).lines).toEqual([
      'pressure 90.0 bar',
    ]);
  });

  test.each(['$.pressure', '.pressure', "$['pressure']", ' pressure', '$.Pressure'])(
    'accept the path spelled %s',
    async (path) => {
      const { lines } = await printValues(`values '${number}' --field "${path}" --from -45m`);
      expect(lines).toEqual(['pressure 90.0 bar']);
    },
  );

  test('come from a filter, and only the last value of each interval is kept', async () => {
    const all = await printValues(`values 'number:"${number}","${otherNumber}"' --field pressure --csv`);
    expect(all.lines).toHaveLength(4);
    expect(all.csv).toBe(true);
    const everyDay = await printValues(`values '${otherNumber}' --field pressure --every 7d`);
    expect(everyDay.lines).toEqual(['pressure 500.0 bar']);
  });

  test("use the contract's JSON", async () => {
    const { json } = await printValues(`values '${otherNumber}' --field pressure`);
    expect(json).toMatchObject([{ field: 'pressure', device: { number: otherNumber } }]);
  });

  test.each([
    ['a field that does not exist', '--field presure', 'running:values.fieldNear', 'field'],
    ['a field that is unlike any other', '--field zzz', 'running:values.field', 'field'],
    ['a period that ends before it starts', '--from 2026-02-02 --to 2026-02-01', 'running:values.order', 'from'],
    ['a relative period that ends before it starts', '--from -7d --to -8d', 'running:values.order', 'from'],
  ])('reject %s', async (_case, options, key, param) => {
    const error = await printValues(`values '${number}' ${options}`).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(CommandError);
    expect(error).toMatchObject({ userMessage: { key }, param });
  });
});

test('a relative period that ends before it starts is named as entered', async () => {
  const error = await printValues(`values '${number}' --from -7d --to -8d`).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ userMessage: { values: { from: '-7d', to: '-8d' } } });
});

describe('the fields of a device', () => {
  test('have their newest values, highest priority first', async () => {
    const [item] = await device.byIds(context, [number]);
    expect(await loadFieldValues(context, deviceOwner(item!))).toMatchObject([
      { field: 'pressure', name: 'Line pressure', text: '90.0', unit: 'bar', isNumeric: true, isOperational: false },
      { field: 'battery', text: '50', isOperational: true },
    ]);
  });

  test("appear in the device's messages with their names, units, and formats", async () => {
    const [item] = await device.byIds(context, [number]);
    const tab = deviceTabs.find(({ id }) => id === 'messages')!;
    const column = tab.columns.find(({ id }) => id === 'parsed')!;
    const load = async () => {
      const rows = await tab.load(context, item!);
      const details = rows.flatMap((row) => tab.detail?.(row, item!) ?? []).map(({ text }) => text);
      return { lines: rows.map((row) => column.value(row as never)), details };
    };
    const declared = await load();
    expect(declared.lines).toContain('Line pressure 90.0\u00A0bar, battery 50');
    expect(declared.details).toContainEqual(expect.stringMatching(/^Line pressure: 90\.0 bar$/m));
    await type(context, 'me set-units --pressure PSI');
    const preferred = await load();
    await type(context, 'me set-units --pressure AS_SENT');
    expect(preferred.lines).toContain('Line pressure 1305.3\u00A0psi, battery 50');
    expect(preferred.details).toContainEqual(expect.stringMatching(/^Line pressure: 1305\.3 psi$/m));
  });

  test('downsample for a chart', async () => {
    const [item] = await device.byIds(context, [number]);
    const now = Date.now();
    const span = { from: now - 7_200_000, to: now };
    const [series] = await loadSeries(context, deviceOwner(item!), { fields: ['pressure'], span, points: 4 });
    expect(series).toMatchObject({
      field: 'pressure',
      unit: 'bar',
      points: [{ text: '20.0' }, { value: 10 }, { value: 90 }],
    });
  });
});

test("a chart opens with the most important numbers and names a field that doesn't exist", async () => {
  const openedRanges: unknown[] = [];
  const panel = { openChart: (...args: unknown[]) => void openedRanges.push(args) };
  const console = { ...context, host: { panel } } as unknown as Context;
  await type(console, `device values '${number}'`);
  await type(console, `values '${number}' --field battery --from -1h`);
  expect(openedRanges).toEqual([
    ['device', number, ['pressure'], undefined],
    ['device', number, ['battery'], '-1h..now'],
  ]);
  await expect(type(console, `device values '${number}' --field presure`)).rejects.toMatchObject({
    userMessage: { key: 'running:values.fieldNear', values: { near: 'pressure' } },
  });
  const many = Array.from({ length: 21 }, () => 'pressure').join(',');
  await expect(type(console, `device values '${number}' --field ${many}`)).rejects.toMatchObject({
    userMessage: { key: 'running:values.fields', values: { count: 21, max: 20 } },
    param: 'field',
  });
  await expect(type(console, `device values '${number}','${otherNumber}'`)).rejects.toMatchObject({
    userMessage: { key: 'running:values.one' },
  });
});

test('a process point owns its values', async () => {
  const [point] = await processPoint.find(context, 'Kestrel annulus');
  expect(pointOwner(point!)).toMatchObject({
    entity: 'process-point',
    name: 'Kestrel annulus',
    organization: 'northwind',
  });
});

describe('the columns of last values', () => {
  /** Runs a list in a terminal and returns its listing with the values of one column. */
  async function listValues(line: string, entity: AnyEntity, id: string) {
    let listing: Listing | undefined;
    const output = {
      list: (next: Listing) => void (listing = next),
      details: () => undefined,
      rows: () => undefined,
      stream: async () => undefined,
    };
    await type({ ...context, host: { output } }, line);
    const column = entity.columns.find((item) => item.id === id)!;
    const read = (item: unknown) => [column.value(item), column.unit?.(item), typeof column.time?.(item)];
    return { columns: listing?.columns, cells: listing?.items.map(read) };
  }
  const ofDevices = (line: string) => listValues(line, device, 'pressure');

  test('show the newest number of a type with its unit', async () => {
    expect(await ofDevices(`devices 'number:"${number}","${otherNumber}"' --columns number,pressure`)).toEqual({
      columns: ['number', 'pressure'],
      cells: expect.arrayContaining([
        ['90.0 bar', 'bar', 'number'],
        ['500.0 bar', 'bar', 'number'],
      ]),
    });
  });

  test('load only if shown', async () => {
    expect(await ofDevices(`devices 'number:"${number}"'`)).toEqual({
      columns: undefined,
      cells: [[undefined, '', 'undefined']],
    });
  });

  test('belong to process points, too', async () => {
    await type(context, "process-point create 'Kestrel flow line'");
    await type(context, `process-point assign-device 'Kestrel flow line' '${number}' --from -1d`);
    const points = processPoint as unknown as AnyEntity;
    expect((await listValues("process-points 'flow line' --columns name,pressure", points, 'pressure')).cells).toEqual([
      ['90.0 bar', 'bar', 'number'],
    ]);
  });

  test('have names that the list checks', async () => {
    await expect(
      type({ ...context, host: { output: {} as never } }, 'devices --columns presure'),
    ).rejects.toMatchObject({ userMessage: { key: 'core:cli.noColumn' }, param: 'columns' });
  });
});
