import { sql } from 'drizzle-orm';
import { boolean, foreignKey, index, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { bytes, identifier, instant } from './columns.ts';
import { organization } from './organization.ts';

/** Somebody asks to join; open until an administrator approves or removes them. */
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

/** How long an invitation can be accepted: 30 days (contract: Invite). */
export const INVITATION_VALID_FOR_MS = 30 * 24 * 3600 * 1000;

/** Somebody was asked to join, known by their address only; gone once accepted. */
export const invitation = pgTable(
  'invitation',
  {
    organization: identifier().notNull(),
    /** In lower case: addresses are compared so. */
    email: text().notNull(),
    /** Role identifiers they will hold. */
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

/** What an organization asks of the people in it (contract: UserValidation). */
export const userValidation = pgTable(
  'user_validation',
  {
    organization: identifier().primaryKey(),
    /** Empty is no rule. */
    emailRegex: text().notNull().default(''),
    /** SignInProvider numbers; empty is no restriction. */
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
 * Lets whoever holds it make one organization (contract: OrganizationService.Create). It belongs to no organization
 * until then, so this is a reference table.
 */
export const creationToken = pgTable('creation_token', {
  /** SHA-256 of the secret, which is mailed and kept nowhere. */
  hash: bytes().primaryKey(),
  /** Whom it was issued to; empty for the one of the first start. */
  email: text().notNull(),
  /** Roles that the creator gets in the new organization. */
  roles: text().array().notNull(),
  issuedBy: text().notNull(),
  createdAt: instant().notNull().defaultNow(),
  expiresAt: instant().notNull(),
  usedAt: instant(),
  usedFor: text(),
});
