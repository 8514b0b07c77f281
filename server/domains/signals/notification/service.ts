import { create } from '@bufbuild/protobuf';
import { and, eq } from 'drizzle-orm';

import {
  EmailNotificationHistoryRequest_ResponseSchema,
  EmailNotificationHistoryRequestSchema,
  type EmailNotificationPreferences,
  EmailNotificationPreferencesSchema,
  EmailNotificationPreferencesService,
  RemoveAllEmailNotificationPreferencesRequest_ResponseSchema,
} from '#proto/gen/hiber/email_pb.ts';
import { service } from '#server/app/service.ts';
import { emailPreference } from '#server/db/schema/mail.ts';
import { presentTagFilter } from '#server/events/publisher-filters.ts';
import { type Scope, scope } from '#server/session/scope.ts';
import { effectivePagination, readPage } from '#server/wire/pagination.ts';

import { listEmails } from './history.ts';
import { updatePreferences } from './update.ts';

/**
 * Serves the caller's preferences for emails about events in an organization. Emails are on as long as the preferences
 * row exists, because the contract has no other switch: Update creates the row, and Delete removes it.
 */
export const emailService = service(EmailNotificationPreferencesService, (app) => ({
  async view(_request, context) {
    const caller = scope(context);
    const [row] = await app.db.orm.select().from(emailPreference).where(ownPreferences(caller));
    return present(caller, row);
  },

  async update(request, context) {
    const caller = scope(context);
    const row = await app.db.transaction((tx) => updatePreferences(tx, caller, request, app.now()));
    return present(caller, row);
  },

  async delete(_request, context) {
    await app.db.orm.delete(emailPreference).where(ownPreferences(scope(context)));
    return create(RemoveAllEmailNotificationPreferencesRequest_ResponseSchema);
  },

  /** Lists only the caller's own emails, because a request can't name another user. */
  async history(request, context) {
    const { organization, session } = scope(context);
    const requestedPage = readPage(request.pagination);
    const recipient = { organization, userId: session.user.id };
    const result = await listEmails(app.db.orm, recipient, request.selection, requestedPage, app.now());
    return create(EmailNotificationHistoryRequest_ResponseSchema, {
      ...result,
      request: create(EmailNotificationHistoryRequestSchema, {
        ...request,
        organization,
        pagination: effectivePagination(requestedPage),
      }),
    });
  },
}));

const ownPreferences = ({ organization, session }: Scope) =>
  and(eq(emailPreference.organization, organization), eq(emailPreference.userId, session.user.id));

const NO_FILTER = { include: [], exclude: [] };

/** Presents preferences. A user without preferences gets no emails, so `active` is false. */
function present(
  { organization, session }: Scope,
  row: typeof emailPreference.$inferSelect | undefined,
): EmailNotificationPreferences {
  return create(EmailNotificationPreferencesSchema, {
    organization,
    userId: session.user.id,
    active: row?.active ?? false,
    enabledNotifications: row?.eventFilter ?? NO_FILTER,
    filterModems: row?.deviceFilter ?? NO_FILTER,
    filterTags: presentTagFilter(row?.tagFilter ?? NO_FILTER),
    filterHealthLevels: row?.healthLevels ?? [],
  });
}
