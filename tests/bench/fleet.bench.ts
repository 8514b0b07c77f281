import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePort } from '#server/launch/free-port.mjs';
import { createDatabase } from '#server/testkit/separate-database.ts';
import { ServerProcess, signIn } from '#tests/torture/server-process.ts';

import manifest from '../../package.json' with { type: 'json' };
import type { Bench, Row } from './bench.ts';
import { measureCalls } from './fleet/calls.ts';
import { measureConsole } from './fleet/console.ts';
import { withPostgres } from './ingest/postgres.ts';
import { residentMemory } from './resident-memory.ts';

/** The arguments that `npm start` passes to Node. */
const [, ...entry] = manifest.scripts.start.split(' ');

const DEVICES = 100_000;
const MEMORY_BUDGET_MB = 700;

/** Starts a server with a new fleet, as `npm start` does, while `task` runs. */
async function withFleet(
  databaseUrl: string | undefined,
  task: (server: ServerProcess, idToken: string) => Promise<Row[]>,
): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-fleet-'));
  const sealingKey = randomBytes(32).toString('base64');
  const server = new ServerProcess({
    entry,
    port: await freePort(),
    folder,
    databaseUrl,
    sealingKey,
    devices: DEVICES,
  });
  try {
    await server.start();
    return await task(server, await signIn(server.address));
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function run(): Promise<Row[]> {
  const rows = await withFleet(undefined, async ({ address, pid }, idToken) => [
    ...(await measureConsole(address)),
    ...(await measureCalls({ address, idToken }, 'PGlite', 40)),
    {
      name: `memory of the server vs ${MEMORY_BUDGET_MB} MB`,
      unit: 'MB',
      value: residentMemory(pid),
      baseline: MEMORY_BUDGET_MB,
      target: 1,
    },
  ]);
  await withPostgres(async (server) => {
    const database = await createDatabase(server, 'fleet');
    try {
      rows.push(
        ...(await withFleet(database.url, ({ address }, idToken) =>
          measureCalls({ address, idToken }, 'PostgreSQL', 25),
        )),
      );
    } finally {
      await database.drop();
    }
  });
  return rows;
}

export const bench: Bench = { title: '100,000 devices with a million messages: the console, lists, and searches', run };
