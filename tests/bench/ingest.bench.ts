import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createClient, type Transport } from '@connectrpc/connect';

import { WebhookService } from '#proto/gen/hiber/webhook_pb.ts';
import { freePort } from '#server/launch/free-port.mjs';
import { createDatabase } from '#server/testkit/separate-database.ts';
import { ServerProcess, signIn } from '#tests/torture/server-process.ts';
import { openAccess } from '#tests/torture/writers.ts';

import { percentile, type Bench, type Row } from './bench.ts';
import { createBearer, deleteParsers, listNumbers } from './ingest/devices.ts';
import { withPostgres } from './ingest/postgres.ts';
import { Pusher } from './ingest/pusher.ts';

const DEVICES = 2000;
const ROUNDS = 3;
const SECONDS = 4;
const WEBHOOKS = 2;

/** Converts a rate in messages per second to milliseconds per 1,000 messages. */
const msPerThousand = (perSecond: number): number => 1_000_000 / perSecond;

const loads = {
  batches: { title: 'batches of 500 from 4 clients', clients: 4, batch: 500 },
  singles: { title: 'single messages from 16 clients', clients: 16, batch: 1 },
} as const;

interface Setup {
  readonly title: string;
  readonly processes: number;
  readonly databaseUrl: string | undefined;
  /** Messages per second. */
  readonly targets: Readonly<Record<keyof typeof loads, number>>;
}

/** Measures complete servers over HTTP, with two webhooks that receive every event. */
async function measure({ title, processes, databaseUrl, targets }: Setup): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-ingest-'));
  const sealingKey = randomBytes(32).toString('base64');
  const servers: ServerProcess[] = [];
  for (let index = 0; index < processes; index += 1) {
    servers.push(
      new ServerProcess({
        entry: ['dist/server/main.js'],
        port: await freePort(),
        folder: join(folder, String(index)),
        databaseUrl,
        sealingKey,
        devices: DEVICES,
      }),
    );
  }
  const receiver = createServer((request, response) => {
    request.resume();
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  try {
    for (const server of servers) await server.start();
    const addresses = servers.map(({ address }) => address);
    const access = openAccess(addresses, await signIn(addresses[0] ?? ''));
    const [transport] = access.transports;
    if (transport === undefined) throw new Error('No server was started.');
    const { port } = receiver.address() as AddressInfo;
    const { bearer, numbers } = await prepare(transport, `http://127.0.0.1:${port}/`);
    access.close();
    const pusher = new Pusher(addresses, bearer, numbers);
    const times: Record<keyof typeof loads, number[]> = { batches: [], singles: [] };
    for (let round = -1; round < ROUNDS; round += 1) {
      for (const name of ['batches', 'singles'] as const) {
        const ms = await pusher.measure({ ...loads[name], seconds: SECONDS });
        if (round >= 0) times[name].push(ms);
      }
    }
    await pusher.close();
    return (['batches', 'singles'] as const).map((name) => ({
      name: `${title}, ${loads[name].title} vs ${targets[name].toLocaleString('en')} a second`,
      unit: 'ms',
      value: percentile(times[name], 50),
      baseline: msPerThousand(targets[name]),
      isWorkBudget: true,
      target: 1,
    }));
  } finally {
    for (const server of servers) await server.stop();
    receiver.closeAllConnections();
    receiver.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Creates the webhooks, and a token for the clients. Without parsers, because ingest-parsing measures those. */
async function prepare(transport: Transport, url: string): Promise<{ bearer: string; numbers: string[] }> {
  await deleteParsers(transport);
  for (let index = 0; index < WEBHOOKS; index += 1) {
    await createClient(WebhookService, transport).create({ data: { url } });
  }
  return { bearer: await createBearer(transport), numbers: await listNumbers(transport, DEVICES) };
}

async function run(): Promise<Row[]> {
  const rows = await measure({
    title: 'PGlite',
    processes: 1,
    databaseUrl: undefined,
    targets: { batches: 2750, singles: 1000 },
  });
  const targets = { batches: 3438, singles: 1500 };
  await withPostgres(async (server) => {
    for (const processes of [1, 2]) {
      const database = await createDatabase(server, 'ingest');
      try {
        const title = `PostgreSQL, ${processes} ${processes === 1 ? 'process' : 'processes'}`;
        rows.push(...(await measure({ title, processes, databaseUrl: database.url, targets })));
      } finally {
        await database.drop();
      }
    }
  });
  return rows;
}

export const bench: Bench = { title: 'PushModemMessages: time per 1,000 messages, over HTTP, with two webhooks', run };
