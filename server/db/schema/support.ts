import { bigint, boolean, foreignKey, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';

import { id, identifier, instant } from './columns.ts';
import { organization } from './organization.ts';

/** A support session, during which support staff act for an organization that they don't belong to. */
export const supportSession = pgTable(
  'support_visit',
  {
    organization: identifier().notNull(),
    id: id().notNull(),
    userId: identifier().notNull(),
    /** Empty if support staff gave no reason. */
    reason: text().notNull().default(''),
    beganAt: instant().notNull(),
    /** When it expires or was ended. */
    endsAt: instant().notNull(),
    /** When changes were allowed; until then, the session is read-only. */
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

/** A call made during a support session. */
export const supportCall = pgTable(
  'support_call',
  {
    organization: identifier().notNull(),
    id: id().generatedAlwaysAsIdentity(),
    supportSession: bigint('visit', { mode: 'number' }).notNull(),
    time: instant().notNull(),
    /** The RPC, such as `TagService.Create`. */
    rpc: text().notNull(),
    /** True if the RPC changes data, whether or not the call succeeded. */
    changes: boolean().notNull(),
    /** The gRPC status name, such as `ok` or `permission_denied`; null while the call runs. */
    outcome: text(),
  },
  (table) => [
    primaryKey({ name: 'support_call_pk', columns: [table.organization, table.id] }),
    foreignKey({
      name: 'support_call_visit',
      columns: [table.organization, table.supportSession],
      foreignColumns: [supportSession.organization, supportSession.id],
    }).onDelete('cascade'),
    index('support_call_of_visit').on(table.organization, table.supportSession, table.id),
  ],
);
