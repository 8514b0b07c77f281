import { create, toJson } from '@bufbuild/protobuf';

import {
  AccessibleOrganizationsRequest_AccessibleOrganizationSchema,
  CurrentUserService,
  type AccessibleOrganizationsRequest_AccessibleOrganization as Accessible,
} from '#proto/gen/hiber/current_user_pb.ts';
import {
  Organization_Feature,
  OrganizationSchema,
  OrganizationService,
  type Organization,
  type Organization_Address,
} from '#proto/gen/hiber/organization_pb.ts';
import type { Context } from '#commands/model/context.ts';
import { enumWords } from '#commands/kit/enum-words.ts';
import type { Column, Fact } from '#commands/model/column.ts';
import { entity, type Entity, type Related } from '#commands/model/entity.ts';
import { isTrue, matching, reference } from '#commands/kit/filter-keys.ts';
import { listed, message, type Message } from '#commands/text/message.ts';
import { knownOrganizations } from '#commands/kit/organization-names.ts';
import { allOf, windowOf, type Listed } from '#commands/run/paging.ts';
import { msOf, textOf } from '#commands/model/wire.ts';

/** An organization that the person may act for; its data as far as it was asked for. */
export interface OrganizationItem {
  readonly accessible: Accessible;
  readonly details?: Organization;
}

interface Selection {
  search?: string;
  /** Everything that one can act for; without it, what is below the organization one acts for. */
  accessible?: boolean;
  memberOnly?: boolean;
  defaultOnly?: boolean;
}

/** Of organizations one is a member of, which need not be below the one on the screen, there is only the one list. */
function isBelow({ accessible, memberOnly, defaultOnly }: Selection): boolean {
  return !accessible && !memberOnly && !defaultOnly;
}

/** The organizations below the one that is acted for, at any depth, with their data. */
function loadBelow(context: Context, { search }: Selection) {
  return async (pagination: { page?: number; size?: number }): Promise<Listed<OrganizationItem>> => {
    const request = {
      organization: context.organization.id,
      ...(search ? { selection: { search } } : {}),
      includeDetails: true,
      pagination,
    };
    const service = context.api(OrganizationService);
    const [found, members] = await Promise.all([
      service.listChildOrganizations(request, { signal: context.signal }),
      memberOf(context),
    ]);
    const items = found.childOrganizations.map((details) => {
      const { organization: id, displayName, contact } = details;
      const member = members.get(id);
      const fields = {
        organization: id,
        displayName,
        member: false,
        defaultOrganization: false,
        ...(contact ? { contact } : {}),
      };
      return {
        accessible: member ?? create(AccessibleOrganizationsRequest_AccessibleOrganizationSchema, fields),
        details,
      };
    });
    return { items, pagination: found.pagination };
  };
}

/** Those that one is a member of, by id. */
const memberOf = reference(
  'organization:member:all',
  async (context: Context): Promise<ReadonlyMap<string, Accessible>> => {
    const found = await allOf(load(context, { memberOnly: true }));
    return new Map(found.map(({ accessible }) => [accessible.organization, accessible]));
  },
);

function load(context: Context, { accessible: _all, ...selection }: Selection) {
  return async (pagination: { page?: number; size?: number }): Promise<Listed<OrganizationItem>> => {
    const request = { ...selection, pagination };
    const found = await context.api(CurrentUserService).accessibleOrganizations(request, { signal: context.signal });
    return { items: found.organizations.map((accessible) => ({ accessible })), pagination: found.pagination };
  };
}

/** Spec 5: what an organization's id is made of. */
const ID = /^[a-z0-9_-]+$/;

/** The sentence for an id that no organization can have. */
export function organizationIdProblem(id: string): Message | undefined {
  return ID.test(id.trim()) ? undefined : message('organization:validation.id');
}

/** More details than a panel shows are not asked for one by one. */
const DETAILED = 5;

type Calling = Pick<Context, 'api' | 'signal'>;

export async function withDetails({ api, signal }: Calling, item: OrganizationItem): Promise<OrganizationItem> {
  const request = { organization: item.accessible.organization };
  return { ...item, details: await api(OrganizationService).get(request, { signal }) };
}

async function byId(context: Context, id: string): Promise<readonly OrganizationItem[]> {
  const found = await allOf(load(context, { search: id }));
  return found.filter(({ accessible }) => accessible.organization === id);
}

const addressText = (address: Organization_Address | undefined): string | undefined =>
  address &&
  [...address.lines, address.zipCode, address.city, address.state, address.country].filter(Boolean).join(', ');

const nameOf = ({ accessible }: OrganizationItem): string => accessible.displayName || accessible.organization;

const { word: featureText } = enumWords(Organization_Feature, 'organization:feature');

const columns: readonly Column<OrganizationItem>[] = [
  { id: 'name', kind: 'text', width: 240, grow: 2, value: nameOf },
  { id: 'id', kind: 'mono', width: 180, grow: 1, value: ({ accessible }) => accessible.organization },
  {
    id: 'membership',
    kind: 'status',
    width: 120,
    value: ({ accessible }) => {
      if (accessible.defaultOrganization) return message('organization:membership.default');
      return message(accessible.member ? 'organization:membership.member' : 'organization:membership.reachable');
    },
  },
  {
    id: 'contact',
    kind: 'text',
    width: 200,
    grow: 1,
    value: ({ accessible }) => accessible.contact?.name || undefined,
  },
];

const EDIT = 'organization.edit';

export const organizationFacts: readonly Fact<OrganizationItem>[] = [
  { id: 'name', kind: 'text', group: 'identity', value: nameOf, edit: EDIT },
  { id: 'id', kind: 'mono', group: 'about', value: ({ accessible }) => accessible.organization },
  {
    id: 'features',
    kind: 'text',
    group: 'about',
    value: ({ details }) => listed((details?.features ?? []).map(featureText)),
  },
  {
    id: 'expectedRate',
    kind: 'number',
    group: 'about',
    value: ({ details }) => details?.defaults?.expectedDeviceTransmissionRate?.value.toString(),
  },
  {
    id: 'contact',
    kind: 'text',
    group: 'contact',
    value: ({ accessible }) => accessible.contact?.name || undefined,
    edit: EDIT,
    fields: ['contactName'],
  },
  {
    id: 'email',
    kind: 'text',
    group: 'contact',
    value: ({ accessible }) => accessible.contact?.email || undefined,
    edit: EDIT,
    fields: ['contactEmail'],
  },
  {
    id: 'phone',
    kind: 'text',
    group: 'contact',
    value: ({ accessible }) => accessible.contact?.phone || undefined,
    edit: EDIT,
    fields: ['contactPhone'],
  },
  {
    id: 'address',
    kind: 'text',
    group: 'contact',
    value: ({ details }) => addressText(details?.address),
    edit: EDIT,
    fields: ['street', 'zipCode', 'city', 'state', 'country'],
  },
  {
    id: 'vat',
    kind: 'mono',
    group: 'billing',
    value: ({ details }) => details?.vatNumber || undefined,
    edit: EDIT,
    fields: ['vatNumber'],
  },
  {
    id: 'billingName',
    kind: 'text',
    group: 'billing',
    value: ({ details }) => details?.billingName || undefined,
    edit: EDIT,
  },
  {
    id: 'billingAddress',
    kind: 'text',
    group: 'billing',
    value: ({ details }) => addressText(details?.billingAddress),
    edit: EDIT,
    fields: ['billingStreet', 'billingZipCode', 'billingCity', 'billingState', 'billingCountry'],
  },
  {
    id: 'created',
    kind: 'time',
    group: 'about',
    value: ({ details }) => textOf(details?.createdAt),
    at: ({ details }) => msOf(details?.createdAt),
  },
];

const childColumns: readonly Column<Organization>[] = [
  { id: 'name', kind: 'text', width: 200, grow: 1, value: (row) => row.displayName || row.organization },
  { id: 'id', kind: 'mono', width: 160, value: (row) => row.organization },
];

const children: Related<OrganizationItem> = {
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

export const organization: Entity<OrganizationItem, Selection> = entity({
  name: 'organization',
  plural: 'organizations',
  screen: {
    path: '/settings/organizations',
    rail: { icon: 'building-2', group: 'organization' },
    key: 'g o',
    tabs: 'settings',
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
    return ids.length <= DETAILED ? Promise.all(found.map((item) => withDetails(context, item))) : found;
  },
  find: async (context, text) => {
    const wanted = text.trim().toLocaleLowerCase();
    const found = await allOf(load(context, { search: text.trim() }));
    const exact = found.filter(({ accessible }) => accessible.organization === wanted);
    return exact.length > 0 ? exact : found.filter((item) => nameOf(item).toLocaleLowerCase() === wanted);
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
  emptySelection: (): Selection => ({}),
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
  columns,
  facts: organizationFacts,
  related: [children],
  changedBy: ['ORGANIZATION_CREATED', 'ORGANIZATION_UPDATED', 'ORGANIZATION_DELETED'],
});
