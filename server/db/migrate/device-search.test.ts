// Migrates a database with the search text still in the device rows.
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Database } from '#server/db/database.ts';
import { openEarlierDatabase } from '#server/testkit/database.ts';

import { migrate } from './migrate.ts';

let db: Database;
let oldRows: Record<string, unknown>[];
beforeAll(async () => {
  db = await openEarlierDatabase('0011_mail_publisher');
  await db.pool.query(`
    insert into organization (id, path, display_name) values ('acme', '{acme}', 'Acme'), ('bravo', '{bravo}', 'Bravo');
    insert into health_level (organization, level, severity, catch_all, color_data)
      values ('acme', 'Healthy', 1, true, '{}'), ('bravo', 'Healthy', 1, true, '{}');
    insert into device (organization, number, name, lifecycle, health_level, external_ids, device_type, sensor_brand, notes)
      values ('acme', '00C0 FFEE', 'Well İ 7', 1, 'Healthy', '{EUI-1,EUI-2}', 'pressure', 'Écran', 'Near the Gate'),
        ('bravo', '00C0 FFEE', 'Theirs', 1, 'Healthy', default, default, default, default)`);
  oldRows = await rows('select organization, number, search as text from device order by 1, 2');
  await migrate(db, new Date());
});
afterAll(() => db.close());

const rows = async (query: string) => (await db.pool.query<Record<string, unknown>>(query)).rows;
const readSearchTexts = () => rows('select organization, number, text from device_search order by 1, 2');
const readSearchText = async (number: string) =>
  (await rows(`select text from device_search where organization = 'acme' and number = '${number}'`))[0]?.['text'];

test('keeps the search text of every device in the migration', async () => {
  expect(oldRows).toHaveLength(2);
  expect(await readSearchTexts()).toEqual(oldRows);
});

test('gives a new device its search text, in the same form', async () => {
  await db.pool
    .query(`insert into device (organization, number, name, lifecycle, health_level, external_ids, device_type,
    sensor_brand, notes) select organization, '0000 00' || n, name, lifecycle, health_level, external_ids, device_type,
    sensor_brand, notes from device, generate_series(10, 11) as n where organization = 'acme'`);
  const text = String(oldRows[0]?.['text']);
  for (const number of ['0000 0010', '0000 0011']) {
    const expected = text.replace('00c0 ffee', number).replace('00c0ffee', number.replace(' ', ''));
    expect(await readSearchText(number)).toBe(expected);
  }
});

test.each([
  ['name', `'Renamed'`, 'renamed'],
  ['external_ids', `'{EUI-3}'`, 'eui-3'],
  ['device_type', `'flow'`, 'flow'],
  ['sensor_brand', `'Ünder'`, 'ünder'],
  ['notes', `'Moved to the Hill'`, 'moved to the hill'],
])('updates the search text when the %s of a device changes', async (column, value, expected) => {
  await db.pool.query(`update device set ${column} = ${value} where organization = 'acme' and number = '00C0 FFEE'`);
  expect(await readSearchText('00C0 FFEE')).toContain(expected);
  expect(await readSearchTexts()).toContainEqual(oldRows[1]);
});

test('does not rewrite the search text when a message arrives', async () => {
  const versions = () => rows('select number, xmin::text, ctid::text from device_search order by 1, 2');
  const before = await versions();
  await db.pool.query(`update device set last_message_received_at = now(), name = name, notes = notes`);
  expect(await versions()).toEqual(before);
});

test('deletes the search text of a deleted device', async () => {
  await db.pool.query(`delete from device where organization = 'bravo'`);
  expect((await readSearchTexts()).filter(({ organization }) => organization === 'bravo')).toEqual([]);
});
