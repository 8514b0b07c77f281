import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { afterEach, expect, test } from 'vitest';

const script = fileURLToPath(new URL('../../../testkit/export-process.ts', import.meta.url));
const MEGABYTE = 1024 * 1024;

const folders: string[] = [];
afterEach(() => Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true }))));

/** A buffer that a round has just released may still be counted, so the highest number says little. */
const medianOf = (rounds: readonly number[][], column: number): number =>
  rounds.map((round) => round[column] ?? NaN).toSorted((a, b) => a - b)[Math.floor(rounds.length / 2)] ?? NaN;

/** Exports as many messages, and returns the bytes of the heap and of buffers that are in use late in the export. */
async function measure(messages: number) {
  const folder = await mkdtemp(join(tmpdir(), 'quarterdeck-export-'));
  folders.push(folder);
  const args = ['--expose-gc', '--import', 'tsx', script, join(folder, 'database'), `${messages}`, '250'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const rounds: number[][] = [];
  for await (const line of createInterface({ input: child.stdout })) rounds.push(line.split(' ').map(Number));
  if (child.exitCode === null) await once(child, 'exit');
  const late = rounds.slice(Math.floor(rounds.length / 2));
  return { done: rounds.at(-1)?.[0], heap: medianOf(late, 1), buffers: medianOf(late, 2) };
}

test('an export of ten times as many messages needs no more memory', async () => {
  const few = await measure(400);
  const many = await measure(4000);
  expect([few.done, many.done]).toEqual([400, 4000]);
  // The text of the rows in between has 7 MB, and in memory they take several times as much. Messages from the database
  // have up to 512 KB each, and some may be on their way.
  expect(many.heap - few.heap).toBeLessThan(2 * MEGABYTE);
  expect(many.buffers - few.buffers).toBeLessThan(4 * MEGABYTE);
}, 300_000);
