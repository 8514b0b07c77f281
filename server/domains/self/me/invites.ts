import { create } from '@bufbuild/protobuf';
import { and, asc, eq, gt, type SQL } from 'drizzle-orm';

import {
  type AcceptOrganizationInviteRequest,
  type ListOrganizationInvitesRequest,
  ListOrganizationInvitesRequest_InviteSchema,
  type ListOrganizationInvitesRequest_Response,
  ListOrganizationInvitesRequest_ResponseSchema,
} from '#proto/gen/hiber/current_user_pb.ts';
import type { App } from '#server/app/app.ts';
import { naturalOrder } from '#server/db/schema/columns.ts';
import { invitation } from '#server/db/schema/membership-request.ts';
import { organization } from '#server/db/schema/organization.ts';
import { appUser } from '#server/db/schema/user.ts';
import { matchesOrganization } from '#server/domains/people/organization/selection.ts';
import { addressKey } from '#server/domains/people/user/model/addresses.ts';
import { requireInviterPermissions } from '#server/domains/people/user/model/inviter-permissions.ts';
import { join } from '#server/domains/people/user/model/join.ts';
import { loadRules } from '#server/domains/people/user/model/sign-in-rules.ts';
import type { Session } from '#server/session/session.ts';
import { findBrokenRule } from '#server/session/sign-in-rules.ts';
import { failedPrecondition, notFound } from '#server/wire/errors.ts';
import { presentTimestamp } from '#server/wire/present.ts';

/** Matches invitations to the caller's address that can still be accepted. */
const isAcceptable = ({ user }: Session, now: Date): SQL | undefined =>
  and(eq(invitation.email, addressKey(user.email)), gt(invitation.expiresAt, now));

/** Lists the caller's invitations. Lists none for an unverified address, which may belong to someone else. */
export async function listInvites(
  { db, now }: Pick<App, 'db' | 'now'>,
  session: Session,
  { search = '' }: ListOrganizationInvitesRequest,
): Promise<ListOrganizationInvitesRequest_Response> {
  if (!session.user.emailVerified) return create(ListOrganizationInvitesRequest_ResponseSchema);
  const rows = await db.orm
    .select({ id: organization.id, displayName: organization.displayName, invitedAt: invitation.createdAt })
    .from(invitation)
    .innerJoin(organization, eq(organization.id, invitation.organization))
    .where(and(isAcceptable(session, now()), matchesOrganization(search)))
    .orderBy(asc(naturalOrder(organization.displayName)), asc(organization.id));
  return create(ListOrganizationInvitesRequest_ResponseSchema, {
    organizations: rows.map(({ id, displayName, invitedAt }) =>
      create(ListOrganizationInvitesRequest_InviteSchema, {
        organization: id,
        displayName,
        invitedAt: presentTimestamp(invitedAt),
      }),
    ),
  });
}

/**
 * Joins the organization with the invitation's roles.
 *
 * @throws ConnectError FAILED_PRECONDITION if the address is not verified, the sign-in breaks a rule of the
 *   organization, or the inviter can no longer grant the roles; NOT_FOUND for an invitation that has expired or is for
 *   another address
 */
export async function acceptInvite(
  app: App,
  session: Session,
  request: AcceptOrganizationInviteRequest,
): Promise<void> {
  const { user, signIn } = session;
  if (!user.emailVerified) {
    throw failedPrecondition(
      `Verify your email address ${user.email} first. Only its owner can accept the invitation.`,
    );
  }
  const id = request.organization.trim().toLowerCase();
  await app.db.transaction(async (tx) => {
    const [pending] = await tx
      .select()
      .from(invitation)
      .where(and(eq(invitation.organization, id), isAcceptable(session, app.now())))
      .for('update');
    if (pending === undefined) {
      throw notFound(
        `No invitation to "${id}" was found for ${user.email}, or it has expired. Ask to be invited again.`,
      );
    }
    const { email, emailVerified } = user;
    const violation = findBrokenRule(await loadRules(tx, id), { email, emailVerified, provider: signIn?.provider });
    if (violation !== undefined) throw failedPrecondition(violation);
    await requireInviterPermissions(tx, pending);
    await join(tx, id, user, pending.roles, app.now());
    if (request.defaultOrganization === true) {
      await tx.update(appUser).set({ defaultOrganization: id }).where(eq(appUser.id, user.id));
    }
  });
}
