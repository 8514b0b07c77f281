import { Code, ConnectError, createContextKey, type HandlerContext } from '@connectrpc/connect';

import type {
  OrganizationPermissionName,
  PermissionName,
  SupportPermissionName,
  UserPermissionName,
} from '#server/policies/permissions.ts';

import type { Access } from './access.ts';
import type { Session } from './session.ts';

/** The access of one call: the caller, the organization, and their permissions there. */
export interface Scope {
  readonly session: Session;
  /** The identifier of the organization that the call acts in; every query in the call is limited to it. */
  readonly organization: string;
  /** True if the caller acts through customer support alone, which requires a support session. */
  readonly isSupportAccess: boolean;
  /** Identifiers of the roles held in the organization. */
  readonly roles: readonly string[];
  readonly organizationPermissions: ReadonlySet<OrganizationPermissionName>;
  readonly userPermissions: ReadonlySet<UserPermissionName>;
  readonly supportPermissions: ReadonlySet<SupportPermissionName>;
  can(permission: PermissionName): boolean;
  /**
   * Requires a permission.
   *
   * @throws ConnectError PERMISSION_DENIED, naming the permission and the organization
   */
  require(permission: PermissionName): void;
  /** True if the call also covers devices whose lifecycle is hidden from customers. */
  readonly allLifecycles: boolean;
}

export const sessionKey = createContextKey<Session | undefined>(undefined, { description: 'session' });
export const scopeKey = createContextKey<Scope | undefined>(undefined, { description: 'scope' });

/** Returns the session of the caller, for the few rpcs that concern the caller rather than an organization. */
export function session(context: HandlerContext): Session {
  const value = context.values.get(sessionKey);
  if (value === undefined) throw new Error(`${context.method.name} was called without a session.`);
  return value;
}

/** Returns the scope of the call; the policy has already been checked. */
export function scope(context: HandlerContext): Scope {
  const value = context.values.get(scopeKey);
  if (value === undefined) throw new Error(`${context.method.name} was called without an organization.`);
  return value;
}

/** Like `scope`, for calls whose caller may have no membership. */
export const scopeIfAny = (context: HandlerContext): Scope | undefined => context.values.get(scopeKey);

export function permissionDenied(permission: PermissionName, organization: string | undefined): ConnectError {
  const suffix = organization === undefined ? '' : ` in organization "${organization}"`;
  return new ConnectError(`You need the ${permission} permission${suffix} to do this.`, Code.PermissionDenied);
}

export function createScope(session: Session, organization: string, access: Access): Scope {
  const { userPermissions, supportPermissions } = session;
  const can = (permission: PermissionName): boolean =>
    (access.permissions as ReadonlySet<string>).has(permission) ||
    (userPermissions as ReadonlySet<string>).has(permission) ||
    (supportPermissions as ReadonlySet<string>).has(permission);
  return {
    session,
    organization,
    isSupportAccess: access.isSupportAccess,
    roles: access.roles,
    organizationPermissions: access.permissions,
    userPermissions,
    supportPermissions,
    can,
    require(permission) {
      if (!can(permission)) throw permissionDenied(permission, organization);
    },
    allLifecycles: supportPermissions.has('DEVICE_VIEW_ALL_LIFECYCLES'),
  };
}
