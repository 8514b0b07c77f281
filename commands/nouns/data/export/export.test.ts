import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { filesHost } from '#commands/cli/files-host.ts';
import { testIo } from '#commands/cli/testkit/io.ts';
import type { Context } from '#commands/model/context.ts';
import { contextAs, planLine, type, undo } from '#commands/testkit/server.ts';
import { DeviceService } from '#proto/gen/hiber/device_pb.ts';
import { TestingService } from '#proto/gen/hiber/testing_pb.ts';
import { ExportProgressService } from '#proto/gen/quarterdeck/export/v1/export_progress_service_pb.ts';
import { runExports } from '#server/domains/data/export/run.ts';
import { exportFile } from '#server/domains/data/export/schema.ts';
import { readAll } from '#server/domains/data/file/content.ts';
import { startListening, type TestListener } from '#server/testkit/listener.ts';
import { startTestServer } from '#server/testkit/server.ts';

import { dataExport } from './entity.ts';

let server: TestListener;
let context: Context;
let numbers: readonly string[];
const io = testIo();
const pauses: number[] = [];
beforeAll(async () => {
  server = await startListening();
  const { t, base } = server;
  const caller = await contextAs(t, 'administrator');
  const timer = {
    // While a command waits, the server exports.
    pause: async (milliseconds: number) => {
      pauses.push(milliseconds);
      await runExports(t.app);
    },
  };
  const host = { ...caller.host, timer, files: filesHost({ server: base, token: t.as('administrator').bearer! }, io) };
  context = { ...caller, host };
  const { devices } = await context.api(DeviceService).list({ pagination: { size: 3 } });
  numbers = devices.map(({ number }) => number);
});
afterAll(() => server.close());

const findNamed = async (name: string) => (await dataExport.find(context, name))[0];

test('shows the first rows in the plan, requests an export, waits for it, and downloads it', async () => {
  const line = `export create '${numbers.join(',')}' --range -30d..now --name Fleet --columns 'Device number,$.bodyBytes.hex' --separator semicolon`;
  const plan = await planLine(context, line);
  expect(plan).toMatchObject({ summary: { key: 'export:plan.messages', values: { name: 'Fleet' } }, reversible: true });
  const [head, ...rows] = plan!.sample!.split('\n');
  expect(head).toBe('Device number;bodyBytes.hex');
  expect(rows).toHaveLength(3);
  const completed = await type(context, line);
  expect(completed.outcome.message).toMatchObject({ key: 'export:done.create' });
  await expect(type(context, 'export download Fleet')).rejects.toMatchObject({
    userMessage: { key: 'export:validation.processing' },
  });
  const { outcome } = await type(context, 'export download Fleet --wait');
  expect(outcome.message).toMatchObject({ key: 'common:files.saved', values: { name: 'Fleet.csv' } });
  expect(pauses).toEqual([1000]);
  const lines = Buffer.from(io.written.get('Fleet.csv')!).toString().trimEnd().split('\n');
  expect(lines[0]).toBe(head);
  expect(lines.length).toBeGreaterThan(3);
  expect(lines.slice(1).every((row) => numbers.includes(row.split(';')[0]!))).toBe(true);
  await undo(context, completed);
  expect(await findNamed('Fleet')).toBeUndefined();
});

test('shows the chosen CSV dialect in the plan, and writes the file with it', async () => {
  const options = `--separator PIPE --quote SINGLE --escape BACKSLASH --newline CRLF`;
  const columns = `--columns 'Device number,$.bodyBytes'`;
  const line = `export create '${numbers[0]}' --name Dialect ${options} ${columns}`;
  const sample = (await planLine(context, line))!.sample!;
  expect(sample).not.toContain('\r');
  const [head, row] = sample.split('\n');
  expect(head).toBe('Device number|bodyBytes');
  expect(row).toMatch(/^[0-9A-F]{4} [0-9A-F]{4}\|'\{".*\}'$/);
  await type(context, line);
  await type(context, 'export download Dialect --wait');
  const text = Buffer.from(io.written.get('Dialect.csv')!).toString();
  expect(text.startsWith(`${head}\r\n${numbers[0]}|'{"`)).toBe(true);
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  const item = await findNamed('Dialect');
  expect(item!.export.format!.configuration).toMatchObject({
    value: { separator: '|', quote: "'", escape: '\\', newline: '\r\n' },
  });
});

test('names the export after its content and period, and writes JSON', async () => {
  await type(context, `export create '${numbers[0]}' --format JSON --compact --columns 'Device number'`);
  const { exports } = { exports: await dataExport.search(context, 'messages', 10) };
  const [item] = exports;
  expect(item!.export.name).toMatch(/^messages \d{8}-\d{8}$/);
  await type(context, `export download '${item!.export.name}' --wait`);
  const [name] = [...io.written.keys()].filter((key) => key.endsWith('.json'));
  const rows = JSON.parse(Buffer.from(io.written.get(name!)!).toString()) as object[];
  expect(rows[0]).toEqual({ 'Device number': numbers[0] });
});

test('runs an export again for another period, extends it, and deletes it', async () => {
  await type(context, `export create '${numbers[0]}' --name First`);
  await runExports(server.t.app);
  await type(context, `export repeat First -60d..-30d --name Second`);
  await runExports(server.t.app);
  const [first, second] = [await findNamed('First'), await findNamed('Second')];
  expect(second!.export.format).toEqual(first!.export.format);
  expect(second!.export.configuration!.type.value!.timeRange).not.toEqual(
    first!.export.configuration!.type.value!.timeRange,
  );
  await type(context, 'export extend First,Second 2d');
  const extended = await findNamed('First');
  expect(Date.parse(extended!.export.expiresAt!.textual!) - Date.parse(first!.export.expiresAt!.textual!)).toBe(
    2 * 86_400_000,
  );
  const plan = await planLine(context, 'export delete First,Second');
  expect(plan).toMatchObject({ count: 2, reversible: false, confirm: '2' });
  await type(context, 'export delete First,Second');
  expect([await findNamed('First'), await findNamed('Second')]).toEqual([undefined, undefined]);
});

test.each([
  [`--columns Nothing`, 'export:validation.column'],
  [`--columns '$.a b'`, 'export:validation.column'],
])('rejects %s', async (options, key) => {
  await expect(planLine(context, `export create '${numbers[0]}' ${options}`)).rejects.toMatchObject({
    userMessage: { key },
  });
});

test('shows exports without their progress on a server that does not report it', async () => {
  await type(context, `export create '${numbers[0]}' --name Plain`);
  const withProgress = await findNamed('Plain');
  expect(withProgress!.progress).toMatchObject({ rowsDone: 0n });
  const api: Context['api'] = (service) =>
    service.typeName === ExportProgressService.typeName
      ? ({
          listProgress: async () => {
            const { Code, ConnectError } = await import('@connectrpc/connect');
            throw new ConnectError('unknown', Code.Unimplemented);
          },
        } as never)
      : context.api(service);
  const [item] = await dataExport.find({ ...context, api }, 'Plain');
  expect([item!.export.name, item!.progress]).toEqual(['Plain', undefined]);
});

test.each([[true], [false]])('the preview has formulas as the file has them (neutralized: %s)', async (neutralizes) => {
  const own = await startTestServer({ config: { neutralizesFormulas: neutralizes } });
  try {
    const caller = await contextAs(own, 'administrator');
    const number = numbers[0]!;
    const metadata = { note: '=1+1' };
    await own
      .as('administrator')
      .client(TestingService)
      .pushModemMessages({ messages: [{ modemNumber: number, content: Uint8Array.of(1), metadata }] });
    own.advance(1000);
    const line = `export create '${number}' --range -1m..now --name Formulas --columns $.metadata.note`;
    const { sample } = (await planLine(caller, line))!;
    await type(caller, line);
    await runExports(own.app);
    const [requested] = await dataExport.find(caller, 'Formulas');
    const isRequested = eq(exportFile.export, dataExport.id(requested!));
    const [file] = await own.app.db.orm.select().from(exportFile).where(isRequested);
    const content = await readAll(own.app.db.orm, 'northwind', file!.content);
    expect(content.toString()).toBe(`${sample}\n`);
    expect(sample).toContain(neutralizes ? "'=1+1" : '\n=1+1');
  } finally {
    await own.close();
  }
});
