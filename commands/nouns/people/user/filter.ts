import { create } from '@bufbuild/protobuf';

import { Filter_OrganizationPermissionsSchema, Filter_RolesSchema } from '#proto/gen/hiber/filter_pb.ts';
import { OrganizationPermission } from '#proto/gen/hiber/permission_pb.ts';
import { belowKey } from '#commands/kit/below.ts';
import type { FilterKeys } from '#commands/model/filter.ts';
import { addTo, containsKey, valuesOf } from '#commands/kit/filter-keys.ts';
import { message } from '#commands/text/message.ts';
import { p } from '#commands/model/params.ts';
import { findRoles, suggestRoles } from '#commands/nouns/people/role/entity.ts';
import type { UsersSelection } from './item.ts';

export const userFilter: FilterKeys<UsersSelection> = {
  role: {
    kind: 'text',
    negates: true,
    suggest: suggestRoles,
    apply: async ({ users }, term, context) => {
      const identifiers = await findRoles(context, valuesOf(term));
      addTo((users.roles ??= create(Filter_RolesSchema)), identifiers, term);
    },
  },
  permission: {
    kind: 'choice',
    options: p.names(OrganizationPermission, ['PERMISSION_DEFAULT', 'ASSETS', 'ASSETS_UPDATE', 'ASSETS_VALUES']),
    label: (name) => message(`role:permission.${name}`),
    negates: true,
    apply: ({ users }, term) => {
      const wanted = valuesOf(term).map((name) => OrganizationPermission[name as keyof typeof OrganizationPermission]);
      addTo((users.permissions ??= create(Filter_OrganizationPermissionsSchema)), wanted, term);
    },
  },
  email: containsKey<UsersSelection>(({ users }, value) => (users.byEmail = value)),
  name: containsKey<UsersSelection>(({ users }, value) => (users.byName = value)),
  below: belowKey,
};
