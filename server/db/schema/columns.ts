import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { bigint, customType, timestamp } from 'drizzle-orm/pg-core';

/**
 * Text that users read and sort. Its order is the same on PGlite and PostgreSQL, regardless of the cluster's locale.
 */
export const readableText = customType<{ data: string }>({ dataType: () => 'text collate "und-x-icu"' });

/** The sort order of names: numeric, with Avocet 2 before Avocet 10. A migration creates the collation. */
export const naturalOrder = (name: SQLWrapper): SQL => sql`${name} collate "natural_order"`;

/** Identifiers with a fixed alphabet (slugs, device numbers). They sort by bytes, which is the cheapest comparison. */
export const identifier = customType<{ data: string }>({ dataType: () => 'text collate "C"' });

export const bytes = customType<{ data: Uint8Array; driverData: Buffer }>({
  dataType: () => 'bytea',
  toDriver: (value) => Buffer.from(value),
  fromDriver: (value) => new Uint8Array(value),
});

/** Millisecond precision, so a value survives the round trip through a JavaScript Date unchanged. */
export const instant = () => timestamp({ withTimezone: true, mode: 'date', precision: 3 });

/** int64 on the wire; every id that the server creates stays a safe integer (spec 5). */
export const id = () => bigint({ mode: 'number' });

/** PostgreSQL's own polygon, as its text `((x,y),…)` with the longitude as x. */
export const polygon = customType<{ data: string }>({ dataType: () => 'polygon' });
