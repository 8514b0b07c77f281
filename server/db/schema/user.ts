import { sql } from 'drizzle-orm';
import { boolean, foreignKey, index, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { identifier, instant, readableText } from './columns.ts';
import { organization } from './organization.ts';

/** A person; `id` is the identity provider's. Persons belong to no organization, so this is a reference table. */
export const appUser = pgTable(
  'app_user',
  {
    id: identifier().primaryKey(),
    email: text().notNull(),
    name: readableText().notNull(),
    defaultOrganization: identifier(),
    /** JSON text owned by the console, opaque to the server (contract: CurrentUserService). */
    missionControlSettings: text().notNull().default('{}'),
    acceptedTacAt: instant(),
    passwordResetRecommended: boolean().notNull().default(false),
    passwordResetRecommendedReason: text(),
    /** SupportPermission names. */
    supportPermissions: text()
      .array()
      .notNull()
      .default(sql`'{}'`),
    createdAt: instant().notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('app_user_email').on(sql`lower(${table.email})`),
    foreignKey({
      name: 'app_user_default_organization',
      columns: [table.defaultOrganization],
      foreignColumns: [organization.id],
    }).onDelete('set null'),
  ],
);

export const membership = pgTable(
  'membership',
  {
    organization: identifier().notNull(),
    userId: identifier().notNull(),
    /** Role identifiers of the catalogue in policies/roles.ts. */
    roles: text()
      .array()
      .notNull()
      .default(sql`'{}'`),
    createdAt: instant().notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ name: 'membership_pk', columns: [table.organization, table.userId] }),
    foreignKey({
      name: 'membership_organization',
      columns: [table.organization],
      foreignColumns: [organization.id],
    }).onDelete('cascade'),
    index('membership_of_user').on(table.userId),
  ],
);
