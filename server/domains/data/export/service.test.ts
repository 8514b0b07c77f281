import { Code } from '@connectrpc/connect';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { DeviceService } from '#proto/gen/hiber/device_pb.ts';
import { EventService } from '#proto/gen/hiber/event_service_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { Export_Status as Status } from '#proto/gen/hiber/export_pb.ts';
import { Modem_Lifecycle } from '#proto/gen/hiber/modem_pb.ts';
import { TestingService } from '#proto/gen/hiber/testing_pb.ts';
import { ExportProgressService } from '#proto/gen/quarterdeck/export/v1/export_progress_service_pb.ts';
import { SupportService } from '#proto/gen/quarterdeck/support/v1/support_service_pb.ts';
import { mail } from '#server/db/schema/mail.ts';
import { readAll } from '#server/domains/data/file/content.ts';
import { fileContent } from '#server/domains/data/file/schema.ts';
import { eventJson } from '#server/events/json.ts';
import { exportCalls, json, messages, rejection } from '#server/testkit/exports.ts';
import { demoPerson, startTestServer, type TestServer } from '#server/testkit/server.ts';

import { expireExports } from './expiry.ts';
import { runExports } from './run.ts';
import { exportFile } from './schema.ts';

const DAY = 86_400_000;
const HOME = 'northwind';
const DEVICE = 0;
const OTHER = 1;
let t: TestServer;
let numbers: string[];
beforeAll(async () => {
  t = await startTestServer();
  const { devices } = await t
    .as('administrator')
    .client(DeviceService)
    .list({ pagination: { size: 4 } });
  numbers = devices.map(({ number }) => number);
});
afterAll(() => t.close());

type Kind = Parameters<TestServer['as']>[0];
const { exports, request, find } = exportCalls(
  () => t,
  () => numbers,
);
async function readFiles(identifier: string): Promise<string[]> {
  const rows = await t.app.db.orm
    .select()
    .from(exportFile)
    .where(sql`${exportFile.export} = ${identifier}`)
    .orderBy(exportFile.index);
  return Promise.all(rows.map(async ({ content }) => (await readAll(t.app.db.orm, HOME, content)).toString()));
}
/** Pushes messages with a one-byte body, a minute apart, the last one now. */
async function push(number: string, bodies: readonly number[], metadata: object = {}) {
  const end = t.app.now().getTime();
  await t
    .as('administrator')
    .client(TestingService)
    .pushModemMessages({
      messages: bodies.map((body, index) => ({
        modemNumber: number,
        content: Uint8Array.of(body),
        time: { textual: new Date(end - (bodies.length - 1 - index) * 60_000).toISOString() },
        metadata: metadata as never,
      })),
    });
}
describe('an export', () => {
  test('writes all messages of its devices in the range, by device and time, once it runs', async () => {
    const [number = '', other = ''] = numbers;
    await push(number, [1, 2, 3]);
    await push(other, [9]);
    t.advance(1000);
    const created = await request({ configuration: messages([other, number], { start: { textual: '-10m' } }) });
    expect(created).toMatchObject({
      name: 'October',
      status: Status.PROCESSING,
      urls: [],
      requestedBy: 'demo-administrator',
      configuration: { type: { case: 'modemMessage', value: { modems: [other, number] } } },
    });
    // A message that arrives later isn't part of it.
    t.advance(1000);
    await push(number, [4]);
    await runExports(t.app);
    const [first, second] = [number, other].toSorted();
    const bodies = { [number]: ['01', '02', '03'], [other]: ['09'] };
    const lines = [first!, second!].flatMap((item) => bodies[item]!.map((body) => `${item},${body},`));
    expect(await readFiles(created.identifier)).toEqual([`${['Number,Body,Note', ...lines].join('\n')}\n`]);
    const ready = await find(created.identifier);
    expect(ready).toMatchObject({
      status: Status.READY,
      urls: [
        { name: 'October.csv', url: expect.stringMatching(/^\/files\/northwind\/exports\/[0-9a-f]{32}$/) as string },
      ],
      error: '',
    });
    expect(Date.parse(ready!.expiresAt!.textual!) - t.app.now().getTime()).toBeGreaterThan(6.99 * DAY);
  });

  test('is the same whether it is written in one batch or row by row', async () => {
    const [number = '', other = ''] = numbers;
    const configuration = messages([number, other]);
    const texts: string[] = [];
    for (const rows of [1, 2, 3, 250]) {
      const { identifier } = await request({ configuration });
      const app = { ...t.app, config: { ...t.app.config, exportPace: { rows, pauseMs: 0 } } };
      await runExports(app);
      texts.push((await readFiles(identifier)).join());
    }
    expect(texts[0]!.split('\n').length).toBeGreaterThan(10);
    expect(new Set(texts).size).toBe(1);
  });

  test('begins another file when one is full, and names both', async () => {
    const { identifier } = await request({
      name: 'Parts',
      format: json({ compact: true, customFields: { id: '$.messageId' } }),
    });
    const app = { ...t.app, config: { ...t.app.config, exportPace: { rows: 2, pauseMs: 0 } } };
    await runExports(app, undefined, { fileRows: 4 });
    const files = (await readFiles(identifier)).map((text) => JSON.parse(text) as { id: string }[]);
    expect(files.length).toBeGreaterThan(1);
    expect(files.every((rows, index) => rows.length === 4 || index === files.length - 1)).toBe(true);
    const ids = files.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect((await find(identifier))!.urls.map(({ name }) => name).slice(0, 2)).toEqual([
      'Parts.json',
      'Parts (2).json',
    ]);
  });

  test('of nothing is ready with only the names of its columns', async () => {
    const range = { start: { textual: '1990-01-01' }, end: { textual: '1990-01-02' } };
    const { identifier } = await request({ configuration: messages([numbers[OTHER]!], range) });
    const { identifier: empty } = await request({ format: json(), configuration: messages([numbers[OTHER]!], range) });
    await runExports(t.app);
    expect(await readFiles(identifier)).toEqual(['Number,Body,Note\n']);
    expect(JSON.parse((await readFiles(empty))[0]!)).toEqual([]);
  });

  test('writes the whole message as JSON, as the contract names its fields', async () => {
    const { identifier } = await request({ format: json() });
    await runExports(t.app);
    const [text = ''] = await readFiles(identifier);
    expect(text).toMatch(/^\[\n {2}\{\n {4}"messageId": "\d+"/);
    expect((JSON.parse(text) as object[]).at(0)).toMatchObject({
      modemNumber: numbers[DEVICE],
      isGatewayMessage: false,
    });
  });

  test('keeps hostile text from becoming a formula, unless the server is set to keep it', async () => {
    const number = numbers[3]!;
    await push(number, [7], { note: '=HYPERLINK("http://evil","x")' });
    t.advance(1000);
    const range = { start: { textual: '-5m' } };
    const results: string[] = [];
    for (const neutralizesFormulas of [true, false]) {
      const { identifier } = await request({ configuration: messages([number], range) });
      await runExports({ ...t.app, config: { ...t.app.config, neutralizesFormulas } });
      results.push((await readFiles(identifier))[0]!.split('\n')[1]!);
    }
    const quoted = 'HYPERLINK(""http://evil"",""x"")"';
    expect(results).toEqual([`${number},07,"'=${quoted}`, `${number},07,"=${quoted}`]);
  });

  test('fails with a sentence if the files of the organization are too large', async () => {
    const { identifier } = await request({ name: 'Too much' });
    await runExports(t.app, undefined, { exportBytes: 1 });
    const failed = await find(identifier);
    expect(failed).toMatchObject({ status: Status.FAILED, urls: [] });
    expect(failed!.expiresAt).toBeUndefined();
    expect(failed!.error).toMatch(/^The exports of northwind can have at most .* GB together\. Delete/);
    expect(await readFiles(identifier)).toEqual([]);
    const [event] = await listEvents(EventType.EXPORT_FAILED);
    expect(event!.description).toContain('The export "Too much" of the messages of 1 device failed. The exports of');
  });

  test("that can't be written fails after five attempts", async () => {
    const { identifier } = await request({ name: 'Broken' });
    const config = {
      ...t.app.config,
      get exportPace(): never {
        throw new Error('The disk is on fire.');
      },
    };
    for (let attempt = 0; attempt < 5; attempt += 1) {
      expect((await find(identifier))!.status).toBe(Status.PROCESSING);
      await runExports({ ...t.app, config });
      t.advance(120_000);
    }
    expect(await find(identifier)).toMatchObject({
      status: Status.FAILED,
      error: "The server couldn't read or store the data. Run the export again.",
    });
  });
});

async function listEvents(type: EventType, kind: Kind = 'administrator') {
  const selection = { events: { include: [type] } };
  const { unbundledEvents } = await t.as(kind).client(EventService).list({ selection, unbundledEvents: true });
  return unbundledEvents.flatMap((page) => page.unbundledEvents);
}

describe('events and emails', () => {
  test('tell that it was requested and that it is ready, also in the encoding of webhooks', async () => {
    const { identifier } = await request({ name: 'Told', emailSubscribe: true });
    await runExports(t.app);
    const [created] = await listEvents(EventType.EXPORT_CREATED);
    const [ready] = await listEvents(EventType.EXPORT_READY);
    expect(eventJson(created!)).toMatchObject({
      type: 'EXPORT_CREATED',
      exportCreated: { organization: HOME, export: { identifier, status: 'PROCESSING', urls: [] } },
    });
    expect(eventJson(ready!)).toMatchObject({
      exportReady: {
        export: {
          identifier,
          name: 'Told',
          status: 'READY',
          requestedBy: 'demo-administrator',
          urls: [{ name: 'Told.csv' }],
          format: { type: 'CSV', csv: { separator: ',' } },
          configuration: { modemMessage: { modems: [numbers[DEVICE]] } },
        },
      },
    });
    await expect(listEvents(EventType.EXPORT_READY, 'viewer')).rejects.toMatchObject({ code: Code.PermissionDenied });
    const rows = await t.app.db.orm.select().from(mail);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ recipient: demoPerson('administrator').email, subject: 'Export ready: Told' });
    const body = t.app.secrets.open(rows[0]!.body);
    expect(body).toContain('http://127.0.0.1:7878/settings/exports?organization=northwind');
    expect(body).toContain('Told.csv');
  });
});

describe('expiry', () => {
  test('removes the files, and a later extension is rejected', async () => {
    const { identifier } = await request({
      configuration: { ...messages([numbers[DEVICE]!]), expiresIn: { textual: '2h' } },
    });
    expect(await rejection(exports().extend({ identifier, extendBy: { textual: '1d' } }))).toBe(
      `The export "October" isn't ready yet. Its time starts when it is.`,
    );
    await runExports(t.app);
    const { export: extended } = await exports().extend({
      identifier,
      extendBy: { textual: '2h' },
      file: ['October.csv'],
    });
    expect(Date.parse(extended!.expiresAt!.textual!) - t.app.now().getTime()).toBeGreaterThan(3.9 * 3_600_000);
    t.advance(3 * 3_600_000);
    await expireExports(t.app);
    expect((await find(identifier))!.urls).toHaveLength(1);
    t.advance(2 * 3_600_000);
    // Expired at once, before the job has removed anything.
    expect(await find(identifier)).toMatchObject({ status: Status.EXPIRED, urls: [] });
    const contents = await t.app.db.orm.$count(fileContent, sql`is_export`);
    await expireExports(t.app);
    expect(await readFiles(identifier)).toEqual([]);
    expect(await t.app.db.orm.$count(fileContent, sql`is_export`)).toBe(contents - 1);
    expect((await exports().list({ selection: { identifiers: [identifier] } })).exports).toEqual([]);
    expect(await rejection(exports().extend({ identifier, extendBy: { textual: '1d' } }))).toBe(
      'The export "October" has expired, and its files are deleted. Request it again.',
    );
    t.advance(91 * DAY);
    await expireExports(t.app);
    expect(await find(identifier)).toBeUndefined();
  });

  test.each([
    [{ extendBy: {} }, 'Specify how long to extend the export by, such as 7d.'],
    [{ extendBy: { textual: '-1d' } }, "An export can't be extended by -1d. Use 1h or more."],
    [{ extendBy: { textual: '500d' } }, 'An export can be kept for at most 366d from now.'],
    [{ extendBy: { textual: '1d' }, file: ['x'] }, 'The export "October" has no file "x".'],
  ])('rejects the extension %j', async (values, sentence) => {
    const { identifier } = await request();
    await runExports(t.app);
    expect(await rejection(exports().extend({ identifier, ...values }))).toBe(sentence);
    await exports().delete({ identifier });
  });
});

describe('deletion', () => {
  test('stops an export in progress, and removes what it wrote', async () => {
    const { identifier } = await request();
    const app = { ...t.app, config: { ...t.app.config, exportPace: { rows: 1, pauseMs: 60_000 } } };
    await runExports(app);
    expect(await readFiles(identifier)).toHaveLength(1);
    const before = await t.app.db.orm.$count(fileContent);
    await exports().delete({ identifier });
    expect(await t.app.db.orm.$count(fileContent)).toBe(before - 1);
    t.advance(120_000);
    await runExports(t.app);
    expect(await find(identifier)).toBeUndefined();
    expect(await rejection(exports().delete({ identifier }))).toBe(`northwind has no export "${identifier}".`);
  });
});

describe('progress', () => {
  test('counts the rows, and estimates the end from the pace', async () => {
    const { identifier } = await request();
    const app = { ...t.app, config: { ...t.app.config, exportPace: { rows: 2, pauseMs: 5000 } } };
    await runExports(app);
    const list = async () =>
      (
        await t
          .as('administrator')
          .client(ExportProgressService)
          .listProgress({ identifiers: [identifier] })
      ).progress[0]!;
    const half = await list();
    expect(half).toMatchObject({ rowsDone: 2n, estimatedEnd: expect.anything() as object });
    expect(half.rowsTotal).toBeGreaterThan(2n);
    t.advance(5000);
    await runExports(t.app);
    const { rowsDone, rowsTotal, estimatedEnd, bytes } = await list();
    expect([rowsDone, estimatedEnd]).toEqual([rowsTotal, undefined]);
    expect(bytes).toBe(BigInt(Buffer.byteLength((await readFiles(identifier)).join())));
  });
});

test('an export of hidden devices is only for those who may see them', async () => {
  const [hidden] = (
    await t.app.db.orm.execute<{ number: string }>(sql`select number from device
      where organization = ${HOME} and lifecycle = ${Modem_Lifecycle.DEFECTIVE} limit 1`)
  ).rows;
  const number = hidden!.number;
  const support = t.as('support').client(SupportService);
  await support.beginSupportSession({ organization: HOME, reason: 'export' });
  await support.allowChanges({ organization: HOME });
  const { created } = await exports('support').create({
    organization: HOME,
    name: 'Hidden',
    configuration: messages([number]),
  });
  const { identifier } = created!;
  await runExports(t.app);
  expect(await find(identifier)).toBeUndefined();
  expect(await rejection(exports().delete({ identifier }))).toBe(`northwind has no export "${identifier}".`);
  const list = { organization: HOME, selection: { identifiers: [identifier] } };
  expect((await exports('support').list(list)).exports).toMatchObject([{ status: Status.READY }]);
  const events = await listEvents(EventType.EXPORT_READY);
  expect(events.filter(({ description }) => description.includes('"Hidden"'))).toEqual([]);
});
