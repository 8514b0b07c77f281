import { eq } from 'drizzle-orm';
import type { Tx } from '#server/db/database.ts';
import type { invitation } from '#server/db/schema/membership-request.ts';
import { membership } from '#server/db/schema/user.ts';
import { findRole, supportPermissionsOfRoles } from '#server/policies/roles.ts';
import { heldWhole } from '#server/domains/people/role/grantable.ts';
import { failedPrecondition } from '#server/wire/errors.ts';
import { ownerAsParty } from '#server/domains/integrations/token/owner.ts';

type Invitation = Pick<typeof invitation.$inferSelect, 'organization' | 'invitedBy' | 'roles'>;

/**
 * An invitation is given when it is accepted: one of an administrator who was removed or holds less since gives
 * nothing, or they would come back by an address that they invited in time (what becomes of it is not stated).
 *
 * @throws ConnectError FAILED_PRECONDITION
 */
export async function requireStillGiven(tx: Tx, { organization, invitedBy, roles }: Invitation): Promise<void> {
  const given = roles.flatMap((identifier) => findRole(identifier) ?? []);
  const inviter = await ownerAsParty(tx, organization, invitedBy);
  if (inviter !== undefined && given.every((role) => heldWhole(role, inviter.can))) return;
  if (given.every((role) => role.supportPermissions.length === 0) && (await isStaff(tx, invitedBy))) return;
  throw failedPrecondition(
    `Whoever invited you to "${organization}" may not do so any more: ask its administrators to invite you again.`,
  );
}

/** Of the operator's, who may let people into every organization. */
async function isStaff(tx: Tx, userId: string): Promise<boolean> {
  const rows = await tx.select({ roles: membership.roles }).from(membership).where(eq(membership.userId, userId));
  return supportPermissionsOfRoles(rows.flatMap((row) => row.roles)).has('CUSTOMER_SUPPORT');
}
