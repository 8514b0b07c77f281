import { and, eq, isNull } from 'drizzle-orm';
import type { Tx } from '#server/db/database.ts';
import { accessRequest, invitation } from '#server/db/schema/membership-request.ts';
import { appUser, membership } from '#server/db/schema/user.ts';
import { recordEvents } from '#server/events/record.ts';
import { type Somebody, userAdded } from './events.ts';
import { addressKey } from './addresses.ts';

/**
 * Makes somebody a member, in whichever way they came: their request and their invitation are settled by it, and
 * without a default organization it becomes theirs. A member already stays as they are.
 */
export async function join(
  tx: Tx,
  organization: string,
  user: Somebody,
  roles: readonly string[],
  now: Date,
): Promise<void> {
  const added = await tx
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
  if (added.length > 0) await recordEvents(tx, [userAdded(organization, user, now)]);
}
