import { attributes } from '#commands/kit/attributes.ts';
import { enumLabels } from '#commands/kit/enum-labels.ts';
import { isTrue, cachedLoader } from '#commands/kit/filter-keys.ts';
import { localLookups, slicePage } from '#commands/kit/local-list.ts';
import { findMatches } from '#commands/kit/matching.ts';
import type { Column, ItemRef } from '#commands/model/column.ts';
import type { Context } from '#commands/model/context.ts';
import { entity, type Entity, type DetailTab } from '#commands/model/entity.ts';
import { p, requiredUnless } from '#commands/model/params.ts';
import type { Suggestion } from '#commands/model/suggestion.ts';
import { enumName } from '#commands/model/wire.ts';
import { ACCOUNTS } from '#commands/nouns/tab-groups.ts';
import { findOne, createNotFoundError } from '#commands/run/lookup.ts';
import { message, type Message } from '#commands/text/message.ts';
import { OrganizationPermission, SupportPermission } from '#proto/gen/hiber/permission_pb.ts';
import { RoleSchema, type Role } from '#proto/gen/hiber/role_pb.ts';
import { RoleService } from '#proto/gen/hiber/role_service_pb.ts';

interface Selection {
  search?: string;
  onlyGrantable?: boolean;
}

async function load(context: Context, selection: Selection): Promise<readonly Role[]> {
  const request = { organization: context.organization.id, selection };
  return (await context.api(RoleService).list(request, { signal: context.signal })).roles;
}

/** Roles are predefined (contract: RoleService), so all of them are cached. */
export const fetchRoles = cachedLoader('role', (context) => load(context, {}));

const nameOf = ({ displayName, identifier }: Role): string => displayName || identifier;
const searchText = (item: Role): string => `${nameOf(item)} ${item.identifier}`;

/** Returns the display names of roles by identifier. An unknown role keeps its identifier. */
export async function loadRoleNames(context: Context, identifiers: readonly string[]): Promise<readonly string[]> {
  const roles = identifiers.length > 0 ? await fetchRoles(context) : [];
  const names = new Map(roles.map((item) => [item.identifier, nameOf(item)]));
  return identifiers.map((identifier) => names.get(identifier) ?? identifier);
}

/** Returns links to roles, labeled with their names, which are in the same order. */
export function roleLinks(
  identifiers: readonly string[],
  names: readonly string[],
  organization: string,
): readonly (ItemRef & { readonly name: string })[] {
  return identifiers.map((id, index) => ({ entity: 'role', id, name: names[index] ?? id, organization }));
}

/**
 * Finds the identifiers of roles by name or identifier.
 *
 * @throws CommandError with suggestions for an unknown role
 */
export async function findRoles(context: Context, names: readonly string[]): Promise<readonly string[]> {
  return Promise.all(
    names.map(async (name) => {
      const match = await findOne(role, name, context);
      if (!match) throw await createNotFoundError(role, name, context);
      return match.identifier;
    }),
  );
}

export async function suggestRoles(context: Context, text: string): Promise<readonly Suggestion[]> {
  return (await findMatches(await fetchRoles(context), text, searchText)).map((item) => ({
    value: item.identifier,
    label: nameOf(item),
    detail: item.description,
  }));
}

const permissionColumns: readonly Column<string>[] = [
  { id: 'allows', kind: 'text', width: 220, grow: 1, value: (name) => message(`role:permission.${name}`) },
];

/** Returns a tab that explains permissions. Its details show the names that error messages use. */
export function permissionsTab<Item>(pick: (item: Item) => readonly OrganizationPermission[]): DetailTab<Item> {
  const permissions = Object.keys(OrganizationPermission);
  return {
    id: 'permissions',
    columns: permissionColumns,
    limit: permissions.length,
    load: async (_context, item) => pick(item).flatMap((value) => enumName(OrganizationPermission, value) ?? []),
    key: (row) => row as string,
    detail: (row) => [{ label: message('role:permissionName'), text: row as string, mono: true }],
  };
}

/** Labels of support permissions. */
export const supportLabels = enumLabels(SupportPermission, 'role:support');

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
      detail: 'access',
    },
    grantable: {
      kind: 'status',
      value: ({ grantable }) => message(grantable ? 'role:grantable.yes' : 'role:grantable.no'),
      column: { width: 150, possibleValues: [message('role:grantable.yes'), message('role:grantable.no')] },
      detail: 'access',
      // The contract can limit the list to grantable roles but can't exclude them.
      filter: {
        kind: 'flag',
        apply: (selection, term) => {
          selection.onlyGrantable = isTrue(term);
        },
      },
    },
    support: {
      kind: 'text',
      value: ({ supportPermissions }) => supportLabels.list(supportPermissions),
      detail: 'access',
    },
    identifier: { kind: 'mono', value: ({ identifier }) => identifier, column: { width: 130 }, detail: 'about' },
  },
  { details: ['grantable'] },
);

const accessors = { id: ({ identifier }: Role) => identifier, name: nameOf, text: searchText };

export const role: Entity<Role, Selection> = entity({
  name: 'role',
  plural: 'roles',
  screen: { path: '/settings/accounts/roles', key: 'g r', tabs: ACCOUNTS },
  views: [
    { id: 'all', filter: '' },
    { id: 'grantable', filter: 'grantable:true' },
  ],
  example: { name: 'Viewer' },
  id: accessors.id,
  label: nameOf,
  detail: ({ description }) => description,
  json: (item, toJson) => toJson(RoleSchema, item),
  // An identifier looks like an ordinary word.
  isId: () => false,
  toId: (text) => text.trim(),
  list: async (context, { selection }, window) => slicePage(await load(context, selection), window),
  ...localLookups({ loadAll: fetchRoles, ...accessors }),
  emptySelection: (): Selection => ({}),
  applySearch: (selection, text) => {
    selection.search = text;
  },
  filter,
  // The server returns roles in a fixed order.
  sorts: [],
  columns,
  details,
  detailTabs: [permissionsTab(({ permissions }) => permissions)],
  itemTabs: [
    {
      id: 'users',
      entity: 'user',
      key: 'role',
      value: ({ identifier }) => identifier,
      columns: ['name', 'email'],
      add: ({ identifier }) => ({ id: 'user.add-roles', args: { roles: [identifier] } }),
    },
  ],
});

/**
 * The entity for pickers that grant roles. They offer only the roles that the server allows the user to grant.
 */
export const grantableRole: Entity<Role, Selection> = {
  ...role,
  search: localLookups({
    loadAll: async (context) => (await fetchRoles(context)).filter(({ grantable }) => grantable),
    ...accessors,
  }).search,
};

/** Params for a command that grants roles. */
export const roleParams = {
  roles: requiredUnless(
    'withoutRoles',
    message('role:validation.required'),
    p.refs(() => grantableRole),
  ),
  withoutRoles: p.flag(),
};

/** Returns the problem with the roles to grant, if any. The caller must choose explicitly to grant no roles. */
export function rolesProblem({
  roles = [],
  withoutRoles,
}: {
  readonly roles: readonly Role[] | undefined;
  readonly withoutRoles: boolean;
}): Partial<Record<'roles' | 'withoutRoles', Message>> {
  if (withoutRoles && roles.length > 0) return { withoutRoles: message('role:validation.rolesOrNone') };
  if (!withoutRoles && roles.length === 0) return { roles: message('role:validation.required') };
  const ungrantable = roles.find(({ grantable }) => !grantable);
  return ungrantable ? { roles: message('role:validation.notYours', { role: nameOf(ungrantable) }) } : {};
}

/** Returns the roles as part of a sentence: `as Viewer, Operator`. */
export function rolesText(roles: readonly Role[] | undefined): Message {
  return roles && roles.length > 0
    ? message('role:some', { roles: roles.map(nameOf).join(', ') })
    : message('role:without');
}

export { role as entity };
