import { toJson } from '@bufbuild/protobuf';

import { AccessibleOrganizationsRequest_AccessibleOrganizationSchema } from '#proto/gen/hiber/current_user_pb.ts';
import { OrganizationSchema, OrganizationService, type Organization } from '#proto/gen/hiber/organization_pb.ts';
import type { Column } from '#commands/model/column.ts';
import type { Context } from '#commands/model/context.ts';
import { entity, type DetailTab, type Entity } from '#commands/model/entity.ts';
import { isTrue, matching } from '#commands/kit/filter-keys.ts';
import { message } from '#commands/text/message.ts';
import { knownOrganizations } from '#commands/kit/organization-names.ts';
import { allOf, windowOf } from '#commands/run/paging.ts';
import { SETTINGS } from '#commands/nouns/tab-groups.ts';
import { organizationAttributes } from './attributes.ts';
import { nameOf, type OrganizationItem, type OrganizationSelection } from './item.ts';
import { byId, isBelow, load, loadBelow, withDetails } from './list.ts';

/** More details than a panel shows are not asked for one by one. */
const DETAILED = 5;

/** With what an edit has to know to say what it changes, and to put it back. */
async function detailed(context: Context, found: readonly OrganizationItem[]): Promise<readonly OrganizationItem[]> {
  return found.length <= DETAILED ? Promise.all(found.map((item) => withDetails(context, item))) : found;
}

const childColumns: readonly Column<Organization>[] = [
  { id: 'name', kind: 'text', width: 200, grow: 1, value: (row) => row.displayName || row.organization },
  { id: 'id', kind: 'mono', width: 160, value: (row) => row.organization },
];

const children: DetailTab<OrganizationItem> = {
  id: 'children',
  columns: childColumns,
  limit: 100,
  load: async (context, { accessible }) => {
    const request = { organization: accessible.organization, pagination: { size: 100 } };
    const found = await context.api(OrganizationService).listChildOrganizations(request, { signal: context.signal });
    return found.childOrganizations;
  },
  key: (row) => (row as Organization).organization,
  opens: (row) => ({ entity: 'organization', id: (row as Organization).organization }),
};

export const organization: Entity<OrganizationItem, OrganizationSelection> = entity({
  name: 'organization',
  plural: 'organizations',
  screen: {
    path: '/settings/organizations',
    rail: { icon: 'building-2', group: 'organization' },
    key: 'g o',
    tabs: SETTINGS,
    title: message('screen:organization.below'),
  },
  // Spec 2: the screen is of sub-organizations; what one can act for is found by `o` from anywhere.
  views: [
    { id: 'below', filter: '' },
    { id: 'accessible', filter: 'accessible:true' },
    { id: 'member', filter: 'member:true' },
  ],
  id: ({ accessible }) => accessible.organization,
  label: nameOf,
  detail: ({ accessible }) => accessible.organization,
  json: ({ accessible, details }) => ({
    ...(toJson(AccessibleOrganizationsRequest_AccessibleOrganizationSchema, accessible) as object),
    ...(details ? { details: toJson(OrganizationSchema, details) } : {}),
  }),
  // A slug looks like any word.
  isId: () => false,
  toId: (text) => text.trim(),
  list: (context, { selection }, window) =>
    windowOf(window, isBelow(selection) ? loadBelow(context, selection) : load(context, selection)),
  byIds: async (context, ids) => {
    const found = (await Promise.all(ids.map((id) => byId(context, id)))).flat();
    return detailed(context, found);
  },
  find: async (context, text) => {
    const wanted = text.trim().toLocaleLowerCase();
    const found = await allOf(load(context, { search: text.trim() }));
    const exact = found.filter(({ accessible }) => accessible.organization === wanted);
    const named = exact.length > 0 ? exact : found.filter((item) => nameOf(item).toLocaleLowerCase() === wanted);
    return detailed(context, named);
  },
  search: async (context, text, limit) => {
    const search = text.trim();
    // By the starts of several words too, which the contract cannot.
    const known = search ? await knownOrganizations(context) : undefined;
    const items = (known ?? []).map((accessible): OrganizationItem => ({ accessible }));
    const found = matching(items, search, (item) => `${nameOf(item)}\n${item.accessible.organization}`);
    if (found.length > 0) return found.slice(0, limit);
    return (await load(context, search ? { search } : {})({ size: limit })).items;
  },
  emptySelection: (): OrganizationSelection => ({}),
  applySearch: (selection, words) => {
    selection.search = words;
  },
  filter: {
    accessible: {
      kind: 'flag',
      apply: (selection, term) => {
        selection.accessible = isTrue(term);
      },
    },
    member: {
      kind: 'flag',
      apply: (selection, term) => {
        selection.memberOnly = isTrue(term);
      },
    },
    default: {
      kind: 'flag',
      apply: (selection, term) => {
        selection.defaultOnly = isTrue(term);
      },
    },
  },
  // The contract orders them in one way only.
  sorts: [],
  columns: organizationAttributes.columns,
  details: organizationAttributes.details,
  detailTabs: [children],
  changedBy: ['ORGANIZATION_CREATED', 'ORGANIZATION_UPDATED', 'ORGANIZATION_DELETED'],
});
