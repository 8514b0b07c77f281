/** Stores events as they happen, until digest.ts emails them to their subscribers. */
import { and, eq, sql } from 'drizzle-orm';

import { groupBy } from '#commands/text/group-by.ts';
import { anyOf } from '#server/db/any-of.ts';
import type { Executor, Tx } from '#server/db/database.ts';
import { pendingEmail, emailPreference } from '#server/db/schema/mail.ts';
import type { NewEvent } from '#server/events/new-event.ts';
import { type EventFilters, publisherMatcher } from '#server/events/publisher-filters.ts';
import type { EventSink, RecordedEvent } from '#server/events/record.ts';
import { enqueue } from '#server/publishing/outbox.ts';

import { summarize, classify } from './event-summaries.ts';

/**
 * Stores events for all users with matching filters, in the transaction that records the events. Uses one query, and
 * one row for all users with the same filters. The digest checks which events each user can see.
 */
async function queueNotifications(tx: Tx, recordedEvents: readonly RecordedEvent[]): Promise<void> {
  const events = recordedEvents.map(({ event }) => event);
  const organizations = [...new Set(events.map(({ organization }) => organization))];
  const groups = await findSubscribedUsers(tx, organizations);
  if (groups.length === 0) return;
  const byOrganization = groupBy(events.map(classify), ({ newEvent }) => newEvent.organization);
  const rows = groups.flatMap(({ organization, users, ...filters }) => {
    const matches = emailMatcher(filters);
    const matchingEvents = (byOrganization.get(organization) ?? []).filter(({ newEvent }) => matches(newEvent));
    return matchingEvents.length === 0 ? [] : [{ organization, users, summaries: summarize(matchingEvents) }];
  });
  if (rows.length === 0) return;
  await tx.insert(pendingEmail).values(rows);
  await enqueue(tx, emailPublisher, [...new Set(rows.map(({ organization }) => organization))]);
}

/**
 * The publisher that sends emails about an organization. All users share it because an email collects the events since
 * the previous one. It is internal, so it has an id that is never assigned to other publishers.
 */
export const emailPublisher = { kind: 'mail', id: 0 };

/** Handles only new events, because there are no emails about resolutions. */
export const emailNotifications: EventSink = { onRecorded: queueNotifications };

/** Returns subscribed users, grouped by their filters, so each distinct filter is applied only once. */
function findSubscribedUsers(tx: Executor, organizations: readonly string[]) {
  const { organization, eventFilter, deviceFilter, tagFilter, healthLevels, allLifecycles } = emailPreference;
  const filters = { organization, eventFilter, deviceFilter, tagFilter, healthLevels, allLifecycles };
  return tx
    .select({ ...filters, users: sql<string[]>`array_agg(${emailPreference.userId}::text)` })
    .from(emailPreference)
    .where(and(anyOf(organization, organizations), eq(emailPreference.active, true)))
    .groupBy(...Object.values(filters))
    .prepare('mail_readers')
    .execute();
}

/**
 * Excludes devices that are not installed, except for support staff (contract: EmailNotificationPreferencesService).
 * The contract does not state which lifecycles that means. We exclude all lifecycles except INSTALLED.
 */
function emailMatcher(filters: EventFilters): (event: NewEvent) => boolean {
  const matches = publisherMatcher(filters);
  return (event) => (!event.notInstalled || filters.allLifecycles) && matches(event);
}
