/** Records the outcome of a call for the delivery, its publisher, and the history, in one transaction per call. */
import { and, eq, sql } from 'drizzle-orm';

import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import type { Executor, Tx } from '#server/db/database.ts';
import { publisher, publisherCall } from '#server/db/schema/publisher.ts';
import { findLevel } from '#server/events/event-health.ts';
import { recordEvents } from '#server/events/record.ts';

import type { PublisherRow } from './outbox.ts';
import { type Policy, stepUp } from './policy.ts';
import { publisherAutoDisabled, publisherFailed } from './publisher-events.ts';
import type { Attempt, CallRecord, Due, PublisherKey, Target } from './target.ts';

const DAY = 86_400_000;

/** A finished call, for the history. */
export interface FinishedCall {
  readonly key: PublisherKey;
  /** The id of the delivery; undefined for a test. */
  readonly delivery: number | undefined;
  readonly call: CallRecord;
  readonly successful: boolean;
  readonly time: Date;
  /** True if a user triggered the call; false if the worker did. */
  readonly manual: boolean;
}

export async function recordCall(tx: Tx, { key, call, ...record }: FinishedCall): Promise<void> {
  await tx.insert(publisherCall).values({ ...call, ...record, organization: key.organization, publisher: key.id });
}

/** An attempt by the worker. */
export interface WorkerAttempt {
  readonly key: PublisherKey;
  /** The deliveries of the attempt. */
  readonly deliveries: readonly Pick<Due, 'id' | 'attempts'>[];
  readonly attempt: Attempt;
  readonly time: Date;
}

async function recordAttempt(tx: Tx, { key, deliveries, attempt, time }: WorkerAttempt): Promise<void> {
  const { call, successful } = attempt;
  if (call) await recordCall(tx, { key, delivery: deliveries[0]?.id, call, successful, time, manual: false });
}

const hasKey = ({ organization, id }: PublisherKey) =>
  and(eq(publisher.organization, organization), eq(publisher.id, id));

/**
 * Settles an acknowledged delivery. Removes it from the outbox even if another process holds the lease by now: it
 * mustn't be sent again. A success ends the cooldown and resolves earlier failures. If the delivery was postponed, the
 * publisher's other postponed deliveries are retried immediately.
 *
 * @returns the publisher after the change; undefined if it was deleted in the meantime
 */
export async function settleSuccess(
  tx: Tx,
  { policy }: Pick<Target, 'policy'>,
  workerAttempt: WorkerAttempt,
): Promise<PublisherRow | undefined> {
  const { key, deliveries, time } = workerAttempt;
  const row = await lock(tx, key);
  if (!workerAttempt.attempt.unfinished) await removeDeliveries(tx, key, deliveries);
  if (!row) return undefined;
  await recordAttempt(tx, workerAttempt);
  const wasFailing = row.cooldownStep > 0 || row.lastCallFailed || row.failingSince !== null;
  const wasPostponed = deliveries.some(({ attempts }) => attempts >= policy.postponeAfter);
  if (wasPostponed) await rescheduleNow(tx, policy, key);
  if (!wasFailing && policy.pauseAfterSuccess === undefined) return row;
  if (wasFailing) await resolveFailures(tx, key, time);
  const pauseUntil =
    policy.pauseAfterSuccess === undefined ? null : new Date(time.getTime() + policy.pauseAfterSuccess * 1000);
  const [updatedRow] = await tx
    .update(publisher)
    .set({ cooldownStep: 0, inCooldownUntil: pauseUntil, failingSince: null, lastCallFailed: false })
    .where(hasKey(key))
    .returning();
  return updatedRow;
}

/**
 * Settles an acknowledged delivery in a single statement if there is only one, and its success changes nothing else:
 * the publisher is enabled, was not failing, and does not pause. Most deliveries are like this, and a transaction takes
 * five statements, each of which waits for the one before.
 *
 * @returns false if nothing was done, because {@link settleSuccess} must settle it
 */
export async function settleRoutine(
  db: Executor,
  { policy }: Pick<Target, 'policy'>,
  { key, deliveries, attempt, time }: WorkerAttempt,
): Promise<boolean> {
  const { call, unfinished = false } = attempt;
  const wasPostponed = deliveries.some(({ attempts }) => attempts >= policy.postponeAfter);
  const [delivery, ...others] = deliveries;
  const isSpecial = unfinished || wasPostponed || policy.pauseAfterSuccess !== undefined;
  if (call === undefined || delivery === undefined || others.length > 0 || isSpecial) return false;
  const { organization, id } = key;
  // Not prepared: the plan would stay the one for an empty outbox, and read all of it when it has filled.
  const { rows } = await db.execute(
    sql`
    with healthy as materialized (
      select organization, id from publisher
       where organization = ${organization} and id = ${id} and not disabled and cooldown_step = 0
         and not last_call_failed and failing_since is null
         for no key update
    ), removed as (
      delete from publisher_delivery as delivery using healthy
       where delivery.organization = healthy.organization and delivery.publisher = healthy.id
         and delivery.id = ${delivery.id}
    )
    insert into publisher_call (organization, publisher, time, delivery, url, headers, body_proto, body_json, status,
      successful, error, milliseconds)
    select organization, id, ${time.toISOString()}::timestamptz, ${delivery.id}::bigint, ${call.url}::text,
      ${JSON.stringify(call.headers)}::jsonb, ${Buffer.from(call.bodyProto)}::bytea, ${call.bodyJson}::text,
      ${call.status ?? null}::int, true, ${call.error}::text, ${call.milliseconds}::int
      from healthy
    returning id`,
  );
  return rows.length > 0;
}

async function resolveFailures(tx: Tx, key: PublisherKey, time: Date): Promise<void> {
  await tx.execute(sql`
    update event set resolved_at = ${time.toISOString()}::timestamptz
    where organization = ${key.organization} and publisher = ${key.id} and resolved_at is null
      and type = any(array[${EventType.PUBLISHER_FAILED}, ${EventType.PUBLISHER_AUTO_DISABLED}]::smallint[])`);
}

/**
 * Settles a failed delivery. At first it blocks later deliveries while the publisher cools down. After some failures it
 * is postponed and retried once a day, and after more failures it is dropped. A publisher that fails for too long is
 * disabled, unless someone enabled it within the last week.
 */
export async function settleFailure(
  tx: Tx,
  target: Pick<Target, 'policy' | 'subject'>,
  workerAttempt: WorkerAttempt,
): Promise<void> {
  const { policy } = target;
  const { key, deliveries, attempt, time } = workerAttempt;
  const row = await lock(tx, key);
  if (!row) return;
  await recordAttempt(tx, workerAttempt);
  const exhaustedDeliveries = deliveries.filter(({ attempts }) => attempts + 1 >= policy.dropAfter);
  await removeDeliveries(tx, key, exhaustedDeliveries);
  await countFailures(
    tx,
    key,
    deliveries.filter((delivery) => !exhaustedDeliveries.includes(delivery)),
  );
  await postpone(tx, policy, key, time);

  const { step, until } = stepUp(policy, row.cooldownStep, time);
  const failingSince = row.failingSince ?? time;
  const isSuspended = row.autoDisableSuspendedUntil !== null && row.autoDisableSuspendedUntil > time;
  const mustDisable = !isSuspended && !row.disabled && time.getTime() - failingSince.getTime() >= policy.disableAfter;
  await tx
    .update(publisher)
    .set({
      cooldownStep: step,
      inCooldownUntil: until,
      failingSince,
      lastCallFailed: true,
      ...(mustDisable ? { disabled: true, autoDisabled: true } : {}),
    })
    .where(hasKey(key));

  const subject = await target.subject(tx, key, time);
  if (!subject) return;
  const levelOf = (type: EventType) => findLevel(tx, key.organization, type);
  const failedLevel = await levelOf(EventType.PUBLISHER_FAILED);
  const disabledLevel = mustDisable ? await levelOf(EventType.PUBLISHER_AUTO_DISABLED) : undefined;
  const events = failedLevel ? [publisherFailed(subject, time, attempt.error, failedLevel)] : [];
  if (disabledLevel) events.push(publisherAutoDisabled(subject, time, disabledLevel));
  await recordEvents(tx, events);
}

/**
 * Locks a publisher without blocking foreign key checks, because publishers that fail at the same time put events about
 * their failures into each other's outboxes.
 */
async function lock(tx: Tx, key: PublisherKey): Promise<PublisherRow | undefined> {
  const [row] = await tx.select().from(publisher).where(hasKey(key)).for('no key update');
  return row;
}

type Ids = readonly { readonly id: number }[];
const idsOf = (deliveries: Ids) => sql.param(deliveries.map(({ id }) => id));

/** Removes deliveries that were acknowledged, have failed too often, or have an event that is past its retention. */
export async function removeDeliveries(tx: Executor, key: PublisherKey, deliveries: Ids): Promise<void> {
  if (deliveries.length === 0) return;
  await tx.execute(sql`
    delete from publisher_delivery
    where organization = ${key.organization} and publisher = ${key.id} and id = any(${idsOf(deliveries)}::bigint[])`);
}

async function countFailures(tx: Tx, key: PublisherKey, deliveries: Ids): Promise<void> {
  if (deliveries.length === 0) return;
  await tx.execute(sql`
    update publisher_delivery set attempts = attempts + 1
    where organization = ${key.organization} and publisher = ${key.id} and id = any(${idsOf(deliveries)}::bigint[])`);
}

/** Postpones deliveries after a failure. At most one postponed delivery can fail per day (contract: Retries). */
async function postpone(tx: Tx, { postponeAfter }: Policy, key: PublisherKey, time: Date): Promise<void> {
  const tomorrow = new Date(time.getTime() + DAY).toISOString();
  await tx.execute(sql`
    update publisher_delivery set next_attempt_at = ${tomorrow}::timestamptz
    where organization = ${key.organization} and publisher = ${key.id} and attempts >= ${postponeAfter}
      and (next_attempt_at is null or next_attempt_at < ${tomorrow}::timestamptz)`);
}

async function rescheduleNow(tx: Tx, { postponeAfter }: Policy, key: PublisherKey): Promise<void> {
  await tx.execute(sql`
    update publisher_delivery set next_attempt_at = null
    where organization = ${key.organization} and publisher = ${key.id} and attempts >= ${postponeAfter}`);
}

/** The maximum number of stored calls per publisher. Old calls are also deleted with their partition. */
const MAX_CALLS = 1000;

export async function trimHistory(tx: Tx, key: PublisherKey): Promise<void> {
  await tx.execute(sql`
    delete from publisher_call where organization = ${key.organization} and publisher = ${key.id} and (time, id) <= (
      select time, id from publisher_call where organization = ${key.organization} and publisher = ${key.id}
      order by time desc, id desc offset ${MAX_CALLS} limit 1)`);
}
