import { sql } from 'drizzle-orm';
import { boolean, foreignKey, index, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core';

import { bytes, identifier, instant } from './columns.ts';
import { organization } from './organization.ts';

/** A user's request to join an organization, open until an administrator approves or removes it. */
export const accessRequest = pgTable(
  'access_request',
  {
    organization: identifier().notNull(),
    userId: identifier().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ name: 'access_request_pk', columns: [table.organization, table.userId] }),
    foreignKey({
      name: 'access_request_organization',
      columns: [table.organization],
      foreignColumns: [organization.id],
    }).onDelete('cascade'),
    index('access_request_of_user').on(table.userId),
  ],
);

/** The lifetime of an invitation: 30 days (contract: Invite). */
export const INVITATION_VALID_FOR_MS = 30 * 24 * 3600 * 1000;

/** An invitation to someone known only by their email address; deleted once accepted. */
export const invitation = pgTable(
  'invitation',
  {
    organization: identifier().notNull(),
    /** In lowercase, so addresses can be compared. */
    email: text().notNull(),
    /** Identifiers of the roles that the invited user will have. */
    roles: text()
      .array()
      .notNull()
      .default(sql`'{}'`),
    invitedBy: identifier().notNull(),
    createdAt: instant().notNull().defaultNow(),
    expiresAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ name: 'invitation_pk', columns: [table.organization, table.email] }),
    foreignKey({
      name: 'invitation_organization',
      columns: [table.organization],
      foreignColumns: [organization.id],
    }).onDelete('cascade'),
    index('invitation_of_email').on(table.email),
  ],
);

/** An organization's rules for its members (contract: UserValidation). */
export const userValidation = pgTable(
  'user_validation',
  {
    organization: identifier().primaryKey(),
    /** Empty means no rule. */
    emailRegex: text().notNull().default(''),
    /** SignInProvider numbers; empty means no restriction. */
    providers: smallint()
      .array()
      .notNull()
      .default(sql`'{}'`),
    requireVerifiedEmail: boolean().notNull().default(false),
  },
  (table) => [
    foreignKey({
      name: 'user_validation_organization',
      columns: [table.organization],
      foreignColumns: [organization.id],
    }).onDelete('cascade'),
  ],
);

/**
 * Lets its holder create one organization (contract: OrganizationService.Create). It belongs to no organization until
 * then, so this is a reference table.
 */
export const creationToken = pgTable('creation_token', {
  /** SHA-256 of the secret, which is emailed and never stored. */
  hash: bytes().primaryKey(),
  /** The address it was issued to; empty for the token issued on first start. */
  email: text().notNull(),
  /** The creator's roles in the new organization. */
  roles: text().array().notNull(),
  issuedBy: text().notNull(),
  createdAt: instant().notNull().defaultNow(),
  expiresAt: instant().notNull(),
  usedAt: instant(),
  usedFor: text(),
});
