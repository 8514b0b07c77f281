import { create } from '@bufbuild/protobuf';

import {
  AccessibleOrganizationsRequest_AccessibleOrganizationSchema,
  CurrentUserService,
  type AccessibleOrganizationsRequest_AccessibleOrganization as Accessible,
} from '#proto/gen/hiber/current_user_pb.ts';
import { OrganizationService } from '#proto/gen/hiber/organization_pb.ts';
import { reference } from '#commands/kit/filter-keys.ts';
import type { Context } from '#commands/model/context.ts';
import { allOf, type Listed } from '#commands/run/paging.ts';
import type { OrganizationItem, OrganizationSelection } from './item.ts';

/** Of organizations one is a member of, which need not be below the one on the screen, there is only the one list. */
export function isBelow({ accessible, memberOnly, defaultOnly }: OrganizationSelection): boolean {
  return !accessible && !memberOnly && !defaultOnly;
}

/** The organizations below the one that is acted for, at any depth, with their data. */
export function loadBelow(context: Context, { search }: OrganizationSelection) {
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

export function load(context: Context, { accessible: _all, ...selection }: OrganizationSelection) {
  return async (pagination: { page?: number; size?: number }): Promise<Listed<OrganizationItem>> => {
    const request = { ...selection, pagination };
    const found = await context.api(CurrentUserService).accessibleOrganizations(request, { signal: context.signal });
    return { items: found.organizations.map((accessible) => ({ accessible })), pagination: found.pagination };
  };
}

export async function byId(context: Context, id: string): Promise<readonly OrganizationItem[]> {
  const found = await allOf(load(context, { search: id }));
  return found.filter(({ accessible }) => accessible.organization === id);
}

type Calling = Pick<Context, 'api' | 'signal'>;

export async function withDetails({ api, signal }: Calling, item: OrganizationItem): Promise<OrganizationItem> {
  const request = { organization: item.accessible.organization };
  return { ...item, details: await api(OrganizationService).get(request, { signal }) };
}
