import type { Database } from '#server/db/database.ts';

/**
 * Tables whose rows are updated or deleted all the time, and those whose statistics decide how they are joined; the
 * others only grow and lose whole partitions.
 */
const BUSY =
  'device, device_tag, tag, device_condition, publisher, publisher_delivery, rate_limit, app_user, membership';

/**
 * Frees what updates left behind and renews statistics. PostgreSQL does so by itself in the background; the embedded
 * database has no background, and would grow and slow down with every message. Takes the database for a second or so.
 */
export async function vacuumEmbedded({ kind, pool }: Database): Promise<void> {
  if (kind === 'pglite') await pool.query(`vacuum (analyze) ${BUSY}`);
}
