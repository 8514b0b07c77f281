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
import { anyOf } from '#server/db/any-of.ts';
import type { App } from '#server/app/app.ts';
import type { Executor } from '#server/db/database.ts';
import { organization } from '#server/db/schema/organization.ts';
import { roleOverride } from '#server/db/schema/user.ts';
import { rightsOf, tellRightsChanged } from '#server/events/rights.ts';
import { permissionsOfRoles, type Role, roles, supportPermissionsOfRoles } from '#server/policies/roles.ts';
import { resolveScope } from '#server/session/resolve.ts';
import { type Scope, scope, session } from '#server/session/scope.ts';
import type { Session } from '#server/session/session.ts';
import { currentUser } from './current.ts';
import { failedPrecondition, invalidArgument } from '#server/wire/errors.ts';
import { rolesNamed } from '#server/domains/integrations/token/grants.ts';
import { heldWhole } from '#server/domains/people/role/grantable.ts';
import { selectedRole } from '#server/domains/people/role/selection.ts';

/** Trying roles out, and back: the same two rpcs in CurrentUserService and RoleService. */
export function roleOverrides(app: App) {
  /** The caller as the next call will find them. */
  const as = async (caller: Session, overrides: Session['overrides'], organizationId: string | undefined) => {
    const changed = { ...caller, overrides };
    return currentUser(app.db.orm, changed, await resolveScope(app, changed, organizationId));
  };
  return {
    async override(request: OverrideRoles_Request, context: HandlerContext): Promise<OverrideRoles_Response> {
      const caller = scope(context);
      const { user, overrides } = caller.session;
      const tried = rolesToTry(await ownRoles(app.db.orm, caller), request.selection).map((role) => role.identifier);
      const row = { organization: caller.organization, userId: user.id, roles: tried, createdAt: app.now() };
      await app.db.transaction(async (tx) => {
        await tx
          .insert(roleOverride)
          .values(row)
          .onConflictDoUpdate({ target: [roleOverride.organization, roleOverride.userId], set: row });
        tellRightsChanged(tx, [rightsOf.user(user.id)]);
      });
      const following = new Map([...overrides, [caller.organization, tried]]);
      return create(OverrideRoles_ResponseSchema, {
        currentUser: await as(caller.session, following, caller.organization),
        request: create(OverrideRoles_RequestSchema, { ...request, organization: caller.organization }),
      });
    },

    async restore(
      request: OverrideRoles_Restore_Request,
      context: HandlerContext,
    ): Promise<OverrideRoles_Restore_Response> {
      const caller = session(context);
      const ended = request.organization;
      const which = ended.length === 0 ? undefined : anyOf(roleOverride.organization, ended);
      await app.db.transaction(async (tx) => {
        await tx.delete(roleOverride).where(and(eq(roleOverride.userId, caller.user.id), which));
        tellRightsChanged(tx, [rightsOf.user(caller.user.id)]);
      });
      const left = [...caller.overrides].filter(([id]) => ended.length > 0 && !ended.includes(id));
      return create(OverrideRoles_Restore_ResponseSchema, {
        currentUser: await as(caller, new Map(left), undefined),
        request,
      });
    },
  };
}

/**
 * The roles that the caller holds without any override: what may be tried out is weighed against these, so that
 * somebody who tries out one role can go on to another without restoring in between.
 */
async function ownRoles(orm: Executor, { session: { memberships }, organization: id }: Scope): Promise<string[]> {
  const [row] = await orm.select({ path: organization.path }).from(organization).where(eq(organization.id, id));
  const through = memberships.filter(
    (membership) => membership.barred === undefined && row?.path.includes(membership.organization),
  );
  // Support staff act for others with all that support may do; what they try out, they try out at home.
  if (through.length === 0) throw failedPrecondition('Roles are tried out in an organization that you belong to.');
  return through.flatMap((membership) => membership.roles);
}

/**
 * No selection means all roles (contract: OverrideRoles): all that the caller could be given, as a role beyond their
 * own is never tried out.
 */
function rolesToTry(own: readonly string[], selection: RoleSelection | undefined): Role[] {
  const held: ReadonlySet<string> = new Set([...permissionsOfRoles(own), ...supportPermissionsOfRoles(own)]);
  const within = (role: Role) => heldWhole(role, (permission) => held.has(permission));
  const beyond = rolesNamed(selection?.roles?.include ?? []).find((role) => !within(role));
  if (beyond !== undefined) {
    throw new ConnectError(
      `You cannot try out the role "${beyond.identifier}": it holds more than you do.`,
      Code.PermissionDenied,
    );
  }
  const chosen = roles.filter((role) => within(role) && selectedRole(role, selection));
  if (chosen.length === 0) throw invalidArgument('No role that you may try out is selected: name at least one.');
  return chosen;
}
