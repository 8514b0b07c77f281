import { create } from '@bufbuild/protobuf';

import { cachedLoader } from '#commands/kit/filter-keys.ts';
import type { Context } from '#commands/model/context.ts';
import { loadAllPages, type ListResponse } from '#commands/run/paging.ts';
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

/** Returns a loader for pages of the current organization's sub-organizations, at any depth, with details. */
export function loadSubOrganizations(context: Context, { search }: OrganizationSelection) {
  return async (pagination: { page?: number; size?: number }): Promise<ListResponse<OrganizationItem>> => {
    const request = {
      organization: context.organization.id,
      ...(search ? { selection: { search } } : {}),
      includeDetails: true,
      pagination,
    };
    const service = context.api(OrganizationService);
    const [response, memberships] = await Promise.all([
      service.listChildOrganizations(request, { signal: context.signal }),
      loadMemberships(context),
    ]);
    const items = response.childOrganizations.map((details) => {
      const { organization: id, displayName, contact } = details;
      const membership = memberships.get(id);
      const fields = {
        organization: id,
        displayName,
        member: false,
        defaultOrganization: false,
        ...(contact ? { contact } : {}),
      };
      return {
        accessible: membership ?? create(AccessibleOrganizationsRequest_AccessibleOrganizationSchema, fields),
        details,
      };
    });
    return { items, pagination: response.pagination };
  };
}

/** The organizations that the user is a member of, keyed by id. */
const loadMemberships = cachedLoader(
  'organization:member:all',
  async (context: Context): Promise<ReadonlyMap<string, Accessible>> => {
    const items = await loadAllPages(loadAccessible(context, { memberOnly: true }));
    return new Map(items.map(({ accessible }) => [accessible.organization, accessible]));
  },
);

export function loadAccessible(context: Context, { accessible: _all, ...selection }: OrganizationSelection) {
  return async (pagination: { page?: number; size?: number }): Promise<ListResponse<OrganizationItem>> => {
    const request = { ...selection, pagination };
    const response = await context.api(CurrentUserService).accessibleOrganizations(request, { signal: context.signal });
    return { items: response.organizations.map((accessible) => ({ accessible })), pagination: response.pagination };
  };
}

export async function loadById(context: Context, id: string): Promise<readonly OrganizationItem[]> {
  const candidates = await loadAllPages(loadAccessible(context, { search: id }));
  return candidates.filter(({ accessible }) => accessible.organization === id);
}

type ApiContext = Pick<Context, 'api' | 'signal'>;

export async function loadDetails({ api, signal }: ApiContext, item: OrganizationItem): Promise<OrganizationItem> {
  const request = { organization: item.accessible.organization };
  return { ...item, details: await api(OrganizationService).get(request, { signal }) };
}
