import { and, eq } from 'drizzle-orm';

import type { UpdateEmailNotificationPreferencesRequest } from '#proto/gen/hiber/email_pb.ts';
import type { Tx } from '#server/db/database.ts';
import { emailPreference } from '#server/db/schema/mail.ts';
import { permissionForEvent } from '#server/events/visibility.ts';
import type { Scope } from '#server/session/scope.ts';

import { type EventFilterChange, readEventFilters, resolveFilters } from './event-filters.ts';

type Row = typeof emailPreference.$inferSelect;

/**
 * Applies the request to the caller's preferences and returns them. The first request creates them, starting from
 * filters that match everything.
 *
 * @throws ConnectError if a filter refers to something that doesn't exist or that the caller can't see. In that case,
 *   nothing changes.
 */
export async function updatePreferences(
  tx: Tx,
  caller: Scope,
  request: UpdateEmailNotificationPreferencesRequest,
  now: Date,
): Promise<Row | undefined> {
  const { organization } = caller;
  const userId = caller.session.user.id;
  const ownRow = and(eq(emailPreference.organization, organization), eq(emailPreference.userId, userId));
  await tx.insert(emailPreference).values({ organization, userId }).onConflictDoNothing();
  const [storedRow] = await tx.select().from(emailPreference).where(ownRow).for('update');
  const change = readChange(request);
  requireVisibleTypes(caller, change);
  const [row] = await tx
    .update(emailPreference)
    .set({
      ...(await resolveFilters(tx, caller, { healthLevels: storedRow?.healthLevels ?? [] }, change, now)),
      ...(change.eventFilter ? { eventFilter: change.eventFilter } : {}),
      active: true,
      allLifecycles: caller.allLifecycles,
    })
    .where(ownRow)
    .returning();
  return row;
}

function readChange(request: UpdateEmailNotificationPreferencesRequest): EventFilterChange {
  return {
    ...readEventFilters({
      eventFilter: request.enabledNotifications,
      deprecatedEventFilter: request.deprecatedEnabledNotifications,
      modemFilter: request.filterModems,
      deprecatedModemFilter: request.deprecatedFilterModems,
      tagFilter: request.filterTags,
      deprecatedTagFilter: request.deprecatedFilterTags,
    }),
    addHealthLevels: request.addHealthLevelsToFilter,
    removeHealthLevels: request.removeHealthLevelsFromFilter,
  };
}

/**
 * Rejects explicitly included types that the caller can't see, because no email about them would ever be sent. Accepts
 * any filter without includes, because each email contains only events that its recipient can see at the time.
 */
function requireVisibleTypes(caller: Scope, { eventFilter }: EventFilterChange): void {
  for (const type of eventFilter?.include ?? []) {
    const permission = permissionForEvent(type);
    if (permission && !eventFilter?.exclude.includes(type)) caller.require(permission);
  }
}
