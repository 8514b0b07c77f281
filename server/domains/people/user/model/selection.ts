import { and, ilike, or, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';

import { OrganizationPermission, SupportPermission } from '#proto/gen/hiber/permission_pb.ts';
import type { UserSelection } from '#proto/gen/hiber/user_pb.ts';
import { anyOf } from '#server/db/any-of.ts';
import { isAmong } from '#server/db/is-among.ts';
import { appUser } from '#server/db/schema/user.ts';
import { type Role, roles as allRoles } from '#server/policies/roles.ts';
import { substringPattern } from '#server/wire/text.ts';

interface Row {
  /** The column with the person's id. */
  readonly person: AnyPgColumn;
  /** The person's roles in the row, as an expression of type text[]. */
  readonly roles: SQL;
}

/** Returns a condition for rows that refer to a person who matches the selection. */
export function selectedUsers(
  selection: UserSelection | undefined,
  { person, roles: heldRoles }: Row,
): SQL | undefined {
  if (selection === undefined) return undefined;
  const { userIds, roles, permissions, supportPermissions } = selection;
  return and(
    userIds.length === 0 ? undefined : anyOf(person, userIds),
    matchesPerson(selection, person),
    matchesRoles(heldRoles, roles && { include: roles.include, exclude: roles.exclude }),
    matchesRoles(
      heldRoles,
      permissions && {
        include: permissions.includeAll ? [] : rolesGranting(organizationPermissionsOf, permissions.include),
        exclude: rolesGranting(organizationPermissionsOf, permissions.exclude),
        hasIncludes: !permissions.includeAll && permissions.include.length > 0,
      },
    ),
    matchesRoles(
      heldRoles,
      supportPermissions && {
        include: rolesGranting(supportPermissionsOf, supportPermissions.include),
        exclude: rolesGranting(supportPermissionsOf, supportPermissions.exclude),
        hasIncludes: supportPermissions.include.length > 0,
      },
    ),
  );
}

/**
 * `byEmail` and `byName` must match in full (not specified in the contract); `search` matches part of a name, address,
 * or id. All ignore case. Uses a subquery, which compares each person only once.
 */
function matchesPerson({ byEmail, byName, search = '' }: UserSelection, person: AnyPgColumn): SQL | undefined {
  const text = search.trim();
  const pattern = substringPattern(text);
  const where = and(
    byEmail ? sql`lower(${appUser.email}) = lower(${byEmail.trim()})` : undefined,
    byName ? sql`lower(${appUser.name}) = lower(${byName.trim()})` : undefined,
    text === ''
      ? undefined
      : or(ilike(appUser.email, pattern), ilike(appUser.name, pattern), ilike(appUser.id, pattern)),
  );
  return where && isAmong(person, sql`select ${appUser.id} from ${appUser} where ${where}`);
}

interface RoleFilter {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** True if the filter includes permissions. Such a filter matches nobody if no role grants them. */
  readonly hasIncludes?: boolean;
}

/** Matches any of several included roles, as for tags; exclude takes precedence over include (contract: Filter). */
function matchesRoles(heldRoles: SQL, filter: RoleFilter | undefined): SQL | undefined {
  if (filter === undefined) return undefined;
  const { include, exclude, hasIncludes = false } = filter;
  const overlaps = (identifiers: readonly string[]) => sql`${heldRoles} && ${sql.param([...identifiers])}::text[]`;
  return and(include.length > 0 || hasIncludes ? overlaps(include) : undefined, sql`not (${overlaps(exclude)})`);
}

const organizationPermissionsOf = (role: Role): number[] =>
  role.permissions.map((name) => OrganizationPermission[name]);
const supportPermissionsOf = (role: Role): number[] => role.supportPermissions.map((name) => SupportPermission[name]);

/** Permissions come from roles only, so filtering by permission means filtering by the roles that grant them. */
const rolesGranting = (permissionsOf: (role: Role) => number[], numbers: readonly number[]): string[] =>
  allRoles
    .filter((role) => permissionsOf(role).some((value) => numbers.includes(value)))
    .map((role) => role.identifier);
