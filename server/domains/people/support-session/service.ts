import { LONGEST } from '#commands/text/lengths.ts';
import { create } from '@bufbuild/protobuf';
import type { ServiceImpl } from '@connectrpc/connect';
import {
  AllowChangesResponseSchema,
  BeginVisitResponseSchema,
  EndVisitResponseSchema,
  IssueCreationTokenResponseSchema,
  ListCallsResponseSchema,
  ListVisitsResponseSchema,
  type SupportService,
} from '#proto/gen/quarterdeck/support/v1/support_service_pb.ts';
import type { App } from '#server/app/app.ts';
import { rightsOf, tellRightsChanged } from '#server/events/rights.ts';
import { type Scope, scope, session } from '#server/session/scope.ts';
import { changeVisit, openOrBegin, openVisit, type Visit, VISIT_MS } from '#server/session/visits.ts';
import { issueCreationToken } from '#server/domains/people/organization/creation-tokens.ts';
import { emailAddress, storedText } from '#server/wire/entered-text.ts';
import { notFound } from '#server/wire/errors.ts';
import { page, paginationResult } from '#server/wire/pagination.ts';
import { presentTimestamp } from '#server/wire/present.ts';
import { listCalls, listVisits } from './list.ts';
import { presentCall, presentVisit } from './present.ts';

const longestReason = LONGEST.supportReason;

const visitorIn = ({ organization, session: { user } }: Scope) => ({ organization, userId: user.id });

/** A reason that is given replaces the former one. */
function reasonIn({ reason }: { reason?: string }): { reason?: string } {
  const text = storedText(reason ?? '', 'The reason', longestReason);
  return text === '' ? {} : { reason: text };
}

export function supportService(app: App): ServiceImpl<typeof SupportService> {
  const { db } = app;
  const present = async (visit: Visit) => {
    const selection = { visitIds: [BigInt(visit.id)], onlyChanges: false };
    const { visits } = await listVisits(db.orm, visit.organization, selection, page(undefined));
    return visits.map(presentVisit)[0];
  };
  return {
    async beginVisit(request, context) {
      const caller = scope(context);
      if (!caller.supporting) return create(BeginVisitResponseSchema);
      const now = app.now();
      const reason = reasonIn(request);
      const visit = await openOrBegin(db, visitorIn(caller), now);
      const renewed = await changeVisit(db.orm, visit, { ...reason, endsAt: new Date(now.getTime() + VISIT_MS) });
      return create(BeginVisitResponseSchema, { visit: await present(renewed) });
    },

    async allowChanges(request, context) {
      const caller = scope(context);
      if (!caller.supporting) return create(AllowChangesResponseSchema);
      const now = app.now();
      const reason = reasonIn(request);
      const visit = await openOrBegin(db, visitorIn(caller), now);
      const allowed = await changeVisit(db.orm, visit, { ...reason, changesAllowedAt: visit.changesAllowedAt ?? now });
      return create(AllowChangesResponseSchema, { visit: await present(allowed) });
    },

    async endVisit(_request, context) {
      const now = app.now();
      const visit = await openVisit(db.orm, visitorIn(scope(context)), now);
      if (visit !== undefined) {
        await db.transaction(async (tx) => {
          await changeVisit(tx, visit, { endsAt: now });
          tellRightsChanged(tx, [rightsOf.supportSession(visit)]);
        });
      }
      return create(EndVisitResponseSchema);
    },

    async listVisits(request, context) {
      const caller = scope(context);
      if (request.allOrganizations) caller.require('CUSTOMER_SUPPORT');
      const asked = page(request.pagination);
      const organization = request.allOrganizations ? undefined : caller.organization;
      const { total, visits } = await listVisits(db.orm, organization, request, asked);
      return create(ListVisitsResponseSchema, {
        visits: visits.map(presentVisit),
        pagination: paginationResult(asked, total),
      });
    },

    async listCalls(request, context) {
      const { organization } = scope(context);
      const asked = page(request.pagination);
      const selection = { visitIds: [request.visitId], onlyChanges: false };
      const { total: known } = await listVisits(db.orm, organization, selection, page(undefined));
      if (known === 0) throw notFound(`There is no visit ${request.visitId} to "${organization}".`);
      const { total, calls } = await listCalls(db.orm, organization, Number(request.visitId), asked);
      return create(ListCallsResponseSchema, {
        calls: calls.map(presentCall),
        pagination: paginationResult(asked, total),
      });
    },

    async issueCreationToken(request, context) {
      const { user } = session(context);
      const email = emailAddress(request.email);
      const { expiresAt } = await issueCreationToken(app, { email, issuedBy: user.id });
      return create(IssueCreationTokenResponseSchema, { expiresAt: presentTimestamp(expiresAt) });
    },
  };
}
