import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { sql } from 'drizzle-orm';

import { silentLog } from '#server/base/log.ts';
import { insertWebhooks } from '#server/publishing/targets/webhook/rows.ts';
import { createSender } from '#server/publishing/targets/webhook/send.ts';
import { openTestDatabase } from '#server/testkit/database.ts';
import { addOrganization, deliverWebhooks, recordTestEventsIn } from '#server/testkit/publishing.ts';

import { percentile, type Bench, type Row } from './bench.ts';

/** A slow receiver still responds within the time limit, so its calls succeed and no cooldown holds them back. */
const SLOW_RESPONSE_MS = 9000;
const slowWebhooks = { organizations: 4, perOrganization: 16 };
const healthyWebhooks = { organizations: 20, perOrganization: 10 };
const healthyCount = healthyWebhooks.organizations * healthyWebhooks.perOrganization;
const ROUNDS = 5;
const BUDGET_MS = 1000;

interface Arrival {
  readonly path: string;
  readonly receivedAt: number;
}

interface Receiver {
  readonly url: string;
  /** Resolves with the time and path of each call once `count` calls have arrived. */
  next(count: number): Promise<readonly Arrival[]>;
  close(): void;
}

/** Creates a receiver that records the arrival of calls, and responds after `responseMs`. */
async function createReceiver(responseMs: number): Promise<Receiver> {
  let arrivals: Arrival[] = [];
  let onArrival: () => void = () => {};
  const open = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    arrivals.push({ path: request.url ?? '', receivedAt: performance.now() });
    onArrival();
    open.add(response);
    request.resume();
    setTimeout(() => response.writeHead(204).end(() => open.delete(response)), responseMs).unref();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async next(count) {
      arrivals = [];
      await new Promise<void>((resolve) => {
        onArrival = () => void (arrivals.length >= count && resolve());
      });
      return arrivals;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

interface Setup {
  /**
   * Records an event in each healthy organization.
   *
   * @returns the milliseconds that each of their webhooks waited for the event
   */
  runRound(): Promise<number[]>;
  close(): Promise<void>;
}

/**
 * Creates a database with its own worker. If `slow`, the worker has as many calls to slow webhooks in flight as
 * possible.
 */
async function createSetup(hasSlowWebhooks: boolean): Promise<Setup> {
  const db = await openTestDatabase();
  const sender = createSender({ policy: { allowLoopback: true }, timeout: 10_000 });
  const fastReceiver = await createReceiver(0);
  const slowReceiver = await createReceiver(SLOW_RESPONSE_MS);
  const add = async (
    name: string,
    { organizations, perOrganization }: typeof slowWebhooks,
    url: string,
  ): Promise<string[]> => {
    const ids = Array.from({ length: organizations }, (_, index) => `${name}-${index}`);
    for (const organization of ids) {
      await addOrganization(db, organization);
      const row = { organization, url: url + organization };
      await insertWebhooks(
        db.orm,
        Array.from({ length: perOrganization }, (_, index) => ({ ...row, id: index + 1 })),
      );
    }
    return ids;
  };
  const healthyIds = await add('healthy', healthyWebhooks, fastReceiver.url);
  const slowIds = hasSlowWebhooks ? await add('a-slow', slowWebhooks, slowReceiver.url) : [];
  await db.orm.execute(sql`analyze`);
  const worker = await deliverWebhooks({ db, sender, log: silentLog, now: () => new Date() });
  if (hasSlowWebhooks) {
    const inFlight = slowReceiver.next(slowWebhooks.organizations);
    for (const organization of slowIds)
      await recordTestEventsIn(db, organization, ...Array.from({ length: 30 }, String));
    await inFlight;
  }
  return {
    async runRound() {
      const startTimes = new Map<string, number>();
      const arrivals = fastReceiver.next(healthyCount);
      for (const organization of healthyIds) {
        startTimes.set(`/${organization}`, performance.now());
        await recordTestEventsIn(db, organization, 'changed');
      }
      return (await arrivals).map(({ path, receivedAt }) => receivedAt - (startTimes.get(path) ?? 0));
    },
    async close() {
      await worker.close();
      await sender.close();
      fastReceiver.close();
      slowReceiver.close();
      await db.close();
    },
  };
}

/**
 * Measures whether slow webhooks delay healthy ones, both compared with a run without slow webhooks and in absolute
 * time.
 */
async function run(): Promise<Row[]> {
  const setups = { alone: await createSetup(false), beside: await createSetup(true) };
  const times: Record<keyof typeof setups, number[]> = { alone: [], beside: [] };
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const name of ['alone', 'beside'] as const) {
      const delays = await setups[name].runRound();
      if (round >= 0) times[name].push(...delays);
    }
  }
  await setups.alone.close();
  await setups.beside.close();
  const [alone, beside] = [percentile(times.alone, 95), percentile(times.beside, 95)];
  const name = `${healthyCount} webhooks beside ${slowWebhooks.organizations * slowWebhooks.perOrganization} that respond after 9 s, p95`;
  return [
    { name: `${name} vs a run without slow webhooks`, unit: 'ms', value: beside, baseline: alone, target: 1.5 },
    { name: `${name} vs a second`, unit: 'ms', value: beside, baseline: BUDGET_MS, isWorkBudget: true, target: 1 },
  ];
}

export const bench: Bench = { title: 'Webhook deliveries: from 20 events at once to 200 receivers', run };
