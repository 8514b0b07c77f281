import { sql } from 'drizzle-orm';

import { beforeCommit } from './before-commit.ts';
import type { Tx } from './database.ts';
import { executePrepared } from './prepared.ts';

interface Notification {
  readonly channel: string;
  readonly payload: string;
}

/** The notifications of open transactions. */
const pending = new WeakMap<Tx, Notification[]>();

/**
 * Notifies the listeners of a channel when the transaction commits. One statement sends all notifications of a
 * transaction, because statements wait for the database one after the other.
 */
export function notifyOnCommit(tx: Tx, channel: string, payloads: readonly string[]): void {
  const notifications = payloads.map((payload) => ({ channel, payload }));
  const earlierNotifications = pending.get(tx);
  if (earlierNotifications !== undefined) return void earlierNotifications.push(...notifications);
  pending.set(tx, notifications);
  beforeCommit(tx, () => {
    // Other deferred work may still add notifications, which are then sent after these.
    pending.delete(tx);
    return send(tx, notifications);
  });
}

async function send(tx: Tx, notifications: readonly Notification[]): Promise<void> {
  const column = (value: (notification: Notification) => string) => sql.param(notifications.map(value));
  await executePrepared(
    tx,
    sql`
    select pg_notify(channel, payload) from unnest(
      ${column(({ channel }) => channel)}::text[], ${column(({ payload }) => payload)}::text[]
    ) as notification (channel, payload)`,
  );
}
