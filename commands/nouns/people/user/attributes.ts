import { create } from '@bufbuild/protobuf';

import { attributes } from '#commands/kit/attributes.ts';
import { addTerm, containsKey, valuesOf } from '#commands/kit/filter-keys.ts';
import { organizationLinks, organizationText } from '#commands/kit/organization-names.ts';
import { p } from '#commands/model/params.ts';
import { dayOf, toMs, textOf } from '#commands/model/wire.ts';
import { findRoles, roleLinks, suggestRoles, supportLabels } from '#commands/nouns/people/role/entity.ts';
import { message } from '#commands/text/message.ts';
import { plainName } from '#commands/text/names.ts';
import { Filter_OrganizationPermissionsSchema, Filter_RolesSchema } from '#proto/gen/hiber/filter_pb.ts';
import { OrganizationPermission } from '#proto/gen/hiber/permission_pb.ts';

import { nameOf, permissionsOf, STATUSES, statusOf, type UserItem, type UsersSelection } from './item.ts';

export const userAttributes = attributes<UserItem, UsersSelection>(
  {
    name: {
      kind: 'text',
      value: ({ user }) => plainName(user.name) || undefined,
      column: { width: 180, grow: 2, sort: 'name', value: nameOf },
      detail: 'identity',
      filter: containsKey(({ users }, value) => (users.byName = value)),
    },
    email: {
      kind: 'text',
      value: ({ user }) => user.email,
      column: { width: 220, comfortableWidth: 250, grow: 2, sort: 'email' },
      detail: 'about',
      filter: containsKey(({ users }, value) => (users.byEmail = value)),
    },
    verified: {
      kind: 'status',
      value: ({ member }) => member && message(member.emailVerified ? 'user:verified.yes' : 'user:verified.no'),
      level: ({ member }) => (member && !member.emailVerified ? 'warning' : 'none'),
      detail: 'state',
    },
    roles: {
      kind: 'text',
      value: ({ roles }) => roles.join(', ') || message('user:noRoles'),
      links: ({ user: { roles: ids }, roles, organization }) => roleLinks(ids, roles, organization),
      column: { width: 160, grow: 2 },
      detail: { group: 'access', fields: ['roles', 'withoutRoles'] },
      edit: 'user.set-roles',
      key: 'role',
      filter: {
        kind: 'text',
        negates: true,
        suggest: suggestRoles,
        apply: async ({ users }, term, context) => {
          const identifiers = await findRoles(context, valuesOf(term));
          addTerm((users.roles ??= create(Filter_RolesSchema)), identifiers, term);
        },
      },
    },
    status: {
      kind: 'status',
      value: (item) => message(`user:status.${statusOf(item)}`),
      column: { width: 110, possibleValues: STATUSES.map((status) => message(`user:status.${status}`)) },
      // Highlights members who are suspended or are trying out other roles.
      detail: { group: 'state', level: (item) => (statusOf(item) === 'active' ? 'none' : 'warning') },
    },
    activity: {
      kind: 'day',
      value: ({ user }) => user.lastActivity?.textual || message('user:never'),
      time: ({ user }) => dayOf(user.lastActivity),
      column: { width: 110 },
      detail: 'state',
    },
    permissions: {
      kind: 'number',
      value: (item) => `${permissionsOf(item).length}`,
      detail: 'access',
      key: 'permission',
      filter: {
        kind: 'choice',
        options: p.names(OrganizationPermission, ['PERMISSION_DEFAULT', 'ASSETS', 'ASSETS_UPDATE', 'ASSETS_VALUES']),
        label: (name) => message(`role:permission.${name}`),
        negates: true,
        apply: ({ users }, term) => {
          const permissions = valuesOf(term).map(
            (name) => OrganizationPermission[name as keyof typeof OrganizationPermission],
          );
          addTerm((users.permissions ??= create(Filter_OrganizationPermissionsSchema)), permissions, term);
        },
      },
    },
    support: {
      kind: 'text',
      value: ({ user: { supportPermissions } }) => supportLabels.list(supportPermissions?.include ?? []),
      detail: 'access',
    },
    joined: {
      kind: 'time',
      value: ({ member }) => textOf(member?.joinedAt),
      time: ({ member }) => toMs(member?.joinedAt),
      detail: 'about',
    },
    signIns: { kind: 'number', value: ({ member }) => member && `${member.signIns}`, detail: 'about' },
    organization: {
      kind: 'text',
      value: ({ organization, organizations }) => organizationText(organization, organizations),
      links: ({ organization, organizations }) => organizationLinks(organization, organizations),
      column: { width: 160, grow: 1, when: 'below' },
      detail: 'about',
    },
    id: { kind: 'mono', value: ({ user }) => user.id, detail: 'about' },
  },
  { filter: ['role', 'permission', 'email'] },
);
