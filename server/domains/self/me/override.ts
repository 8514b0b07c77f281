import { create } from '@bufbuild/protobuf';
import { Code, ConnectError, type HandlerContext } from '@connectrpc/connect';
import { and, eq } from 'drizzle-orm';

import {
  type OverrideRoles_Request,
  OverrideRoles_RequestSchema,
  type OverrideRoles_Response,
  OverrideRoles_ResponseSchema,
  type OverrideRoles_Restore_Request,
  type OverrideRoles_Restore_Response,
  OverrideRoles_Restore_ResponseSchema,
} from '#proto/gen/hiber/current_user_pb.ts';
import type { RoleSelection } from '#proto/gen/hiber/role_pb.ts';
import type { App } from '#server/app/app.ts';
import { anyOf } from '#server/db/any-of.ts';
import type { Executor } from '#server/db/database.ts';
import { organization } from '#server/db/schema/organization.ts';
import { roleOverride } from '#server/db/schema/user.ts';
import { findRoles } from '#server/domains/integrations/token/grants.ts';
import { coversRole } from '#server/domains/people/role/grantable.ts';
import { isSelected } from '#server/domains/people/role/selection.ts';
import { accessSubject, announceAccessChanged } from '#server/events/access.ts';
import { permissionsOfRoles, type Role, roles, supportPermissionsOfRoles } from '#server/policies/roles.ts';
import { resolveScope } from '#server/session/resolve.ts';
import { type Scope, scope, session } from '#server/session/scope.ts';
import type { Session } from '#server/session/session.ts';
import { failedPrecondition, invalidArgument } from '#server/wire/errors.ts';

import { loadCurrentUser } from './current.ts';

/** Returns the handlers that set and remove role overrides, shared by CurrentUserService and RoleService. */
export function roleOverrides(app: App) {
  /** Presents the caller with the given overrides, as in the response to their next call. */
  const userWithOverrides = async (
    caller: Session,
    overrides: Session['overrides'],
    organizationId: string | undefined,
  ) => {
    const newSession = { ...caller, overrides };
    return loadCurrentUser(app.db.orm, newSession, await resolveScope(app, newSession, organizationId));
  };
  return {
    async override(request: OverrideRoles_Request, context: HandlerContext): Promise<OverrideRoles_Response> {
      const caller = scope(context);
      const { user, overrides } = caller.session;
      const identifiers = selectedRoles(await findOwnRoles(app.db.orm, caller), request.selection).map(
        (role) => role.identifier,
      );
      const row = { organization: caller.organization, userId: user.id, roles: identifiers, createdAt: app.now() };
      await app.db.transaction(async (tx) => {
        await tx
          .insert(roleOverride)
          .values(row)
          .onConflictDoUpdate({ target: [roleOverride.organization, roleOverride.userId], set: row });
        announceAccessChanged(tx, [accessSubject.user(user.id)]);
      });
      const newOverrides = new Map([...overrides, [caller.organization, identifiers]]);
      return create(OverrideRoles_ResponseSchema, {
        currentUser: await userWithOverrides(caller.session, newOverrides, caller.organization),
        request: create(OverrideRoles_RequestSchema, { ...request, organization: caller.organization }),
      });
    },

    async restore(
      request: OverrideRoles_Restore_Request,
      context: HandlerContext,
    ): Promise<OverrideRoles_Restore_Response> {
      const caller = session(context);
      const { organization: ids } = request;
      const inOrganizations = ids.length === 0 ? undefined : anyOf(roleOverride.organization, ids);
      await app.db.transaction(async (tx) => {
        await tx.delete(roleOverride).where(and(eq(roleOverride.userId, caller.user.id), inOrganizations));
        announceAccessChanged(tx, [accessSubject.user(caller.user.id)]);
      });
      const remainingOverrides = [...caller.overrides].filter(([id]) => ids.length > 0 && !ids.includes(id));
      return create(OverrideRoles_Restore_ResponseSchema, {
        currentUser: await userWithOverrides(caller, new Map(remainingOverrides), undefined),
        request,
      });
    },
  };
}

/**
 * Loads the caller's own roles, regardless of overrides. Checking new overrides against these lets the caller switch
 * from one role to another without restoring in between.
 */
async function findOwnRoles(orm: Executor, { session: { memberships }, organization: id }: Scope): Promise<string[]> {
  const [row] = await orm.select({ path: organization.path }).from(organization).where(eq(organization.id, id));
  const applicableMemberships = memberships.filter(
    (membership) => membership.blockedReason === undefined && row?.path.includes(membership.organization),
  );
  // Support staff act for customers with all support permissions, so they can override roles only in their own
  // organization.
  if (applicableMemberships.length === 0)
    throw failedPrecondition('You can try out roles only in an organization that you belong to.');
  return applicableMemberships.flatMap((membership) => membership.roles);
}

/**
 * Returns the selected roles (by default, all roles) that the caller has all permissions for (contract: OverrideRoles).
 * Nobody can try out a role with a permission they don't have.
 */
function selectedRoles(ownIdentifiers: readonly string[], selection: RoleSelection | undefined): Role[] {
  const permissions: ReadonlySet<string> = new Set([
    ...permissionsOfRoles(ownIdentifiers),
    ...supportPermissionsOfRoles(ownIdentifiers),
  ]);
  const holds = (role: Role) => coversRole(role, (permission) => permissions.has(permission));
  const roleNotHeld = findRoles(selection?.roles?.include ?? []).find((role) => !holds(role));
  if (roleNotHeld !== undefined) {
    throw new ConnectError(
      `You can't try out the role "${roleNotHeld.identifier}", because it has permissions you don't have.`,
      Code.PermissionDenied,
    );
  }
  const matchingRoles = roles.filter((role) => holds(role) && isSelected(role, selection));
  if (matchingRoles.length === 0) throw invalidArgument('Select at least one role that you can try out.');
  return matchingRoles;
}
