import { sql } from 'drizzle-orm';
import { boolean, foreignKey, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';

import { identifier, instant, readableText } from './columns.ts';
import { device } from './device.ts';
import { healthLevel } from './health-level.ts';

/**
 * The conditions that make a device unhealthy. `device.health_level` is the worst level of the conditions that haven't
 * expired, or the organization's mildest level if there are none. `source` is 'inactivity' (built in, cleared by the
 * next message), an alarm's identifier, or `event-<type>` for an event type with a configured level.
 */
export const deviceCondition = pgTable(
  'device_condition',
  {
    organization: identifier().notNull(),
    number: identifier().notNull(),
    source: text().notNull(),
    healthLevel: readableText().notNull(),
    since: instant().notNull(),
    /** When the condition expires; null if it lasts until resolved. */
    until: instant(),
    /**
     * True if expired or resolved manually. The condition no longer counts, but its row stays, because otherwise the
     * same inactivity or alarm would raise it again.
     */
    lapsed: boolean().notNull().default(false),
  },
  (table) => [
    primaryKey({ name: 'device_condition_pk', columns: [table.organization, table.number, table.source] }),
    foreignKey({
      name: 'device_condition_device',
      columns: [table.organization, table.number],
      foreignColumns: [device.organization, device.number],
    }).onDelete('cascade'),
    foreignKey({
      name: 'device_condition_health_level',
      columns: [table.organization, table.healthLevel],
      foreignColumns: [healthLevel.organization, healthLevel.level],
    }).onUpdate('cascade'),
    index('device_condition_expiring')
      .on(table.until)
      .where(sql`${table.until} is not null and not ${table.lapsed}`),
  ],
);
