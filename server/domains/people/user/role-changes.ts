import { and, eq } from 'drizzle-orm';

import type { RemoveRoleOverride_Request, UpdateUserRoles_Request } from '#proto/gen/hiber/user_pb.ts';
import type { App } from '#server/app/app.ts';
import { anyOf } from '#server/db/any-of.ts';
import type { Tx } from '#server/db/database.ts';
import { membership, roleOverride } from '#server/db/schema/user.ts';
import { findRoles, difference } from '#server/domains/integrations/token/grants.ts';
import { requireGrantable } from '#server/domains/people/role/grantable.ts';
import { accessSubject, announceAccessChanged } from '#server/events/access.ts';
import type { Scope } from '#server/session/scope.ts';
import { invalidArgument } from '#server/wire/errors.ts';

import { ensureManagerRemains } from './model/managers.ts';
import { findMembers, lockMembers } from './model/members.ts';
import { noRolesError } from './model/role-grants.ts';

/**
 * Changes the roles of several members in a single transaction. The caller must hold every role that is added, but not
 * the roles that members already have. Also ends the members' role overrides.
 *
 * @throws ConnectError INVALID_ARGUMENT, NOT_FOUND, PERMISSION_DENIED for roles that the caller can't grant,
 *   FAILED_PRECONDITION if no administrator would remain
 */
export async function updateRoles(app: App, caller: Scope, request: UpdateUserRoles_Request): Promise<void> {
  const { organization } = caller;
  const applyChange = readRoleChange(request.update);
  await app.db.transaction((tx) =>
    ensureManagerRemains(tx, organization, async () => {
      for (const { membership: row } of await lockMembers(tx, organization, request.userIds)) {
        const roles = applyChange(row.roles);
        if (roles.length === 0 && !request.overrideAllowNoRoles) throw noRolesError();
        requireGrantable(findRoles(difference(roles, row.roles)), caller);
        await tx
          .update(membership)
          .set({ roles })
          .where(and(eq(membership.organization, organization), eq(membership.userId, row.userId)));
      }
      await endOverrides(tx, organization, request.userIds);
    }),
  );
}

/** Returns a function that maps a member's current roles to the new roles. Removals take precedence over additions. */
function readRoleChange({
  case: kind,
  value,
}: UpdateUserRoles_Request['update']): (roles: readonly string[]) => string[] {
  if (kind === 'modify') {
    const added = findRoles(value.add).map((role) => role.identifier);
    return (roles) => difference([...roles, ...added], value.remove);
  }
  if (kind === 'replace') {
    const replacement = findRoles(value.roles).map((role) => role.identifier);
    return () => replacement;
  }
  throw invalidArgument('Specify the roles to add and remove, or the new roles.');
}

export async function removeOverrides(app: App, caller: Scope, request: RemoveRoleOverride_Request): Promise<void> {
  await app.db.transaction(async (tx) => {
    await findMembers(tx, caller.organization, request.userIds);
    await endOverrides(tx, caller.organization, request.userIds);
  });
}

async function endOverrides(tx: Tx, organization: string, userIds: readonly string[]): Promise<void> {
  await tx
    .delete(roleOverride)
    .where(and(eq(roleOverride.organization, organization), anyOf(roleOverride.userId, [...userIds])));
  announceAccessChanged(tx, userIds.map(accessSubject.user));
}
