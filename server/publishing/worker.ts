import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import { describeError } from '#server/base/describe-error.ts';
import type { Log } from '#server/base/log.ts';
import { createSignal } from '#server/base/signal.ts';
import type { Database } from '#server/db/database.ts';

import {
  claimPublishers,
  DELIVERY_CHANNEL,
  type Entry,
  listNextDeliveries,
  releaseAllLeases,
  releaseLease,
  restPublisher,
  renewLeases,
  type PublisherRow,
  type WakeNotice,
} from './outbox.ts';
import { removeDeliveries, settleFailure, settleRoutine, settleSuccess, trimHistory } from './settle.ts';
import type { Dispatcher, PublisherKey, Target } from './target.ts';

export interface WorkerOptions {
  readonly db: Database;
  /** The kind of publishers it delivers to. */
  readonly target: Omit<Target, 'open' | 'sink'>;
  readonly dispatcher: Pick<Dispatcher, 'send'>;
  readonly log: Log;
  readonly now: () => Date;
  /** The number of publishers that this process delivers to concurrently. */
  readonly parallel?: number;
  /** The maximum number of these publishers per organization, across all processes. */
  readonly perOrganization?: number;
  /** The limit at which a publisher with more to deliver releases its slot. */
  readonly turn?: Turn;
  /** Seconds after which a dead process loses its leases. */
  readonly lease?: number;
  /**
   * Milliseconds between polls of the outbox if nothing wakes the worker. Polling finds expired cooldowns, and is a
   * safety net.
   */
  readonly poll?: number;
}

/** The limits of a turn, which ends when it reaches either of them. */
interface Turn {
  readonly calls: number;
  readonly milliseconds: number;
}

/**
 * A call spends almost all its time waiting for its receiver, so slots are cheap. One process can serve 64
 * organizations (512 / 8) even if all their receivers use their full ten seconds. The next organization then waits for
 * a turn to end. A second process doubles the capacity.
 */
const defaults = { parallel: 512, perOrganization: 8, turn: { calls: 50, milliseconds: 5000 } };

/** A publisher that this process has leased. */
interface LeasedPublisher {
  readonly key: PublisherKey;
  readonly leaseLost: AbortController;
  /** The last time the lease was confirmed as ours, in milliseconds of `performance.now()`. */
  confirmedAt: number;
  finished: Promise<void>;
}

export interface DeliveryWorker {
  /** Polls the outbox now. */
  wake(): void;
  /** Stops the worker and immediately releases all leases. Aborts open calls, which are repeated later. */
  close(): Promise<void>;
}

/**
 * A claim scans every publisher with a backlog, so a single claim for several freed slots is cheaper than a claim per
 * slot. After each claim, the worker rests for as long as the claim took, within these limits in milliseconds.
 */
const claimPause = { min: 20, max: 250 };
/** The number of calls to a publisher between two trims of its history. */
const CALLS_PER_TRIM = 100;

/**
 * Delivers the outbox for one kind of publisher. Sends each publisher's deliveries in the order of their events. Serves
 * several publishers concurrently, in turns. Publishers are leased, so any number of processes can share the work. A
 * delivery is removed in the transaction that records its acknowledgment, so a crash repeats at most the call in
 * flight.
 */
export async function startDelivery(options: WorkerOptions): Promise<DeliveryWorker> {
  const { db, target, dispatcher, log, now, parallel, perOrganization, turn, lease, poll } = {
    ...defaults,
    parallel: options.target.parallel ?? defaults.parallel,
    lease: 5,
    poll: options.target.poll ?? 1000,
    ...options,
  };
  const owner = randomUUID();
  const stopController = new AbortController();
  const leasedPublishers = new Map<string, LeasedPublisher>();
  const keyOf = ({ organization, id }: PublisherKey) => `${organization}/${id}`;
  const wakeSignal = createSignal();
  /** The number of calls since the last trim, keyed by publisher. */
  const callsSinceTrim = new Map<string, number>();

  // The embedded database has a single process, so no previous lease holder is still running.
  if (db.kind === 'pglite') await releaseAllLeases(db.orm, target.kind);
  const wake = (payload: string) => {
    const { kind, publishers } = JSON.parse(payload) as WakeNotice;
    if (kind !== target.kind) return;
    // A publisher with a lease is claimed again after its turn. A claim for each of its events would find nothing.
    if (publishers?.every((key) => leasedPublishers.has(keyOf(key)))) return;
    wakeSignal.raise();
  };
  const unlisten = await db.listen(DELIVERY_CHANNEL, wake, wakeSignal.raise);

  async function claim(): Promise<void> {
    const limit = parallel - leasedPublishers.size;
    if (limit <= 0) return;
    const confirmedAt = performance.now();
    for (const row of await claimPublishers(db, {
      kind: target.kind,
      owner,
      lease,
      limit,
      perOrganization,
      now: now(),
    })) {
      const key = { organization: row.organization, id: row.id };
      const entry: LeasedPublisher = {
        key,
        leaseLost: new AbortController(),
        confirmedAt,
        finished: Promise.resolve(),
      };
      leasedPublishers.set(keyOf(key), entry);
      entry.finished = serveTurn(row, entry);
    }
  }

  async function serveTurn(row: PublisherRow, entry: LeasedPublisher): Promise<void> {
    const { key, leaseLost } = entry;
    const signal = AbortSignal.any([leaseLost.signal, stopController.signal]);
    let hasFailed = false;
    try {
      await deliver(row, entry, signal);
    } catch (error) {
      hasFailed = !signal.aborted;
      if (hasFailed)
        log.error('Delivery stopped unexpectedly.', { publisher: keyOf(key), reason: describeError(error) });
    }
    try {
      if (hasFailed) await restPublisher(db.orm, owner, key, lease);
      else await releaseLease(db.orm, owner, key);
    } catch (error) {
      log.error("A lease couldn't be released.", { publisher: keyOf(key), reason: describeError(error) });
    }
    leasedPublishers.delete(keyOf(key));
    wakeSignal.raise();
  }

  /**
   * Runs one turn. It ends early if the outbox is empty, if a call fails, or if the publisher is disabled, deleted,
   * resting, or no longer leased.
   */
  async function deliver(claimedRow: PublisherRow, entry: LeasedPublisher, signal: AbortSignal): Promise<void> {
    const { key } = entry;
    const { batch = 1 } = target;
    const startedAt = performance.now();
    let row: PublisherRow | undefined = claimedRow;
    const dueDeliveries = await listNextDeliveries(db.orm, target.policy, key, now(), turn.calls * batch);
    for (let start = 0; start < dueDeliveries.length; start += batch) {
      // After a stall, another process may have taken over and already sent this delivery.
      if (performance.now() - entry.confirmedAt > lease * 500) await renew();
      if (signal.aborted || !row || row.disabled || isResting(row)) return;
      const result = await attempt(row, dueDeliveries.slice(start, start + batch), signal);
      if (result === 'failed') return;
      row = result;
      await countCall(key);
      if (performance.now() - startedAt >= turn.milliseconds) return;
    }
  }

  const isResting = ({ inCooldownUntil }: PublisherRow) => inCooldownUntil !== null && inCooldownUntil > now();

  async function countCall(key: PublisherKey): Promise<void> {
    const calls = (callsSinceTrim.get(keyOf(key)) ?? 0) + 1;
    if (calls < CALLS_PER_TRIM) return void callsSinceTrim.set(keyOf(key), calls);
    callsSinceTrim.delete(keyOf(key));
    await db.transaction((tx) => trimHistory(tx, key));
  }

  /**
   * Makes one call.
   *
   * @returns the publisher after a successful call (undefined if deleted), or `failed`
   */
  async function attempt(
    row: PublisherRow,
    entries: readonly Entry[],
    signal: AbortSignal,
  ): Promise<PublisherRow | undefined | 'failed'> {
    const key = { organization: row.organization, id: row.id };
    const freshEntries = entries.filter(({ isStale }) => !isStale);
    await removeDeliveries(
      db.orm,
      key,
      entries.filter(({ isStale }) => isStale),
    );
    if (freshEntries.length === 0) return row;
    const time = now();
    const result = await dispatcher.send(key, freshEntries, signal);
    if (!result) return undefined;
    const workerAttempt = { key, deliveries: freshEntries, attempt: result, time };
    if (result.successful) {
      if (await settleRoutine(db.orm, target, workerAttempt)) return row;
      return db.transaction((tx) => settleSuccess(tx, target, workerAttempt));
    }
    await db.transaction((tx) => settleFailure(tx, target, workerAttempt));
    return 'failed';
  }

  async function renew(): Promise<void> {
    const entries = [...leasedPublishers];
    if (entries.length === 0) return;
    const confirmedAt = performance.now();
    const renewed = new Set((await renewLeases(db.orm, owner, lease)).map(keyOf));
    for (const [publisher, entry] of entries) {
      if (renewed.has(publisher)) entry.confirmedAt = confirmedAt;
      else entry.leaseLost.abort();
    }
  }

  const renewal = setInterval(
    () => {
      renew().catch((error: unknown) => log.error("Leases couldn't be renewed.", { reason: describeError(error) }));
    },
    (lease * 1000) / 3,
  );

  async function run(): Promise<void> {
    while (!stopController.signal.aborted) {
      const startedAt = performance.now();
      try {
        await claim();
      } catch (error) {
        log.error("The outbox couldn't be read.", { reason: describeError(error) });
      }
      const elapsed = performance.now() - startedAt;
      await pause(Math.min(Math.max(elapsed, claimPause.min), claimPause.max));
      await wakeSignal.wait(poll);
    }
  }
  /** Ends early if the worker stops. */
  const pause = (milliseconds: number) =>
    delay(milliseconds, undefined, { signal: stopController.signal }).catch(() => undefined);
  const loop = run();

  return {
    wake: wakeSignal.raise,
    async close() {
      clearInterval(renewal);
      stopController.abort();
      wakeSignal.raise();
      await unlisten();
      await loop;
      await Promise.all([...leasedPublishers.values()].map(({ finished }) => finished));
    },
  };
}
