import { foreignKey, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { identifier, instant, readableText } from './columns.ts';
import { device } from './device.ts';
import { healthLevel } from './health-level.ts';

/**
 * What makes a device unhealthy now; `device.health_level` is the worst of these, or the organization's mildest level
 * when there are none. `source` is 'inactivity' (built in, cleared by the next message) or an alarm's identifier
 * (lasts until resolved).
 */
export const deviceCondition = pgTable(
  'device_condition',
  {
    organization: identifier().notNull(),
    number: identifier().notNull(),
    source: text().notNull(),
    healthLevel: readableText().notNull(),
    since: instant().notNull(),
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
  ],
);
