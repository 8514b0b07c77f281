import { TokenService } from '#proto/gen/hiber/token_pb.ts';
import { editCommand } from '#commands/kit/edit-command.ts';
import { tokenAttributes } from './attributes.ts';
import { token } from './entity.ts';
import { permissions, userPermissions, type TokenItem } from './item.ts';

type Names = readonly string[];

export const editToken = editCommand<TokenItem>({
  of: token,
  verb: 'edit',
  target: 'tokens',
  fields: tokenAttributes.fields,
  requires: 'MANAGE_TOKENS',
  keys: ['e'],
  asks: false,
  changed: ['token'],
  call: async ({ api, organization, signal }, items, { wanted }) => {
    const {
      roles,
      permissions: granted,
      userPermissions: own,
    } = wanted as Partial<Record<'roles' | 'permissions' | 'userPermissions', Names>>;
    const tokens = api(TokenService);
    const request = { organization, tokenIds: items.map(({ id }) => id) };
    if (roles) {
      const replaced = { roles: [...roles] };
      await tokens.updateTokenRoles({ ...request, update: { case: 'replace', value: replaced } }, { signal });
    }
    if (granted) {
      const replaceOrganizationPermissions = { include: permissions(granted) };
      await tokens.updateTokenOrganizationPermissions({ ...request, replaceOrganizationPermissions }, { signal });
    }
    if (own) {
      const replaceUserPermissions = { include: userPermissions(own) };
      await tokens.updateTokenUserPermissions({ ...request, replaceUserPermissions }, { signal });
    }
  },
});
