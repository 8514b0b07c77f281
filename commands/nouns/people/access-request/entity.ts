import { create } from '@bufbuild/protobuf';

import { attributes } from '#commands/kit/attributes.ts';
import { remoteByIds, remoteFind, remoteList } from '#commands/kit/remote-list.ts';
import type { Context } from '#commands/model/context.ts';
import { entity, type Entity } from '#commands/model/entity.ts';
import { userSort, userSorts } from '#commands/nouns/people/user/entity.ts';
import { personName, userIdentifiers } from '#commands/nouns/people/user/item.ts';
import { ACCOUNTS } from '#commands/nouns/tab-groups.ts';
import type { ListResponse } from '#commands/run/paging.ts';
import { plainName } from '#commands/text/names.ts';
import {
  UserSchema,
  UserSelectionSchema,
  UserService,
  type User,
  type UserSelection,
} from '#proto/gen/hiber/user_pb.ts';

function load(context: Context, selection: UserSelection, sort: readonly string[] = []) {
  return async (pagination: { page?: number; size?: number }): Promise<ListResponse<User>> => {
    const request = { organization: context.organization.id, selection, sort: userSort(sort), pagination };
    const response = await context.api(UserService).listAccessRequests(request, { signal: context.signal });
    return { items: response.users, pagination: response.pagination };
  };
}

const searchSelection = (search: string): UserSelection => create(UserSelectionSchema, search ? { search } : {});

const { columns, details } = attributes<User, UserSelection>({
  name: {
    kind: 'text',
    value: (item) => plainName(item.name) || undefined,
    column: { width: 200, grow: 1, sort: 'name', value: personName },
    detail: 'identity',
  },
  email: {
    kind: 'text',
    value: (item) => item.email,
    column: { width: 240, grow: 1, sort: 'email' },
    detail: 'about',
  },
  id: { kind: 'mono', value: (item) => item.id, column: { width: 240 }, detail: 'about' },
});

/** People whose requests to join the organization are pending. */
const byIds = remoteByIds(load, (ids) => create(UserSelectionSchema, { userIds: [...ids] }));

export const accessRequest: Entity<User, UserSelection> = entity({
  name: 'access-request',
  plural: 'access-requests',
  requires: 'VIEW_USERS',
  screen: { path: '/settings/accounts/requests', key: 'g q', tabs: ACCOUNTS },
  id: (item) => item.id,
  label: personName,
  detail: (item) => item.email,
  json: (item, toJson) => toJson(UserSchema, item),
  // Ids come from the identity provider and look like ordinary words.
  isId: () => false,
  toId: (text) => text.trim(),
  ...remoteList({ load, searchSelection }),
  byIds,
  find: remoteFind({
    load: (context, text) => load(context, searchSelection(text)),
    byIds,
    identifiers: userIdentifiers,
  }),
  emptySelection: () => create(UserSelectionSchema),
  applySearch: (selection, text) => {
    selection.search = text;
  },
  filter: {},
  sorts: userSorts,
  defaultSort: 'email',
  addCommand: 'user.invite',
  emptyHint: true,
  columns,
  details,
  changedBy: ['USER_ACCESS_REQUEST', 'USER_ADDED', 'USER_REMOVED'],
});

export { accessRequest as entity };
