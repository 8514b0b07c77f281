import type { Token } from '#proto/gen/hiber/token_pb.ts';
import { TokenService } from '#proto/gen/hiber/token_pb.ts';
import { bulkAction, type CallContext } from '#commands/kit/bulk-action.ts';
import type { Command } from '#commands/model/command.ts';
import { fingerprint } from '#commands/kit/editing.ts';
import { groupBy } from '#commands/text/group-by.ts';
import type { Param } from '#commands/model/kinds.ts';
import { message, type Message } from '#commands/text/message.ts';
import { token } from './entity.ts';
import {
  permissionNames,
  permissions,
  permissionWords,
  userPermissionNames,
  userPermissions,
  userPermissionWords,
} from './item.ts';
import { tokenParams } from './params.ts';

type Names = readonly string[];

/** How a list of names changes: replaced, or some added and some removed. */
interface Asked {
  readonly replace: Names | undefined;
  readonly add: Names;
  readonly remove: Names;
}

interface Grant {
  readonly verb: string;
  /** Name of the field in `token:fields`. */
  readonly field: string;
  readonly param: Param<'choices', Names | undefined> | Param<'words', Names | undefined>;
  /** How one of them reads; as it is named by default. */
  readonly label?: (name: string) => string | Message;
  readonly now: (item: Token) => Names;
  readonly send: (
    context: CallContext,
    request: { organization: string; tokenIds: bigint[] },
    asked: Asked,
  ) => Promise<unknown>;
}

function after(now: Names, { replace, add, remove }: Asked): Names {
  if (replace) return [...new Set(replace)];
  // Where both name it, removing wins (contract: TokenService).
  return [...new Set([...now, ...add])].filter((name) => !remove.includes(name));
}

function asked(args: Readonly<Record<string, unknown>>): Asked {
  const names = (name: string) => args[name] as Names | undefined;
  return { replace: names('replace'), add: names('add') ?? [], remove: names('remove') ?? [] };
}

function granting({ verb, field, param, label = String, now, send }: Grant): Command {
  const next = (item: Token, args: Parameters<typeof asked>[0]): Names => after(now(item), asked(args));
  return bulkAction({
    of: token,
    verb,
    requires: 'MANAGE_TOKENS',
    params: { add: param, remove: param, replace: param },
    positional: ['add'],
    problems: (_context, args) => {
      const { replace, add, remove } = asked(args);
      if (replace && add.length + remove.length > 0) return { replace: message('token:validation.replaceOrModify') };
      return !replace && add.length + remove.length === 0 ? { add: message('core:validation.required') } : {};
    },
    applies: (item, args) => fingerprint(now(item)) !== fingerprint(next(item, args)),
    change: (item, args) => {
      const [before, wanted] = [now(item), next(item, args)];
      return {
        field: message(`token:fields.${field}`),
        added: wanted.filter((name) => !before.includes(name)).map(label),
        removed: before.filter((name) => !wanted.includes(name)).map(label),
      };
    },
    call: async (context, items, args) => {
      const tokenIds = items.map(({ id }) => id);
      await send(context, { organization: context.organization, tokenIds }, asked(args));
    },
    undo: (items) =>
      [...groupBy(items, (item) => JSON.stringify(now(item)))].map(([before, group]) => ({
        id: `token.${verb}`,
        args: { tokens: { ids: group.map(token.id) }, replace: JSON.parse(before) as string[] },
      })),
  });
}

export const setPermissions = granting({
  verb: 'set-permissions',
  field: 'permissions',
  param: tokenParams.permissions,
  label: permissionWords.named,
  now: (item) => permissionNames(item.organizationPermissions),
  send: ({ api, signal }, request, { replace, add, remove }) =>
    api(TokenService).updateTokenOrganizationPermissions(
      {
        ...request,
        ...(replace ? { replaceOrganizationPermissions: { include: permissions(replace) } } : {}),
        addOrganizationPermissions: permissions(add),
        removeOrganizationPermissions: permissions(remove),
      },
      { signal },
    ),
});

export const setUserPermissions = granting({
  verb: 'set-user-permissions',
  field: 'userPermissions',
  param: tokenParams.userPermissions,
  label: userPermissionWords.named,
  now: (item) => userPermissionNames(item.userPermissions),
  send: ({ api, signal }, request, { replace, add, remove }) =>
    api(TokenService).updateTokenUserPermissions(
      {
        ...request,
        ...(replace ? { replaceUserPermissions: { include: userPermissions(replace) } } : {}),
        addUserPermissions: userPermissions(add),
        removeUserPermissions: userPermissions(remove),
      },
      { signal },
    ),
});

export const setRoles = granting({
  verb: 'set-roles',
  field: 'roles',
  param: tokenParams.roles,
  now: (item) => item.roles,
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
