import { create } from '@bufbuild/protobuf';
import { and, asc, eq, gt, ilike } from 'drizzle-orm';

import {
  type InviteUserRequest,
  type ListInvitationsRequest,
  type ListInvitationsRequest_Response,
  ListInvitationsRequest_ResponseSchema,
} from '#proto/gen/hiber/user_pb.ts';
import type { App } from '#server/app/app.ts';
import { type RateLimit, countUse } from '#server/app/rate-limit.ts';
import type { Executor, Tx } from '#server/db/database.ts';
import { invitation, INVITATION_VALID_FOR_MS } from '#server/db/schema/membership-request.ts';
import { appUser, membership } from '#server/db/schema/user.ts';
import { recordEvents } from '#server/events/record.ts';
import { queueEmails } from '#server/mail/queue.ts';
import type { Scope } from '#server/session/scope.ts';
import { readEmailAddress } from '#server/wire/entered-text.ts';
import { alreadyExists } from '#server/wire/errors.ts';
import { substringPattern } from '#server/wire/text.ts';

import { addressKey, hasAddress } from './model/addresses.ts';
import { userInvited } from './model/events.ts';
import { callerName, loadMailContext } from './model/mail-context.ts';
import { invitationMail } from './model/mails.ts';
import { readGrantedRoles } from './model/role-grants.ts';
import { requireAllowedAddress, loadRules } from './model/sign-in-rules.ts';

export async function invite(app: App, caller: Scope, request: InviteUserRequest): Promise<void> {
  const email = readEmailAddress(request.email);
  const roles = readGrantedRoles(request.roles, caller, request.overrideAllowNoRoles);
  await app.db.transaction(async (tx) => {
    await requireNoMember(tx, caller.organization, email);
    requireAllowedAddress(await loadRules(tx, caller.organization), email);
    await storeInvitation(app, tx, caller, email, roles);
  });
}

/**
 * Requires that no member has the address.
 *
 * @throws ConnectError ALREADY_EXISTS
 */
export async function requireNoMember(orm: Executor, organization: string, email: string): Promise<void> {
  const [member] = await orm
    .select({ id: appUser.id })
    .from(membership)
    .innerJoin(appUser, eq(appUser.id, membership.userId))
    .where(and(eq(membership.organization, organization), hasAddress(email)));
  if (member !== undefined) throw alreadyExists(`${email} is already a member of "${organization}".`);
}

const HOUR = 3_600_000;
/** Limits emails per organization and address. */
const organizationMailLimit: RateLimit = { name: 'invitation-mail', burst: 1, intervalMs: HOUR };
/** Limits emails per address across all organizations to five in quick succession, and then one every four hours. */
const recipientMailLimit: RateLimit = { name: 'invitation-mail-to', burst: 5, intervalMs: 4 * HOUR };

/**
 * Stores and emails an invitation. Inviting again is always allowed (contract: Invite) and restarts the invitation with
 * the new roles. Only the email is rate-limited, because the recipient did not ask for it; a recipient with an account
 * also sees the invitation in the console.
 */
export async function storeInvitation(app: App, tx: Tx, caller: Scope, email: string, roles: string[]): Promise<void> {
  const now = app.now();
  const { organization } = caller;
  const row = {
    organization,
    email: addressKey(email),
    roles,
    invitedBy: caller.session.user.id,
    createdAt: now,
    expiresAt: new Date(now.getTime() + INVITATION_VALID_FOR_MS),
  };
  await tx
    .insert(invitation)
    .values(row)
    .onConflictDoUpdate({ target: [invitation.organization, invitation.email], set: row });
  await recordEvents(tx, [userInvited(organization, row.email, now)]);
  if ((await countUse(tx, organizationMailLimit, `${organization}/${row.email}`, now)) !== undefined) return;
  if ((await countUse(tx, recipientMailLimit, row.email, now)) !== undefined) return;
  await queueEmails(app, tx, [invitationMail(email, callerName(caller), await loadMailContext(app, tx, organization))]);
}

/** Lists the invitations that have not expired, sorted by address. */
export async function listInvitations(
  { db, now }: Pick<App, 'db' | 'now'>,
  { organization }: Scope,
  { search = '' }: ListInvitationsRequest,
): Promise<ListInvitationsRequest_Response> {
  const rows = await db.orm
    .select({ email: invitation.email })
    .from(invitation)
    .where(
      and(
        eq(invitation.organization, organization),
        gt(invitation.expiresAt, now()),
        search.trim() === '' ? undefined : ilike(invitation.email, substringPattern(search.trim())),
      ),
    )
    .orderBy(asc(invitation.email));
  return create(ListInvitationsRequest_ResponseSchema, { emails: rows.map((row) => row.email) });
}
