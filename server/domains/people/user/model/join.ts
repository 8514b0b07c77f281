import { and, eq, isNull } from 'drizzle-orm';

import type { Tx } from '#server/db/database.ts';
import { accessRequest, invitation } from '#server/db/schema/membership-request.ts';
import { appUser, membership } from '#server/db/schema/user.ts';
import { recordEvents } from '#server/events/record.ts';

import { addressKey } from './addresses.ts';
import { type PersonRef, userAdded } from './events.ts';

/**
 * Makes a person a member, deletes their access request and invitation, and makes the organization their default if
 * they have none. Leaves an existing membership unchanged.
 */
export async function join(
  tx: Tx,
  organization: string,
  user: PersonRef,
  roles: readonly string[],
  now: Date,
): Promise<void> {
  const insertedRows = await tx
    .insert(membership)
    .values({ organization, userId: user.id, roles: [...roles], createdAt: now })
    .onConflictDoNothing()
    .returning();
  await tx
    .delete(accessRequest)
    .where(and(eq(accessRequest.organization, organization), eq(accessRequest.userId, user.id)));
  await tx
    .delete(invitation)
    .where(and(eq(invitation.organization, organization), eq(invitation.email, addressKey(user.email))));
  await tx
    .update(appUser)
    .set({ defaultOrganization: organization })
    .where(and(eq(appUser.id, user.id), isNull(appUser.defaultOrganization)));
  if (insertedRows.length > 0) await recordEvents(tx, [userAdded(organization, user, now)]);
}
