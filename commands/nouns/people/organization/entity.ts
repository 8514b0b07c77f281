import { isTrue } from '#commands/kit/filter-keys.ts';
import { findExactMatches, findMatches } from '#commands/kit/matching.ts';
import { cachedOrganizations } from '#commands/kit/organization-names.ts';
import type { Column } from '#commands/model/column.ts';
import type { Context } from '#commands/model/context.ts';
import { entity, type DetailTab, type Entity } from '#commands/model/entity.ts';
import { SETTINGS } from '#commands/nouns/tab-groups.ts';
import { loadAllPages, loadWindow } from '#commands/run/paging.ts';
import { message } from '#commands/text/message.ts';
import { AccessibleOrganizationsRequest_AccessibleOrganizationSchema } from '#proto/gen/hiber/current_user_pb.ts';
import { OrganizationSchema, OrganizationService, type Organization } from '#proto/gen/hiber/organization_pb.ts';

import { organizationAttributes } from './attributes.ts';
import { nameOf, type OrganizationItem, type OrganizationSelection } from './item.ts';
import { loadById, listsSubOrganizations, loadAccessible, loadSubOrganizations, loadDetails } from './list.ts';

/** The maximum number of items to load details for. Each item takes a separate call. */
const MAX_ITEMS_WITH_DETAILS = 5;

/** Adds the details, because an edit needs them for its plan and for undo. */
async function addDetails(context: Context, items: readonly OrganizationItem[]): Promise<readonly OrganizationItem[]> {
  return items.length <= MAX_ITEMS_WITH_DETAILS ? Promise.all(items.map((item) => loadDetails(context, item))) : items;
}

const childColumns: readonly Column<Organization>[] = [
  { id: 'name', kind: 'text', width: 200, grow: 1, value: (row) => row.displayName || row.organization },
  { id: 'id', kind: 'mono', width: 160, value: (row) => row.organization },
];

const children: DetailTab<OrganizationItem> = {
  id: 'children',
  add: ({ accessible }, context) =>
    accessible.organization === context.organization.id ? { id: 'organization.create', args: {} } : undefined,
  columns: childColumns,
  limit: 100,
  load: async (context, { accessible }) => {
    const request = { organization: accessible.organization, pagination: { size: 100 } };
    const response = await context.api(OrganizationService).listChildOrganizations(request, { signal: context.signal });
    return response.childOrganizations;
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
  // The screen lists sub-organizations. `o` finds all accessible organizations from anywhere (spec 2).
  views: [
    { id: 'below', filter: '' },
    { id: 'accessible', filter: 'accessible:true' },
    { id: 'member', filter: 'member:true' },
  ],
  emptyHint: true,
  example: { name: 'northwind-offshore' },
  id: ({ accessible }) => accessible.organization,
  label: nameOf,
  detail: ({ accessible }) => accessible.organization,
  json: ({ accessible, details }, toJson) => ({
    ...(toJson(AccessibleOrganizationsRequest_AccessibleOrganizationSchema, accessible) as object),
    ...(details ? { details: toJson(OrganizationSchema, details) } : {}),
  }),
  // Organization ids look like ordinary words.
  isId: () => false,
  toId: (text) => text.trim(),
  list: (context, { selection }, window) =>
    loadWindow(
      window,
      listsSubOrganizations(selection) ? loadSubOrganizations(context, selection) : loadAccessible(context, selection),
    ),
  byIds: async (context, ids) => {
    const items = (await Promise.all(ids.map((id) => loadById(context, id)))).flat();
    return addDetails(context, items);
  },
  find: async (context, text) => {
    const candidates = await loadAllPages(loadAccessible(context, { search: text.trim() }));
    const idOf = ({ accessible }: OrganizationItem) => accessible.organization;
    const matches = findExactMatches(
      candidates,
      text,
      (item) => [idOf(item)],
      (item) => [nameOf(item)],
    );
    return addDetails(context, matches);
  },
  search: async (context, text, limit) => {
    const search = text.trim();
    // Match word prefixes here because the contract's search doesn't support them.
    const organizations = search ? await cachedOrganizations(context) : undefined;
    const items = (organizations ?? []).map((accessible): OrganizationItem => ({ accessible }));
    const matches = await findMatches(items, search, (item) => `${nameOf(item)}\n${item.accessible.organization}`);
    if (matches.length > 0) return matches.slice(0, limit);
    return (await loadAccessible(context, search ? { search } : {})({ size: limit })).items;
  },
  emptySelection: (): OrganizationSelection => ({}),
  applySearch: (selection, text) => {
    selection.search = text;
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
  // The server returns organizations in a fixed order.
  sorts: [],
  columns: organizationAttributes.columns,
  details: organizationAttributes.details,
  detailTabs: [children],
  changedBy: ['ORGANIZATION_CREATED', 'ORGANIZATION_UPDATED', 'ORGANIZATION_DELETED'],
});

export { organization as entity };
