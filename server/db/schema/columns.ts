import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { bigint, customType, timestamp } from 'drizzle-orm/pg-core';

/** Text that people read and sort: the same order on PGlite and on PostgreSQL, whatever the locale of the cluster. */
export const readableText = customType<{ data: string }>({ dataType: () => 'text collate "und-x-icu"' });

/**
 * How names are sorted: as people count, so that Avocet 2 comes before Avocet 10. The collation is made by a
 * migration.
 */
export const natural = (name: SQLWrapper): SQL => sql`${name} collate "natural_order"`;

/** Identifiers of fixed alphabet (slugs, device numbers): byte order is their order, and the cheapest to compare. */
export const identifier = customType<{ data: string }>({ dataType: () => 'text collate "C"' });

export const bytes = customType<{ data: Uint8Array; driverData: Buffer }>({
  dataType: () => 'bytea',
  toDriver: (value) => Buffer.from(value),
  fromDriver: (value) => new Uint8Array(value),
});

/** Millisecond precision, so that a value survives the trip through a JavaScript Date unchanged. */
export const instant = () => timestamp({ withTimezone: true, mode: 'date', precision: 3 });

/** int64 on the wire; every id the server makes stays a safe integer (spec 5). */
export const id = () => bigint({ mode: 'number' });

/** PostgreSQL's own polygon, as its text `((x,y),…)` with x being the longitude. */
export const polygon = customType<{ data: string }>({ dataType: () => 'polygon' });
