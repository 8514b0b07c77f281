import { boolean, foreignKey, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { id, identifier, instant } from './columns.ts';
import { organization } from './organization.ts';

/** Support staff act for an organization that they do not belong to: who, why, and until when. */
export const supportVisit = pgTable(
  'support_visit',
  {
    organization: identifier().notNull(),
    id: id().notNull(),
    userId: identifier().notNull(),
    /** Empty when none was given. */
    reason: text().notNull().default(''),
    beganAt: instant().notNull(),
    /** When it ends by itself, or was ended. */
    endsAt: instant().notNull(),
    /** Since when it may change things; only read before. */
    changesAllowedAt: instant(),
  },
  (table) => [
    primaryKey({ name: 'support_visit_pk', columns: [table.organization, table.id] }),
    foreignKey({
      name: 'support_visit_organization',
      columns: [table.organization],
      foreignColumns: [organization.id],
    }).onDelete('cascade'),
    index('support_visit_of_user').on(table.organization, table.userId, table.endsAt),
  ],
);

/** Each call made during a visit. */
export const supportCall = pgTable(
  'support_call',
  {
    organization: identifier().notNull(),
    id: id().generatedAlwaysAsIdentity(),
    visit: id().notNull(),
    time: instant().notNull(),
    /** `TagService.Create`. */
    rpc: text().notNull(),
    /** It would change something. */
    changes: boolean().notNull(),
    /** gRPC status name (`ok`, `permission_denied`); null while it runs. */
    outcome: text(),
  },
  (table) => [
    primaryKey({ name: 'support_call_pk', columns: [table.organization, table.id] }),
    foreignKey({
      name: 'support_call_visit',
      columns: [table.organization, table.visit],
      foreignColumns: [supportVisit.organization, supportVisit.id],
    }).onDelete('cascade'),
    index('support_call_of_visit').on(table.organization, table.visit, table.id),
  ],
);
