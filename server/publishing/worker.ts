import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '#server/db/database.ts';
import type { Log } from '#server/base/log.ts';
import { loggable } from '#server/base/loggable.ts';
import { createSignal } from '#server/base/signal.ts';
import {
  claimPublishers,
  DELIVERY_CHANNEL,
  type Entry,
  nextDeliveries,
  releaseAllLeases,
  releaseLease,
  renewLeases,
  type PublisherRow,
} from './outbox.ts';
import { removeDeliveries, settleFailure, settleSuccess, trimHistory } from './settle.ts';
import type { Dispatcher, PublisherKey, Target } from './target.ts';

export interface WorkerOptions {
  readonly db: Database;
  /** The kind of publishers that it delivers to. */
  readonly target: Omit<Target, 'open' | 'sink'>;
  readonly dispatcher: Pick<Dispatcher, 'send'>;
  readonly log: Log;
  readonly now: () => Date;
  /** Publishers delivered to at once by this process. */
  readonly parallel?: number;
  /** Of these, those of one organization at most, counted over all processes. */
  readonly perOrganization?: number;
  /** After which a publisher that has more to deliver gives its slot back. */
  readonly turn?: Turn;
  /** Seconds after which a process that is gone loses what it held. */
  readonly lease?: number;
  /**
   * Milliseconds between looks at the outbox when nothing wakes the worker: for cooldowns that end, and as a safety
   * net.
   */
  readonly poll?: number;
}

/** Whichever is reached first. */
interface Turn {
  readonly calls: number;
  readonly milliseconds: number;
}

/**
 * A call waits for its receiver almost all the time, so slots are cheap. What one process can take: 64 organizations
 * (512 / 8) whose receivers all need the ten seconds that they have; the next organization then waits for a turn to
 * end. A second process adds as much.
 */
const defaults = { parallel: 512, perOrganization: 8, turn: { calls: 50, milliseconds: 5_000 } };

/** A publisher that this process delivers for. */
interface Held {
  readonly key: PublisherKey;
  readonly lost: AbortController;
  /** When the lease was last known to be ours, in milliseconds of `performance.now()`. */
  confirmed: number;
  done: Promise<void>;
}

export interface DeliveryWorker {
  /** Look at the outbox now. */
  wake(): void;
  /** Ends: no new calls, open ones are broken off and will be repeated, and what was held is free at once. */
  close(): Promise<void>;
}

/**
 * A claim looks at every publisher with a backlog, so one for all slots that came free is better than one for each:
 * after one, the worker rests as long as it took, in milliseconds within these.
 */
const rest = { atLeast: 20, atMost: 250 };
/** Calls of one publisher between two trims of its history. */
const TRIM_EVERY = 100;

/**
 * Delivers what waits for one kind of publishers. Each publisher's deliveries are sent one by one in the order of their
 * events, several publishers at once and in turns; a publisher is held under a lease, so that any number of processes
 * share the work. A delivery is removed in the transaction that records its acknowledgement, so a crash repeats at most
 * the call that was under way.
 */
export async function startDelivery(options: WorkerOptions): Promise<DeliveryWorker> {
  const { db, target, dispatcher, log, now, parallel, perOrganization, turn, lease, poll } = {
    ...defaults,
    parallel: options.target.parallel ?? defaults.parallel,
    lease: 5,
    poll: options.target.poll ?? 1_000,
    ...options,
  };
  const owner = randomUUID();
  const stopping = new AbortController();
  const held = new Map<string, Held>();
  const name = ({ organization, id }: PublisherKey) => `${organization}/${id}`;
  const signalling = createSignal();
  /** Calls since the last trim, by publisher. */
  const untrimmed = new Map<string, number>();

  // The embedded database has one process, so whoever held a lease is gone.
  if (db.kind === 'pglite') await releaseAllLeases(db.orm, target.kind);
  const wake = (kind: string) => {
    if (kind === target.kind) signalling.raise();
  };
  const unlisten = await db.listen(DELIVERY_CHANNEL, wake, signalling.raise);

  async function claim(): Promise<void> {
    const limit = parallel - held.size;
    if (limit <= 0) return;
    const confirmed = performance.now();
    for (const row of await claimPublishers(db, {
      kind: target.kind,
      owner,
      lease,
      limit,
      perOrganization,
      now: now(),
    })) {
      const key = { organization: row.organization, id: row.id };
      const entry: Held = { key, lost: new AbortController(), confirmed, done: Promise.resolve() };
      held.set(name(key), entry);
      entry.done = hold(row, entry);
    }
  }

  async function hold(row: PublisherRow, entry: Held): Promise<void> {
    const { key, lost } = entry;
    const signal = AbortSignal.any([lost.signal, stopping.signal]);
    try {
      await deliver(row, entry, signal);
    } catch (error) {
      if (!signal.aborted)
        log.error('Delivery stopped unexpectedly.', { publisher: name(key), reason: loggable(error) });
    }
    try {
      await releaseLease(db.orm, owner, key);
    } catch (error) {
      log.error('A lease could not be given back.', { publisher: name(key), reason: loggable(error) });
    }
    held.delete(name(key));
    signalling.raise();
  }

  /** One turn; less when the outbox is empty, a call fails, or the publisher is lost, disabled, deleted or at rest. */
  async function deliver(claimed: PublisherRow, entry: Held, signal: AbortSignal): Promise<void> {
    const { key } = entry;
    const { batch = 1 } = target;
    const began = performance.now();
    let row: PublisherRow | undefined = claimed;
    const due = await nextDeliveries(db.orm, target.policy, key, now(), turn.calls * batch);
    for (let start = 0; start < due.length; start += batch) {
      // After a stall another process may have taken over and sent this one already.
      if (performance.now() - entry.confirmed > lease * 500) await renew();
      if (signal.aborted || !row || row.disabled || isResting(row)) return;
      const result = await attempt(row, due.slice(start, start + batch), signal);
      if (result === 'failed') return;
      row = result;
      await countCall(key);
      if (performance.now() - began >= turn.milliseconds) return;
    }
  }

  const isResting = ({ inCooldownUntil }: PublisherRow) => inCooldownUntil !== null && inCooldownUntil > now();

  async function countCall(key: PublisherKey): Promise<void> {
    const made = (untrimmed.get(name(key)) ?? 0) + 1;
    if (made < TRIM_EVERY) return void untrimmed.set(name(key), made);
    untrimmed.delete(name(key));
    await db.transaction((tx) => trimHistory(tx, key));
  }

  /** One call. @returns the publisher as it is afterwards (undefined: deleted), or that it failed */
  async function attempt(
    row: PublisherRow,
    entries: readonly Entry[],
    signal: AbortSignal,
  ): Promise<PublisherRow | undefined | 'failed'> {
    const key = { organization: row.organization, id: row.id };
    const due = entries.filter(({ stale }) => !stale);
    await removeDeliveries(
      db.orm,
      key,
      entries.filter(({ stale }) => stale),
    );
    if (due.length === 0) return row;
    const time = now();
    const made = await dispatcher.send(key, due, signal);
    if (!made) return undefined;
    const settled = { key, due, attempt: made, time };
    if (made.successful) return db.transaction((tx) => settleSuccess(tx, target, settled));
    await db.transaction((tx) => settleFailure(tx, target, settled));
    return 'failed';
  }

  async function renew(): Promise<void> {
    const entries = [...held];
    if (entries.length === 0) return;
    const confirmed = performance.now();
    const kept = new Set((await renewLeases(db.orm, owner, lease)).map(name));
    for (const [publisher, entry] of entries) {
      if (kept.has(publisher)) entry.confirmed = confirmed;
      else entry.lost.abort();
    }
  }

  const renewal = setInterval(
    () => {
      renew().catch((error: unknown) => log.error('Leases could not be renewed.', { reason: loggable(error) }));
    },
    (lease * 1000) / 3,
  );

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const began = performance.now();
      try {
        await claim();
      } catch (error) {
        log.error('The outbox could not be read.', { reason: loggable(error) });
      }
      const took = performance.now() - began;
      await pause(Math.min(Math.max(took, rest.atLeast), rest.atMost));
      await signalling.wait(poll);
    }
  }
  /** Ends early when the worker does. */
  const pause = (milliseconds: number) =>
    delay(milliseconds, undefined, { signal: stopping.signal }).catch(() => undefined);
  const running = run();

  return {
    wake: signalling.raise,
    async close() {
      clearInterval(renewal);
      stopping.abort();
      signalling.raise();
      await unlisten();
      await running;
      await Promise.all([...held.values()].map(({ done }) => done));
    },
  };
}
