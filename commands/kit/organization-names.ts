import type { ItemRef } from '#commands/model/column.ts';
import type { Context } from '#commands/model/context.ts';
import { loadAllPages, type ListResponse } from '#commands/run/paging.ts';
import { message, type Message } from '#commands/text/message.ts';
import {
  CurrentUserService,
  type AccessibleOrganizationsRequest_AccessibleOrganization as Accessible,
} from '#proto/gen/hiber/current_user_pb.ts';

import { cachedLoader } from './filter-keys.ts';

/** Names of organizations by id. Organizations that the user cannot look up are missing. */
export type OrganizationNames = ReadonlyMap<string, string>;

/** If the user can access more organizations than this, they are looked up one by one instead of loaded and cached. */
const MAX_CACHED_ORGANIZATIONS = 2000;

function load(context: Context, search = '') {
  return async (pagination: { page?: number; size?: number }): Promise<ListResponse<Accessible>> => {
    const request = { ...(search ? { search } : {}), pagination };
    const response = await context.api(CurrentUserService).accessibleOrganizations(request, { signal: context.signal });
    return { items: response.organizations, pagination: response.pagination };
  };
}

/** Every organization that the user can access. Undefined if there are too many to cache. */
export const cachedOrganizations = cachedLoader(
  'organization:accessible:all',
  async (context: Context): Promise<readonly Accessible[] | undefined> => {
    const { pagination } = await load(context)({ page: 0, size: 1 });
    return (pagination?.total ?? 0) > MAX_CACHED_ORGANIZATIONS ? undefined : loadAllPages(load(context));
  },
);

function findOrganization(context: Context, id: string): Promise<Accessible | undefined> {
  return context.loadCached(`organization:name:${id}`, async (sharedContext) =>
    (await loadAllPages(load(sharedContext, id))).find(({ organization }) => organization === id),
  );
}

/** Returns the names of the given organizations. Makes no request if the current organization is the only one. */
export async function loadOrganizationNames(context: Context, ids: Iterable<string>): Promise<OrganizationNames> {
  const { id: currentId, name } = context.organization;
  const names = new Map(currentId ? [[currentId, name]] : []);
  const others = [...new Set(ids)].filter((id) => id !== '' && !names.has(id));
  if (others.length === 0 || !canLookUp(context)) return names;
  const allOrganizations = await cachedOrganizations(context);
  const organizations =
    allOrganizations ??
    (await Promise.all(others.map((id) => findOrganization(context, id)))).filter(
      (organization) => organization !== undefined,
    );
  for (const { organization, displayName } of organizations) if (displayName) names.set(organization, displayName);
  return names;
}

/**
 * True if the caller can read their own account (contract: CurrentUserService), which lists the organizations. A token
 * may not have that permission.
 */
function canLookUp({ actor: { grants } }: Context): boolean {
  return grants.user.all || grants.user.names.has('READ');
}

/** Returns the cell text for an organization: its name, or a label with its id. */
export function organizationText(id: string, names: OrganizationNames | undefined): string | Message | undefined {
  if (id === '') return undefined;
  return names?.get(id) ?? message('common:organizationId', { id });
}

/**
 * Returns the link to an organization, or no link if its name is unknown, because the user cannot open it then.
 */
export function organizationLinks(
  id: string,
  names: OrganizationNames | undefined,
): readonly (ItemRef & { readonly name: string })[] {
  const name = names?.get(id);
  return name === undefined ? [] : [{ entity: 'organization', id, name }];
}
