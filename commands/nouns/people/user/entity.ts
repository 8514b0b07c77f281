import { create } from '@bufbuild/protobuf';

import { belowKey } from '#commands/kit/below.ts';
import { remoteFind, remoteList } from '#commands/kit/remote-list.ts';
import type { Context } from '#commands/model/context.ts';
import { entity, type Entity } from '#commands/model/entity.ts';
import { CommandError } from '#commands/model/errors.ts';
import type { FilterKeys } from '#commands/model/filter.ts';
import { permissionsTab } from '#commands/nouns/people/role/entity.ts';
import { ACCOUNTS } from '#commands/nouns/tab-groups.ts';
import { loadAllPages, loadInChunks } from '#commands/run/paging.ts';
import { groupBy } from '#commands/text/group-by.ts';
import { message } from '#commands/text/message.ts';
import { plainName } from '#commands/text/names.ts';
import { UserSchema, UserSelectionSchema, UserService, UserSort } from '#proto/gen/hiber/user_pb.ts';
import { MembersResponse_MemberSchema } from '#proto/gen/quarterdeck/session/v1/session_service_pb.ts';

import { userAttributes } from './attributes.ts';
import {
  selectUsers,
  idOf,
  loadUsers,
  nameOf,
  permissionsOf,
  type UserItem,
  type UsersSelection,
  userIdentifiers,
} from './item.ts';
import { activity, sessions, tokens } from './tabs.ts';

/** The ascending and descending form of each sort. */
const sorts: Readonly<Record<string, readonly [UserSort, UserSort]>> = {
  email: [UserSort.EMAIL_ASC, UserSort.EMAIL_DESC],
  name: [UserSort.NAME_ASC, UserSort.NAME_DESC],
};

export function userSort([name = 'email', ...others]: readonly string[]): UserSort {
  if (others.length > 0) throw new CommandError(message('common:filter.oneSort'));
  const [ascending, descending] = sorts[name.replace(/^-/, '')]!;
  return name.startsWith('-') ? descending : ascending;
}

export const userSorts: readonly string[] = Object.keys(sorts);

/** Returns the organization in an id such as `acme-north/u123`. Ids in the current organization have none. */
function organizationIn(id: string): string | undefined {
  return id.includes('/') ? id.slice(0, id.indexOf('/')) : undefined;
}

async function byIds(context: Context, ids: readonly string[]): Promise<readonly UserItem[]> {
  const groups = [...groupBy(ids, organizationIn)].map(async ([organization, group]) => {
    const userIds = group.map((id) => id.slice(id.indexOf('/') + 1));
    return loadInChunks(userIds, (part) =>
      loadAllPages(loadUsers(context, selectUsers({ userIds: [...part] }), UserSort.EMAIL_ASC, organization)),
    );
  });
  return (await Promise.all(groups)).flat();
}

/**
 * Returns the names of users by id. Omits users who left or whom the caller can't see. Show them as `common:someone`.
 */
export async function loadPersonNames(context: Context, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { actor, organization } = context;
  const names = new Map([[actor.id, plainName(actor.name) || actor.email]]);
  const missingIds = [...new Set(ids)].filter((id) => id !== '' && !names.has(id)).toSorted();
  if (missingIds.length === 0 || !actor.abilities.has('VIEW_USERS')) return names;
  const users = await context.loadCached(`user:names:${missingIds.join()}`, ({ api, signal }) =>
    loadInChunks(missingIds, (part) =>
      loadAllPages(async (pagination) => {
        const request = { organization: organization.id, selection: { userIds: [...part] }, pagination };
        const response = await api(UserService).list(request, { signal });
        return { items: response.users, pagination: response.pagination };
      }),
    ),
  );
  for (const user of users) names.set(user.id, plainName(user.name) || user.email);
  return names;
}

const filter: FilterKeys<UsersSelection> = { ...userAttributes.filter, below: belowKey };

export const user: Entity<UserItem, UsersSelection> = entity({
  name: 'user',
  plural: 'users',
  requires: 'VIEW_USERS',
  screen: {
    path: '/settings/accounts',
    rail: { icon: 'users', group: 'organization', forGroup: true },
    key: 'g u',
    tabs: ACCOUNTS,
  },
  views: [
    { id: 'all', filter: '' },
    { id: 'administrators', filter: 'permission:USERS_MANAGE' },
    { id: 'below', filter: 'below:*' },
  ],
  example: { name: 'Chidi Okafor' },
  id: idOf,
  label: nameOf,
  detail: ({ user: { email } }) => email,
  json: ({ user: data, organization, member }, toJson) => ({
    ...(toJson(UserSchema, data) as object),
    organization,
    ...(member ? { member: toJson(MembersResponse_MemberSchema, member) } : {}),
  }),
  // Ids come from the identity provider and look like ordinary words.
  isId: () => false,
  toId: (text) => text.trim(),
  ...remoteList({
    load: (context, selection: UsersSelection, sort = []) => loadUsers(context, selection, userSort(sort)),
    searchSelection: (search) => selectUsers(search ? { search } : {}),
  }),
  byIds,
  find: remoteFind({
    load: (context, search) => loadUsers(context, selectUsers({ search })),
    byIds,
    identifiers: userIdentifiers.map(
      (textsOf) =>
        ({ user }) =>
          textsOf(user),
    ),
  }),
  emptySelection: () => ({ users: create(UserSelectionSchema) }),
  applySearch: ({ users }, text) => {
    users.search = text;
  },
  filter,
  states: {
    suspended: { message: message('user:filter.status') },
    disabled: { message: message('user:filter.status') },
  },
  sorts: userSorts,
  defaultSort: 'email',
  addCommand: 'user.invite',
  columns: userAttributes.columns,
  details: userAttributes.details,
  detailTabs: [sessions, activity, permissionsTab(permissionsOf)],
  itemTabs: [tokens],
  changedBy: ['USER_ADDED', 'USER_REMOVED'],
});

export { user as entity };
