/**
 * The parts of the initial migration that drizzle-kit cannot write. `npm run db:generate` adds them (generate.ts). They
 * don't include partition bounds, because partitions.ts creates and drops partitions while the server runs.
 */

/** Partitioned tables and their partition columns. */
export const partitionColumns = {
  message: 'received_at',
  event: 'time',
  publisher_call: 'time',
  value: 'time',
} as const;

/** Runs before the tables. */
export const prologue = [
  'CREATE EXTENSION IF NOT EXISTS pg_trgm',
  'CREATE EXTENSION IF NOT EXISTS btree_gin',
  'CREATE SEQUENCE message_id',
  'CREATE SEQUENCE event_id',
  'CREATE SEQUENCE publisher_delivery_id',
  'CREATE SEQUENCE publisher_call_id',
  // A generated column requires an immutable function. array_to_string is only STABLE in general, but immutable for
  // text.
  `CREATE FUNCTION device_external_ids_text(ids text[]) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN array_to_string(ids, ' ')`,
];
