import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { boolean, foreignKey, index, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';

import { identifier, instant, readableText } from './columns.ts';
import { organization } from './organization.ts';

/** The order of addresses: that of a language, ignoring case. */
export const addressOrder = (email: SQLWrapper): SQL => sql`lower(${email}) collate "und-x-icu"`;

/**
 * A user, keyed by the id from the identity provider. Users don't belong to an organization, so this is a reference
 * table.
 */
export const appUser = pgTable(
  'app_user',
  {
    id: identifier().primaryKey(),
    email: text().notNull(),
    name: readableText().notNull(),
    defaultOrganization: identifier(),
    /** The console's settings as JSON text, which the server doesn't interpret (contract: CurrentUserService). */
    missionControlSettings: text().notNull().default('{}'),
    acceptedTacAt: instant(),
    passwordResetRecommended: boolean().notNull().default(false),
    passwordResetRecommendedReason: text(),
    /** The identity provider's value as of the user's last call. */
    emailVerified: boolean().notNull().default(false),
    /** Sign-ins from before this time are no longer accepted. */
    sessionsRevokedAt: instant(),
    /** The contract's UnitPreferences, as its protobuf JSON. */
    unitPreferences: jsonb().notNull().default({}),
    /** When the account was deleted. The address is kept for auditing (contract: DeleteCurrentUser). */
    deletedAt: instant(),
    createdAt: instant().notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('app_user_email')
      .on(sql`lower(${table.email})`)
      .where(sql`${table.deletedAt} is null`),
    // The order of UserService.List.
    index('app_user_order').on(addressOrder(table.email), table.id),
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
    /** Identifiers of roles in the catalog (policies/roles.ts). */
    roles: text()
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** When the member was suspended. Suspension blocks signing in, but tokens stay valid (contract: UserService). */
    suspendedAt: instant(),
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

/** Roles that a user uses in an organization instead of their own (contract: OverrideRoles). */
export const roleOverride = pgTable(
  'role_override',
  {
    organization: identifier().notNull(),
    userId: identifier().notNull(),
    roles: text().array().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ name: 'role_override_pk', columns: [table.organization, table.userId] }),
    foreignKey({
      name: 'role_override_organization',
      columns: [table.organization],
      foreignColumns: [organization.id],
    }).onDelete('cascade'),
    index('role_override_of_user').on(table.userId),
  ],
);
