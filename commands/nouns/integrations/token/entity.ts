import { create } from '@bufbuild/protobuf';

import { isTrue } from '#commands/kit/filter-keys.ts';
import { localLookups } from '#commands/kit/local-list.ts';
import { loadOrganizationNames } from '#commands/kit/organization-names.ts';
import type { Context } from '#commands/model/context.ts';
import { entity, type Entity } from '#commands/model/entity.ts';
import type { FilterKey } from '#commands/model/filter.ts';
import { loadRoleNames } from '#commands/nouns/people/role/entity.ts';
import { DEVELOPER_TOOLS } from '#commands/nouns/tab-groups.ts';
import { loadAllPages, loadWindow, type ListResponse } from '#commands/run/paging.ts';
import { message } from '#commands/text/message.ts';
import {
  TokenSchema,
  TokenSelectionSchema,
  TokenService,
  type Token,
  type TokenSelection,
} from '#proto/gen/hiber/token_pb.ts';

import { tokenAttributes } from './attributes.ts';
import { ownerOf, type TokenItem } from './item.ts';

function load(context: Context, selection: TokenSelection) {
  return async (pagination: { page?: number; size?: number }): Promise<ListResponse<TokenItem>> => {
    const request = { organization: context.organization.id, selection, pagination };
    const { tokens, pagination: result } = await context.api(TokenService).list(request, { signal: context.signal });
    const organizations = await loadOrganizationNames(context, tokens.flatMap(limitedOrganizations));
    const items = tokens.map(async (token) => ({
      ...token,
      roleNames: await loadRoleNames(context, token.roles),
      organizations,
    }));
    return { items: await Promise.all(items), pagination: result };
  };
}

/** Returns the organizations named in a token's limits. */
function limitedOrganizations({ limitImpersonation: limit }: Token): readonly string[] {
  return [...(limit?.include ?? []), ...(limit?.exclude ?? [])];
}

/** Loads all tokens, including expired ones, because the contract can't select tokens by id. */
function fetchAllTokens(context: Context): Promise<readonly TokenItem[]> {
  return loadAllPages(load(context, create(TokenSelectionSchema, { includeExpired: true })));
}

/** Includes expired tokens, which are hidden by default. The contract can't select only expired tokens. */
const expiredKey: FilterKey<TokenSelection> = {
  kind: 'flag',
  apply: (selection, term) => {
    selection.includeExpired = isTrue(term);
  },
};

export const token: Entity<TokenItem, TokenSelection> = entity({
  name: 'token',
  plural: 'tokens',
  requires: 'MANAGE_TOKENS',
  screen: {
    path: '/developer-tools/tokens',
    rail: { icon: 'key-round', group: 'developer', forGroup: true },
    key: 'g k',
    tabs: DEVELOPER_TOOLS,
  },
  views: [
    { id: 'all', filter: '' },
    { id: 'personal', filter: 'type:PERSONAL' },
    { id: 'expired', filter: 'expired:true' },
  ],
  id: ({ id }) => `${id}`,
  label: ({ name }) => name,
  detail: ownerOf,
  json: (item, toJson) => toJson(TokenSchema, item),
  isId: (text) => /^#?\d+$/.test(text.trim()),
  toId: (text) => text.trim().replace(/^#/, ''),
  list: (context, { selection }, window) => loadWindow(window, load(context, selection)),
  ...localLookups({ loadAll: fetchAllTokens, id: ({ id }) => `${id}`, name: ({ name }) => name }),
  emptySelection: () => create(TokenSelectionSchema),
  // The contract can search only by name.
  applySearch: (selection, text) => {
    selection.name = text;
  },
  filter: { ...tokenAttributes.filter, expired: expiredKey },
  states: {
    expired: { filter: 'expired:true' },
    disabled: { message: message('token:filter.disabled') },
  },
  // The server returns tokens in a fixed order (contract: TokenService).
  sorts: [],
  emptyHint: true,
  columns: tokenAttributes.columns,
  details: tokenAttributes.details,
  changedBy: ['TOKEN_CREATED', 'TOKEN_DELETED', 'TOKEN_EXPIRED', 'TOKEN_EXPIRY_WARNING'],
});

export { token as entity };
