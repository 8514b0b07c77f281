import { and, eq } from 'drizzle-orm';
import type { UpdateEmailNotificationPreferencesRequest } from '#proto/gen/hiber/email_pb.ts';
import type { Tx } from '#server/db/database.ts';
import { emailPreference } from '#server/db/schema/mail.ts';
import { permissionForEvent } from '#server/events/visibility.ts';
import type { Scope } from '#server/session/scope.ts';
import { type EventFilterChange, readEventFilters, settledFilters } from './event-filters.ts';

type Row = typeof emailPreference.$inferSelect;

/**
 * The caller's preferences after the request, stored; the first request makes them, from filters that let everything
 * through.
 *
 * @throws ConnectError when a filter names what does not exist or what the caller may not see; nothing has changed then
 */
export async function changedPreferences(
  tx: Tx,
  caller: Scope,
  request: UpdateEmailNotificationPreferencesRequest,
  now: Date,
): Promise<Row | undefined> {
  const { organization } = caller;
  const userId = caller.session.user.id;
  const its = and(eq(emailPreference.organization, organization), eq(emailPreference.userId, userId));
  await tx.insert(emailPreference).values({ organization, userId }).onConflictDoNothing();
  const [stored] = await tx.select().from(emailPreference).where(its).for('update');
  const change = readChange(request);
  requireSight(caller, change);
  const [row] = await tx
    .update(emailPreference)
    .set({
      ...(await settledFilters(tx, caller, { healthLevels: stored?.healthLevels ?? [] }, change, now)),
      ...(change.eventFilter ? { eventFilter: change.eventFilter } : {}),
      active: true,
      allLifecycles: caller.allLifecycles,
    })
    .where(its)
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
 * Events of a type that is asked for by name and that the caller does not see would never come. An open filter is left
 * as it is: what they may see is looked at whenever a mail is made, since it changes with their roles.
 */
function requireSight(caller: Scope, { eventFilter }: EventFilterChange): void {
  for (const type of eventFilter?.include ?? []) {
    const permission = permissionForEvent(type);
    if (permission && !eventFilter?.exclude.includes(type)) caller.require(permission);
  }
}
