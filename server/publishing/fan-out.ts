/** Puts events into the outbox of every webhook that wants them. */
import { and, eq, inArray, sql } from 'drizzle-orm';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import type { Tx } from '#server/db/database.ts';
import { webhook } from '#server/db/schema/webhook.ts';
import type { NewEvent } from '#server/events/new-event.ts';
import { type EventFilters, passing } from '#server/events/publisher-filters.ts';
import type { EventSink, StoredId } from '#server/events/record.ts';
import { groupBy } from '#server/base/group-by.ts';
import { deliveryChannel } from './outbox.ts';

export interface Subscription {
  webhook: number;
  wants(event: NewEvent): boolean;
}

/** Events about a publisher's own failure never go to that publisher: it could only fail at them again. */
export function subscription(filters: EventFilters & { id: number }): Subscription {
  const passes = passing(filters);
  return {
    webhook: filters.id,
    wants: (event) => !(event.publisher === filters.id && aboutFailure(event.event.type)) && passes(event),
  };
}

function aboutFailure(type: EventType): boolean {
  return type === EventType.PUBLISHER_FAILED || type === EventType.PUBLISHER_AUTO_DISABLED;
}

/** The enabled webhooks of the organizations. A disabled webhook misses what happens meanwhile. */
export async function subscriptions(
  tx: Tx,
  organizations: readonly string[],
): Promise<Map<string, readonly Subscription[]>> {
  const rows = await tx
    .select({
      organization: webhook.organization,
      id: webhook.id,
      eventFilter: webhook.eventFilter,
      deviceFilter: webhook.deviceFilter,
      tagFilter: webhook.tagFilter,
      healthLevels: webhook.healthLevels,
      allLifecycles: webhook.allLifecycles,
    })
    .from(webhook)
    .where(and(inArray(webhook.organization, [...organizations]), eq(webhook.disabled, false)));
  return new Map(
    [...groupBy(rows, (row) => row.organization)].map(([organization, group]) => [
      organization,
      group.map(subscription),
    ]),
  );
}

/** Per webhook, deliveries follow the order of the events. Wakes the worker when the transaction commits. */
async function enqueue(tx: Tx, stored: readonly StoredId[]): Promise<void> {
  const wanted = await subscriptions(tx, [...new Set(stored.map(({ event }) => event.organization))]);
  const deliveries = stored.flatMap(({ id, event }) =>
    (wanted.get(event.organization) ?? [])
      .filter((subscription) => subscription.wants(event))
      .map(({ webhook }) => ({ organization: event.organization, webhook, time: event.time, id })),
  );
  if (deliveries.length === 0) return;
  const column = <T>(value: (delivery: (typeof deliveries)[number]) => T) => sql.param(deliveries.map(value));
  // Ordinality makes the ids of the outbox, and with them the order of delivery, follow the order of the events. A webhook
  // that was deleted since it was read is passed over.
  await tx.execute(sql`
    insert into webhook_delivery (organization, webhook, id, event_time, event_id)
    select organization, webhook, nextval('webhook_delivery_id'), event_time, event_id
    from (
      select t.* from unnest(
        ${column(({ organization }) => organization)}::text[],
        ${column(({ webhook }) => webhook)}::bigint[],
        ${column(({ time }) => time.toISOString())}::timestamptz[],
        ${column(({ id }) => id)}::bigint[]
      ) with ordinality as t (organization, webhook, event_time, event_id, place)
      join webhook w on w.organization = t.organization and w.id = t.webhook
      order by place
      for key share of w
    ) as ordered`);
  await tx.execute(sql`select pg_notify(${deliveryChannel}, '')`);
}

/** Resolved events pass webhooks again, now with their resolution. */
export const webhookDeliveries: EventSink = { recorded: enqueue, resolved: enqueue };
