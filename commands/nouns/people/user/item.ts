import { create } from '@bufbuild/protobuf';

import type { IdentifiersOf } from '#commands/kit/matching.ts';
import { loadOrganizationNames, type OrganizationNames } from '#commands/kit/organization-names.ts';
import type { Actor } from '#commands/model/actor.ts';
import type { Context } from '#commands/model/context.ts';
import { isUnimplemented } from '#commands/model/errors.ts';
import { loadRoleNames } from '#commands/nouns/people/role/entity.ts';
import { chunks, type ListResponse } from '#commands/run/paging.ts';
import { groupBy } from '#commands/text/group-by.ts';
import { plainName } from '#commands/text/names.ts';
import type { Filter_ChildOrganizations } from '#proto/gen/hiber/filter_pb.ts';
import { OrganizationPermission } from '#proto/gen/hiber/permission_pb.ts';
import { UserSelectionSchema, UserService, UserSort, type User, type UserSelection } from '#proto/gen/hiber/user_pb.ts';
import {
  SessionService,
  type MembersResponse_Member as Member,
} from '#proto/gen/quarterdeck/session/v1/session_service_pb.ts';

/** A member of the current organization or of a sub-organization. */
export interface UserItem {
  readonly user: User;
  /** The organization that the membership belongs to. Every call about the member includes it. */
  readonly organization: string;
  /** The names of the organizations in the list. */
  readonly organizations: OrganizationNames;
  /** False for a member of a sub-organization. */
  readonly isOwn: boolean;
  /** The display names of the member's roles, in the order of `user.roles`. */
  readonly roles: readonly string[];
  /** The member's status, or undefined if the server doesn't have our contract extension. */
  readonly member: Member | undefined;
}

export interface UsersSelection {
  readonly users: UserSelection;
  readonly below?: Filter_ChildOrganizations;
}

/**
 * Includes the organization if it isn't the current one, because the list shows a member of two organizations twice.
 */
export const idOf = ({ user, organization, isOwn: own }: UserItem): string =>
  own ? user.id : `${organization}/${user.id}`;
export const personName = ({ name, email, id }: User): string => plainName(name) || email || id;
export const nameOf = ({ user }: UserItem): string => personName(user);

/** The strings that identify a person, in order of precedence: the email address or the id, and then the name. */
export const userIdentifiers: readonly IdentifiersOf<User>[] = [
  ({ email, id }) => [email, id],
  (person) => [personName(person)],
];

export const STATUSES = ['active', 'suspended', 'trying'] as const;

export function statusOf({ user, member }: UserItem): (typeof STATUSES)[number] {
  if (member?.suspended) return 'suspended';
  return user.hasActiveRoleOverride ? 'trying' : 'active';
}

export const isSuspended = (item: UserItem): boolean => statusOf(item) === 'suspended';

/** Returns the member's permissions here, with "all" expanded. */
export function permissionsOf({ user: { permissions } }: UserItem): readonly OrganizationPermission[] {
  if (!permissions) return [];
  const includedNames = permissions.includeAll ? Object.values(OrganizationPermission) : permissions.include;
  return includedNames.filter((permission) => !permissions.exclude.includes(permission));
}

/** Loads the status of the given members. Returns none if the server doesn't have our contract extension. */
async function loadMembers(context: Context, organization: string, userIds: string[]): Promise<readonly Member[]> {
  try {
    const request = { organization, userIds };
    return (await context.api(SessionService).members(request, { signal: context.signal })).members;
  } catch (error) {
    if (isUnimplemented(error)) return [];
    throw error;
  }
}

/** The maximum number of parallel calls. A page can list members of many sub-organizations. */
const MAX_CONCURRENT_CALLS = 6;

async function toItems(
  context: Context,
  users: readonly User[],
  listOrganization: string,
): Promise<readonly UserItem[]> {
  const organizationOf = (user: User): string => user.organization || listOrganization;
  const members = new Map<string, Member>();
  for (const part of chunks([...groupBy(users, organizationOf)], MAX_CONCURRENT_CALLS)) {
    const requests = part.map(async ([organization, group]) => {
      const ids = group.map(({ id }) => id);
      for (const member of await loadMembers(context, organization, ids))
        members.set(`${organization}/${member.userId}`, member);
    });
    await Promise.all(requests);
  }
  const organizations = await loadOrganizationNames(context, users.map(organizationOf));
  return Promise.all(
    users.map(async (user) => {
      const organization = organizationOf(user);
      return {
        user,
        organization,
        organizations,
        isOwn: organization === context.organization.id,
        roles: await loadRoleNames(context, user.roles),
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
  return async (pagination: { page?: number; size?: number }): Promise<ListResponse<UserItem>> => {
    const request = { organization, selection, sort, pagination, ...(below ? { childOrganizations: below } : {}) };
    const response = await context.api(UserService).list(request, { signal: context.signal });
    return { items: await toItems(context, response.users, organization), pagination: response.pagination };
  };
}

export function selectUsers(criteria: { userIds?: string[]; search?: string } = {}): UsersSelection {
  return { users: create(UserSelectionSchema, criteria) };
}

export function isSelf({ user: { id } }: UserItem, actor: Actor): boolean {
  return id === actor.id;
}

export function organizationIdOf({ organization }: UserItem): string {
  return organization;
}

export function userIdsOf(items: readonly UserItem[]): string[] {
  return items.map(({ user: { id } }) => id);
}
