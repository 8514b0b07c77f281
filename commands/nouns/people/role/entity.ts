import { toJson } from '@bufbuild/protobuf';

import { OrganizationPermission, SupportPermission } from '#proto/gen/hiber/permission_pb.ts';
import { RoleSchema, type Role } from '#proto/gen/hiber/role_pb.ts';
import { RoleService } from '#proto/gen/hiber/role_service_pb.ts';
import { attributes } from '#commands/kit/attributes.ts';
import type { Context } from '#commands/model/context.ts';
import { enumWords } from '#commands/kit/enum-words.ts';
import type { Column } from '#commands/model/column.ts';
import { entity, type Entity, type DetailTab } from '#commands/model/entity.ts';
import { isTrue, matching, reference } from '#commands/kit/filter-keys.ts';
import { localLookups, pageOf } from '#commands/kit/local-list.ts';
import type { Suggestion } from '#commands/model/suggestion.ts';
import { findOne, notFound } from '#commands/run/lookup.ts';
import { message, type Message } from '#commands/text/message.ts';
import { p, requiredUnless } from '#commands/model/params.ts';
import { enumName } from '#commands/model/wire.ts';
import { ACCOUNTS } from '#commands/nouns/tab-groups.ts';

interface Selection {
  search?: string;
  onlyGrantable?: boolean;
}

async function load(context: Context, selection: Selection): Promise<readonly Role[]> {
  const request = { organization: context.organization.id, selection };
  return (await context.api(RoleService).list(request, { signal: context.signal })).roles;
}

/** Roles are predefined (contract: RoleService), so all of them are kept. */
export const everyRole = reference('role', (context) => load(context, {}));

const nameOf = ({ displayName, identifier }: Role): string => displayName || identifier;
const textOf = (item: Role): string => `${nameOf(item)} ${item.identifier}`;

/** What people call the roles with these identifiers; one that is not known keeps its identifier. */
export async function roleNames(context: Context, identifiers: readonly string[]): Promise<readonly string[]> {
  const all = identifiers.length > 0 ? await everyRole(context) : [];
  const names = new Map(all.map((item) => [item.identifier, nameOf(item)]));
  return identifiers.map((identifier) => names.get(identifier) ?? identifier);
}

/** The identifiers of roles by name or identifier. @throws CommandError with near ones for what is no role */
export async function findRoles(context: Context, names: readonly string[]): Promise<readonly string[]> {
  return Promise.all(
    names.map(async (name) => {
      const found = await findOne(role, name, context);
      if (!found) throw await notFound(role, name, context);
      return found.identifier;
    }),
  );
}

export async function suggestRoles(context: Context, text: string): Promise<readonly Suggestion[]> {
  return matching(await everyRole(context), text, textOf).map((item) => ({
    value: item.identifier,
    label: nameOf(item),
    detail: item.description,
  }));
}

const permissionColumns: readonly Column<string>[] = [
  { id: 'allows', kind: 'text', width: 220, grow: 1, value: (name) => message(`role:permission.${name}`) },
];

/** The tab that says in words what permissions allow, each with the name that a refusal calls it by. */
export function permissionsTab<Item>(pick: (item: Item) => readonly OrganizationPermission[]): DetailTab<Item> {
  const all = Object.keys(OrganizationPermission);
  return {
    id: 'permissions',
    columns: permissionColumns,
    limit: all.length,
    load: async (_context, item) => pick(item).flatMap((value) => enumName(OrganizationPermission, value) ?? []),
    key: (row) => row as string,
    detail: (row) => [{ label: message('role:permissionName'), text: row as string, mono: true }],
  };
}

/** What support permissions allow. */
export const supportWords = enumWords(SupportPermission, 'role:support');

const { columns, details, filter } = attributes<Role, Selection>(
  {
    name: { kind: 'text', value: nameOf, column: { width: 160 }, detail: 'identity' },
    description: {
      kind: 'text',
      value: ({ description }) => description,
      column: { width: 320, grow: 1 },
      detail: 'about',
    },
    permissions: {
      kind: 'number',
      value: ({ permissions }) => `${permissions.length}`,
      column: { width: 100 },
      detail: 'rights',
    },
    grantable: {
      kind: 'status',
      value: ({ grantable }) => message(grantable ? 'role:grantable.yes' : 'role:grantable.no'),
      column: { width: 150, texts: [message('role:grantable.yes'), message('role:grantable.no')] },
      detail: 'rights',
      // The contract asks for those that can be granted, not for the others.
      filter: {
        kind: 'flag',
        apply: (selection, term) => {
          selection.onlyGrantable = isTrue(term);
        },
      },
    },
    support: {
      kind: 'text',
      value: ({ supportPermissions }) => supportWords.words(supportPermissions),
      detail: 'rights',
    },
    identifier: { kind: 'mono', value: ({ identifier }) => identifier, column: { width: 130 }, detail: 'about' },
  },
  { details: ['grantable'] },
);

const named = { id: ({ identifier }: Role) => identifier, name: nameOf, text: textOf };

export const role: Entity<Role, Selection> = entity({
  name: 'role',
  plural: 'roles',
  screen: { path: '/settings/accounts/roles', key: 'g r', tabs: ACCOUNTS },
  views: [
    { id: 'all', filter: '' },
    { id: 'grantable', filter: 'grantable:true' },
  ],
  id: named.id,
  label: nameOf,
  detail: ({ description }) => description,
  json: (item) => toJson(RoleSchema, item),
  // An identifier looks like any word.
  isId: () => false,
  toId: (text) => text.trim(),
  list: async (context, { selection }, window) => pageOf(await load(context, selection), window),
  ...localLookups({ every: everyRole, ...named }),
  emptySelection: (): Selection => ({}),
  applySearch: (selection, words) => {
    selection.search = words;
  },
  filter,
  // The contract orders them in one way only.
  sorts: [],
  columns,
  details,
  detailTabs: [permissionsTab(({ permissions }) => permissions)],
  itemTabs: [
    { id: 'users', entity: 'user', key: 'role', value: ({ identifier }) => identifier, columns: ['name', 'email'] },
  ],
});

/** Roles as a choice of what to give: the pickers offer those that the person may grant, as the server tells. */
export const grantableRole: Entity<Role, Selection> = {
  ...role,
  search: localLookups({
    every: async (context) => (await everyRole(context)).filter(({ grantable }) => grantable),
    ...named,
  }).search,
};

/** Params of a command that gives roles. */
export const givenRoles = {
  roles: requiredUnless(
    'withoutRoles',
    message('role:validation.required'),
    p.refs(() => grantableRole),
  ),
  withoutRoles: p.flag(),
};

/** What is wrong with the roles to give, if anything: none is a mistake unless it is meant. */
export function rolesProblem(given: {
  readonly roles: readonly Role[] | undefined;
  readonly withoutRoles: boolean;
}): Partial<Record<'roles' | 'withoutRoles', Message>> {
  const { roles = [], withoutRoles } = given;
  if (withoutRoles && roles.length > 0) return { withoutRoles: message('role:validation.rolesOrNone') };
  if (!withoutRoles && roles.length === 0) return { roles: message('role:validation.required') };
  const refused = roles.find(({ grantable }) => !grantable);
  return refused ? { roles: message('role:validation.notYours', { role: nameOf(refused) }) } : {};
}

/** The roles as a sentence names them. */
export function rolesText(roles: readonly Role[] | undefined): Message {
  return roles && roles.length > 0
    ? message('role:some', { roles: roles.map(nameOf).join(', ') })
    : message('role:without');
}
