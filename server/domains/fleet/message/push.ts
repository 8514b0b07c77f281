import type { App } from '#server/app/app.ts';
import type { Tx } from '#server/db/database.ts';
import { Grouping, type Outcome } from '#server/db/pool/grouping.ts';
import { type DeviceScope, missingDevices, visibleNumbers } from '#server/domains/fleet/device/model/where.ts';

import { type IncomingMessage, ingestMessages } from './ingest.ts';

/** The messages of one call. */
export interface Push {
  readonly scope: DeviceScope;
  readonly messages: readonly IncomingMessage[];
}

/** The maximum number of messages in a shared transaction. Larger calls gain nothing from sharing. */
const MAX_SHARED = 500;

/**
 * Returns a function that stores the messages of a call, all or none. Concurrent calls of an organization share a
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
    if (outcome !== undefined && 'error' in outcome) throw outcome.error;
  };
}

/** Stores the messages of calls that act in the same organization, except calls that name a missing device. */
async function pushAll(tx: Tx, group: readonly Push[], now: Date): Promise<Outcome<undefined>[]> {
  const errors = await findErrors(tx, group);
  const accepted = group.filter((_, index) => errors[index] === undefined);
  const [first] = accepted;
  if (first !== undefined) {
    await ingestMessages(
      tx,
      first.scope.home,
      accepted.flatMap(({ messages }) => messages),
      now,
    );
  }
  return errors.map((error) => (error === undefined ? { result: undefined } : { error }));
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
