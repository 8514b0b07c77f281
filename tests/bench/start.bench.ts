import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { createClient } from '@connectrpc/connect';

import { DeviceService } from '#proto/gen/hiber/device_pb.ts';
import { freePort } from '#server/launch/free-port.mjs';
import { ServerProcess, signIn } from '#tests/torture/server-process.ts';
import { openAccess } from '#tests/torture/writers.ts';

import manifest from '../../package.json' with { type: 'json' };
import { percentile, type Bench, type Row } from './bench.ts';
import { residentMemory } from './resident-memory.ts';

/** The arguments that `npm start` passes to Node. */
const [, ...entry] = manifest.scripts.start.split(' ');

const STARTS = 3;
const PAGES = 20;
/** Node returns unused memory while idle. */
const IDLE_MS = 20_000;
const START_BUDGET_MS = 3000;

/** Measures a whole server, from its first start on a new folder. */
async function measureSize(devices: number, megabytes: number): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-start-'));
  const server = new ServerProcess({
    entry,
    port: await freePort(),
    folder,
    databaseUrl: undefined,
    sealingKey: randomBytes(32).toString('base64'),
    devices,
  });
  try {
    await server.start();
    await listDevices(server.address, devices);
    await setTimeout(IDLE_MS);
    const memory = residentMemory(server.pid);
    const starts: number[] = [];
    for (let index = 0; index < STARTS; index += 1) {
      await server.stop();
      const startedAt = performance.now();
      await server.start();
      starts.push(performance.now() - startedAt);
    }
    const title = `${devices.toLocaleString('en')} devices`;
    return [
      { name: `${title}, memory vs ${megabytes} MB`, unit: 'MB', value: memory, baseline: megabytes, target: 1 },
      {
        name: `${title}, start on an existing folder p50 vs ${START_BUDGET_MS / 1000} s`,
        unit: 'ms',
        value: percentile(starts, 50),
        baseline: START_BUDGET_MS,
        isWorkBudget: true,
        target: 1,
      },
    ];
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Signs in and lists pages of devices from the whole list, as a console does. */
async function listDevices(address: string, devices: number): Promise<void> {
  const access = openAccess([address], await signIn(address));
  const [transport] = access.transports;
  if (transport === undefined) throw new Error('No server was started.');
  const client = createClient(DeviceService, transport);
  for (let index = 0; index < PAGES; index += 1) {
    const page = Math.floor((devices / 100) * (index / PAGES));
    await client.list({ pagination: { size: 100, page } });
  }
  access.close();
}

export const bench: Bench = {
  title: 'A server as npm start runs it: memory after the first start and some lists, and time of later starts',
  run: async () => [...(await measureSize(2000, 350)), ...(await measureSize(100_000, 700))],
};
