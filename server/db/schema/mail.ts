import { sql } from 'drizzle-orm';
import { boolean, foreignKey, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';

import { id, identifier, instant, readableText } from './columns.ts';
import { organization } from './organization.ts';
import { publisherFilters } from './publisher-filters.ts';

/**
 * Emails and text messages to users, stored in the transaction that causes them and sent afterwards. Some do not belong
 * to an organization, so this is a reference table.
 */
export const mail = pgTable(
  'mail',
  {
    id: id().generatedAlwaysAsIdentity().primaryKey(),
    /** `email`, or `sms` for a code from the embedded identity provider. */
    channel: text().notNull().default('email'),
    /** The address or telephone number. */
    recipient: text().notNull(),
    subject: text().notNull(),
    /** Encrypted because it may contain a link or a token that grants access. */
    body: text().notNull(),
    createdAt: instant().notNull().defaultNow(),
    sentAt: instant(),
    attempts: integer().notNull().default(0),
    nextAttemptAt: instant(),
    /** The error from the last attempt. */
    error: text(),
  },
  (table) => [
    index('mail_waiting')
      .on(table.nextAttemptAt)
      .where(sql`${table.nextAttemptAt} is not null`),
  ],
);

/**
 * The filters for one user's notification emails in one organization (contract: EmailNotificationPreferencesService).
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

/** Events of one kind that happened together, summarized for a notification email. */
export interface EventSummary {
  /** An EventType number. */
  readonly type: number;
  readonly title: string;
  /** The name of the health level, for events that have one. */
  readonly level?: string;
  /** Set for events about devices that are not installed. Only support staff receive these events. */
  readonly notInstalled?: true;
  /** The number of events. */
  readonly count: number;
  /** Numbers of the devices, if the events have a health level. */
  readonly devices: string[];
  /** The first few events, with their time in RFC 3339. */
  readonly samples: { time: string; description: string }[];
}

/**
 * Events waiting to be emailed. There is one row per transaction and set of filters, with any number of events for any
 * number of users. This way, recording events takes no longer with more recipients.
 */
export const pendingEmail = pgTable(
  'email_pending',
  {
    organization: identifier().notNull(),
    id: id().generatedAlwaysAsIdentity(),
    /** Ids of the users who haven't been emailed yet. */
    users: text().array().notNull(),
    summaries: jsonb('happenings').$type<EventSummary[]>().notNull(),
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

/** A user's notification emails, as listed by EmailNotificationPreferencesService.History. */
export const emailNotification = pgTable(
  'email_notification',
  {
    organization: identifier().notNull(),
    id: id().generatedAlwaysAsIdentity(),
    userId: identifier().notNull(),
    time: instant().notNull(),
    title: readableText().notNull(),
    /** The email that contained it; null once the email is deleted. */
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
