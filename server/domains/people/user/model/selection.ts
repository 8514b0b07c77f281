import { and, ilike, or, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { UserSelection } from '#proto/gen/hiber/user_pb.ts';
import { anyOf } from '#server/db/any-of.ts';
import { appUser } from '#server/db/schema/user.ts';
import { OrganizationPermission, SupportPermission } from '#proto/gen/hiber/permission_pb.ts';
import { type Role, roles as catalogue } from '#server/policies/roles.ts';
import { isAmong } from '#server/db/is-among.ts';
import { containing } from '#server/wire/text.ts';

interface Row {
  /** The column that says who it is. */
  readonly person: AnyPgColumn;
  /** The roles that count for it, as an expression of type text[]. */
  readonly held: SQL;
}

/** Rows of people that a selection names. */
export function selectedUsers(selection: UserSelection | undefined, { person, held }: Row): SQL | undefined {
  if (selection === undefined) return undefined;
  const { userIds, roles, permissions, supportPermissions } = selection;
  return and(
    userIds.length === 0 ? undefined : anyOf(person, userIds),
    named(selection, person),
    keeping(held, roles && { include: roles.include, exclude: roles.exclude }),
    keeping(
      held,
      permissions && {
        include: permissions.includeAll ? [] : giving(organizationPermissionsOf, permissions.include),
        exclude: giving(organizationPermissionsOf, permissions.exclude),
        nothing: !permissions.includeAll && permissions.include.length > 0,
      },
    ),
    keeping(
      held,
      supportPermissions && {
        include: giving(supportPermissionsOf, supportPermissions.include),
        exclude: giving(supportPermissionsOf, supportPermissions.exclude),
        nothing: supportPermissions.include.length > 0,
      },
    ),
  );
}

/**
 * An address or a name is meant whole, whatever the case; `search` finds part of name, address or id (the matching rule
 * of the first two is not stated). People are compared once each, and not for every row that they are joined to.
 */
function named({ byEmail, byName, search = '' }: UserSelection, person: AnyPgColumn): SQL | undefined {
  const part = search.trim();
  const text = containing(part);
  const where = and(
    byEmail ? sql`lower(${appUser.email}) = lower(${byEmail.trim()})` : undefined,
    byName ? sql`lower(${appUser.name}) = lower(${byName.trim()})` : undefined,
    part === '' ? undefined : or(ilike(appUser.email, text), ilike(appUser.name, text), ilike(appUser.id, text)),
  );
  return where && isAmong(person, sql`select ${appUser.id} from ${appUser} where ${where}`);
}

interface RoleFilter {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Something is to be included: when no role is left for it, nobody is. */
  readonly nothing?: boolean;
}

/** Several included mean any of them, as for tags; exclude beats include (contract: Filter). */
function keeping(held: SQL, filter: RoleFilter | undefined): SQL | undefined {
  if (filter === undefined) return undefined;
  const { include, exclude, nothing = false } = filter;
  const overlaps = (identifiers: readonly string[]) => sql`${held} && ${sql.param([...identifiers])}::text[]`;
  return and(include.length > 0 || nothing ? overlaps(include) : undefined, sql`not (${overlaps(exclude)})`);
}

const organizationPermissionsOf = (role: Role): number[] =>
  role.permissions.map((name) => OrganizationPermission[name]);
const supportPermissionsOf = (role: Role): number[] => role.supportPermissions.map((name) => SupportPermission[name]);

/** Permissions are held through roles only, so whoever holds one has a role that gives it. */
const giving = (permissionsOf: (role: Role) => number[], numbers: readonly number[]): string[] =>
  catalogue
    .filter((role) => permissionsOf(role).some((value) => numbers.includes(value)))
    .map((role) => role.identifier);
