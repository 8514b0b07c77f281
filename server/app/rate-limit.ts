/**
 * Limits how often an action is allowed, across processes and restarts. Each key is a database row, deleted once it
 * expires.
 *
 * The embedded identity provider counts wrong passwords and codes itself (demo/identity/emulator/attempts.ts), because
 * its process has no database and its pauses grow with each failure.
 */
import { Code, ConnectError } from '@connectrpc/connect';
import { lt, sql } from 'drizzle-orm';

import type { Executor } from '#server/db/database.ts';
import { rateLimit } from '#server/db/schema/rate-limit.ts';

export interface RateLimit {
  readonly name: string;
  /** The number of uses allowed in quick succession. */
  readonly burst: number;
  /** Milliseconds until one more use is allowed. */
  readonly intervalMs: number;
}

/**
 * Counts one more use unless the limit has been reached. Counts in the caller's transaction if there is one, so a
 * rollback undoes the count.
 *
 * @param subject a user or item with a separate limit, such as `northwind/3`
 * @returns undefined if the use is allowed, or the time when it will be allowed again
 */
export async function countUse(
  db: Executor,
  { name, burst, intervalMs }: RateLimit,
  subject: string,
  now: Date,
): Promise<Date | undefined> {
  const key = `${name}:${subject}`;
  const instant = sql`${now.toISOString()}::timestamptz`;
  const step = sql`make_interval(secs => ${intervalMs / 1000})`;
  // The generic cell rate algorithm stores one instant per key instead of a list of past uses.
  const result = await db.execute(sql`
    insert into rate_limit as l (key, clear_at) values (${key}, ${instant} + ${step})
    on conflict (key) do update set clear_at = greatest(l.clear_at, ${instant}) + ${step}
      where l.clear_at <= ${instant} + ${step} * ${burst - 1}
    returning key`);
  if (result.rows.length > 0) return undefined;
  const { rows } = await db.execute<{ allowed: number }>(sql`
    select extract(epoch from clear_at - ${step} * ${burst - 1})::float8 * 1000 as allowed
    from rate_limit where key = ${key}`);
  return new Date(Math.ceil(rows[0]?.allowed ?? now.getTime()));
}

/**
 * Throws if the caller has reached the limit.
 *
 * @param problem the start of the error message, such as `Webhook 3 was tested or resent too many times recently`
 * @throws ConnectError RESOURCE_EXHAUSTED, with the time to wait before trying again
 */
export async function requireWithinLimit(
  db: Executor,
  limit: RateLimit,
  subject: string,
  now: Date,
  problem: string,
): Promise<void> {
  const allowedAt = await countUse(db, limit, subject, now);
  if (allowedAt === undefined) return;
  throw new ConnectError(
    `${problem}. Try again in ${formatWait(allowedAt.getTime() - now.getTime())}.`,
    Code.ResourceExhausted,
  );
}

function formatWait(milliseconds: number): string {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1000));
  if (seconds < 120) return seconds === 1 ? 'a second' : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}

/** Deletes expired rows. */
export async function deleteExpiredLimits(db: Executor, now: Date): Promise<void> {
  await db.delete(rateLimit).where(lt(rateLimit.clearAt, now));
}
