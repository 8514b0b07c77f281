import { and, eq } from 'drizzle-orm';
import type { RemoveRoleOverride_Request, UpdateUserRoles_Request } from '#proto/gen/hiber/user_pb.ts';
import { anyOf } from '#server/db/any-of.ts';
import type { App } from '#server/app/app.ts';
import type { Tx } from '#server/db/database.ts';
import { membership, roleOverride } from '#server/db/schema/user.ts';
import { rightsOf, tellRightsChanged } from '#server/events/rights.ts';
import type { Scope } from '#server/session/scope.ts';
import { requireGrantable } from '#server/domains/people/role/grantable.ts';
import { invalidArgument } from '#server/wire/errors.ts';
import { rolesNamed, without } from '#server/domains/integrations/token/grants.ts';
import { noRoles } from './model/role-grants.ts';
import { keepingAManager } from './model/managers.ts';
import { membersForUpdate, membersNamed } from './model/members.ts';

/**
 * Changes the roles of several members, all or none. Only what is added is given by the caller, so that roles beyond
 * theirs can stay. Whoever's roles change stops trying out others.
 *
 * @throws ConnectError INVALID_ARGUMENT, NOT_FOUND, PERMISSION_DENIED for roles that the caller may not give,
 *   FAILED_PRECONDITION when it would leave no administrator
 */
export async function updateRoles(app: App, caller: Scope, request: UpdateUserRoles_Request): Promise<void> {
  const { organization } = caller;
  const next = changeOf(request.update);
  await app.db.transaction((tx) =>
    keepingAManager(tx, organization, async () => {
      for (const { membership: row } of await membersForUpdate(tx, organization, request.userIds)) {
        const roles = next(row.roles);
        if (roles.length === 0 && !request.overrideAllowNoRoles) throw noRoles();
        requireGrantable(rolesNamed(without(roles, row.roles)), caller);
        await tx
          .update(membership)
          .set({ roles })
          .where(and(eq(membership.organization, organization), eq(membership.userId, row.userId)));
      }
      await endOverrides(tx, organization, request.userIds);
    }),
  );
}

/** @returns what becomes of somebody's roles; removing beats adding */
function changeOf({ case: kind, value }: UpdateUserRoles_Request['update']): (roles: readonly string[]) => string[] {
  if (kind === 'modify') {
    const added = rolesNamed(value.add).map((role) => role.identifier);
    return (roles) => without([...roles, ...added], value.remove);
  }
  if (kind === 'replace') {
    const replacement = rolesNamed(value.roles).map((role) => role.identifier);
    return () => replacement;
  }
  throw invalidArgument('Say which roles to modify, or by which to replace them.');
}

export async function removeOverrides(app: App, caller: Scope, request: RemoveRoleOverride_Request): Promise<void> {
  await app.db.transaction(async (tx) => {
    await membersNamed(tx, caller.organization, request.userIds);
    await endOverrides(tx, caller.organization, request.userIds);
  });
}

async function endOverrides(tx: Tx, organization: string, userIds: readonly string[]): Promise<void> {
  await tx
    .delete(roleOverride)
    .where(and(eq(roleOverride.organization, organization), anyOf(roleOverride.userId, [...userIds])));
  tellRightsChanged(tx, userIds.map(rightsOf.user));
}
