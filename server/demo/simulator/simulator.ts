import { randomUUID } from 'node:crypto';

import { sql } from 'drizzle-orm';

import { ModemMessage_Source } from '#proto/gen/hiber/modem_pb.ts';
import { describeError } from '#server/base/describe-error.ts';
import type { Log } from '#server/base/log.ts';
import type { Sealer } from '#server/base/secrets.ts';
import type { Database } from '#server/db/database.ts';
import { createLeaderLease } from '#server/db/leader-lease.ts';
import { parseMessages } from '#server/domains/data/parser/pipeline/parse.ts';
import { type IncomingMessage, ingestMessages } from '#server/domains/fleet/message/ingest.ts';
import { lifecyclesExpectedToSend, INACTIVITY_SOURCE } from '#server/domains/signals/alarm/inactivity.ts';
import type { Parsing } from '#server/parsing/parsing.ts';

import { createPayload, type PayloadProfile, payloadProfiles } from './payload.ts';
import { createSilentDevices } from './silent-devices.ts';

export interface SimulatorOptions {
  readonly db: Database;
  readonly log: Log;
  readonly parsing: Parsing;
  readonly secrets: Sealer;
  readonly now: () => Date;
  /** The number of messages per second across the whole fleet, which must be greater than 0. */
  readonly rate: number;
}

export interface Simulator {
  close(): Promise<void>;
}

/** The interval between rounds. */
const ROUND_MS = 500;
/** The interval between counts of each organization's devices. */
const COUNT_INTERVAL_MS = 5 * 60_000;
/** The interval between exchanges of silent devices. */
const EXCHANGE_INTERVAL_MS = 4 * 60_000;
/** The fraction of messages reserved for the largest organization, which users look at most. */
const LARGEST_FRACTION = 0.75;
/** Each sender is drawn from this many of the devices that have been silent longest, to vary the order. */
const CANDIDATES_PER_SENDER = 5;
/**
 * The minimum number of devices to look up at a time. For each lookup, the database sorts all devices of the
 * organization to find those that have been silent longest.
 */
const MIN_QUEUE_LENGTH = 500;

const sendingLifecycles = sql.param([...lifecyclesExpectedToSend]);

interface Sender extends Record<string, unknown> {
  readonly number: string;
  readonly profile: string;
}

/**
 * Simulates the demo's fleet. Devices send in turn, roughly in the order of their last message. Silent devices stay
 * silent, except that now and then a device resumes and another falls silent (silent-devices.ts). Only one of the
 * processes that share a database runs the simulation.
 */
export function startSimulator({ db, log, parsing, secrets, now, rate }: SimulatorOptions): Simulator {
  const leaderLease = createLeaderLease(db, 'simulator', randomUUID());
  const silentDevices = createSilentDevices(db);
  const stopController = new AbortController();
  let census: { organization: string; devices: number }[] = [];
  /** The numbers of the devices that send next, keyed by organization. */
  const queues = new Map<string, string[]>();
  let countedAt = -Infinity;
  let exchangedAt = now().getTime();
  let backlog = 0;

  async function runRound(seconds: number): Promise<void> {
    if (!(await leaderLease.acquireOrRenew())) return;
    const time = now();
    if (time.getTime() - countedAt > COUNT_INTERVAL_MS) {
      census = await countDevices();
      countedAt = time.getTime();
      await silentDevices.load();
    }
    backlog = Math.min(backlog + rate * seconds, rate * 10);
    const amount = Math.floor(backlog);
    backlog -= amount;
    for (const [organization, messages] of distribute(amount)) await send(organization, messages, time);
    if (time.getTime() - exchangedAt > EXCHANGE_INTERVAL_MS) {
      exchangedAt = time.getTime();
      const returningDevice = await silentDevices.exchange(census[0]?.organization);
      if (returningDevice) await ingest(returningDevice.organization, [returningDevice], time);
    }
  }

  async function countDevices() {
    const { rows } = await db.orm.execute<{ organization: string; devices: number }>(sql`
      select organization, count(*)::int as devices from device
      where metadata ? 'profile' and lifecycle = any(${sendingLifecycles}::int[])
      group by organization order by devices desc, organization`);
    return rows;
  }

  /**
   * Gives most messages to the largest organization, and the rest to all organizations in proportion to their devices.
   */
  function distribute(amount: number): Map<string, number> {
    const total = census.reduce((sum, { devices }) => sum + devices, 0);
    const shares = new Map<string, number>();
    for (let index = 0; index < amount; index += 1) {
      let draw = Math.random() < LARGEST_FRACTION ? 0 : Math.random() * total;
      const entry = census.find(({ devices }) => (draw -= devices) < 0);
      if (entry) shares.set(entry.organization, (shares.get(entry.organization) ?? 0) + 1);
    }
    return shares;
  }

  async function send(organization: string, amount: number, time: Date): Promise<void> {
    let queue = queues.get(organization) ?? [];
    if (queue.length < amount * CANDIDATES_PER_SENDER)
      queue = await readLongestSilent(organization, Math.max(MIN_QUEUE_LENGTH, amount * CANDIDATES_PER_SENDER));
    const draws = new Map(queue.slice(0, amount * CANDIDATES_PER_SENDER).map((number) => [number, Math.random()]));
    const numbers = [...draws.keys()].sort((a, b) => (draws.get(a) ?? 0) - (draws.get(b) ?? 0)).slice(0, amount);
    queues.set(
      organization,
      queue.filter((number) => !numbers.includes(number)),
    );
    // A device may have been paused in the meantime, and a message would end the pause.
    const { rows } = await db.orm.execute<Sender>(sql`
      select number, metadata ->> 'profile' as profile from device d
      where ${canSend(organization)} and number = any(${sql.param(numbers)}::text[])`);
    await ingest(organization, rows, time);
  }

  async function readLongestSilent(organization: string, limit: number): Promise<string[]> {
    const { rows } = await db.orm.execute<{ number: string }>(sql`
      select number from device d where ${canSend(organization)} order by last_message_received_at limit ${limit}`);
    return rows.map(({ number }) => number);
  }

  /** Returns a condition on rows of `device d`. */
  const canSend = (organization: string) => sql`
    organization = ${organization} and lifecycle = any(${sendingLifecycles}::int[]) and metadata ? 'profile'
      and number <> all(${sql.param(silentDevices.numbers(organization))}::text[])
      and not exists (select 1 from device_condition c
        where c.organization = d.organization and c.number = d.number and c.source = ${INACTIVITY_SOURCE})`;

  async function ingest(organization: string, senders: readonly Sender[], time: Date): Promise<void> {
    if (senders.length === 0) return;
    const messages = senders.map((sender) => createMessage(sender, time));
    const outcomes = await parseMessages({ db: db.orm, parsing, secrets, now: () => time }, organization, messages);
    const parsed = messages.map((message, index) => ({ ...message, outcomes: outcomes[index] ?? [] }));
    await db.transaction((tx) => ingestMessages(tx, organization, parsed, time));
  }

  async function run(): Promise<void> {
    let last = performance.now();
    while (!stopController.signal.aborted) {
      const startedAt = performance.now();
      try {
        await runRound((startedAt - last) / 1000);
      } catch (error) {
        log.warn('A round of the simulation failed.', { reason: describeError(error) });
      }
      last = startedAt;
      await pause(Math.max(50, ROUND_MS - (performance.now() - startedAt)), stopController.signal);
    }
    await leaderLease.release();
  }
  const loop = run();

  return {
    async close() {
      stopController.abort();
      await loop;
    },
  };
}

/** Creates a message that was sent shortly before it was received. */
function createMessage({ number, profile }: Sender, receivedAt: Date): IncomingMessage {
  const sentAt = new Date(receivedAt.getTime() - 200 - Math.floor(Math.random() * 1800));
  const knownProfile = payloadProfiles.find((name): name is PayloadProfile => name === profile) ?? 'pressure';
  const { content, metadata } = createPayload({ number, profile: knownProfile }, sentAt);
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
