import { OrganizationPermission, SupportPermission, UserPermission } from '#proto/gen/hiber/permission_pb.ts';

export type OrganizationPermissionName = keyof typeof OrganizationPermission;
export type UserPermissionName = keyof typeof UserPermission;
export type SupportPermissionName = keyof typeof SupportPermission;
/** The three kinds share no name, so a name alone says which kind it is. */
export type PermissionName = OrganizationPermissionName | UserPermissionName | SupportPermissionName;

/** Deprecated duplicates: nobody holds them, and what asks for one is answered by the permission that replaced it. */
const successors: Partial<Record<OrganizationPermissionName, OrganizationPermissionName>> = {
  ASSETS: 'PROCESS_POINTS',
  ASSETS_UPDATE: 'PROCESS_POINTS_UPDATE',
  ASSETS_VALUES: 'PROCESS_POINTS_VALUES',
};

const isLeftover = (name: OrganizationPermissionName): boolean => name in successors;

/** The permission that counts today. */
export const current = (name: OrganizationPermissionName): OrganizationPermissionName => successors[name] ?? name;

/** Membership itself: held by every member, granted to nobody, so it is in no role and no token. */
const membership = 'PERMISSION_DEFAULT';

const keysOf = <K extends string>(names: Record<K, number>) => Object.keys(names) as K[];

export const organizationPermissionNames: readonly OrganizationPermissionName[] = keysOf(OrganizationPermission).filter(
  (name) => name !== membership && !isLeftover(name),
);
export const userPermissionNames: readonly UserPermissionName[] = keysOf(UserPermission);
export const supportPermissionNames: readonly SupportPermissionName[] = keysOf(SupportPermission);

/** What holding a permission gives beside it (contract: Permissions). Nothing that is not stated there is added. */
const includes: Partial<Record<PermissionName, readonly PermissionName[]>> = {
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

/** The names and everything they include. */
export function withIncluded<P extends PermissionName>(names: Iterable<P>): ReadonlySet<P> {
  const held = new Set<P>(names);
  // A set visits what is added while it is walked, which makes this transitive.
  for (const name of held) for (const included of includes[name] ?? []) held.add(included as P);
  return held;
}

const namesByNumber = <K extends string>(values: Record<K, number>): ReadonlyMap<number, K> =>
  new Map(keysOf(values).map((name) => [values[name], name]));

const organizationNames = namesByNumber(OrganizationPermission);
const userNames = namesByNumber(UserPermission);

/** Names of stored or received enum numbers; numbers of a newer contract, and those nobody can hold, are left out. */
export const organizationPermissionsOf = (numbers: Iterable<number>): OrganizationPermissionName[] =>
  [...numbers].flatMap((number) => {
    const name = organizationNames.get(number);
    return name === undefined || name === membership || isLeftover(name) ? [] : [name];
  });

export const userPermissionsOf = (numbers: Iterable<number>): UserPermissionName[] =>
  [...numbers].flatMap((number) => userNames.get(number) ?? []);
