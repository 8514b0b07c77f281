import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Context } from '#commands/model/context.ts';
import { CommandError } from '#commands/model/errors.ts';
import { fileValue } from '#commands/model/files.ts';
import { registry } from '#commands/nouns/all.ts';
import { device } from '#commands/nouns/fleet/device/entity.ts';
import { tag } from '#commands/nouns/fleet/tag/entity.ts';
import { nameOf } from '#commands/nouns/fleet/tag/item.ts';
import { listAll } from '#commands/run/lookup.ts';
import { prepare } from '#commands/run/run.ts';
import { contextAs, invoke, type, undo } from '#commands/testkit/server.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

// Files that a spreadsheet, another program, or someone with bad intentions writes.

let server: TestServer;
let context: Context;
beforeAll(async () => {
  server = await startTestServer();
  context = await contextAs(server, 'administrator');
});
afterAll(() => server.close());

const toFile = (bytes: Uint8Array): string => fileValue({ name: 'rows.csv', mediaType: 'text/csv', bytes });
const utf8 = (text: string): string => toFile(new TextEncoder().encode(text));

function utf16(text: string, isBigEndian: boolean): string {
  const bytes = new Uint8Array(text.length * 2);
  const view = new DataView(bytes.buffer);
  for (let index = 0; index < text.length; index++) view.setUint16(index * 2, text.charCodeAt(index), !isBigEndian);
  return toFile(bytes);
}

const problemOf = async (noun: string, file: string): Promise<string> => {
  const error: unknown = await prepare(registry.command(`${noun}.import`)!, { file }, context).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(CommandError);
  return JSON.stringify((error as CommandError).userMessage);
};

test.each([
  ['UTF-8 with a byte order mark', utf8('\uFEFFname,priority\r\n"Zee, één",3\r\n')],
  ['UTF-16, as “Unicode text” of Excel', utf16('\uFEFFname\tpriority\r\nZee, één\t3\r\n', false)],
  ['UTF-16 with the other byte order', utf16('\uFEFFname;priority\rZee, één;3\r', true)],
  ['a line that declares the separator', utf8('sep=;\nname;priority\nZee, één;3')],
])('reads %s', async (_what, file) => {
  const completedRun = await invoke(context, { id: 'tag.import', args: { file } });
  expect(completedRun.outcome.data).toEqual({ created: 1, changed: 0, unchanged: 0 });
  expect((await tag.search(context, 'Zee', 10)).map(nameOf)).toEqual(['Zee, één']);
  await undo(context, completedRun);
});

test('says which cell is too long, without repeating it', async () => {
  const problem = await problemOf('tag', utf8(`name,priority\n${'x'.repeat(1024 ** 2)},1\nShort,2`));
  expect(problem).toContain('"line":2,"column":"name"');
  expect(problem.length).toBeLessThan(2000);
});

test('says where a quotation mark never ends', async () => {
  expect(await problemOf('tag', utf8('name,priority\nA,1\n"B,2\nC,3'))).toContain(
    '"line":3,"reason":{"key":"running:import.openQuote"',
  );
});

test("rejects a file that isn't text", async () => {
  const image = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d);
  expect(await problemOf('tag', toFile(image))).toContain('running:import.encoding');
});

test("finds no devices of an organization that isn't visible, and doesn't say that they exist", async () => {
  const [own] = await listAll(device, '', context);
  const { rows } = await server.app.db.pool.query<{ number: string }>(
    `insert into device
     select (jsonb_populate_record(device, jsonb_build_object('number', 'EEEE EEEE', 'organization',
         (select id from organization where id not like 'northwind%' limit 1)))).*
       from device where number = $1 returning number`,
    [device.id(own!)],
  );
  const [foreign] = rows;
  const problem = await problemOf(
    'device',
    utf8(`number,name\n${device.id(own!)},Mine\n${foreign!.number},Theirs\nFFFF FFFF,Nobody's`),
  );
  expect(problem).toContain('"line":3,"column":"number","reason":{"key":"running:lookup.none"');
  expect(problem).toContain('"line":4,"column":"number","reason":{"key":"running:lookup.none"');
  expect(problem).not.toContain('"line":2');
});

test('imports into an organization that has nothing yet', async () => {
  await type(context, "organization create northwind-empty --contact-name 'Ann Ker' --contact-email ann@example.com");
  const empty = await contextAs(server, 'administrator', 'northwind-empty');
  for (const noun of ['tag', 'process-point']) {
    const completedRun = await invoke(empty, { id: `${noun}.import`, args: { rows: 'name\nFirst' } });
    expect(completedRun.outcome.data).toEqual({ created: 1, changed: 0, unchanged: 0 });
    await undo(empty, completedRun);
  }
  const devices = prepare(registry.command('device.import')!, { rows: 'number,name\nAAAA AAAA,First' }, empty);
  await expect(devices).rejects.toMatchObject({ userMessage: { key: 'running:import.rows', values: { count: 1 } } });
});
