import { Code, ConnectError, createContextKey, type HandlerContext } from '@connectrpc/connect';
import type {
  OrganizationPermissionName,
  PermissionName,
  SupportPermissionName,
  UserPermissionName,
} from '#server/policies/permissions.ts';
import type { Access } from './access.ts';
import type { Session } from './session.ts';

/** One call's rights: who is calling, in which organization, and what they may do there. */
export interface Scope {
  readonly session: Session;
  /** Identifier of the organization that the call acts in; every query of the call is about this one. */
  readonly organization: string;
  /** The caller acts by customer support alone, and so within a visit. */
  readonly supporting: boolean;
  /** Role identifiers held in it. */
  readonly roles: readonly string[];
  readonly organizationPermissions: ReadonlySet<OrganizationPermissionName>;
  readonly userPermissions: ReadonlySet<UserPermissionName>;
  readonly supportPermissions: ReadonlySet<SupportPermissionName>;
  can(permission: PermissionName): boolean;
  /** @throws ConnectError PERMISSION_DENIED, naming the permission and the organization */
  require(permission: PermissionName): void;
  /** Devices in lifecycles that are hidden from customers are included. */
  readonly allLifecycles: boolean;
}

export const sessionKey = createContextKey<Session | undefined>(undefined, { description: 'session' });
export const scopeKey = createContextKey<Scope | undefined>(undefined, { description: 'scope' });

/** Who is calling. For the few rpcs that are about the caller rather than about an organization. */
export function session(context: HandlerContext): Session {
  const found = context.values.get(sessionKey);
  if (found === undefined) throw new Error(`${context.method.name} was called without a session.`);
  return found;
}

/** The scope of the call; the policy has already been checked. */
export function scope(context: HandlerContext): Scope {
  const found = context.values.get(scopeKey);
  if (found === undefined) throw new Error(`${context.method.name} was called without an organization.`);
  return found;
}

/** As `scope`, where the caller may be a member of nothing. */
export const scopeIfAny = (context: HandlerContext): Scope | undefined => context.values.get(scopeKey);

export function permissionDenied(permission: PermissionName, organization: string | undefined): ConnectError {
  const where = organization === undefined ? '' : ` in organization "${organization}"`;
  return new ConnectError(
    `This needs the permission ${permission}${where}, which you do not hold.`,
    Code.PermissionDenied,
  );
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
    supporting: access.supporting,
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
