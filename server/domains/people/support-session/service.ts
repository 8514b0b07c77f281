import { create } from '@bufbuild/protobuf';

import { MAX_LENGTH } from '#commands/text/lengths.ts';
import {
  AllowChangesResponseSchema,
  BeginSupportSessionResponseSchema,
  EndSupportSessionResponseSchema,
  IssueCreationTokenResponseSchema,
  ListCallsResponseSchema,
  ListSupportSessionsResponseSchema,
  SupportService,
} from '#proto/gen/quarterdeck/support/v1/support_service_pb.ts';
import { service } from '#server/app/service.ts';
import { issueCreationToken } from '#server/domains/people/organization/creation-tokens.ts';
import { accessSubject, announceAccessChanged } from '#server/events/access.ts';
import { type Scope, scope, session } from '#server/session/scope.ts';
import {
  updateSupportSession,
  changeSupportSession,
  findOpenSupportSession,
  type SupportSession,
  SUPPORT_SESSION_MS,
} from '#server/session/support-sessions.ts';
import { readEmailAddress, readEnteredText } from '#server/wire/entered-text.ts';
import { notFound } from '#server/wire/errors.ts';
import { readPage, paginationResult } from '#server/wire/pagination.ts';
import { presentTimestamp } from '#server/wire/present.ts';

import { listCalls, listSupportSessions } from './list.ts';
import { presentCall, presentSupportSession } from './present.ts';

const MAX_REASON_LENGTH = MAX_LENGTH.supportReason;

const supportSessionKey = ({ organization, session: { user } }: Scope) => ({ organization, userId: user.id });

/** Reads the reason to store. Returns an empty object if the request has no reason, so the current reason is kept. */
function readReason({ reason }: { reason?: string }): { reason?: string } {
  const text = readEnteredText(reason ?? '', 'The reason', MAX_REASON_LENGTH);
  return text === '' ? {} : { reason: text };
}

export const supportService = service(SupportService, (app) => {
  const { db } = app;
  const loadPresented = async (supportSession: SupportSession) => {
    const selection = { supportSessionIds: [BigInt(supportSession.id)], onlyChanges: false };
    const { supportSessions } = await listSupportSessions(
      db.orm,
      supportSession.organization,
      selection,
      readPage(undefined),
    );
    return supportSessions.map(presentSupportSession)[0];
  };
  return {
    async beginSupportSession(request, context) {
      const caller = scope(context);
      if (!caller.isSupportAccess) return create(BeginSupportSessionResponseSchema);
      const now = app.now();
      const reason = readReason(request);
      const endsAt = new Date(now.getTime() + SUPPORT_SESSION_MS);
      const supportSession = await changeSupportSession(
        db,
        supportSessionKey(caller),
        () => ({ ...reason, endsAt }),
        now,
      );
      return create(BeginSupportSessionResponseSchema, { supportSession: await loadPresented(supportSession) });
    },

    async allowChanges(request, context) {
      const caller = scope(context);
      if (!caller.isSupportAccess) return create(AllowChangesResponseSchema);
      const now = app.now();
      const reason = readReason(request);
      const withChangesAllowed = ({ changesAllowedAt }: SupportSession) => ({
        ...reason,
        changesAllowedAt: changesAllowedAt ?? now,
      });
      const supportSession = await changeSupportSession(db, supportSessionKey(caller), withChangesAllowed, now);
      return create(AllowChangesResponseSchema, { supportSession: await loadPresented(supportSession) });
    },

    async endSupportSession(_request, context) {
      const now = app.now();
      const supportSession = await findOpenSupportSession(db.orm, supportSessionKey(scope(context)), now);
      if (supportSession !== undefined) {
        await db.transaction(async (tx) => {
          await updateSupportSession(tx, supportSession, { endsAt: now }, now);
          announceAccessChanged(tx, [accessSubject.supportSession(supportSession)]);
        });
      }
      return create(EndSupportSessionResponseSchema);
    },

    async listSupportSessions(request, context) {
      const caller = scope(context);
      if (request.allOrganizations) caller.require('CUSTOMER_SUPPORT');
      const requestedPage = readPage(request.pagination);
      const organization = request.allOrganizations ? undefined : caller.organization;
      const { total, supportSessions } = await listSupportSessions(db.orm, organization, request, requestedPage);
      return create(ListSupportSessionsResponseSchema, {
        supportSessions: supportSessions.map(presentSupportSession),
        pagination: paginationResult(requestedPage, total),
      });
    },

    async listCalls(request, context) {
      const { organization } = scope(context);
      const requestedPage = readPage(request.pagination);
      const selection = { supportSessionIds: [request.supportSessionId], onlyChanges: false };
      const { total: matchCount } = await listSupportSessions(db.orm, organization, selection, readPage(undefined));
      if (matchCount === 0)
        throw notFound(`"${organization}" has no support session with id ${request.supportSessionId}.`);
      const { total, calls } = await listCalls(db.orm, organization, Number(request.supportSessionId), requestedPage);
      return create(ListCallsResponseSchema, {
        calls: calls.map(presentCall),
        pagination: paginationResult(requestedPage, total),
      });
    },

    async issueCreationToken(request, context) {
      const { user } = session(context);
      const email = readEmailAddress(request.email);
      const { expiresAt } = await issueCreationToken(app, { email, issuedBy: user.id });
      return create(IssueCreationTokenResponseSchema, { expiresAt: presentTimestamp(expiresAt) });
    },
  };
});
