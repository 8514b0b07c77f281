import { randomUUID } from 'node:crypto';

import { sql } from 'drizzle-orm';

import { ModemMessage_Source } from '#proto/gen/hiber/modem_pb.ts';
import { describeError } from '#server/base/describe-error.ts';
import type { Log } from '#server/base/log.ts';
import type { Database } from '#server/db/database.ts';
import { createLeaderLease } from '#server/db/leader-lease.ts';
import { type IncomingMessage, ingestMessages } from '#server/domains/fleet/message/ingest.ts';
import { lifecyclesExpectedToSend, INACTIVITY_SOURCE } from '#server/domains/signals/alarm/inactivity.ts';

import { payload, type PayloadProfile, payloadProfiles } from './payload.ts';
import { createSilentDevices } from './silent-devices.ts';

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
const ROUND_MS = 500;
/** Milliseconds between two look-ups of the number of devices per organization. */
const CENSUS_EVERY_MS = 5 * 60_000;
/** Milliseconds between two exchanges of silent devices. */
const EXCHANGE_EVERY_MS = 4 * 60_000;
/** The share of messages that the largest organization gets first, because people look at it most. */
const SHARE_OF_LARGEST = 0.75;
/** The number of longest-silent devices to draw each sender from, which varies the order. */
const DRAW_FROM = 5;
/**
 * The minimum number of devices per look-up: to find the devices that have been silent longest, the database sorts a
 * whole organization.
 */
const MIN_QUEUE = 500;

const sendingLifecycles = sql.param([...lifecyclesExpectedToSend]);

interface Sender extends Record<string, unknown> {
  readonly number: string;
  readonly profile: string;
}

/**
 * Simulates the demo's fleet: devices send in turn, roughly in the order of their last message. Silent devices stay
 * silent, except that now and then a device resumes and another falls silent (silent-devices.ts). Only one of the
 * processes on a database runs the simulation.
 */
export function startSimulator({ db, log, now, rate }: SimulatorOptions): Simulator {
  const leaderLease = createLeaderLease(db, 'simulator', randomUUID());
  const silentDevices = createSilentDevices(db);
  const stopping = new AbortController();
  let census: { organization: string; devices: number }[] = [];
  /** The numbers of the devices whose turn comes next, by organization. */
  const queues = new Map<string, string[]>();
  let countedAt = -Infinity;
  let exchangedAt = now().getTime();
  let backlog = 0;

  async function runRound(seconds: number): Promise<void> {
    if (!(await leaderLease.hold())) return;
    const time = now();
    if (time.getTime() - countedAt > CENSUS_EVERY_MS) {
      census = await countDevices();
      countedAt = time.getTime();
      await silentDevices.load();
    }
    backlog = Math.min(backlog + rate * seconds, rate * 10);
    const amount = Math.floor(backlog);
    backlog -= amount;
    for (const [organization, messages] of distribute(amount)) await send(organization, messages, time);
    if (time.getTime() - exchangedAt > EXCHANGE_EVERY_MS) {
      exchangedAt = time.getTime();
      const returning = await silentDevices.exchange(census[0]?.organization);
      if (returning) await ingest(returning.organization, [returning], time);
    }
  }

  async function countDevices() {
    const { rows } = await db.orm.execute<{ organization: string; devices: number }>(sql`
      select organization, count(*)::int as devices from device
      where metadata ? 'profile' and lifecycle = any(${sendingLifecycles}::int[])
      group by organization order by devices desc, organization`);
    return rows;
  }

  /** Distributes messages over the organizations: most to the largest, the rest in proportion to their devices. */
  function distribute(amount: number): Map<string, number> {
    const total = census.reduce((sum, { devices }) => sum + devices, 0);
    const shares = new Map<string, number>();
    for (let index = 0; index < amount; index += 1) {
      let draw = Math.random() < SHARE_OF_LARGEST ? 0 : Math.random() * total;
      const entry = census.find(({ devices }) => (draw -= devices) < 0);
      if (entry) shares.set(entry.organization, (shares.get(entry.organization) ?? 0) + 1);
    }
    return shares;
  }

  async function send(organization: string, amount: number, time: Date): Promise<void> {
    let queue = queues.get(organization) ?? [];
    if (queue.length < amount * DRAW_FROM)
      queue = await longestSilent(organization, Math.max(MIN_QUEUE, amount * DRAW_FROM));
    const draws = new Map(queue.slice(0, amount * DRAW_FROM).map((number) => [number, Math.random()]));
    const numbers = [...draws.keys()].sort((a, b) => (draws.get(a) ?? 0) - (draws.get(b) ?? 0)).slice(0, amount);
    queues.set(
      organization,
      queue.filter((number) => !numbers.includes(number)),
    );
    // A device may have been paused in the meantime, and a message would end the pause.
    const { rows } = await db.orm.execute<Sender>(sql`
      select number, metadata ->> 'profile' as profile from device d
      where ${maySend(organization)} and number = any(${sql.param(numbers)}::text[])`);
    await ingest(organization, rows, time);
  }

  async function longestSilent(organization: string, limit: number): Promise<string[]> {
    const { rows } = await db.orm.execute<{ number: string }>(sql`
      select number from device d where ${maySend(organization)} order by last_message_received_at limit ${limit}`);
    return rows.map(({ number }) => number);
  }

  /** Returns a condition on rows of `device d`. */
  const maySend = (organization: string) => sql`
    organization = ${organization} and lifecycle = any(${sendingLifecycles}::int[]) and metadata ? 'profile'
      and number <> all(${sql.param(silentDevices.numbers(organization))}::text[])
      and not exists (select 1 from device_condition c
        where c.organization = d.organization and c.number = d.number and c.source = ${INACTIVITY_SOURCE})`;

  async function ingest(organization: string, senders: readonly Sender[], time: Date): Promise<void> {
    if (senders.length === 0) return;
    await db.transaction((tx) =>
      ingestMessages(
        tx,
        organization,
        senders.map((sender) => createMessage(sender, time)),
        time,
      ),
    );
  }

  async function run(): Promise<void> {
    let last = performance.now();
    while (!stopping.signal.aborted) {
      const started = performance.now();
      try {
        await runRound((started - last) / 1000);
      } catch (error) {
        log.warn('The simulated fleet missed a round.', { reason: describeError(error) });
      }
      last = started;
      await pause(Math.max(50, ROUND_MS - (performance.now() - started)), stopping.signal);
    }
    await leaderLease.release();
  }
  const running = run();

  return {
    async close() {
      stopping.abort();
      await running;
    },
  };
}

/** Creates a message, sent shortly before its arrival. */
function createMessage({ number, profile }: Sender, received: Date): IncomingMessage {
  const sentAt = new Date(received.getTime() - 200 - Math.floor(Math.random() * 1800));
  const knownProfile = payloadProfiles.find((name): name is PayloadProfile => name === profile) ?? 'pressure';
  const { content, metadata } = payload({ number, profile: knownProfile }, sentAt);
  return { number, sentAt, body: content, metadata, source: ModemMessage_Source.SIMULATION };
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, milliseconds);
    signal.addEventListener('abort', finish);
  });
}
