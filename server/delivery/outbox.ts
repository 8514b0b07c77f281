/** The outbox as the worker sees it: which webhooks have something to send, who sends for them, and what comes next. */
import { and, eq, isNull, lte, or, sql } from 'drizzle-orm';
import type { Executor } from '#server/db/database';
import { event } from '#server/db/schema/event';
import { webhook, webhookDelivery } from '#server/db/schema/webhook';
import type { WebhookRow } from './webhook-message.ts';

/** Which webhook: the two columns of its key. */
export interface WebhookKey {
  organization: string;
  id: number;
}

/** Failures of one delivery after which it loses its place in line and is retried once a day (contract: Retries). */
export const failuresInLine = 10;
/** Failures after which a delivery is given up. */
export const failuresInAll = 20;

/**
 * Takes webhooks that have something due and nobody who delivers for them. The lease is measured by the database's
 * clock, which all processes share; what is due by `now`, which tests can move.
 *
 * @param lease seconds
 */
export async function claimWebhooks(
  db: Executor,
  options: { owner: string; lease: number; limit: number; now: Date },
): Promise<WebhookRow[]> {
  const { owner, lease, limit, now } = options;
  const instant = sql`${now.toISOString()}::timestamptz`;
  // `skip locked`: two processes that look at once take different webhooks instead of waiting for each other.
  const free = sql`(
    select w.organization, w.id from webhook w
    where not w.disabled and (w.in_cooldown_until is null or w.in_cooldown_until <= ${instant})
      and (w.lease_until is null or w.lease_until < clock_timestamp())
      and exists (select 1 from webhook_delivery d
        where d.organization = w.organization and d.webhook = w.id
          and (d.next_attempt_at is null or d.next_attempt_at <= ${instant}))
    limit ${limit} for update skip locked
  )`;
  return db
    .update(webhook)
    .set({ leaseOwner: owner, leaseUntil: sql`clock_timestamp() + make_interval(secs => ${lease})` })
    .where(sql`(${webhook.organization}, ${webhook.id}) in ${free}`)
    .returning();
}

/** Extends what `owner` holds, and tells what that is: a webhook that is missing was lost. */
export async function renewLeases(db: Executor, owner: string, lease: number): Promise<WebhookKey[]> {
  return db
    .update(webhook)
    .set({ leaseUntil: sql`clock_timestamp() + make_interval(secs => ${lease})` })
    .where(eq(webhook.leaseOwner, owner))
    .returning({ organization: webhook.organization, id: webhook.id });
}

export async function releaseLease(db: Executor, owner: string, key: WebhookKey): Promise<void> {
  await db
    .update(webhook)
    .set({ leaseOwner: null, leaseUntil: null })
    .where(and(eq(webhook.organization, key.organization), eq(webhook.id, key.id), eq(webhook.leaseOwner, owner)));
}

/** Frees every webhook. Only where no other process can hold one: the embedded database after a crash. */
export async function releaseAllLeases(db: Executor): Promise<void> {
  await db
    .update(webhook)
    .set({ leaseOwner: null, leaseUntil: null })
    .where(sql`${webhook.leaseOwner} is not null`);
}

/** Deliveries of webhooks that stay disabled would wait for ever: they go with their events. */
export async function dropStaleDeliveries(db: Executor): Promise<void> {
  await db.execute(sql`
    delete from webhook_delivery d where not exists (
      select 1 from event e where e.organization = d.organization and e.time = d.event_time and e.id = d.event_id)`);
}

/** One entry of the outbox with its event. */
export interface Due {
  id: number;
  attempts: number;
  /** The event as protobuf; null when it is past its retention. */
  body: Uint8Array | null;
}

/** The next deliveries of a webhook: those in line by age, then those that lost their place, longest waiting first. */
export async function nextDeliveries(db: Executor, key: WebhookKey, now: Date, limit: number): Promise<Due[]> {
  const outOfLine = sql`${webhookDelivery.attempts} >= ${failuresInLine}`;
  return db
    .select({ id: webhookDelivery.id, attempts: webhookDelivery.attempts, body: event.body })
    .from(webhookDelivery)
    .leftJoin(
      event,
      and(
        eq(event.organization, webhookDelivery.organization),
        eq(event.time, webhookDelivery.eventTime),
        eq(event.id, webhookDelivery.eventId),
      ),
    )
    .where(
      and(
        eq(webhookDelivery.organization, key.organization),
        eq(webhookDelivery.webhook, key.id),
        or(isNull(webhookDelivery.nextAttemptAt), lte(webhookDelivery.nextAttemptAt, now)),
      ),
    )
    .orderBy(outOfLine, sql`case when ${outOfLine} then ${webhookDelivery.nextAttemptAt} end`, webhookDelivery.id)
    .limit(limit);
}
