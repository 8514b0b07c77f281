import { create } from '@bufbuild/protobuf';

import { reference } from '#commands/kit/filter-keys.ts';
import type { Context } from '#commands/model/context.ts';
import { loadAllPages, type Listed } from '#commands/run/paging.ts';
import {
  AccessibleOrganizationsRequest_AccessibleOrganizationSchema,
  CurrentUserService,
  type AccessibleOrganizationsRequest_AccessibleOrganization as Accessible,
} from '#proto/gen/hiber/current_user_pb.ts';
import { OrganizationService } from '#proto/gen/hiber/organization_pb.ts';

import type { OrganizationItem, OrganizationSelection } from './item.ts';

/** True if the selection lists the sub-organizations of the current organization, not all accessible organizations. */
export function listsSubOrganizations({ accessible, memberOnly, defaultOnly }: OrganizationSelection): boolean {
  return !accessible && !memberOnly && !defaultOnly;
}

/** Lists the sub-organizations of the current organization, at any depth, with details. */
export function loadSubOrganizations(context: Context, { search }: OrganizationSelection) {
  return async (pagination: { page?: number; size?: number }): Promise<Listed<OrganizationItem>> => {
    const request = {
      organization: context.organization.id,
      ...(search ? { selection: { search } } : {}),
      includeDetails: true,
      pagination,
    };
    const service = context.api(OrganizationService);
    const [response, members] = await Promise.all([
      service.listChildOrganizations(request, { signal: context.signal }),
      loadMemberships(context),
    ]);
    const items = response.childOrganizations.map((details) => {
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
    return { items, pagination: response.pagination };
  };
}

/** The organizations that the user is a member of, keyed by id. */
const loadMemberships = reference(
  'organization:member:all',
  async (context: Context): Promise<ReadonlyMap<string, Accessible>> => {
    const items = await loadAllPages(load(context, { memberOnly: true }));
    return new Map(items.map(({ accessible }) => [accessible.organization, accessible]));
  },
);

export function load(context: Context, { accessible: _all, ...selection }: OrganizationSelection) {
  return async (pagination: { page?: number; size?: number }): Promise<Listed<OrganizationItem>> => {
    const request = { ...selection, pagination };
    const response = await context.api(CurrentUserService).accessibleOrganizations(request, { signal: context.signal });
    return { items: response.organizations.map((accessible) => ({ accessible })), pagination: response.pagination };
  };
}

export async function loadById(context: Context, id: string): Promise<readonly OrganizationItem[]> {
  const candidates = await loadAllPages(load(context, { search: id }));
  return candidates.filter(({ accessible }) => accessible.organization === id);
}

type ApiContext = Pick<Context, 'api' | 'signal'>;

export async function loadDetails({ api, signal }: ApiContext, item: OrganizationItem): Promise<OrganizationItem> {
  const request = { organization: item.accessible.organization };
  return { ...item, details: await api(OrganizationService).get(request, { signal }) };
}
