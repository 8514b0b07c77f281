import { sql } from 'drizzle-orm';
import { boolean, foreignKey, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { id, identifier, instant, readableText } from './columns.ts';
import { organization } from './organization.ts';
import { publisherFilters } from './publisher-filters.ts';

/**
 * Messages to people, written in the transaction of what they tell of and sent afterwards. Some concern no
 * organization, so this is a reference table.
 */
export const mail = pgTable(
  'mail',
  {
    id: id().generatedAlwaysAsIdentity().primaryKey(),
    /** `email`, or `sms` where the embedded identity provider sends a code. */
    channel: text().notNull().default('email'),
    /** Address or telephone number. */
    recipient: text().notNull(),
    subject: text().notNull(),
    /** Sealed: it may hold a link or a token that lets somebody in. */
    body: text().notNull(),
    createdAt: instant().notNull().defaultNow(),
    sentAt: instant(),
    attempts: integer().notNull().default(0),
    nextAttemptAt: instant(),
    /** Why the last attempt failed. */
    error: text(),
  },
  (table) => [
    index('mail_waiting')
      .on(table.nextAttemptAt)
      .where(sql`${table.nextAttemptAt} is not null`),
  ],
);

/**
 * The filters of one person's notification mails in one organization (contract: EmailNotificationPreferencesService).
 */
export const emailPreference = pgTable(
  'email_preference',
  {
    organization: identifier().notNull(),
    userId: identifier().notNull(),
    active: boolean().notNull().default(true),
    ...publisherFilters(),
  },
  (table) => [
    primaryKey({ name: 'email_preference_pk', columns: [table.organization, table.userId] }),
    foreignKey({
      name: 'email_preference_organization',
      columns: [table.organization],
      foreignColumns: [organization.id],
    }).onDelete('cascade'),
  ],
);

/** Events of one kind that happened together, as a notification mail tells of them. */
export interface Happening {
  /** EventType number. */
  readonly type: number;
  readonly title: string;
  /** Name of the health level, of events that have one. */
  readonly level?: string;
  /** About devices that are not installed, which are the operator's business only. */
  readonly notInstalled?: true;
  /** How many events. */
  readonly count: number;
  /** Numbers of the devices, where the events have a health level. */
  readonly devices: string[];
  /** The first few, with their time in RFC 3339. */
  readonly samples: { time: string; description: string }[];
}

/**
 * Events that wait to be told by mail: one row per transaction and set of filters, however many events and people, so
 * that a fleet that reports does not wait for its readers.
 */
export const emailPending = pgTable(
  'email_pending',
  {
    organization: identifier().notNull(),
    id: id().generatedAlwaysAsIdentity(),
    /** Ids of those who have not been told yet. */
    users: text().array().notNull(),
    happenings: jsonb().$type<Happening[]>().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ name: 'email_pending_pk', columns: [table.organization, table.id] }),
    foreignKey({
      name: 'email_pending_organization',
      columns: [table.organization],
      foreignColumns: [organization.id],
    }).onDelete('cascade'),
  ],
);

/** The notification mails of a person: what EmailNotificationPreferencesService.History lists. */
export const emailNotification = pgTable(
  'email_notification',
  {
    organization: identifier().notNull(),
    id: id().generatedAlwaysAsIdentity(),
    userId: identifier().notNull(),
    time: instant().notNull(),
    title: readableText().notNull(),
    /** The mail that carried it; null once that is gone. */
    mail: id(),
  },
  (table) => [
    primaryKey({ name: 'email_notification_pk', columns: [table.organization, table.id] }),
    foreignKey({
      name: 'email_notification_organization',
      columns: [table.organization],
      foreignColumns: [organization.id],
    }).onDelete('cascade'),
    index('email_notification_of_user').on(table.organization, table.userId, table.time),
  ],
);
