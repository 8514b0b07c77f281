import { create } from '@bufbuild/protobuf';

import {
  Filter_ChildOrganizationsSchema,
  Filter_OrganizationPermissionsSchema,
  Filter_RolesSchema,
} from '#proto/hiber/filter_pb';
import { OrganizationService } from '#proto/hiber/organization_pb';
import { OrganizationPermission } from '#proto/hiber/permission_pb';
import type { Context } from '../core/context.ts';
import type { FilterKeys } from '../core/filter.ts';
import { addTo, containsKey, matching, valuesOf } from '../core/filter-keys.ts';
import type { Suggestion } from '../core/kinds.ts';
import { message } from '../core/message.ts';
import { p } from '../core/params.ts';
import { organization } from '../organization/entity.ts';
import { findRoles, suggestRoles } from '../role/entity.ts';
import type { UsersSelection } from './item.ts';

/** Organizations below that are offered while typing. */
const OFFERED = 100;

async function suggestBelow(context: Context, text: string): Promise<readonly Suggestion[]> {
  const request = { organization: context.organization.id, pagination: { size: OFFERED } };
  const found = await context.api(OrganizationService).listChildOrganizations(request, { signal: context.signal });
  const named = found.childOrganizations.map(({ organization: value, displayName }) => ({
    value,
    label: displayName || value,
  }));
  return matching(named, text, ({ value, label }) => `${label} ${value}`);
}

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
  /** Members of organizations below as well: `below:*` of all of them. */
  below: {
    kind: 'name',
    entity: () => organization,
    negates: true,
    presence: true,
    suggest: suggestBelow,
    apply: (selection, term) => {
      const below = (selection.below ??= create(Filter_ChildOrganizationsSchema));
      if ('present' in term.test) below.includeAll = !term.negated;
      else addTo(below, valuesOf(term), term);
      // Without these, of all the others.
      if (term.negated && !('present' in term.test) && below.include.length === 0) below.includeAll = true;
    },
  },
};
