import { eq } from 'drizzle-orm';

import type { Tx } from '#server/db/database.ts';
import type { invitation } from '#server/db/schema/membership-request.ts';
import { membership } from '#server/db/schema/user.ts';
import { loadOwner } from '#server/domains/integrations/token/owner.ts';
import { coversRole } from '#server/domains/people/role/grantable.ts';
import { findRole, supportPermissionsOfRoles } from '#server/policies/roles.ts';
import { failedPrecondition } from '#server/wire/errors.ts';

type Invitation = Pick<typeof invitation.$inferSelect, 'organization' | 'invitedBy' | 'roles'>;

/**
 * Checks, when an invitation is accepted, that the inviter could still grant its roles (not specified in the contract).
 * Otherwise, a removed or demoted administrator could return through an address they invited earlier.
 *
 * @throws ConnectError FAILED_PRECONDITION
 */
export async function requireInviterPermissions(tx: Tx, { organization, invitedBy, roles }: Invitation): Promise<void> {
  const invitedRoles = roles.flatMap((identifier) => findRole(identifier) ?? []);
  const inviter = await loadOwner(tx, organization, invitedBy);
  if (inviter !== undefined && invitedRoles.every((role) => coversRole(role, inviter.can))) return;
  if (invitedRoles.every((role) => role.supportPermissions.length === 0) && (await isStaff(tx, invitedBy))) return;
  throw failedPrecondition(
    `The person who invited you can no longer grant the roles in your invitation. Ask an administrator of "${organization}" to invite you again.`,
  );
}

/** True for support staff, who can admit people to every organization. */
async function isStaff(tx: Tx, userId: string): Promise<boolean> {
  const rows = await tx.select({ roles: membership.roles }).from(membership).where(eq(membership.userId, userId));
  return supportPermissionsOfRoles(rows.flatMap((row) => row.roles)).has('CUSTOMER_SUPPORT');
}
