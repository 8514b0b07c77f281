import { create } from '@bufbuild/protobuf';

import type { Filter_ChildOrganizations } from '#proto/gen/hiber/filter_pb.ts';
import { OrganizationPermission } from '#proto/gen/hiber/permission_pb.ts';
import { UserSelectionSchema, UserService, UserSort, type User, type UserSelection } from '#proto/gen/hiber/user_pb.ts';
import {
  SessionService,
  type MembersResponse_Member as Member,
} from '#proto/gen/quarterdeck/session/v1/session_service_pb.ts';
import type { Actor } from '#commands/model/actor.ts';
import type { Context } from '#commands/model/context.ts';
import { isUnimplemented } from '#commands/model/errors.ts';
import { groupBy } from '#commands/text/group-by.ts';
import { plainName } from '#commands/text/names.ts';
import { organizationNames, type OrganizationNames } from '#commands/kit/organization-names.ts';
import { chunks, type Listed } from '#commands/run/paging.ts';
import { roleNames } from '#commands/nouns/people/role/entity.ts';

/** A member of the organization that one acts for, or of one below it. */
export interface UserItem {
  readonly user: User;
  /** Where they are a member: every call about them names it. */
  readonly organization: string;
  /** What the organizations of the list are called. */
  readonly organizations: OrganizationNames;
  /** False for a member of an organization below. */
  readonly own: boolean;
  /** What people call their roles, in the order of `user.roles`. */
  readonly roles: readonly string[];
  /** How they stand; undefined for a server of the contract that does not know our extension. */
  readonly member: Member | undefined;
}

export interface UsersSelection {
  readonly users: UserSelection;
  readonly below?: Filter_ChildOrganizations;
}

/** Who is a member of two organizations is listed in each. */
export const idOf = ({ user, organization, own }: UserItem): string => (own ? user.id : `${organization}/${user.id}`);
export const personName = ({ name, email, id }: User): string => plainName(name) || email || id;
export const nameOf = ({ user }: UserItem): string => personName(user);

/** Those of some people that a text names: by address or id, else by name in any case. */
export function peopleCalled<Item>(
  people: readonly Item[],
  text: string,
  userOf: (item: Item) => User,
): readonly Item[] {
  const wanted = text.trim();
  const lower = wanted.toLocaleLowerCase();
  const addressed = people.filter((item) => userOf(item).email.toLowerCase() === lower || userOf(item).id === wanted);
  return addressed.length > 0
    ? addressed
    : people.filter((item) => personName(userOf(item)).toLocaleLowerCase() === lower);
}

export const STATUSES = ['active', 'suspended', 'trying'] as const;

export function statusOf({ user, member }: UserItem): (typeof STATUSES)[number] {
  if (member?.suspended) return 'suspended';
  return user.hasActiveRoleOverride ? 'trying' : 'active';
}

export const isSuspended = (item: UserItem): boolean => statusOf(item) === 'suspended';

/** What the member may do here: everything, or the permissions that they hold. */
export function permissionsOf({ user: { permissions } }: UserItem): readonly OrganizationPermission[] {
  if (!permissions) return [];
  const held = permissions.includeAll ? Object.values(OrganizationPermission) : permissions.include;
  return held.filter((permission) => !permissions.exclude.includes(permission));
}

/** How members of an organization stand, by user id. */
async function membersOf(context: Context, organization: string, userIds: string[]): Promise<readonly Member[]> {
  try {
    const request = { organization, userIds };
    return (await context.api(SessionService).members(request, { signal: context.signal })).members;
  } catch (error) {
    if (isUnimplemented(error)) return [];
    throw error;
  }
}

/** Organizations whose members are asked for at once: a page may hold members of many below. */
const AT_ONCE = 6;

async function asItems(context: Context, users: readonly User[], asked: string): Promise<readonly UserItem[]> {
  const organizationOf = (user: User): string => user.organization || asked;
  const members = new Map<string, Member>();
  for (const part of chunks([...groupBy(users, organizationOf)], AT_ONCE)) {
    const asking = part.map(async ([organization, group]) => {
      const ids = group.map(({ id }) => id);
      for (const member of await membersOf(context, organization, ids))
        members.set(`${organization}/${member.userId}`, member);
    });
    await Promise.all(asking);
  }
  const organizations = await organizationNames(context, users.map(organizationOf));
  return Promise.all(
    users.map(async (user) => {
      const organization = organizationOf(user);
      return {
        user,
        organization,
        organizations,
        own: organization === context.organization.id,
        roles: await roleNames(context, user.roles),
        member: members.get(`${organization}/${user.id}`),
      };
    }),
  );
}

export function loadUsers(
  context: Context,
  { users: selection, below }: UsersSelection,
  sort: UserSort = UserSort.EMAIL_ASC,
  organization = context.organization.id,
) {
  return async (pagination: { page?: number; size?: number }): Promise<Listed<UserItem>> => {
    const request = { organization, selection, sort, pagination, ...(below ? { childOrganizations: below } : {}) };
    const listed = await context.api(UserService).list(request, { signal: context.signal });
    return { items: await asItems(context, listed.users, organization), pagination: listed.pagination };
  };
}

export function everyone(parts: { userIds?: string[]; search?: string } = {}): UsersSelection {
  return { users: create(UserSelectionSchema, parts) };
}

export function isOneself({ user: { id } }: UserItem, actor: Actor): boolean {
  return id === actor.id;
}

/** Of a member of an organization below, that organization. */
export function organizationIdOf({ organization }: UserItem): string {
  return organization;
}

export function userIdsOf(items: readonly UserItem[]): string[] {
  return items.map(({ user: { id } }) => id);
}
