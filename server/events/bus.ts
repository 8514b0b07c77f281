import { describeError } from '#server/base/describe-error.ts';
import type { Log } from '#server/base/log.ts';
import type { Database } from '#server/db/database.ts';

import { type AccessWatch, AccessWatches } from './access-watch.ts';
import type { AccessSubject } from './access.ts';
import type { EventNotice } from './channels.ts';
import { EVENT_CHANNEL, ACCESS_CHANNEL } from './channels.ts';
import { readNotice, type StoredEvent } from './stored.ts';

export interface Subscriber {
  /**
   * Receives events that were stored together in one organization, oldest first. All subscribers receive the same
   * objects, so do not modify them.
   */
  receive(events: readonly StoredEvent[]): void;
  /** Called when the subscriber may have missed events because the connection to the database was lost. */
  onMiss?(): void;
  /** Called when the bus closes; no further calls follow. */
  onClose?(): void;
}

/** Passes every event stored by any process that uses this database to the subscribers of this process. */
export interface EventBus {
  /** Subscribes to the events of organizations until the returned function is called. */
  subscribe(organizations: readonly string[], subscriber: Subscriber): () => void;
  /** Opens a watch for access changes. It is notified of a change only after every event stored before or with it. */
  watchAccess(): AccessWatch;
  close(): Promise<void>;
}

/**
 * Opens a bus that uses database notifications. A notification contains only ids, so a process reads each event once,
 * regardless of its number of subscribers, and skips events that nobody subscribed to.
 */
export async function openEventBus(db: Database, log: Log): Promise<EventBus> {
  const subscriptions = new Set<{ organizations: ReadonlySet<string>; subscriber: Subscriber }>();
  const watches = new AccessWatches();
  const subscriptionsOf = (organization: string) =>
    [...subscriptions].filter(({ organizations }) => organizations.has(organization));
  // Handle notices about events and access one at a time, in commit order. A stream therefore delivers the events
  // stored before an access change, and none stored after it.
  let tail = Promise.resolve();
  const enqueue = (handle: () => Promise<void> | void): void => {
    tail = tail.then(handle).catch((error: unknown) => {
      log.error("A database notification couldn't be handled.", { reason: describeError(error) });
      reportMissed();
    });
  };

  async function deliver(notice: EventNotice): Promise<void> {
    if (subscriptionsOf(notice.organization).length === 0) return;
    const events = await readNotice(db.orm, notice);
    if (events.length === 0) return;
    for (const { subscriber } of subscriptionsOf(notice.organization)) subscriber.receive(events);
  }

  /** Reports that events and access changes may have been missed. */
  function reportMissed(): void {
    for (const { subscriber } of subscriptions) subscriber.onMiss?.();
    watches.notify('all');
  }

  const stop = await db.listen(
    EVENT_CHANNEL,
    (payload) => enqueue(() => deliver(JSON.parse(payload) as EventNotice)),
    reportMissed,
  );
  const stopAccess = await db.listen(
    ACCESS_CHANNEL,
    (payload) => enqueue(() => watches.notify(JSON.parse(payload) as AccessSubject[])),
    reportMissed,
  );

  return {
    watchAccess: () => watches.open(),
    subscribe(organizations, subscriber) {
      const subscription = { organizations: new Set(organizations), subscriber };
      subscriptions.add(subscription);
      return () => void subscriptions.delete(subscription);
    },
    async close() {
      await stop();
      await stopAccess();
      await tail;
      for (const { subscriber } of subscriptions) subscriber.onClose?.();
      subscriptions.clear();
    },
  };
}
