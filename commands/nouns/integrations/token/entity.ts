import { create, toJson } from '@bufbuild/protobuf';

import { Filter_RolesSchema, Filter_UsersSchema } from '#proto/gen/hiber/filter_pb.ts';
import {
  Token_Type,
  TokenSchema,
  TokenSelectionSchema,
  TokenService,
  type Token,
  type TokenSelection,
} from '#proto/gen/hiber/token_pb.ts';
import type { Context } from '#commands/model/context.ts';
import type { Column, Fact, Level } from '#commands/model/column.ts';
import { entity, type Entity } from '#commands/model/entity.ts';
import { enumWords } from '#commands/kit/enum-words.ts';
import { addTo, containsKey, isTrue, matching, narrow, valuesOf } from '#commands/kit/filter-keys.ts';
import { listed, message, type Message } from '#commands/text/message.ts';
import { plainName } from '#commands/text/names.ts';
import { organizationNames, organizationText, type OrganizationNames } from '#commands/kit/organization-names.ts';
import { allOf, windowOf, type Listed } from '#commands/run/paging.ts';
import { p } from '#commands/model/params.ts';
import { dayOf, msOf, textOf } from '#commands/model/wire.ts';
import { findRoles, roleNames, suggestRoles } from '#commands/nouns/people/role/entity.ts';
import { permissionWords, userPermissionWords, type TokenItem } from './item.ts';
import { ownerIds, suggestOwners } from './owners.ts';

function load(context: Context, selection: TokenSelection) {
  return async (pagination: { page?: number; size?: number }): Promise<Listed<TokenItem>> => {
    const request = { organization: context.organization.id, selection, pagination };
    const { tokens, pagination: result } = await context.api(TokenService).list(request, { signal: context.signal });
    const organizations = await organizationNames(context, tokens.flatMap(reachOf));
    const items = tokens.map(async (each) => ({
      ...each,
      roleNames: await roleNames(context, each.roles),
      organizations,
    }));
    return { items: await Promise.all(items), pagination: result };
  };
}

/** The organizations that a token's limits name. */
function reachOf({ limitImpersonation: limit }: Token): readonly string[] {
  return [...(limit?.include ?? []), ...(limit?.exclude ?? [])];
}

function namesOf(ids: readonly string[], names: OrganizationNames | undefined): string | Message | undefined {
  return listed(ids.flatMap((id) => organizationText(id, names) ?? []));
}

/** All of them, expired ones too: the contract selects no tokens by id. */
function everyToken(context: Context): Promise<readonly TokenItem[]> {
  return allOf(load(context, create(TokenSelectionSchema, { includeExpired: true })));
}

const typeWords = enumWords(Token_Type, 'token:type');
const typeOf = ({ type }: Token): Message => typeWords.word(type);
const ownerName = ({ userDetails }: Token): string | undefined =>
  plainName(userDetails?.name ?? '') || userDetails?.email || undefined;
/** Whom the server does not name is no longer a member, or not one to be seen. */
const ownerOf = (item: Token): string | Message => ownerName(item) ?? message('common:someone');
const list = (names: readonly string[]): string | undefined => names.join(', ') || undefined;

/** Somebody has to be found who makes another one. */
const EXPIRES_SOON_MS = 14 * 86_400_000;

function expiryLevel({ expiresAt }: Token, now = Date.now()): Level {
  const at = msOf(expiresAt);
  if (at === undefined || at > now + EXPIRES_SOON_MS) return 'none';
  return at <= now ? 'error' : 'warning';
}

const used: Fact<TokenItem> = {
  id: 'used',
  kind: 'day',
  group: 'state',
  value: ({ lastUsed }) => lastUsed?.textual,
  at: ({ lastUsed }) => dayOf(lastUsed),
};

const columns: readonly Column<TokenItem>[] = [
  { id: 'name', kind: 'text', width: 200, grow: 2, value: ({ name }) => name },
  { id: 'type', kind: 'status', width: 100, value: typeOf },
  { id: 'owner', kind: 'text', width: 160, grow: 1, value: ownerOf },
  { id: 'roles', kind: 'text', width: 150, value: ({ roles, roleNames: named = roles }) => list(named) },
  {
    id: 'permissions',
    kind: 'number',
    width: 100,
    value: ({ organizationPermissions, userPermissions }) =>
      `${organizationPermissions.length + userPermissions.length}`,
  },
  {
    id: 'expires',
    kind: 'time',
    width: 150,
    value: ({ expiresAt }) => textOf(expiresAt),
    at: ({ expiresAt }) => msOf(expiresAt),
  },
  { ...used, width: 110 },
  { id: 'id', kind: 'mono', width: 56, value: ({ id }) => `#${id}` },
];

const facts: readonly Fact<TokenItem>[] = [
  { id: 'name', kind: 'text', group: 'identity', value: ({ name }) => name },
  { id: 'type', kind: 'status', group: 'owner', value: typeOf },
  {
    id: 'owner',
    kind: 'text',
    group: 'owner',
    value: ownerOf,
    links: (item) => {
      const name = ownerName(item);
      return name === undefined ? [] : [{ entity: 'user', id: item.userId, name }];
    },
  },
  { id: 'email', kind: 'text', group: 'owner', value: ({ userDetails }) => userDetails?.email || undefined },
  {
    id: 'roles',
    kind: 'text',
    group: 'rights',
    value: ({ roles, roleNames: named = roles }) => list(named),
    edit: 'token.edit',
  },
  {
    id: 'permissions',
    kind: 'text',
    group: 'rights',
    value: (item) => permissionWords.words(item.organizationPermissions),
    edit: 'token.edit',
  },
  {
    id: 'userPermissions',
    kind: 'text',
    group: 'rights',
    value: (item) => userPermissionWords.words(item.userPermissions),
    edit: 'token.edit',
  },
  {
    id: 'expires',
    kind: 'time',
    group: 'state',
    value: ({ expiresAt }) => textOf(expiresAt),
    at: ({ expiresAt }) => msOf(expiresAt),
    level: expiryLevel,
  },
  used,
  {
    id: 'reach',
    kind: 'text',
    group: 'rights',
    value: ({ limitImpersonation: limit, organizations }) => {
      if (!limit) return undefined;
      if (!limit.includeAll) return namesOf(limit.include, organizations) ?? message('token:reach.none');
      const except = namesOf(limit.exclude, organizations);
      return except === undefined ? message('token:reach.all') : message('token:reach.allExcept', { except });
    },
  },
  {
    id: 'thisCall',
    kind: 'text',
    group: 'state',
    value: ({ usedForThisCall }) => (usedForThisCall ? message('token:thisCall') : undefined),
  },
  { id: 'id', kind: 'mono', group: 'about', value: ({ id }) => `#${id}` },
];

export const token: Entity<TokenItem, TokenSelection> = entity({
  name: 'token',
  plural: 'tokens',
  requires: 'MANAGE_TOKENS',
  screen: {
    path: '/developer-tools/tokens',
    rail: { icon: 'key-round', group: 'developer', whole: true },
    key: 'g k',
    tabs: 'developer-tools',
  },
  views: [
    { id: 'all', filter: '' },
    { id: 'personal', filter: 'type:PERSONAL' },
    { id: 'expired', filter: 'expired:true' },
  ],
  id: ({ id }) => `${id}`,
  label: ({ name }) => name,
  detail: ownerOf,
  json: (item) => toJson(TokenSchema, item),
  isId: (text) => /^#?\d+$/.test(text.trim()),
  toId: (text) => text.trim().replace(/^#/, ''),
  list: (context, { selection }, window) => windowOf(window, load(context, selection)),
  byIds: async (context, ids) => (await everyToken(context)).filter(({ id }) => ids.includes(`${id}`)),
  find: async (context, text) => {
    const wanted = text.trim();
    const all = await everyToken(context);
    const numbered = all.filter(({ id }) => `#${id}` === wanted);
    if (numbered.length > 0) return numbered;
    return all.filter(({ id, name }) => name.toLocaleLowerCase() === wanted.toLocaleLowerCase() || `${id}` === wanted);
  },
  search: async (context, text, limit) => matching(await everyToken(context), text, ({ name }) => name).slice(0, limit),
  emptySelection: () => create(TokenSelectionSchema),
  // The name is what the contract searches in.
  applySearch: (selection, words) => {
    selection.name = words;
  },
  filter: {
    name: containsKey<TokenSelection>((selection, value) => {
      selection.name = value;
    }),
    type: {
      kind: 'choice',
      options: p.names(Token_Type),
      label: typeWords.named,
      several: message('token:filter.severalTypes'),
      apply: (selection, term) => {
        const types = valuesOf(term).map((value) => Token_Type[value as keyof typeof Token_Type]);
        selection.type = narrow(selection.type, types, term.key);
      },
    },
    role: {
      kind: 'text',
      negates: true,
      suggest: suggestRoles,
      apply: async (selection, term, context) => {
        const identifiers = await findRoles(context, valuesOf(term));
        addTo((selection.roles ??= create(Filter_RolesSchema)), identifiers, term);
      },
    },
    /** Whose it is, by name, address or id. */
    user: {
      kind: 'name',
      negates: true,
      suggest: suggestOwners,
      apply: async (selection, term, context) =>
        addTo((selection.users ??= create(Filter_UsersSchema)), await ownerIds(valuesOf(term), context), term),
    },
    /** Adds the expired ones, which are left out otherwise; the contract cannot ask for only those. */
    expired: {
      kind: 'flag',
      apply: (selection, term) => {
        selection.includeExpired = isTrue(term);
      },
    },
  },
  // The contract orders tokens in one way only (contract: TokenService).
  sorts: [],
  columns,
  facts,
  changedBy: ['TOKEN_CREATED', 'TOKEN_DELETED', 'TOKEN_EXPIRED', 'TOKEN_EXPIRY_WARNING'],
});
