import { integer, pgTable, primaryKey, smallint } from 'drizzle-orm/pg-core';

import { id, identifier, readableText } from './columns.ts';

/**
 * The number of devices with each tag, by lifecycle and health level. It's stored because counting devices in a large
 * fleet is slow. The count for a tag, lifecycle, and level is the sum of its rows: every change adds rows, and a job
 * merges them (`mergeStoredCounts`). Updating a row instead would make unrelated transactions wait for each other, or
 * deadlock.
 *
 * Triggers on `device` and `device_tag` add the rows (migration 0015). There are no foreign keys, because deleting a
 * tag and renaming a level also add rows, which undo the earlier ones.
 */
export const tagDeviceCount = pgTable(
  'tag_device_count',
  {
    organization: identifier().notNull(),
    tag: id().notNull(),
    id: id().notNull().generatedAlwaysAsIdentity(),
    lifecycle: smallint().notNull(),
    healthLevel: readableText().notNull(),
    /** The change in the count, which is negative if it went down. */
    devices: integer().notNull(),
  },
  (table) => [primaryKey({ name: 'tag_device_count_pk', columns: [table.organization, table.tag, table.id] })],
);
