import type { Token } from '#proto/hiber/token_pb';
import { TokenService } from '#proto/hiber/token_pb';
import { inBatches } from '../core/batch.ts';
import { command, type Command } from '../core/command.ts';
import type { Context } from '../core/context.ts';
import { editDone, editPlan } from '../core/edit-command.ts';
import { split, type Fields, type Wanted } from '../core/editing.ts';
import { groupBy } from '../core/group-by.ts';
import type { Param } from '../core/kinds.ts';
import { message } from '../core/message.ts';
import { p } from '../core/params.ts';
import { succeeded } from '../core/result.ts';
import type { Selected } from '../core/target.ts';
import { suggestRoles } from '../role/entity.ts';
import { token } from './entity.ts';
import {
  PERMISSIONS,
  permissionNames,
  permissions,
  permissionWords,
  USER_PERMISSIONS,
  userPermissionNames,
  userPermissions,
  userPermissionWords,
} from './item.ts';

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
  readonly names: () => Param<'choices', Names | undefined> | Param<'words', Names | undefined>;
  readonly now: (item: Token) => Names;
  readonly send: (
    context: Context,
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

function granting({ verb, field, names, now, send }: Grant): Command {
  const id = `token.${verb}` as const;
  const items = (args: Readonly<Record<string, unknown>>) => (args['tokens'] as Selected<Token>).items;
  const fields = (how: Asked): Fields<Token> => ({
    [field]: {
      now,
      after: (item) => after(now(item), how),
      param: names(),
      text: (value) => (value as Names).join(', ') || undefined,
    },
  });
  // The field computes what it becomes from the item, so what is wanted only has to be there.
  const wanted: Wanted = { [field]: [] };
  return command({
    id,
    on: () => token,
    requires: 'MANAGE_TOKENS',
    effect: 'write',
    params: { tokens: p.many(() => token), add: names(), remove: names(), replace: names() },
    positional: ['tokens', 'add'],
    problems: (_context, args) => {
      const { replace, add, remove } = asked(args);
      if (replace && add.length + remove.length > 0) return { replace: message('token:validation.replaceOrModify') };
      return !replace && add.length + remove.length === 0 ? { add: message('core:validation.required') } : {};
    },
    plan: async (_context, args) => editPlan(token, fields(asked(args)), wanted, items(args)),
    run: async (context, args) => {
      const how = asked(args);
      const results = await inBatches(context, {
        items: split(fields(how), wanted, items(args)).changing,
        id: token.id,
        label: token.label,
        each: async (chunk) => {
          const tokenIds = chunk.map((item) => item.id);
          await send(context, { organization: context.organization.id, tokenIds }, how);
        },
      });
      return { changed: ['token'], results, said: editDone(token, fields(how), wanted, results) };
    },
    inverse: (args, outcome) => {
      const done = new Set(succeeded(outcome).map((result) => result.id));
      const changed = items(args).filter((item) => done.has(token.id(item)));
      const groups = groupBy(changed, (item) => JSON.stringify(now(item)));
      return [...groups].map(([before, group]) => ({
        id,
        args: { tokens: { ids: group.map(token.id) }, replace: JSON.parse(before) as string[] },
      }));
    },
  });
}

export const setPermissions = granting({
  verb: 'set-permissions',
  field: 'permissions',
  names: () => p.choices(PERMISSIONS, { label: permissionWords.named }),
  now: (item) => permissionNames(item.organizationPermissions),
  send: (context, request, { replace, add, remove }) =>
    context.api(TokenService).updateTokenOrganizationPermissions(
      {
        ...request,
        ...(replace ? { replaceOrganizationPermissions: { include: permissions(replace) } } : {}),
        addOrganizationPermissions: permissions(add),
        removeOrganizationPermissions: permissions(remove),
      },
      { signal: context.signal },
    ),
});

export const setUserPermissions = granting({
  verb: 'set-user-permissions',
  field: 'userPermissions',
  names: () => p.choices(USER_PERMISSIONS, { label: userPermissionWords.named }),
  now: (item) => userPermissionNames(item.userPermissions),
  send: (context, request, { replace, add, remove }) =>
    context.api(TokenService).updateTokenUserPermissions(
      {
        ...request,
        ...(replace ? { replaceUserPermissions: { include: userPermissions(replace) } } : {}),
        addUserPermissions: userPermissions(add),
        removeUserPermissions: userPermissions(remove),
      },
      { signal: context.signal },
    ),
});

export const setRoles = granting({
  verb: 'set-roles',
  field: 'roles',
  names: () => p.words({ suggest: suggestRoles }),
  now: (item) => item.roles,
  send: (context, request, { replace, add, remove }) =>
    context.api(TokenService).updateTokenRoles(
      {
        ...request,
        update: replace
          ? { case: 'replace', value: { roles: [...replace] } }
          : { case: 'modify', value: { add: [...add], remove: [...remove] } },
      },
      { signal: context.signal },
    ),
});
