import { create } from '@bufbuild/protobuf';
import type { ServiceImpl } from '@connectrpc/connect';
import { and, eq } from 'drizzle-orm';
import {
  EmailNotificationHistoryRequest_ResponseSchema,
  EmailNotificationHistoryRequestSchema,
  type EmailNotificationPreferences,
  EmailNotificationPreferencesSchema,
  type EmailNotificationPreferencesService,
  RemoveAllEmailNotificationPreferencesRequest_ResponseSchema,
} from '#proto/gen/hiber/email_pb.ts';
import type { App } from '#server/app/app.ts';
import { emailPreference } from '#server/db/schema/mail.ts';
import { presentTagFilter } from '#server/events/publisher-filters.ts';
import { type Scope, scope } from '#server/session/scope.ts';
import { mailHistory } from './history.ts';
import { changedPreferences } from './update.ts';
import { effectivePagination, page } from '#server/wire/pagination.ts';

/**
 * The caller's own mails about events in an organization. A row of preferences is what turns them on, and there is no
 * other switch in the contract: Update makes one, Delete removes it.
 */
export function emailService(app: App): ServiceImpl<typeof EmailNotificationPreferencesService> {
  return {
    async view(_request, context) {
      const caller = scope(context);
      const [row] = await app.db.orm.select().from(emailPreference).where(own(caller));
      return present(caller, row);
    },

    async update(request, context) {
      const caller = scope(context);
      const row = await app.db.transaction((tx) => changedPreferences(tx, caller, request, app.now()));
      return present(caller, row);
    },

    async delete(_request, context) {
      await app.db.orm.delete(emailPreference).where(own(scope(context)));
      return create(RemoveAllEmailNotificationPreferencesRequest_ResponseSchema);
    },

    /** Whose mails is not stated: the caller's own, as nobody else can be addressed. */
    async history(request, context) {
      const { organization, session } = scope(context);
      const asked = page(request.pagination);
      const whose = { organization, userId: session.user.id };
      const found = await mailHistory(app.db.orm, whose, request.selection, asked, app.now());
      return create(EmailNotificationHistoryRequest_ResponseSchema, {
        ...found,
        request: create(EmailNotificationHistoryRequestSchema, {
          ...request,
          organization,
          pagination: effectivePagination(asked),
        }),
      });
    },
  };
}

const own = ({ organization, session }: Scope) =>
  and(eq(emailPreference.organization, organization), eq(emailPreference.userId, session.user.id));

const everything = { include: [], exclude: [] };

/** Somebody without preferences gets no mails, which is what `active` tells. */
function present(
  { organization, session }: Scope,
  row: typeof emailPreference.$inferSelect | undefined,
): EmailNotificationPreferences {
  return create(EmailNotificationPreferencesSchema, {
    organization,
    userId: session.user.id,
    active: row?.active ?? false,
    enabledNotifications: row?.eventFilter ?? everything,
    filterModems: row?.deviceFilter ?? everything,
    filterTags: presentTagFilter(row?.tagFilter ?? everything),
    filterHealthLevels: row?.healthLevels ?? [],
  });
}
