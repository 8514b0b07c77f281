import { boolean, foreignKey, integer, jsonb, pgTable, primaryKey } from 'drizzle-orm/pg-core';

import { identifier, readableText } from './columns.ts';
import { organization } from './organization.ts';

/** An organization's severity scale. Severities start at 1, and a higher one is worse (contract: HealthService). */
export const healthLevel = pgTable(
  'health_level',
  {
    organization: identifier().notNull(),
    level: readableText().notNull(),
    severity: integer().notNull(),
    /** True for the level that unknown level names map to; exactly one per organization. */
    catchAll: boolean().notNull().default(false),
    /** CSS colors by use, such as 'text' and 'fill'. */
    colorData: jsonb().$type<Record<string, string>>().notNull(),
  },
  (table) => [
    primaryKey({ name: 'health_level_pk', columns: [table.organization, table.level] }),
    foreignKey({
      name: 'health_level_organization',
      columns: [table.organization],
      foreignColumns: [organization.id],
    }).onDelete('cascade'),
  ],
);
