import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { Export_Format_Type, ExportService } from '#proto/gen/hiber/export_pb.ts';
import { PART_BYTES, readParts, sizeOf } from '#server/domains/data/file/content.ts';
import { findFirstNumber } from '#server/testkit/devices.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { runExports } from './run.ts';
import { exportFile } from './schema.ts';

const ROWS = 5000;

let t: TestServer;
beforeAll(async () => void (t = await startTestServer()));
afterAll(() => t.close());

test('batches that end anywhere fill complete parts, so a download can find any byte', async () => {
  const number = await findFirstNumber(t);
  const now = t.app.now();
  await t.app.db.orm.execute(sql`
    insert into message (organization, received_at, number, sent_at, body)
    select 'northwind', at, ${number}, at, decode(repeat('ab', 40), 'hex')
      from (select ${now.toISOString()}::timestamptz - n * interval '1 second' as at
              from generate_series(1, ${ROWS}) as n) as times`);
  const { created } = await t
    .as('administrator')
    .client(ExportService)
    .create({
      name: 'Large',
      format: { type: Export_Format_Type.JSON, configuration: { case: 'json', value: { compact: true } } },
      configuration: {
        type: { case: 'modemMessage', value: { modems: [number], timeRange: { start: { textual: '-1d' } } } },
      },
    });
  await runExports(t.app);
  const [file] = (await t.app.db.orm.select().from(exportFile)).filter((row) => row.export === created!.identifier);
  const size = await sizeOf(t.app.db.orm, 'northwind', file!.content);
  expect(file!.rows).toBeGreaterThanOrEqual(ROWS);
  expect(size).toBeGreaterThan(8 * PART_BYTES);
  const lengths: number[] = [];
  for await (const part of readParts(t.app.db.orm, 'northwind', file!.content, 0, size)) lengths.push(part.byteLength);
  expect(new Set(lengths.slice(0, -1))).toEqual(new Set([PART_BYTES]));
}, 120_000);
