import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createClient } from '@connectrpc/connect';

import { DeviceService } from '#proto/gen/hiber/device_pb.ts';
import { WebhookService } from '#proto/gen/hiber/webhook_pb.ts';
import { openDatabase } from '#server/db/drivers/open.ts';
import { freePort } from '#server/launch/free-port.mjs';
import { createDatabase } from '#server/testkit/separate-database.ts';

import { Ledger } from './ledger.ts';
import { randomFrom } from './random.ts';
import { receiverNames, Receivers } from './receivers.ts';
import type { TortureResult } from './report.ts';
import { ServerProcess, signIn } from './server-process.ts';
import { announcedTypes, verify } from './verify.ts';
import { type Access, openAccess, runWriter } from './writers.ts';

export interface TortureOptions {
  readonly kills: number;
  readonly seed: number;
  readonly minutes: number;
  /** Any database on a PostgreSQL server that allows creating databases; undefined for the embedded database. */
  readonly databaseUrl: string | undefined;
  /** Node arguments that start a server. */
  readonly server: readonly string[];
  readonly progress: (line: string) => void;
}

const DEVICES = 40;
const WRITERS = 4;
/**
 * Each kill comes after a random number of acknowledged writes and a random pause, up to these limits, while other
 * writes are running. Counting writes puts even a server on a slow machine under load.
 */
const killAfter = { writes: 40, milliseconds: 200 };
const WRITES_TIMEOUT_MS = 60_000;
/** How long to wait for the remaining deliveries at the end. */
const DELIVERY_TIMEOUT_MS = 300_000;

/** Runs the servers, writers, and kills, and stops every process that it started. */
export async function torture(options: TortureOptions): Promise<TortureResult> {
  const folder = await mkdtemp(join(tmpdir(), 'quarterdeck-torture-'));
  const database = options.databaseUrl === undefined ? undefined : await createDatabase(options.databaseUrl, 'torture');
  const receivers = await Receivers.start(randomFrom(options.seed + 1));
  const sealingKey = randomBytes(32).toString('base64');
  const folders = database === undefined ? ['one'] : ['one', 'two'];
  const servers: ServerProcess[] = [];
  for (const name of folders) {
    servers.push(
      new ServerProcess({
        entry: options.server,
        port: await freePort(),
        folder: join(folder, name),
        databaseUrl: database?.url,
        sealingKey,
        devices: DEVICES,
      }),
    );
  }
  try {
    return await run(options, servers, receivers, { url: database?.url, folder: join(folder, 'one') });
  } finally {
    for (const server of servers) await server.kill();
    await receivers.close();
    await database?.drop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function run(
  { kills, seed, minutes, progress }: TortureOptions,
  servers: readonly ServerProcess[],
  receivers: Receivers,
  data: { url: string | undefined; folder: string },
): Promise<TortureResult> {
  const startedAt = performance.now();
  const random = randomFrom(seed);
  const ledger = new Ledger();
  const open = () => openDatabase(data.url === undefined ? { folder: data.folder } : { url: data.url });
  for (const server of servers) await server.start();
  const [first] = servers;
  if (first === undefined) throw new Error('No server was started.');
  const access = openAccess(
    servers.map(({ address }) => address),
    await signIn(first.address),
  );
  const devices = await prepare(access, receivers);
  progress(`Ready: ${servers.length} server(s), ${devices.length} devices, ${receiverNames.length} receivers.`);

  const stop = new AbortController();
  const writers = Promise.all(
    Array.from({ length: WRITERS }, () => runWriter(access, { ledger, random, devices, stop: stop.signal })),
  );
  // A writer that finds a bug stops the run before the next kill.
  const outcome: { failure?: unknown } = {};
  writers.catch((error: unknown) => (outcome.failure = error));
  let killCount = 0;
  for (; killCount < kills && outcome.failure === undefined; killCount += 1) {
    if (performance.now() - startedAt > minutes * 60_000) {
      progress(`Stopped after ${minutes} minutes.`);
      break;
    }
    await waitForAcknowledged(ledger, ledger.total() + 1 + Math.floor(random() * killAfter.writes));
    await sleep(random() * killAfter.milliseconds);
    const server = servers[Math.floor(random() * servers.length)] ?? first;
    await server.kill();
    await server.start();
    progress(`Kill ${killCount + 1}: ${ledger.total()} writes acknowledged, ${receivers.calls} calls arrived.`);
  }
  await waitForAcknowledged(ledger, ledger.total() + killAfter.writes);
  stop.abort();
  await writers.finally(() => access.close());

  receivers.recover();
  await drain(servers, receivers, open);
  const database = await open();
  try {
    const { losses, events } = await verify(database, ledger, receivers);
    const uniqueCalls = receiverNames.reduce((sum, name) => sum + receivers.firstArrivals(name).size, 0);
    return {
      database: data.url === undefined ? 'PGlite' : 'PostgreSQL',
      kills: killCount,
      seconds: (performance.now() - startedAt) / 1000,
      ledger,
      arrivals: receivers.calls,
      repeats: receivers.calls - uniqueCalls,
      events,
      losses,
    };
  } finally {
    await database.close();
  }
}

/** Waits until this many writes are acknowledged or the time is up. */
async function waitForAcknowledged(ledger: Ledger, total: number): Promise<void> {
  const deadline = performance.now() + WRITES_TIMEOUT_MS;
  while (ledger.total() < total && performance.now() < deadline) await sleep(10);
}

/**
 * Lets the servers deliver the remaining events. Skips the pauses after failures, which the contract requires to last
 * minutes.
 */
async function drain(
  servers: readonly ServerProcess[],
  receivers: Receivers,
  open: () => ReturnType<typeof openDatabase>,
): Promise<void> {
  const countPending = async (): Promise<number> => {
    for (const server of servers) await server.stop();
    const database = await open();
    try {
      await database.pool.query('update publisher set in_cooldown_until = null');
      await database.pool.query('update publisher_delivery set next_attempt_at = null');
      const { rows } = await database.pool.query<{ count: number }>('select count(*) as count from publisher_delivery');
      return rows[0]?.count ?? 0;
    } finally {
      await database.close();
    }
  };
  const rounds = 3;
  for (let round = 0; round < rounds && (await countPending()) > 0; round += 1) {
    for (const server of servers) await server.start();
    await waitForQuiet(receivers);
  }
  for (const server of servers) await server.stop();
}

/** Waits until no call has arrived for a few seconds. */
async function waitForQuiet(receivers: Receivers): Promise<void> {
  const quietMs = 6000;
  const deadline = performance.now() + DELIVERY_TIMEOUT_MS;
  for (let calls = -1, since = performance.now(); performance.now() < deadline; await sleep(200)) {
    if (receivers.calls !== calls) [calls, since] = [receivers.calls, performance.now()];
    else if (performance.now() - since > quietMs) return;
  }
}

/**
 * Creates webhooks for the receivers.
 *
 * @returns the numbers of the devices to write to
 */
async function prepare({ transports: [transport] }: Access, receivers: Receivers): Promise<string[]> {
  if (transport === undefined) throw new Error('No server was started.');
  for (const name of receiverNames) {
    await createClient(WebhookService, transport).create({
      data: { url: receivers.url(name) },
      filters: { eventTypes: { include: [...announcedTypes] } },
    });
  }
  const { devices } = await createClient(DeviceService, transport).list({ pagination: { size: DEVICES, page: 0 } });
  return devices.map(({ number }) => number);
}

const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
