import { TokenService, type Token } from '#proto/gen/hiber/token_pb.ts';
import { editCommand, type EditableField } from '#commands/kit/edit-command.ts';
import { p } from '#commands/model/params.ts';
import { suggestRoles } from '#commands/nouns/people/role/entity.ts';
import { token } from './entity.ts';
import {
  PERMISSIONS,
  permissionNames,
  permissions,
  permissionWords,
  USER_PERMISSIONS,
  userPermissionNames,
  userPermissionWords,
  userPermissions,
} from './item.ts';

type Names = readonly string[];

const text = (value: unknown): string | undefined => (value as Names).join(', ') || undefined;

/** All of a token that the contract lets change; its name, owner and expiry stay (contract: TokenService). */
const fields: Readonly<Record<'roles' | 'permissions' | 'userPermissions', EditableField<Token>>> = {
  roles: { now: (item) => item.roles, text, param: p.words({ suggest: suggestRoles }) },
  permissions: {
    now: (item) => permissionNames(item.organizationPermissions),
    text,
    param: p.choices(PERMISSIONS, { label: permissionWords.named }),
  },
  userPermissions: {
    now: (item) => userPermissionNames(item.userPermissions),
    text,
    param: p.choices(USER_PERMISSIONS, { label: userPermissionWords.named }),
  },
};

export const editToken = editCommand<Token>({
  of: token,
  verb: 'edit',
  target: 'tokens',
  fields,
  requires: 'MANAGE_TOKENS',
  keys: ['e'],
  asks: false,
  changed: ['token'],
  call: async ({ api, organization, signal }, items, { wanted }) => {
    const { roles, permissions: granted, userPermissions: own } = wanted as Partial<Record<keyof typeof fields, Names>>;
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
