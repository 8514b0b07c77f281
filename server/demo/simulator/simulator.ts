import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { ModemMessage_Source } from '#proto/gen/hiber/modem_pb.ts';
import type { Database } from '#server/db/database.ts';
import { expectedToSpeak, INACTIVITY_SOURCE } from '#server/domains/signals/alarm/inactivity.ts';
import { type IncomingMessage, ingestMessages } from '#server/domains/fleet/message/ingest.ts';
import type { Log } from '#server/base/log.ts';
import { loggable } from '#server/base/loggable.ts';
import { payload, type PayloadProfile, payloadProfiles } from './payload.ts';
import { createQuiet } from './silent-devices.ts';
import { createTenure } from '#server/db/leader-lease.ts';

export interface SimulatorOptions {
  readonly db: Database;
  readonly log: Log;
  readonly now: () => Date;
  /** Messages per second over the whole fleet, more than 0. */
  readonly rate: number;
}

export interface Simulator {
  close(): Promise<void>;
}

/** Milliseconds between two rounds. */
const ROUND = 500;
/** Milliseconds after which the number of devices per organization is looked up again. */
const CENSUS_EVERY = 5 * 60_000;
/** Milliseconds between two changes of who is silent. */
const CHANGE_EVERY = 4 * 60_000;
/** Share of the messages that the largest organization gets beforehand: the one that people look at. */
const FOR_LARGEST = 0.75;
/** The oldest of an organization that one of them is drawn from, so that the order is not the same every time. */
const DRAWN = 5;
/** Devices looked up at a time: to find those that were silent for longest takes sorting all of an organization. */
const QUEUED = 500;

const speaking = sql.param([...expectedToSpeak]);

interface Speaker extends Record<string, unknown> {
  readonly number: string;
  readonly profile: string;
}

/**
 * Keeps the demo's fleet alive: devices send in turn, the one that was silent for longest about first. Silent devices
 * stay silent, except that once in a while one comes back and another falls silent (silent-devices.ts). Of all
 * processes on a database one simulates.
 */
export function startSimulator({ db, log, now, rate }: SimulatorOptions): Simulator {
  const tenure = createTenure(db, 'simulator', randomUUID());
  const quiet = createQuiet(db);
  const stopping = new AbortController();
  let census: { organization: string; devices: number }[] = [];
  /** By organization the numbers of those whose turn comes next. */
  const queues = new Map<string, string[]>();
  let countedAt = -Infinity;
  let changedAt = now().getTime();
  let owed = 0;

  async function turn(seconds: number): Promise<void> {
    if (!(await tenure.hold())) return;
    const moment = now();
    if (moment.getTime() - countedAt > CENSUS_EVERY) {
      census = await count();
      countedAt = moment.getTime();
      await quiet.load();
    }
    owed = Math.min(owed + rate * seconds, rate * 10);
    const amount = Math.floor(owed);
    owed -= amount;
    for (const [organization, messages] of share(amount)) await send(organization, messages, moment);
    if (moment.getTime() - changedAt > CHANGE_EVERY) {
      changedAt = moment.getTime();
      const back = await quiet.change(census[0]?.organization);
      if (back) await ingest(back.organization, [back], moment);
    }
  }

  async function count() {
    const { rows } = await db.orm.execute<{ organization: string; devices: number }>(sql`
      select organization, count(*)::int as devices from device
      where metadata ? 'profile' and lifecycle = any(${speaking}::int[])
      group by organization order by devices desc, organization`);
    return rows;
  }

  /** So many messages over the organizations: most for the largest, the rest in proportion to their devices. */
  function share(amount: number): Map<string, number> {
    const total = census.reduce((sum, { devices }) => sum + devices, 0);
    const shares = new Map<string, number>();
    for (let index = 0; index < amount; index += 1) {
      let place = Math.random() < FOR_LARGEST ? 0 : Math.random() * total;
      const chosen = census.find(({ devices }) => (place -= devices) < 0);
      if (chosen) shares.set(chosen.organization, (shares.get(chosen.organization) ?? 0) + 1);
    }
    return shares;
  }

  async function send(organization: string, amount: number, moment: Date): Promise<void> {
    let queue = queues.get(organization) ?? [];
    if (queue.length < amount * DRAWN) queue = await longestSilent(organization, Math.max(QUEUED, amount * DRAWN));
    const lots = new Map(queue.slice(0, amount * DRAWN).map((number) => [number, Math.random()]));
    const chosen = [...lots.keys()].sort((a, b) => (lots.get(a) ?? 0) - (lots.get(b) ?? 0)).slice(0, amount);
    queues.set(
      organization,
      queue.filter((number) => !chosen.includes(number)),
    );
    // Meanwhile somebody may have paused one of them, which a message would end.
    const { rows } = await db.orm.execute<Speaker>(sql`
      select number, metadata ->> 'profile' as profile from device d
      where ${maySpeak(organization)} and number = any(${sql.param(chosen)}::text[])`);
    await ingest(organization, rows, moment);
  }

  async function longestSilent(organization: string, most: number): Promise<string[]> {
    const { rows } = await db.orm.execute<{ number: string }>(sql`
      select number from device d where ${maySpeak(organization)} order by last_message_received_at limit ${most}`);
    return rows.map(({ number }) => number);
  }

  /** Condition on `device d`. */
  const maySpeak = (organization: string) => sql`
    organization = ${organization} and lifecycle = any(${speaking}::int[]) and metadata ? 'profile'
      and number <> all(${sql.param(quiet.numbers(organization))}::text[])
      and not exists (select 1 from device_condition c
        where c.organization = d.organization and c.number = d.number and c.source = ${INACTIVITY_SOURCE})`;

  async function ingest(organization: string, speakers: readonly Speaker[], moment: Date): Promise<void> {
    if (speakers.length === 0) return;
    await db.transaction((tx) =>
      ingestMessages(
        tx,
        organization,
        speakers.map((speaker) => messageOf(speaker, moment)),
        moment,
      ),
    );
  }

  async function run(): Promise<void> {
    let last = performance.now();
    while (!stopping.signal.aborted) {
      const started = performance.now();
      try {
        await turn((started - last) / 1000);
      } catch (error) {
        log.warn('The simulated fleet missed a round.', { reason: loggable(error) });
      }
      last = started;
      await pause(Math.max(50, ROUND - (performance.now() - started)), stopping.signal);
    }
    await tenure.release();
  }
  const running = run();

  return {
    async close() {
      stopping.abort();
      await running;
    },
  };
}

/** Sent a moment before it arrives. */
function messageOf({ number, profile }: Speaker, received: Date): IncomingMessage {
  const sentAt = new Date(received.getTime() - 200 - Math.floor(Math.random() * 1800));
  const known = payloadProfiles.find((name): name is PayloadProfile => name === profile) ?? 'pressure';
  const { content, metadata } = payload({ number, profile: known }, sentAt);
  return { number, sentAt, body: content, metadata, source: ModemMessage_Source.SIMULATION };
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener('abort', done);
  });
}
