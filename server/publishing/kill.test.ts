import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { startReceiver, type TestReceiver } from '#server/testkit/publishing.ts';

const script = fileURLToPath(new URL('../testkit/publishing-process.ts', import.meta.url));

let folder: string;
let receiver: TestReceiver;
let child: ChildProcess | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarterdeck-kill-'));
  receiver = await startReceiver((_, response) => setTimeout(() => response.writeHead(204).end(), 5));
});
afterEach(async () => {
  await kill();
  await receiver.close();
  await rm(folder, { recursive: true, force: true });
});

function start(...args: string[]): void {
  child = spawn(process.execPath, ['--import', 'tsx', script, join(folder, 'database'), ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

async function kill(): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

/** Generous because two processes start, each with a database, on a machine that may be busy. */
const wait = { timeout: 60_000, interval: 5 };

test('loses no deliveries when the process is killed', async () => {
  start(receiver.url);
  await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThan(20), wait);
  await kill();
  const before = receiver.notes();
  expect(before.length).toBeLessThan(100);
  start();
  await vi.waitFor(() => expect(receiver.notes().at(-1)).toBe('99'), wait);
  const notes = receiver.notes();
  const expectedNotes = Array.from({ length: 100 }, (_, index) => String(index));
  // Only the call in flight can be repeated, because it may have arrived before its acknowledgment was recorded.
  const repeatCount = notes[before.length] === before.at(-1) ? 1 : 0;
  expect(notes.toSpliced(before.length, repeatCount)).toEqual(expectedNotes);
}, 150_000);
