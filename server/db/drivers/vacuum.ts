import type { Database } from '#server/db/database.ts';

/**
 * Tables whose rows are constantly updated or deleted, and tables whose statistics matter for joins. The other tables
 * only grow and lose whole partitions.
 */
const BUSY_TABLES = [
  'device',
  'device_search',
  'device_tag',
  'tag',
  'tag_device_count',
  'gateway_device_count',
  'device_condition',
  'latest_value',
  'process_point',
  'process_point_device',
  'process_point_tag',
  'publisher',
  'publisher_delivery',
  'rate_limit',
  'app_user',
  'membership',
];

/**
 * Reclaims dead rows and updates statistics. PostgreSQL does this in the background (autovacuum). The embedded database
 * has no background process, so it would grow and slow down with every message. Blocks the database for about a second.
 */
export async function vacuumEmbedded({ kind, pool }: Database): Promise<void> {
  if (kind === 'pglite') await pool.query(`vacuum (analyze) ${BUSY_TABLES.join(', ')}`);
}
