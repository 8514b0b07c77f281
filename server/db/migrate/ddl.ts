/**
 * What the initial migration needs that drizzle-kit cannot write; `npm run db:generate` puts it in (generate.ts).
 * Partition bounds are not here: partitions.ts makes and drops them while the server runs.
 */

/** Partitioned tables with the column that decides the partition. */
export const partitioned = { message: 'received_at', event: 'time', publisher_call: 'time' } as const;

/** Runs before the tables. */
export const prologue = [
  'CREATE EXTENSION IF NOT EXISTS pg_trgm',
  'CREATE EXTENSION IF NOT EXISTS btree_gin',
  'CREATE SEQUENCE message_id',
  'CREATE SEQUENCE event_id',
  'CREATE SEQUENCE publisher_delivery_id',
  'CREATE SEQUENCE publisher_call_id',
  // array_to_string is only STABLE for lack of knowledge about the element type; over text it is immutable, which a
  // generated column demands.
  `CREATE FUNCTION device_external_ids_text(ids text[]) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN array_to_string(ids, ' ')`,
];
