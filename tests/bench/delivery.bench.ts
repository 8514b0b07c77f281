import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'drizzle-orm';
import { openTestDatabase } from '#server/testkit/database.ts';
import { insertWebhooks } from '#server/publishing/targets/webhook/rows.ts';
import { createSender } from '#server/publishing/targets/webhook/send.ts';
import { addOrganization, deliverWebhooks, happenIn } from '#server/testkit/publishing.ts';
import { silentLog } from '#server/base/log.ts';
import { percentile, type Bench, type Row } from './bench.ts';

/** A receiver that is slow, and still in time: such a call is a success, so no cooldown holds it back. */
const SLOW_ANSWER_MS = 9_000;
const slowWebhooks = { organizations: 4, each: 16 };
const healthyWebhooks = { organizations: 20, each: 10 };
const healthyCount = healthyWebhooks.organizations * healthyWebhooks.each;
const ROUNDS = 5;
const WITHIN_MS = 1_000;

interface Arrival {
  readonly path: string;
  readonly at: number;
}

interface Arrivals {
  readonly url: string;
  /** Resolves with when each call arrived and at which path, once there are so many. */
  next(count: number): Promise<readonly Arrival[]>;
  close(): void;
}

/** Answers after a while, and knows when calls arrived. */
async function receiver(answerMs: number): Promise<Arrivals> {
  let arrived: Arrival[] = [];
  let enough: () => void = () => {};
  const open = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    arrived.push({ path: request.url ?? '', at: performance.now() });
    enough();
    open.add(response);
    request.resume();
    setTimeout(() => response.writeHead(204).end(() => open.delete(response)), answerMs).unref();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async next(count) {
      arrived = [];
      await new Promise<void>((resolve) => {
        enough = () => void (arrived.length >= count && resolve());
      });
      return arrived;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

interface World {
  /** An event in each healthy organization. @returns the milliseconds that each of their webhooks waited for it */
  round(): Promise<number[]>;
  close(): Promise<void>;
}

/** A database and a worker of their own; with the slow webhooks, as many calls to them under way as there may be. */
async function world(slow: boolean): Promise<World> {
  const db = await openTestDatabase();
  const sender = createSender({ policy: { allowLoopback: true }, timeout: 10_000 });
  const fine = await receiver(0);
  const late = await receiver(SLOW_ANSWER_MS);
  const add = async (name: string, { organizations, each }: typeof slowWebhooks, url: string): Promise<string[]> => {
    const ids = Array.from({ length: organizations }, (_, index) => `${name}-${index}`);
    for (const organization of ids) {
      await addOrganization(db, organization);
      const row = { organization, url: url + organization };
      await insertWebhooks(
        db.orm,
        Array.from({ length: each }, (_, index) => ({ ...row, id: index + 1 })),
      );
    }
    return ids;
  };
  const healthy = await add('healthy', healthyWebhooks, fine.url);
  const stuck = slow ? await add('a-slow', slowWebhooks, late.url) : [];
  await db.orm.execute(sql`analyze`);
  const worker = await deliverWebhooks({ db, sender, log: silentLog, now: () => new Date() });
  if (slow) {
    const underWay = late.next(slowWebhooks.organizations);
    for (const organization of stuck) await happenIn(db, organization, ...Array.from({ length: 30 }, String));
    await underWay;
  }
  return {
    async round() {
      const began = new Map<string, number>();
      const arrivals = fine.next(healthyCount);
      for (const organization of healthy) {
        began.set(`/${organization}`, performance.now());
        await happenIn(db, organization, 'changed');
      }
      return (await arrivals).map(({ path, at }) => at - (began.get(path) ?? 0));
    },
    async close() {
      await worker.close();
      await sender.close();
      fine.close();
      late.close();
      await db.close();
    },
  };
}

/** The healthy webhooks must not notice the slow ones: neither beside a run without them, nor in what people wait. */
async function run(): Promise<Row[]> {
  const worlds = { alone: await world(false), beside: await world(true) };
  const times: Record<keyof typeof worlds, number[]> = { alone: [], beside: [] };
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const name of ['alone', 'beside'] as const) {
      const waited = await worlds[name].round();
      if (round >= 0) times[name].push(...waited);
    }
  }
  await worlds.alone.close();
  await worlds.beside.close();
  const [alone, beside] = [percentile(times.alone, 95), percentile(times.beside, 95)];
  const name = `${healthyCount} webhooks beside ${slowWebhooks.organizations * slowWebhooks.each} that answer after 9 s, p95`;
  return [
    { name: `${name}, to none that are slow`, unit: 'ms', value: beside, baseline: alone, target: 1.5 },
    { name: `${name}, to a second`, unit: 'ms', value: beside, baseline: WITHIN_MS, target: 1 },
  ];
}

export const bench: Bench = { title: 'Webhook deliveries: from 20 events at once to 200 receivers', run };
