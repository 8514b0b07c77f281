import { OrganizationPermission, SupportPermission, UserPermission } from '#proto/gen/hiber/permission_pb.ts';

export type OrganizationPermissionName = keyof typeof OrganizationPermission;
export type UserPermissionName = keyof typeof UserPermission;
export type SupportPermissionName = keyof typeof SupportPermission;
/** No name occurs in more than one of the three kinds, so the name alone determines the kind. */
export type PermissionName = OrganizationPermissionName | UserPermissionName | SupportPermissionName;

/** Deprecated duplicates of PROCESS_POINTS…, which nobody holds and no policy requires. */
const DEPRECATED_PERMISSIONS: ReadonlySet<OrganizationPermissionName> = new Set([
  'ASSETS',
  'ASSETS_UPDATE',
  'ASSETS_VALUES',
]);

/** Stands for membership itself. Every member has it, and it is never granted, so no role or token includes it. */
const MEMBERSHIP = 'PERMISSION_DEFAULT';

const keysOf = <K extends string>(names: Record<K, number>) => Object.keys(names) as K[];

export const organizationPermissionNames: readonly OrganizationPermissionName[] = keysOf(OrganizationPermission).filter(
  (name) => name !== MEMBERSHIP && !DEPRECATED_PERMISSIONS.has(name),
);
export const userPermissionNames: readonly UserPermissionName[] = keysOf(UserPermission);
export const supportPermissionNames: readonly SupportPermissionName[] = keysOf(SupportPermission);

/** The complete list of the permissions that each permission includes (contract: Permissions). */
const INCLUDED_PERMISSIONS: Partial<Record<PermissionName, readonly PermissionName[]>> = {
  PROCESS_POINTS_UPDATE: ['PROCESS_POINTS'],
  MODEMS_CREATE: ['MODEMS'],
  MODEMS_UPDATE: ['MODEMS'],
  MODEMS_LICENSE_KEYS: ['MODEMS'],
  MODEMS_MESSAGE_BODY_PARSERS: ['MODEMS'],
  MODEMS_SECURE_NOTES: ['MODEMS'],
  MODEMS_ALARMS: ['MODEMS'],
  MODEMS_ALARMS_UPDATE: ['MODEMS'],
  USERS_MANAGE: ['USERS'],
  CERTIFICATES_MANAGE: ['CERTIFICATES'],
  FILES_UPLOAD: ['FILES'],
  UPDATE: ['READ'],
  DELETE: ['READ'],
};

/** Returns the named permissions and all permissions that they include. */
export function withIncluded<P extends PermissionName>(names: Iterable<P>): ReadonlySet<P> {
  const result = new Set<P>(names);
  // Iterating a set also visits entries added in the process, which makes this transitive.
  for (const name of result) for (const includedName of INCLUDED_PERMISSIONS[name] ?? []) result.add(includedName as P);
  return result;
}

const namesByNumber = <K extends string>(values: Record<K, number>): ReadonlyMap<number, K> =>
  new Map(keysOf(values).map((name) => [values[name], name]));

const organizationNames = namesByNumber(OrganizationPermission);
const userNames = namesByNumber(UserPermission);

/**
 * Returns the names of stored or received enum numbers. Omits numbers from a newer contract, and permissions that
 * nobody can hold.
 */
export const organizationPermissionsOf = (numbers: Iterable<number>): OrganizationPermissionName[] =>
  [...numbers].flatMap((number) => {
    const name = organizationNames.get(number);
    return name === undefined || name === MEMBERSHIP || DEPRECATED_PERMISSIONS.has(name) ? [] : [name];
  });

export const userPermissionsOf = (numbers: Iterable<number>): UserPermissionName[] =>
  [...numbers].flatMap((number) => userNames.get(number) ?? []);

/** The permissions that a policy requires. */
interface Gates {
  readonly organization: readonly OrganizationPermissionName[];
  readonly user: readonly UserPermissionName[];
  readonly support: readonly SupportPermissionName[];
}

/** Returns the first missing permission of a call, in the order of its policy. */
export function missingPermission(
  { organization, user, support }: Gates,
  holds: (permission: PermissionName) => boolean,
): PermissionName | undefined {
  return [...organization, ...user, ...support].find((permission) => !holds(permission));
}
