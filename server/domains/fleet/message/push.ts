import type { App } from '#server/app/app.ts';
import type { Tx } from '#server/db/database.ts';
import { ALONE, Grouping, type Outcome } from '#server/db/pool/grouping.ts';
import { type DeviceScope, missingDevices, visibleNumbers } from '#server/domains/fleet/device/model/where.ts';

import { type IncomingMessage, ingestMessages, lockFreeDevices } from './ingest.ts';

/** The messages of one call. */
export interface Push {
  readonly scope: DeviceScope;
  readonly messages: readonly IncomingMessage[];
}

/** The maximum number of messages in a shared transaction. Larger calls gain nothing from sharing. */
const MAX_SHARED = 500;

/**
 * Returns a function that stores either all messages of a call or none. Concurrent calls of an organization share a
 * transaction, because adding a message to a transaction costs much less than a transaction per message.
 *
 * @throws ConnectError NOT_FOUND for a device that the caller cannot see
 */
export function messagePush(app: App): (push: Push, signal: AbortSignal) => Promise<void> {
  const store = (next: () => readonly Push[]) => app.db.transaction(async (tx) => pushAll(tx, next(), app.now()));
  const pushes = new Grouping<Push, undefined>({
    run: store,
    maxWeight: MAX_SHARED,
    weigh: ({ messages }) => messages.length,
  });
  return async (push, signal) => {
    if (push.messages.length < MAX_SHARED) return pushes.submit(push.scope.home, push, signal);
    const [outcome] = await store(() => [push]);
    if (outcome !== undefined && outcome !== ALONE && 'error' in outcome) throw outcome.error;
  };
}

/**
 * Stores the messages of calls that act in the same organization, except calls that name a missing device. Of several
 * calls, leaves out those about a device that another transaction has locked, because the others would have to wait.
 */
async function pushAll(tx: Tx, group: readonly Push[], now: Date): Promise<(Outcome<undefined> | typeof ALONE)[]> {
  const errors = await findErrors(tx, group);
  const existing = group.filter((_, index) => errors[index] === undefined);
  const accepted = existing.length > 1 ? await withoutWaiting(tx, existing) : existing;
  const [first] = accepted;
  if (first !== undefined) {
    await ingestMessages(
      tx,
      first.scope.home,
      accepted.flatMap(({ messages }) => messages),
      now,
    );
  }
  const stored = new Set(accepted);
  return group.map((push, index) => {
    const error = errors[index];
    if (error !== undefined) return { error };
    return stored.has(push) ? { result: undefined } : ALONE;
  });
}

/** Returns the calls whose devices nobody else has locked. */
async function withoutWaiting(tx: Tx, group: readonly Push[]): Promise<readonly Push[]> {
  const [{ scope }] = group as [Push];
  const numbers = new Set(group.flatMap(({ messages }) => messages.map(({ number }) => number)));
  const free = await lockFreeDevices(tx, scope.home, [...numbers]);
  return group.filter(({ messages }) => messages.every(({ number }) => free.has(number)));
}

/** Returns an error per call that names a device its caller cannot see. Callers with equal rights share a query. */
async function findErrors(tx: Tx, group: readonly Push[]): Promise<(Error | undefined)[]> {
  const visible = new Map<boolean, ReadonlySet<string>>();
  for (const { scope } of group) {
    const { allLifecycles } = scope;
    if (visible.has(allLifecycles)) continue;
    const calls = group.filter((call) => call.scope.allLifecycles === allLifecycles);
    const numbers = new Set(calls.flatMap(({ messages }) => messages.map(({ number }) => number)));
    visible.set(allLifecycles, await visibleNumbers(tx, scope, [...numbers]));
  }
  return group.map(({ scope, messages }) =>
    missingDevices(
      scope,
      messages.map(({ number }) => number),
      visible.get(scope.allLifecycles) ?? new Set(),
    ),
  );
}
