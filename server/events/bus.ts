import type { Database } from '#server/db/database';
import type { Log } from '../log.ts';
import { loggable } from '../loggable.ts';
import type { EventNotice } from './channels.ts';
import { eventChannel, rightsChannel } from './channels.ts';
import { readNotice, type StoredEvent } from './stored.ts';

export interface Subscriber {
  /**
   * Events of one organization that were stored together, oldest first. Shared between subscribers: do not change
   * them.
   */
  receive(events: readonly StoredEvent[]): void;
  /** Some events may have passed unseen, because the connection to the database was lost. */
  missed?(): void;
  /** The bus closes; nothing more will come. */
  closed?(): void;
}

/** Every event that any process on this database stores, to whoever listens in this process. */
export interface EventBus {
  /** @returns what ends the subscription */
  subscribe(organizations: readonly string[], subscriber: Subscriber): () => void;
  /**
   * Tells when what somebody may do was changed, so that what was opened under the old rights is opened anew.
   *
   * @returns what ends that
   */
  onRightsChanged(userId: string, changed: () => void): () => void;
  close(): Promise<void>;
}

/**
 * A bus fed by the database's notifications. They carry ids only, so a process reads an event once, whatever the
 * number of its subscribers, and not at all when nobody there wants it.
 */
export async function openEventBus(db: Database, log: Log): Promise<EventBus> {
  const subscriptions = new Set<{ organizations: ReadonlySet<string>; subscriber: Subscriber }>();
  const affected = new Map<string, Set<() => void>>();
  const listening = (organization: string) =>
    [...subscriptions].filter(({ organizations }) => organizations.has(organization));
  // One notice after the other, so that subscribers see them in the order of commit.
  let tail = Promise.resolve();

  async function deliver(notice: EventNotice): Promise<void> {
    if (listening(notice.organization).length === 0) return;
    const events = await readNotice(db.orm, notice);
    if (events.length === 0) return;
    for (const { subscriber } of listening(notice.organization)) subscriber.receive(events);
  }

  function miss(): void {
    for (const { subscriber } of subscriptions) subscriber.missed?.();
  }

  const stop = await db.listen(
    eventChannel,
    (payload) => {
      tail = tail
        .then(() => deliver(JSON.parse(payload) as EventNotice))
        .catch((error: unknown) => {
          log.error('Events could not be read for the streams.', { reason: loggable(error) });
          miss();
        });
    },
    miss,
  );

  const stopRights = await db.listen(
    rightsChannel,
    (payload) => {
      for (const userId of JSON.parse(payload) as string[]) for (const changed of affected.get(userId) ?? []) changed();
    },
    // Whose rights were changed meanwhile is not known.
    () => [...affected.values()].forEach((each) => each.forEach((changed) => changed())),
  );

  return {
    onRightsChanged(userId, changed) {
      const known = affected.get(userId) ?? new Set();
      affected.set(userId, known.add(changed));
      return () => {
        known.delete(changed);
        if (known.size === 0) affected.delete(userId);
      };
    },
    subscribe(organizations, subscriber) {
      const subscription = { organizations: new Set(organizations), subscriber };
      subscriptions.add(subscription);
      return () => void subscriptions.delete(subscription);
    },
    async close() {
      await stop();
      await stopRights();
      await tail;
      for (const { subscriber } of subscriptions) subscriber.closed?.();
      subscriptions.clear();
    },
  };
}
