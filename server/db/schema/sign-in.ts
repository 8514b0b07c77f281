import { date, foreignKey, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';

import { identifier, instant } from './columns.ts';
import { organization } from './organization.ts';

/**
 * A browser or other client that someone signed in with. The contract mentions sign-ins only as something to revoke.
 * Users don't belong to an organization, so this is a reference table.
 */
export const signIn = pgTable(
  'sign_in',
  {
    userId: identifier().notNull(),
    /** Derived from the claims about the sign-in in its ID tokens. */
    id: text().notNull(),
    signedInAt: instant().notNull(),
    lastSeenAt: instant().notNull(),
    /** The name and version that the client sends with its calls. */
    client: text().notNull().default(''),
    userAgent: text().notNull().default(''),
    revokedAt: instant(),
  },
  (table) => [primaryKey({ name: 'sign_in_pk', columns: [table.userId, table.id] })],
);

/** Users' activity per day, with one row for each RPC and client. */
export const userActivity = pgTable(
  'user_activity',
  {
    organization: identifier().notNull(),
    userId: identifier().notNull(),
    date: date({ mode: 'string' }).notNull(),
    /** The RPC, such as `TagService.Create`. */
    action: text().notNull(),
    /** The client's name; empty for a client that the contract doesn't mention. */
    client: text().notNull(),
    requests: integer().notNull(),
  },
  (table) => [
    primaryKey({
      name: 'user_activity_pk',
      columns: [table.organization, table.userId, table.date, table.action, table.client],
    }),
    foreignKey({
      name: 'user_activity_organization',
      columns: [table.organization],
      foreignColumns: [organization.id],
    }).onDelete('cascade'),
  ],
);
