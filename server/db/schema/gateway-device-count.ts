import { integer, pgTable, primaryKey, smallint } from 'drizzle-orm/pg-core';

import { id, identifier } from './columns.ts';

/**
 * The number of devices connected to each gateway, by lifecycle, because counting them in a large fleet is slow. As in
 * `tag_device_count`, a count is the sum of its rows: every change adds rows, and a job merges them
 * (`mergeStoredCounts`).
 *
 * A trigger on `device` adds the rows (migration 0024). There are no foreign keys, because a device can name a gateway
 * that the organization does not have.
 */
export const gatewayDeviceCount = pgTable(
  'gateway_device_count',
  {
    organization: identifier().notNull(),
    gateway: identifier().notNull(),
    id: id().notNull().generatedAlwaysAsIdentity(),
    lifecycle: smallint().notNull(),
    /** The change in the count, which is negative if it went down. */
    devices: integer().notNull(),
  },
  (table) => [primaryKey({ name: 'gateway_device_count_pk', columns: [table.organization, table.gateway, table.id] })],
);
