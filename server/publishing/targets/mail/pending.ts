/** Events on their way to people who asked for mails about them: noted as they happen, told by digest.ts. */
import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Executor, Tx } from '#server/db/database.ts';
import { emailPending, emailPreference } from '#server/db/schema/mail.ts';
import type { NewEvent } from '#server/events/new-event.ts';
import { type EventFilters, passing } from '#server/events/publisher-filters.ts';
import type { EventSink, StoredId } from '#server/events/record.ts';
import { groupBy } from '#server/base/group-by.ts';
import { enqueue } from '#server/publishing/outbox.ts';
import { happeningsOf, classified } from './event-summaries.ts';

/**
 * Notes events for everybody whose filters let them through, in the transaction that records them: one query, and one
 * row for people with the same filters. What each of them may see is looked at when they are told.
 */
async function queueNotifications(tx: Tx, stored: readonly StoredId[]): Promise<void> {
  const events = stored.map(({ event }) => event);
  const organizations = [...new Set(events.map(({ organization }) => organization))];
  const groups = await readers(tx, organizations);
  if (groups.length === 0) return;
  const byOrganization = groupBy(events.map(classified), ({ happened }) => happened.organization);
  const rows = groups.flatMap(({ organization, users, ...filters }) => {
    const wants = wanting(filters);
    const wanted = (byOrganization.get(organization) ?? []).filter(({ happened }) => wants(happened));
    return wanted.length === 0 ? [] : [{ organization, users, happenings: happeningsOf(wanted) }];
  });
  if (rows.length === 0) return;
  await tx.insert(emailPending).values(rows);
  await enqueue(tx, mailPublisher, [...new Set(rows.map(({ organization }) => organization))]);
}

/**
 * Who mails the people of an organization: one publisher for all of them, as a mail holds what happened since the last.
 * It is none that people see or number, so it has the id that the counter of publishers never gives.
 */
export const mailPublisher = { kind: 'mail', id: 0 };

/** Mails tell of new events only, not of resolutions. */
export const emailNotifications: EventSink = { recorded: queueNotifications };

/** People by their filters, so that a filter is tried once however many have it. */
function readers(tx: Executor, organizations: readonly string[]) {
  const { organization, eventFilter, deviceFilter, tagFilter, healthLevels, allLifecycles } = emailPreference;
  const filters = { organization, eventFilter, deviceFilter, tagFilter, healthLevels, allLifecycles };
  return tx
    .select({ ...filters, users: sql<string[]>`array_agg(${emailPreference.userId}::text)` })
    .from(emailPreference)
    .where(and(inArray(organization, [...organizations]), eq(emailPreference.active, true)))
    .groupBy(...Object.values(filters));
}

/**
 * No mail about devices that are not installed, except to support staff (contract:
 * EmailNotificationPreferencesService); which lifecycles that means is not stated, chosen here: every one but
 * INSTALLED.
 */
function wanting(filters: EventFilters): (event: NewEvent) => boolean {
  const passes = passing(filters);
  return (event) => (!event.notInstalled || filters.allLifecycles) && passes(event);
}
