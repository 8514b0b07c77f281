import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

import { Export_Format_Type, ExportService } from '#proto/gen/hiber/export_pb.ts';
import { TestingService } from '#proto/gen/hiber/testing_pb.ts';
import { readAll } from '#server/domains/data/file/content.ts';
import { findFirstNumber } from '#server/testkit/devices.ts';
import { startTestServer } from '#server/testkit/server.ts';

import { runExports } from './run.ts';
import { exportFile } from './schema.ts';

function hasSpreadsheet(): boolean {
  try {
    execFileSync('soffice', ['--version']);
    return true;
  } catch {
    return false;
  }
}

/** Opens CSV in LibreOffice, and returns the text and the type of each cell. */
async function openInSpreadsheet(csv: Buffer): Promise<string[][]> {
  const folder = await mkdtemp(join(tmpdir(), 'quarterdeck-soffice-'));
  try {
    await writeFile(join(folder, 'export.csv'), csv);
    await promisify(execFile)('soffice', [
      `-env:UserInstallation=${pathToFileURL(join(folder, 'profile')).href}`,
      '--headless',
      // Comma, double quote, UTF-8, from the first row, no column formats, English (US), and detect numbers.
      '--infilter=CSV:44,34,76,1,,1033,false,true',
      '--convert-to',
      'fods',
      '--outdir',
      folder,
      join(folder, 'export.csv'),
    ]);
    const document = await readFile(join(folder, 'export.fods'), 'utf8');
    const rows = document.split('<table:table-row').slice(1);
    return rows.map((row) =>
      [...row.matchAll(/<table:table-cell([^>]*?)(?:\/>|>(.*?)<\/table:table-cell>)/gs)].map(
        ([, attributes = '', body]) => {
          const type = /office:value-type="(\w+)"/.exec(attributes)?.[1] ?? '';
          const formula = attributes.includes('table:formula') ? '!' : '';
          const text = [...(body ?? '').matchAll(/<text:p>(.*?)<\/text:p>/gs)].map((match) => match[1]).join('\n');
          return `${formula}${type}:${decode(text)}`;
        },
      ),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const decode = (text: string): string =>
  text
    .replaceAll(/<text:[st][^>]*>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&');

test.skipIf(!hasSpreadsheet())(
  'a spreadsheet opens the file with the right cells, and runs nothing in it',
  async () => {
    const t = await startTestServer();
    try {
      const admin = <S extends typeof ExportService | typeof TestingService>(service: S) =>
        t.as('administrator').client(service);
      const number = await findFirstNumber(t);
      const metadata = { formula: '=1+1', command: '@SUM(1)', text: 'a,"b"\nc', accents: 'Zeeën €', level: -3.5 };
      await admin(TestingService).pushModemMessages({
        messages: [{ modemNumber: number, content: Uint8Array.of(1), metadata }],
      });
      t.advance(1000);
      const columns = Object.keys(metadata).map((name) => ({ name, jsonPath: `$.metadata.${name}` }));
      const { created } = await admin(ExportService).create({
        name: 'Cells',
        format: { type: Export_Format_Type.CSV, configuration: { case: 'csv', value: { columns } } },
        configuration: {
          type: { case: 'modemMessage', value: { modems: [number], timeRange: { start: { textual: '-1m' } } } },
        },
      });
      await runExports(t.app);
      const files = await t.app.db.orm.select().from(exportFile);
      const { content } = files.find((file) => file.export === created!.identifier)!;
      expect((await openInSpreadsheet(await readAll(t.app.db.orm, 'northwind', content))).slice(0, 2)).toEqual([
        columns.map(({ name }) => `string:${name}`),
        ["string:'=1+1", "string:'@SUM(1)", 'string:a,"b"\nc', 'string:Zeeën €', 'float:-3.5'],
      ]);
    } finally {
      await t.close();
    }
  },
  120_000,
);
