import { create, toJson } from '@bufbuild/protobuf';

import {
  UserSchema,
  UserSelectionSchema,
  UserService,
  UserSort,
  type User,
  type UserSelection,
} from '#proto/gen/hiber/user_pb.ts';
import { attributes } from '#commands/kit/attributes.ts';
import type { Context } from '#commands/model/context.ts';
import { entity, type Entity } from '#commands/model/entity.ts';
import { plainName } from '#commands/text/names.ts';
import { allOf, inParts, windowOf, type Listed } from '#commands/run/paging.ts';
import { userSort, userSorts } from '#commands/nouns/people/user/entity.ts';

function load(context: Context, selection: UserSelection, sort: UserSort = UserSort.EMAIL_ASC) {
  return async (pagination: { page?: number; size?: number }): Promise<Listed<User>> => {
    const request = { organization: context.organization.id, selection, sort, pagination };
    const listed = await context.api(UserService).listAccessRequests(request, { signal: context.signal });
    return { items: listed.users, pagination: listed.pagination };
  };
}

const searching = (search: string): UserSelection => create(UserSelectionSchema, search ? { search } : {});
const nameOf = ({ name, email, id }: User): string => plainName(name) || email || id;

const { columns, facts } = attributes<User, UserSelection>({
  name: {
    kind: 'text',
    value: (item) => plainName(item.name) || undefined,
    column: { width: 200, grow: 1, sort: 'name', value: nameOf },
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

/** People who ask to join the organization, until an administrator answers. */
export const accessRequest: Entity<User, UserSelection> = entity({
  name: 'access-request',
  plural: 'access-requests',
  requires: 'VIEW_USERS',
  screen: { path: '/settings/accounts/requests', key: 'g q', tabs: 'accounts' },
  id: (item) => item.id,
  label: nameOf,
  detail: (item) => item.email,
  json: (item) => toJson(UserSchema, item),
  // An id of the identity provider looks like any word.
  isId: () => false,
  toId: (text) => text.trim(),
  list: (context, { selection, sort }, window) => windowOf(window, load(context, selection, userSort(sort))),
  byIds: (context, ids) =>
    inParts(ids, (part) => allOf(load(context, create(UserSelectionSchema, { userIds: [...part] })))),
  find: async (context, text) => {
    const wanted = text.trim().toLocaleLowerCase();
    if (wanted.startsWith('#')) return accessRequest.byIds(context, [text.trim().slice(1)]);
    const found = await allOf(load(context, searching(text.trim())));
    const addressed = found.filter((item) => item.email.toLowerCase() === wanted || item.id === text.trim());
    return addressed.length > 0 ? addressed : found.filter((item) => nameOf(item).toLocaleLowerCase() === wanted);
  },
  search: async (context, text, limit) => (await load(context, searching(text.trim()))({ size: limit })).items,
  emptySelection: () => create(UserSelectionSchema),
  applySearch: (selection, words) => {
    selection.search = words;
  },
  filter: {},
  sorts: userSorts,
  defaultSort: 'email',
  filledBy: 'user.invite',
  emptyHint: true,
  columns,
  facts,
  changedBy: ['USER_ACCESS_REQUEST', 'USER_ADDED', 'USER_REMOVED'],
});
