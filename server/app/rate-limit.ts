/**
 * Limits how often something may be done, counted in the database: over all processes, and through a restart. Each key
 * is one row, dropped once it says nothing any more.
 *
 * Wrong passwords and codes are counted elsewhere (identity/embedded/attempts.ts): in the provider's own process, which
 * has no database, and with pauses that grow.
 */
import { Code, ConnectError } from '@connectrpc/connect';
import { lt, sql } from 'drizzle-orm';
import type { Executor } from '#server/db/database.ts';
import { rateLimit } from '#server/db/schema/rate-limit.ts';

export interface RateLimit {
  readonly name: string;
  /** As often at once. */
  readonly burst: number;
  /** Milliseconds after which it may be done once more. */
  readonly every: number;
}

/**
 * Counts one more, unless that would be too many. Counts in the caller's transaction when it has one, so that what is
 * undone does not count.
 *
 * @param subject whom or what the limit is for, such as `northwind/3`
 * @returns undefined, or when it may be done again
 */
export async function take(
  db: Executor,
  { name, burst, every }: RateLimit,
  subject: string,
  now: Date,
): Promise<Date | undefined> {
  const key = `${name}:${subject}`;
  const instant = sql`${now.toISOString()}::timestamptz`;
  const step = sql`make_interval(secs => ${every / 1000})`;
  // The generic cell rate algorithm: one instant per key instead of a list of those when it was done.
  const taken = await db.execute(sql`
    insert into rate_limit as l (key, clear_at) values (${key}, ${instant} + ${step})
    on conflict (key) do update set clear_at = greatest(l.clear_at, ${instant}) + ${step}
      where l.clear_at <= ${instant} + ${step} * ${burst - 1}
    returning key`);
  if (taken.rows.length > 0) return undefined;
  const { rows } = await db.execute<{ again: number }>(sql`
    select extract(epoch from clear_at - ${step} * ${burst - 1})::float8 * 1000 as again
    from rate_limit where key = ${key}`);
  return new Date(Math.ceil(rows[0]?.again ?? now.getTime()));
}

/**
 * @param what the beginning of the sentence, such as `Webhook 3 was called by hand many times lately`
 * @throws ConnectError RESOURCE_EXHAUSTED, which says when it may be done again
 */
export async function requireWithin(
  db: Executor,
  limit: RateLimit,
  subject: string,
  now: Date,
  what: string,
): Promise<void> {
  const again = await take(db, limit, subject, now);
  if (again === undefined) return;
  throw new ConnectError(`${what}: try again in ${inWords(again.getTime() - now.getTime())}.`, Code.ResourceExhausted);
}

function inWords(milliseconds: number): string {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1000));
  if (seconds < 120) return seconds === 1 ? 'a second' : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}

/** Drops what says nothing any more. */
export async function dropClearLimits(db: Executor, now: Date): Promise<void> {
  await db.delete(rateLimit).where(lt(rateLimit.clearAt, now));
}
