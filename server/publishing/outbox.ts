/** Leases publishers that have due deliveries to the workers, and reads the deliveries from the outbox. */
import { and, eq, isNotNull, type SQL, sql } from 'drizzle-orm';

import { groupBy } from '#commands/text/group-by.ts';
import { ADVISORY_LOCK } from '#server/db/advisory-lock.ts';
import type { Database, Executor, Tx } from '#server/db/database.ts';
import { notifyOnCommit } from '#server/db/notify.ts';
import { publisher } from '#server/db/schema/publisher.ts';

import type { Policy } from './policy.ts';
import type { Due, PublisherKey } from './target.ts';

export type PublisherRow = typeof publisher.$inferSelect;

/** The PostgreSQL notification channel that wakes workers. Its payloads are {@link WakeNotice}s as JSON. */
export const DELIVERY_CHANNEL = 'quarterdeck_delivery';

export interface WakeNotice {
  /** The kind of publishers that have new deliveries. */
  readonly kind: string;
  /** These publishers; absent if there are more than {@link MAX_NAMED_PUBLISHERS}. */
  readonly publishers?: readonly PublisherKey[];
}

/** A payload is limited to 8,000 bytes, and each of these takes about 100. */
const MAX_NAMED_PUBLISHERS = 50;

/** Wakes the workers for these publishers when the transaction commits, with one notification per kind. */
export function wakeWorkers(tx: Tx, publishers: readonly (PublisherKey & { readonly kind: string })[]): void {
  const notices = [...groupBy(publishers, ({ kind }) => kind)].map(([kind, group]): WakeNotice => {
    const keys = new Map(group.map(({ organization, id }) => [`${organization}/${id}`, { organization, id }]));
    return keys.size > MAX_NAMED_PUBLISHERS ? { kind } : { kind, publishers: [...keys.values()] };
  });
  notifyOnCommit(
    tx,
    DELIVERY_CHANNEL,
    notices.map((notice) => JSON.stringify(notice)),
  );
}

/** The slots for publishers of one kind. Each kind has its own slots, so a kind that hangs does not delay others. */
export interface Slots {
  readonly kind: string;
  /** The number of free slots in the calling process. */
  readonly limit: number;
  /** The maximum number of slots that an organization can use across all processes. */
  readonly perOrganization: number;
}

/**
 * Leases publishers of one kind that have a due delivery and no lease holder. Leases use the database's clock, which
 * all processes share. Due times are compared with `now`, which tests can change.
 *
 * Organizations take turns. Each organization gets a first slot before any gets a second, and at most `perOrganization`
 * slots. Among equals, the publisher that has waited longest goes first. Its wait starts at its last turn or, if later,
 * when the delivery was created.
 *
 * @param lease seconds
 */
export async function claimPublishers(
  db: Database,
  options: Slots & { owner: string; lease: number; now: Date },
): Promise<PublisherRow[]> {
  // The embedded database serializes all transactions anyway.
  if (db.kind === 'pglite') return claim(db.orm, options);
  return db.transaction(async (tx) => {
    // Two concurrent claims would each count the slots before the other takes its own.
    await tx.execute(sql`select pg_advisory_xact_lock(${ADVISORY_LOCK.claim})`);
    return claim(tx, options);
  });
}

/** Beyond this many publishers with a backlog, scanning all publishers is cheaper. */
const MAX_JUMPS = 500;

async function claim(
  db: Executor,
  { kind, owner, lease, limit, perOrganization, now }: Slots & { owner: string; lease: number; now: Date },
): Promise<PublisherRow[]> {
  const instant = sql`${now.toISOString()}::timestamptz`;
  const isAvailable = sql`p.kind = ${kind} and not p.disabled and (p.in_cooldown_until is null or p.in_cooldown_until <= ${instant})
    and (p.lease_owner is null or p.lease_until < clock_timestamp())`;
  // `backlog` jumps along the primary key from publisher to publisher, so the cost does not depend on the length of the
  // outbox or on publishers without a backlog. A jump costs more than scanning one publisher, so if many publishers
  // have a backlog, as after an outage, the query scans them all.
  const candidates = sql`(
    with recursive backlog as (
      (select organization, publisher from publisher_delivery order by organization, publisher limit 1)
      union all
      select d.organization, d.publisher from backlog b cross join lateral (
        select organization, publisher from publisher_delivery
        where (organization, publisher) > (b.organization, b.publisher) order by organization, publisher limit 1) d
    ), seen as materialized (
      select organization, publisher from backlog limit ${MAX_JUMPS}
    ), candidate as (
      select organization, publisher as id from seen where (select count(*) from seen) < ${MAX_JUMPS}
      union all
      select organization, id from publisher where kind = ${kind} and (select count(*) from seen) >= ${MAX_JUMPS}
    ), held as (
      select organization, count(*) as slots from publisher
      where kind = ${kind} and lease_owner is not null and lease_until >= clock_timestamp() group by organization
    ), due as (
      select p.organization, p.id, greatest(p.lease_until, d.created_at) as since
      from candidate c join publisher p on p.organization = c.organization and p.id = c.id
      cross join lateral (
        select created_at from publisher_delivery d
        where d.organization = p.organization and d.publisher = p.id
          and (d.next_attempt_at is null or d.next_attempt_at <= ${instant})
        order by d.id limit 1) d
      where ${isAvailable}
    ), ranked as (
      select organization, id, since,
        coalesce(slots, 0) + row_number() over (partition by organization order by since, id) as slot
      from due left join held using (organization)
    ), first as (
      select organization, id from ranked where slot <= ${perOrganization} order by slot, since limit ${limit}
    )
    select p.organization, p.id from publisher p join first using (organization, id) where ${isAvailable}
    for update of p skip locked
  )`;
  return (
    db
      .update(publisher)
      .set({ leaseOwner: owner, leaseUntil: sql`clock_timestamp() + make_interval(secs => ${lease})` })
      .where(sql`(${publisher.organization}, ${publisher.id}) in ${candidates}`)
      .returning()
      // Planning takes longer than running it.
      .prepare('claim_publishers')
      .execute()
  );
}

/**
 * Extends the leases of `owner`.
 *
 * @returns the publishers that `owner` still holds; another process has taken over the others
 */
export async function renewLeases(db: Executor, owner: string, lease: number): Promise<PublisherKey[]> {
  return db
    .update(publisher)
    .set({ leaseUntil: sql`clock_timestamp() + make_interval(secs => ${lease})` })
    .where(eq(publisher.leaseOwner, owner))
    .returning({ organization: publisher.organization, id: publisher.id });
}

/** Releases the lease of a publisher. The time of release determines its position in the next turn. */
export async function releaseLease(db: Executor, owner: string, key: PublisherKey): Promise<void> {
  await db
    .update(publisher)
    .set({ leaseOwner: null, leaseUntil: sql`clock_timestamp()` })
    .where(
      and(eq(publisher.organization, key.organization), eq(publisher.id, key.id), eq(publisher.leaseOwner, owner)),
    );
}

/** The lease owner of a resting publisher. No worker renews its lease. */
const RESTING = 'resting';

/**
 * Keeps every worker away from a publisher for some seconds. After an unexpected error, an immediate retry would most
 * likely fail again, dozens of times a second.
 */
export async function restPublisher(db: Executor, owner: string, key: PublisherKey, seconds: number): Promise<void> {
  await db
    .update(publisher)
    .set({ leaseOwner: RESTING, leaseUntil: sql`clock_timestamp() + make_interval(secs => ${seconds})` })
    .where(
      and(eq(publisher.organization, key.organization), eq(publisher.id, key.id), eq(publisher.leaseOwner, owner)),
    );
}

/**
 * Releases all leases of a kind. Only safe if no other process can hold a lease, as in the embedded database after a
 * crash.
 */
export async function releaseAllLeases(db: Executor, kind: string): Promise<void> {
  await db
    .update(publisher)
    .set({ leaseOwner: null, leaseUntil: null })
    .where(and(eq(publisher.kind, kind), isNotNull(publisher.leaseOwner)));
}

/** Deletes deliveries of events that no longer exist. They would wait forever if their publisher stayed disabled. */
export async function deleteStaleDeliveries(db: Executor): Promise<void> {
  await db.execute(sql`
    delete from publisher_delivery d where d.event_id is not null and not exists (
      select 1 from event e where e.organization = d.organization and e.time = d.event_time and e.id = d.event_id)`);
}

/** One entry of the outbox. */
export interface Entry extends Due {
  /** True if its event no longer exists because it was past its retention. */
  readonly isStale: boolean;
}

/**
 * Lists a publisher's next deliveries, oldest first. Postponed deliveries come last, starting with the longest wait.
 * Reads only the deliveries that it lists, because an outage can leave a hundred thousand. The postponed ones have no
 * index, and are read only if there are too few others.
 */
export async function listNextDeliveries(
  db: Executor,
  { postponeAfter }: Policy,
  key: PublisherKey,
  now: Date,
  limit: number,
): Promise<Entry[]> {
  const due = (isPostponed: SQL, order: SQL) => sql`
    select id, attempts, next_attempt_at, event_time, event_id from publisher_delivery
     where organization = ${key.organization} and publisher = ${key.id} and ${isPostponed}
       and (next_attempt_at is null or next_attempt_at <= ${now.toISOString()}::timestamptz)
     order by ${order} limit ${limit}::int`;
  const postponed = sql`attempts >= ${postponeAfter}::int`;
  // Not prepared: the plan would stay the one for an empty outbox, and sort all of it when it has filled.
  const { rows } = await db.execute<{ id: number; attempts: number; event: number | null; body: Buffer | null }>(
    sql`
    with next as (
      (${due(sql`not ${postponed}`, sql`id`)})
      union all
      (${due(postponed, sql`next_attempt_at, id`)})
      limit ${limit}::int
    )
    select next.id, attempts, event_id as event, body
      from next left join event
        on event.organization = ${key.organization} and event.time = event_time and event.id = event_id
     order by ${postponed}, next_attempt_at, next.id`,
  );
  return rows.map(({ id, attempts, event, body }) => ({
    id,
    attempts,
    isStale: event !== null && body === null,
    ...(body === null ? {} : { body }),
  }));
}

/**
 * Adds a delivery to the outbox of each organization, for a target that stores its own data, in the transaction that
 * stores the data. Creates the publisher, which has the same id in every organization, along with its first delivery.
 * Wakes no worker, because the next poll finds the delivery.
 */
export async function enqueue(
  tx: Tx,
  { kind, id }: { kind: string; id: number },
  organizations: readonly string[],
): Promise<void> {
  // Sorted, so two transactions that create the same publishers cannot deadlock.
  const slugs = sql.param([...organizations].toSorted());
  await tx.execute(sql`
    with created as (
      insert into publisher (organization, id, kind)
      select organization, ${id}::bigint, ${kind} from unnest(${slugs}::text[]) as organization
      on conflict do nothing
    )
    insert into publisher_delivery (organization, publisher)
    select organization, ${id}::bigint from unnest(${slugs}::text[]) as organization`);
}
