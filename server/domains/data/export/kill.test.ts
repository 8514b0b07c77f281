import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { openDatabase } from '#server/db/drivers/open.ts';
import { readAll } from '#server/domains/data/file/content.ts';
import { ORGANIZATION } from '#server/testkit/publishing.ts';

import { dataExport, exportFile } from './schema.ts';

const script = fileURLToPath(new URL('../../../testkit/export-process.ts', import.meta.url));
const ROWS = 1500;

let folder: string;
let child: ChildProcess | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarterdeck-export-'));
});
afterEach(async () => {
  await kill();
  await rm(folder, { recursive: true, force: true });
});

async function kill(): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

/** Exports until so many rows are done, and then kills the process at whatever it is doing. Returns the rows done. */
async function runUntil(rows: number, ...args: string[]): Promise<number[]> {
  child = spawn(process.execPath, ['--import', 'tsx', script, join(folder, 'database'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const done: number[] = [];
  for await (const line of createInterface({ input: child.stdout! })) {
    done.push(Number(line));
    if (Number(line) >= rows) break;
  }
  await kill();
  return done;
}

test('an export that is killed twice has every row once, and continues where it was', async () => {
  const first = await runUntil(ROWS / 4, `${ROWS}`);
  const second = await runUntil(ROWS / 2);
  expect(first.at(-1)).toBeLessThan(ROWS / 2);
  // It didn't start over, and lost at most the batch that was in progress.
  expect(second[0]).toBeGreaterThanOrEqual(first.at(-1)!);
  const third = await runUntil(Infinity);
  expect(second.at(-1)).toBeLessThan(ROWS);
  expect(third.at(-1)).toBe(ROWS);
  const db = await openDatabase({ folder: join(folder, 'database') });
  try {
    const [row] = await db.orm.select().from(dataExport);
    expect([row?.rowsDone, row?.rowsTotal, row?.error]).toEqual([ROWS, ROWS, null]);
    const [file] = await db.orm.select().from(exportFile);
    const rows = JSON.parse((await readAll(db.orm, ORGANIZATION, file!.content)).toString()) as { id: string }[];
    expect(rows.map(({ id }) => Number(id))).toEqual(Array.from({ length: ROWS }, (_, index) => index + 1));
  } finally {
    await db.close();
  }
}, 180_000);
