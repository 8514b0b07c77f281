import { editCommand } from '#commands/kit/edit-command.ts';
import { LETTERS } from '#commands/kit/letters.ts';
import { role } from '#commands/nouns/people/role/entity.ts';
import { runInOrder } from '#commands/run/batch.ts';
import type { Role } from '#proto/gen/hiber/role_pb.ts';
import { TokenService } from '#proto/gen/hiber/token_pb.ts';

import { tokenAttributes } from './attributes.ts';
import { token } from './entity.ts';
import { toPermissions, toUserPermissions, type TokenItem } from './item.ts';

type Names = readonly string[];

export const editToken = editCommand<TokenItem>({
  entity: token,
  verb: 'edit',
  target: 'tokens',
  fields: tokenAttributes.fields,
  requires: 'MANAGE_TOKENS',
  keys: [LETTERS.edit],
  prompts: false,
  changed: ['token'],
  call: async ({ api, organization, signal }, items, { newValues, args }) => {
    const { permissions, userPermissions } = newValues as Partial<Record<'permissions' | 'userPermissions', Names>>;
    // The new values contain role names, but the call requires role ids.
    const roles = (args['roles'] as readonly Role[] | undefined)?.map(role.id);
    const tokens = api(TokenService);
    const request = { organization, tokenIds: items.map(({ id }) => id) };
    const setRoles = (names: Names) => () =>
      tokens.updateTokenRoles({ ...request, update: { case: 'replace', value: { roles: [...names] } } }, { signal });
    const setPermissions = (names: Names) => () => {
      const replaceOrganizationPermissions = { include: toPermissions(names) };
      return tokens.updateTokenOrganizationPermissions({ ...request, replaceOrganizationPermissions }, { signal });
    };
    const setUserPermissions = (names: Names) => () => {
      const replaceUserPermissions = { include: toUserPermissions(names) };
      return tokens.updateTokenUserPermissions({ ...request, replaceUserPermissions }, { signal });
    };
    await runInOrder([
      ...(roles ? [setRoles(roles)] : []),
      ...(permissions ? [setPermissions(permissions)] : []),
      ...(userPermissions ? [setUserPermissions(userPermissions)] : []),
    ]);
  },
});
