import { setImmediate, setTimeout as delay } from 'node:timers/promises';

import type { App } from '#server/app/app.ts';
import { BlockedError, type Tx } from '#server/db/database.ts';
import { timeouts } from '#server/db/limits.ts';
import { BLOCKED, Grouping, type Outcome, RETRY_MS } from '#server/db/pool/grouping.ts';
import { parseMessages } from '#server/domains/data/parser/pipeline/parse.ts';
import { missingDevicesError, findVisibleNumbers } from '#server/domains/fleet/device/model/included-devices.ts';
import { type DeviceScope, hiddenFrom } from '#server/domains/fleet/device/model/where.ts';

import { type IncomingMessage, ingestMessages, lockAvailableDevices, type LockedDevice } from './ingest.ts';

/** The messages of one call. */
export interface Push {
  readonly scope: DeviceScope;
  readonly messages: readonly IncomingMessage[];
}

/** The maximum number of messages in a shared transaction. Larger calls do not benefit from sharing. */
const MAX_SHARED_MESSAGES = 500;

/** How long a group waits for the callers of the one before, at most, in milliseconds. */
const LINGER_MS = 25;

/**
 * Returns a function that stores either all messages of a call or none. Concurrent calls for an organization share a
 * transaction, because adding a message to a transaction costs much less than starting another one. Calls for a device
 * that another transaction has locked are retried, without holding a connection while waiting.
 *
 * @throws ConnectError NOT_FOUND for a device that the caller cannot see
 */
export function createMessagePush(app: App): (push: Push, signal: AbortSignal) => Promise<void> {
  const store: Store = async (next) => {
    // Calls that arrive in the same turn of the event loop join the group.
    await setImmediate();
    // Parsed first because a transaction must not wait for parsers.
    const group = await parseAll(app, next());
    slowDevices.record(group);
    return app.db.transaction(async (tx) => pushAll(tx, group, app.now()));
  };
  const slowDevices = new SlowDevices();
  const turns = new DeviceTurns();
  const pushes = new Grouping<Push, undefined>({
    run: store,
    maxWeight: MAX_SHARED_MESSAGES,
    lingerMs: LINGER_MS,
    weigh: ({ messages }) => messages.length,
  });
  return async (push, signal) => {
    const { home } = push.scope;
    const account = slowDevices.includes(push) ? `${home}, slow parsers` : home;
    if (push.messages.length < MAX_SHARED_MESSAGES) return pushes.submit(account, push, signal);
    await turns.take(push, signal, () => storeAlone(store, push, signal));
  };
}

/** How long a device counts as slow after one of its parsers exceeded a limit. */
const SLOW_MS = 60_000;

/** The devices whose parsers exceed their limits. Their calls would delay others in the same transaction. */
class SlowDevices {
  /** The `performance.now()` at which each device stops counting as slow, keyed by organization and number. */
  readonly #until = new Map<string, number>();

  record(group: readonly Push[]): void {
    const now = performance.now();
    for (const { scope, messages } of group) {
      for (const { number, outcomes = [] } of messages) {
        if (outcomes.some((outcome) => 'exceeds' in outcome)) this.#until.set(`${scope.home} ${number}`, now + SLOW_MS);
      }
    }
    for (const [key, until] of this.#until) if (until < now) this.#until.delete(key);
  }

  includes({ scope, messages }: Push): boolean {
    return this.#until.size > 0 && messages.some(({ number }) => this.#until.has(`${scope.home} ${number}`));
  }
}

/** Applies the devices' parsers to the messages of calls that act in the same organization. */
async function parseAll(app: App, group: readonly Push[]): Promise<readonly Push[]> {
  const [first] = group;
  if (first === undefined) return group;
  const messages = group.flatMap((push) => push.messages);
  const outcomes = await parseMessages({ ...app, db: app.db.orm }, first.scope.home, messages);
  let parsed = 0;
  return group.map((push) => ({
    ...push,
    messages: push.messages.map((message) => ({ ...message, outcomes: outcomes[parsed++] ?? [] })),
  }));
}

type Store = (next: () => readonly Push[]) => Promise<readonly (Outcome<undefined> | typeof BLOCKED)[]>;

/** Stores the messages from a single call in its own transaction, once none of their devices is locked. */
async function storeAlone(store: Store, push: Push, signal: AbortSignal): Promise<void> {
  const startedAt = performance.now();
  for (;;) {
    const [outcome] = await store(() => [push]);
    if (outcome !== BLOCKED) {
      if (outcome && 'error' in outcome) throw outcome.error;
      return;
    }
    if (performance.now() - startedAt >= timeouts.lock) throw new BlockedError('A device was locked for too long.');
    await delay(RETRY_MS, undefined, { signal });
  }
}

/** Runs large calls for the same device one after another because they would otherwise block each other. */
class DeviceTurns {
  readonly #turns = new Set<{ readonly numbers: ReadonlySet<string>; readonly completion: Promise<void> }>();

  async take({ messages }: Push, signal: AbortSignal, run: () => Promise<void>): Promise<void> {
    const numbers = new Set(messages.map(({ number }) => number));
    const earlierTurns = [...this.#turns].filter((other) => [...other.numbers].some((number) => numbers.has(number)));
    const result = Promise.all(earlierTurns.map(({ completion }) => completion)).then(() => {
      signal.throwIfAborted();
      return run();
    });
    const turn = { numbers, completion: result.catch(() => undefined) };
    this.#turns.add(turn);
    try {
      await result;
    } finally {
      this.#turns.delete(turn);
    }
  }
}

/**
 * Stores the messages of calls that act in the same organization, except calls that name a missing device, or a device
 * that another transaction has locked.
 */
async function pushAll(tx: Tx, group: readonly Push[], now: Date): Promise<(Outcome<undefined> | typeof BLOCKED)[]> {
  const [first] = group;
  if (first === undefined) return [];
  const { home } = first.scope;
  const numbers = new Set(group.flatMap(({ messages }) => messages.map(({ number }) => number)));
  const lockedDevices = await lockAvailableDevices(tx, home, [...numbers]);
  const availableCalls = group.filter((call) => hasLocked(call, lockedDevices));
  const otherCalls = group.filter((call) => !availableCalls.includes(call));
  const errors = await findErrors(tx, otherCalls);
  const messages = availableCalls.flatMap((call) => call.messages);
  await ingestMessages(tx, home, messages, now, lockedDevices);
  return group.map((push) => {
    const index = otherCalls.indexOf(push);
    if (index < 0) return { result: undefined };
    const error = errors[index];
    return error === undefined ? BLOCKED : { error };
  });
}

/** True if all devices of a call are locked, and its caller may see them. */
function hasLocked({ scope, messages }: Push, lockedDevices: ReadonlyMap<string, LockedDevice>): boolean {
  const hiddenLifecycles = hiddenFrom(scope);
  return messages.every(({ number }) => {
    const device = lockedDevices.get(number);
    return device !== undefined && !hiddenLifecycles.includes(device.lifecycle);
  });
}

/**
 * Returns an error for each call that names a device its caller can't see. Callers with the same access share a query.
 */
async function findErrors(tx: Tx, group: readonly Push[]): Promise<(Error | undefined)[]> {
  const visibleByPermissions = new Map<boolean, ReadonlySet<string>>();
  for (const { scope } of group) {
    const { allLifecycles } = scope;
    if (visibleByPermissions.has(allLifecycles)) continue;
    const calls = group.filter((call) => call.scope.allLifecycles === allLifecycles);
    const numbers = new Set(calls.flatMap(({ messages }) => messages.map(({ number }) => number)));
    visibleByPermissions.set(allLifecycles, await findVisibleNumbers(tx, scope, [...numbers]));
  }
  return group.map(({ scope, messages }) =>
    missingDevicesError(
      scope,
      messages.map(({ number }) => number),
      visibleByPermissions.get(scope.allLifecycles) ?? new Set(),
    ),
  );
}
