import type { CallContext } from '#commands/kit/bulk-action.ts';
import { LETTERS } from '#commands/kit/letters.ts';
import { listChange, type Names } from '#commands/kit/list-change.ts';
import type { Command } from '#commands/model/command.ts';
import type { Param } from '#commands/model/kinds.ts';
import { role } from '#commands/nouns/people/role/entity.ts';
import { message, type Message } from '#commands/text/message.ts';
import type { Role } from '#proto/gen/hiber/role_pb.ts';
import type { Token } from '#proto/gen/hiber/token_pb.ts';
import { TokenService } from '#proto/gen/hiber/token_pb.ts';

import { token } from './entity.ts';
import {
  permissionNames,
  permissionLabels,
  toPermissions,
  toUserPermissions,
  userPermissionNames,
  userPermissionLabels,
  type TokenItem,
} from './item.ts';
import { tokenParams } from './params.ts';

type Args = Readonly<Record<string, unknown>>;

/** A change to a list of names, which either replaces the list or adds and removes names. */
interface ListUpdate {
  readonly replace: Names | undefined;
  readonly add: Names;
  readonly remove: Names;
}

interface Grant {
  readonly verb: string;
  readonly keys?: readonly string[];
  /** Name of the field in `token:fields`. */
  readonly field: string;
  readonly param: Param<'choices', Names | undefined> | Param<'refs', readonly Role[] | undefined>;
  /** The display text of a name in an item's list. */
  readonly label: (name: string, item: TokenItem, args: Args) => string | Message;
  readonly current: (item: Token) => Names;
  readonly send: (
    context: CallContext,
    request: { organization: string; tokenIds: bigint[] },
    update: ListUpdate,
  ) => Promise<unknown>;
}

function applyUpdate(current: Names, { replace, add, remove }: ListUpdate): Names {
  if (replace) return [...new Set(replace)];
  // If a name is in both lists, removal wins (contract: TokenService).
  return [...new Set([...current, ...add])].filter((name) => !remove.includes(name));
}

const nameOf = (value: string | Role): string => (typeof value === 'string' ? value : role.id(value));

function createUpdate(args: Args): ListUpdate {
  const names = (name: string) => (args[name] as readonly (string | Role)[] | undefined)?.map(nameOf);
  return { replace: names('replace'), add: names('add') ?? [], remove: names('remove') ?? [] };
}

function permissionCommand({ verb, keys, field, param, label, current, send }: Grant): Command {
  return listChange({
    entity: token,
    verb,
    ...(keys ? { keys } : {}),
    requires: 'MANAGE_TOKENS',
    params: { add: param, remove: param, replace: param },
    positional: ['add'],
    problems: (_context, args) => {
      const { replace, add, remove } = createUpdate(args);
      if (replace && add.length + remove.length > 0) return { replace: message('token:validation.replaceOrModify') };
      return !replace && add.length + remove.length === 0 ? { add: message('core:validation.required') } : {};
    },
    field: message(`token:fields.${field}`),
    current,
    after: (before, args) => applyUpdate(before, createUpdate(args)),
    label,
    undo: ({ before }) => ({ verb, args: { replace: before } }),
    call: async (context, items, args) => {
      const tokenIds = items.map(({ id }) => id);
      await send(context, { organization: context.organization, tokenIds }, createUpdate(args));
    },
  });
}

export const setPermissions = permissionCommand({
  verb: 'set-permissions',
  field: 'permissions',
  param: tokenParams.permissions,
  label: permissionLabels.byName,
  current: (item) => permissionNames(item.organizationPermissions),
  send: ({ api, signal }, request, { replace, add, remove }) =>
    api(TokenService).updateTokenOrganizationPermissions(
      {
        ...request,
        ...(replace ? { replaceOrganizationPermissions: { include: toPermissions(replace) } } : {}),
        addOrganizationPermissions: toPermissions(add),
        removeOrganizationPermissions: toPermissions(remove),
      },
      { signal },
    ),
});

export const setUserPermissions = permissionCommand({
  verb: 'set-user-permissions',
  field: 'userPermissions',
  param: tokenParams.userPermissions,
  label: userPermissionLabels.byName,
  current: (item) => userPermissionNames(item.userPermissions),
  send: ({ api, signal }, request, { replace, add, remove }) =>
    api(TokenService).updateTokenUserPermissions(
      {
        ...request,
        ...(replace ? { replaceUserPermissions: { include: toUserPermissions(replace) } } : {}),
        addUserPermissions: toUserPermissions(add),
        removeUserPermissions: toUserPermissions(remove),
      },
      { signal },
    ),
});

export const setRoles = permissionCommand({
  verb: 'set-roles',
  keys: [LETTERS.roles],
  field: 'roles',
  param: tokenParams.roles,
  // For roles that aren't in the arguments, use the names in the item.
  label: (id, { roles, roleNames = roles }, { add = [], replace = [] }) => {
    const grantedRole = [add, replace]
      .flatMap((roleList) => roleList as readonly Role[])
      .find((item) => role.id(item) === id);
    return grantedRole ? role.label(grantedRole) : (roleNames[roles.indexOf(id)] ?? id);
  },
  current: (item) => item.roles,
  send: ({ api, signal }, request, { replace, add, remove }) =>
    api(TokenService).updateTokenRoles(
      {
        ...request,
        update: replace
          ? { case: 'replace', value: { roles: [...replace] } }
          : { case: 'modify', value: { add: [...add], remove: [...remove] } },
      },
      { signal },
    ),
});
