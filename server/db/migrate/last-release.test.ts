// Starts the data of the last release: later migrations, and the other steps that bring data up to date, keep all of it.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { silentLog } from '#server/base/log.ts';
import { createSealer } from '#server/base/secrets.ts';
import type { Database } from '#server/db/database.ts';
import { updateData } from '#server/start/data.ts';
import { openEarlierDatabase } from '#server/testkit/database.ts';
import {
  type Contents,
  loadRelease,
  readDatabase,
  readRelease,
  type Release,
  type Row,
  sealingKey,
} from '#server/testkit/release/fixture.ts';

/** What a start changes on purpose. The next release's fixture empties these lists. */
const intendedChanges: {
  readonly columnsRemoved: Readonly<Record<string, readonly string[]>>;
  readonly tablesFilled: readonly string[];
} = {
  // Messages update devices constantly, so the searched text has its own table, device_search (0012).
  // The content of files moves to parts (0028).
  columnsRemoved: { device: ['search'], file: ['content'] },
  // The searched text and the devices per tag (0015) and per gateway (0026) derive from devices, and parts from files.
  tablesFilled: ['device_search', 'file_content', 'file_part', 'gateway_device_count', 'tag_device_count'],
};

let db: Database;
let release: Release;
let before: Contents;
let after: Contents;
const start = () => updateData(db, createSealer(sealingKey), silentLog, release.time);
beforeAll(async () => {
  release = await readRelease();
  db = await openEarlierDatabase(release.migration);
  await loadRelease(db, release);
  before = await readDatabase(db);
  await start();
  after = await readDatabase(db);
});
afterAll(() => db.close());

const without = (row: Row, columns: readonly string[]): Row =>
  Object.fromEntries(Object.entries(row).filter(([column]) => !columns.includes(column)));
const rowsOf = ({ tables }: Contents, name: string): readonly Row[] =>
  tables.find((table) => table.name === name)?.rows ?? [];
/** Sorts rows, because a new column changes the order in which the database sorts them. */
const sort = (rows: readonly Row[]): string[] => rows.map((row) => JSON.stringify(row)).sort();

test('the fixture has rows in every table of the release, and loads completely', () => {
  expect(before.tables.filter(({ rows }) => rows.length === 0)).toEqual([]);
  expect(before).toEqual(release.contents);
});

test('a start keeps every row of every table', () => {
  for (const { name, rows } of before.tables) {
    const columnsRemoved = intendedChanges.columnsRemoved[name] ?? [];
    const expected = rows.map((row) => without(row, columnsRemoved));
    const kept = Object.keys(expected[0] ?? {});
    const actual = rowsOf(after, name).map((row) =>
      Object.fromEntries(kept.filter((column) => column in row).map((column) => [column, row[column]])),
    );
    expect.soft(sort(actual), name).toEqual(sort(expected));
  }
});

test('a start fills only the tables that derive from others', () => {
  const known = new Set(before.tables.map(({ name }) => name));
  const filled = after.tables.filter(({ name, rows }) => !known.has(name) && rows.length > 0);
  expect(filled.map(({ name }) => name)).toEqual(intendedChanges.tablesFilled);
  expect(rowsOf(after, 'device_search')).toHaveLength(rowsOf(before, 'device').length);
  const taggedDevices = rowsOf(after, 'tag_device_count').reduce((sum, { devices }) => sum + Number(devices), 0);
  expect(taggedDevices).toBe(rowsOf(before, 'device_tag').length);
});

test('a start moves the content of every file to parts', () => {
  const contents = (rows: readonly Row[]) => Object.fromEntries(rows.map((row) => [row['identifier'], row['content']]));
  const parts = new Map(rowsOf(after, 'file_part').map(({ content, data }) => [content, data]));
  const moved = rowsOf(after, 'file').map((row) => ({ ...row, content: parts.get(row['content']) }));
  expect(rowsOf(before, 'file').length).toBeGreaterThan(0);
  expect(contents(moved)).toEqual(contents(rowsOf(before, 'file')));
});

test('a start keeps the partitions, and ids continue where they were', () => {
  expect(after.partitions).toEqual(expect.arrayContaining([...before.partitions]));
  expect(after.sequences).toMatchObject(before.sequences);
});

test('another start changes nothing', async () => {
  await start();
  expect(await readDatabase(db)).toEqual(after);
});
