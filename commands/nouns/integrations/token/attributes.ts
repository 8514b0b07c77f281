import { create } from '@bufbuild/protobuf';

import { attributes } from '#commands/kit/attributes.ts';
import { addTerm, containsKey, intersectValues, valuesOf } from '#commands/kit/filter-keys.ts';
import { organizationText, type OrganizationNames } from '#commands/kit/organization-names.ts';
import type { Level } from '#commands/model/column.ts';
import { p } from '#commands/model/params.ts';
import { dayOf, toMs, textOf } from '#commands/model/wire.ts';
import { findRoles, role, roleLinks, suggestRoles } from '#commands/nouns/people/role/entity.ts';
import { listMessage, message, type Message } from '#commands/text/message.ts';
import { Filter_RolesSchema, Filter_UsersSchema } from '#proto/gen/hiber/filter_pb.ts';
import type { Role } from '#proto/gen/hiber/role_pb.ts';
import { Token_Type, type Token, type TokenSelection } from '#proto/gen/hiber/token_pb.ts';

import {
  ownerName,
  ownerOf,
  permissionNames,
  permissionLabels,
  typeLabels,
  userPermissionNames,
  userPermissionLabels,
  type TokenItem,
} from './item.ts';
import { findOwnerIds, suggestOwners } from './owners.ts';
import { tokenParams } from './params.ts';

const EDIT = 'token.edit';

const join = (names: readonly string[]): string | undefined => names.join(', ') || undefined;
const text = (value: unknown): string | undefined => join(value as readonly string[]);

/** A token shows a warning during this time before its expiry, so users can create a new one. */
const EXPIRES_SOON_MS = 14 * 86_400_000;

function expiryLevel({ expiresAt }: Token, now = Date.now()): Level {
  const expiry = toMs(expiresAt);
  if (expiry === undefined || expiry > now + EXPIRES_SOON_MS) return 'none';
  return expiry <= now ? 'error' : 'warning';
}

function namesOf(ids: readonly string[], names: OrganizationNames | undefined): string | Message | undefined {
  return listMessage(ids.flatMap((id) => organizationText(id, names) ?? []));
}

function reachText({ limitImpersonation: limit, organizations }: TokenItem): string | Message | undefined {
  if (!limit) return undefined;
  if (!limit.includeAll) return namesOf(limit.include, organizations) ?? message('token:reach.none');
  const exceptions = namesOf(limit.exclude, organizations);
  return exceptions === undefined
    ? message('token:reach.all')
    : message('token:reach.allExcept', { except: exceptions });
}

/**
 * Only the roles and permissions of a token can be changed. Its name, owner, and expiry are fixed (contract:
 * TokenService).
 */
export const tokenAttributes = attributes<TokenItem, TokenSelection>(
  {
    name: {
      kind: 'text',
      value: ({ name }) => name,
      column: { width: 200, grow: 2 },
      detail: 'identity',
      filter: containsKey((selection, value) => {
        selection.name = value;
      }),
    },
    type: {
      kind: 'status',
      value: ({ type }) => typeLabels.text(type),
      column: { width: 100 },
      detail: 'owner',
      filter: {
        kind: 'choice',
        options: p.names(Token_Type),
        label: typeLabels.byName,
        pluralMessage: message('token:filter.severalTypes'),
        apply: (selection, term) => {
          const types = valuesOf(term).map((value) => Token_Type[value as keyof typeof Token_Type]);
          selection.type = intersectValues(selection.type, types, term.key);
        },
      },
    },
    owner: {
      kind: 'text',
      value: ownerOf,
      links: (item) => {
        const name = ownerName(item);
        return name === undefined ? [] : [{ entity: 'user', id: item.userId, name }];
      },
      column: { width: 160, grow: 1 },
      detail: 'owner',
      // Finds owners by name, email address, or id.
      key: 'user',
      filter: {
        kind: 'name',
        negates: true,
        suggest: suggestOwners,
        apply: async (selection, term, context) =>
          addTerm((selection.users ??= create(Filter_UsersSchema)), await findOwnerIds(valuesOf(term), context), term),
      },
    },
    email: { kind: 'text', value: ({ userDetails }) => userDetails?.email || undefined, detail: 'owner' },
    roles: {
      kind: 'text',
      value: ({ roles, roleNames: names = roles }) => join(names),
      links: ({ roles, roleNames: names = roles, organization }) => roleLinks(roles, names, organization),
      column: { width: 150, comfortableWidth: 240 },
      detail: 'access',
      edit: EDIT,
      // Plans show role names, so the values are names.
      field: {
        param: tokenParams.roles,
        current: ({ roles, roleNames: names = roles }) => names,
        fromArgument: (resolved) => (resolved as readonly Role[] | undefined)?.map(role.label),
        text,
      },
      key: 'role',
      filter: {
        kind: 'text',
        negates: true,
        suggest: suggestRoles,
        apply: async (selection, term, context) => {
          const identifiers = await findRoles(context, valuesOf(term));
          addTerm((selection.roles ??= create(Filter_RolesSchema)), identifiers, term);
        },
      },
    },
    permissions: {
      kind: 'text',
      value: ({ organizationPermissions }) => permissionLabels.list(organizationPermissions),
      // The table has room only for a permission count, which includes those on the owner's account.
      column: {
        width: 100,
        kind: 'number',
        value: ({ organizationPermissions, userPermissions }) =>
          `${organizationPermissions.length + userPermissions.length}`,
      },
      detail: 'access',
      edit: EDIT,
      field: {
        param: tokenParams.permissions,
        current: ({ organizationPermissions }) => permissionNames(organizationPermissions),
        text,
      },
    },
    userPermissions: {
      kind: 'text',
      value: ({ userPermissions }) => userPermissionLabels.list(userPermissions),
      detail: 'access',
      edit: EDIT,
      field: {
        param: tokenParams.userPermissions,
        current: ({ userPermissions }) => userPermissionNames(userPermissions),
        text,
      },
    },
    expires: {
      kind: 'time',
      value: ({ expiresAt }) => textOf(expiresAt),
      time: ({ expiresAt }) => toMs(expiresAt),
      column: { width: 150 },
      detail: { group: 'state', level: expiryLevel },
    },
    used: {
      kind: 'day',
      value: ({ lastUsed }) => lastUsed?.textual,
      time: ({ lastUsed }) => dayOf(lastUsed),
      column: { width: 110 },
      detail: 'state',
    },
    reach: { kind: 'text', value: reachText, detail: 'access' },
    thisCall: {
      kind: 'text',
      value: ({ usedForThisCall }) => (usedForThisCall ? message('token:thisCall') : undefined),
      detail: 'state',
    },
    id: { kind: 'mono', value: ({ id }) => `#${id}`, column: { width: 56 }, detail: 'about' },
  },
  { filter: ['name', 'type', 'role'] },
);
