import { OrganizationPermission, SupportPermission, UserPermission } from '#proto/gen/hiber/permission_pb.ts';

export type OrganizationPermissionName = keyof typeof OrganizationPermission;
export type UserPermissionName = keyof typeof UserPermission;
export type SupportPermissionName = keyof typeof SupportPermission;
/** The three kinds share no name, so a name alone says which kind it is. */
export type PermissionName = OrganizationPermissionName | UserPermissionName | SupportPermissionName;

/** Deprecated duplicates of PROCESS_POINTS…: nobody holds them, and no policy asks for one. */
const deprecated: ReadonlySet<OrganizationPermissionName> = new Set(['ASSETS', 'ASSETS_UPDATE', 'ASSETS_VALUES']);

/** Membership itself: held by every member, granted to nobody, so it is in no role and no token. */
const MEMBERSHIP = 'PERMISSION_DEFAULT';

const keysOf = <K extends string>(names: Record<K, number>) => Object.keys(names) as K[];

export const organizationPermissionNames: readonly OrganizationPermissionName[] = keysOf(OrganizationPermission).filter(
  (name) => name !== MEMBERSHIP && !deprecated.has(name),
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
    return name === undefined || name === MEMBERSHIP || deprecated.has(name) ? [] : [name];
  });

export const userPermissionsOf = (numbers: Iterable<number>): UserPermissionName[] =>
  [...numbers].flatMap((number) => userNames.get(number) ?? []);

/** What a policy asks for. */
interface Gates {
  readonly organization: readonly OrganizationPermissionName[];
  readonly user: readonly UserPermissionName[];
  readonly support: readonly SupportPermissionName[];
}

/** The first permission that a call lacks, in the order in which its policy lists them. */
export function lacking(
  { organization, user, support }: Gates,
  holds: (permission: PermissionName) => boolean,
): PermissionName | undefined {
  return [...organization, ...user, ...support].find((permission) => !holds(permission));
}
