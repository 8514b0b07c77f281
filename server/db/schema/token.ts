import { sql } from 'drizzle-orm';
import { boolean, date, foreignKey, index, jsonb, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core';

import { bytes, id, identifier, instant, naturalOrder, readableText } from './columns.ts';
import { organization } from './organization.ts';

/** The contract's Filter.ChildOrganizations. An empty filter selects no organization. */
export interface ChildOrganizationsFilter {
  readonly includeAll: boolean;
  readonly include: string[];
  readonly exclude: string[];
}

/** An API token. Its secret is shown once, and only the hash of it is stored. */
export const token = pgTable(
  'token',
  {
    organization: identifier().notNull(),
    id: id().notNull(),
    name: readableText().notNull(),
    userId: identifier().notNull(),
    /** SHA-256 of the secret. */
    hash: bytes().notNull(),
    /** Token.Type: 0 SPECIFIC, 1 PERSONAL. */
    type: smallint().notNull(),
    /** OrganizationPermission numbers. */
    organizationPermissions: smallint()
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** UserPermission numbers. */
    userPermissions: smallint()
      .array()
      .notNull()
      .default(sql`'{}'`),
    roles: text()
      .array()
      .notNull()
      .default(sql`'{}'`),
    limitImpersonation: jsonb().$type<ChildOrganizationsFilter>(),
    minimized: boolean().notNull().default(false),
    createdAt: instant().notNull().defaultNow(),
    expiresAt: instant(),
    lastUsed: date({ mode: 'string' }),
    expiryWarnedAt: instant(),
    expiredNotifiedAt: instant(),
    /** The token that created this token; deleting it deletes both. Null if a signed-in user created this token. */
    parentOrganization: identifier(),
    parent: id(),
  },
  (table) => [
    primaryKey({ name: 'token_pk', columns: [table.organization, table.id] }),
    foreignKey({
      name: 'token_organization',
      columns: [table.organization],
      foreignColumns: [organization.id],
    }).onDelete('cascade'),
    // Not unique, because a unique index would have to start with the organization, which a call may omit.
    index('token_by_hash').on(table.hash),
    index('token_by_parent').on(table.parentOrganization, table.parent),
    index('token_by_name').on(table.organization, naturalOrder(table.name), table.id),
  ],
);
