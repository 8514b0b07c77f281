import {
  CurrentUserService,
  type AccessibleOrganizationsRequest_AccessibleOrganization as Accessible,
} from '#proto/gen/hiber/current_user_pb.ts';
import type { Context } from '#commands/model/context.ts';
import type { ItemRef } from '#commands/model/column.ts';
import { reference } from './filter-keys.ts';
import { message, type Message } from '#commands/text/message.ts';
import { allOf, type Listed } from '#commands/run/paging.ts';

/** What organizations are called, by id. Those that the person cannot look up are missing. */
export type OrganizationNames = ReadonlyMap<string, string>;

/** So many are known by name; of more, the server finds those that are asked for. */
const KNOWN_AT_MOST = 2000;

function load(context: Context, search = '') {
  return async (pagination: { page?: number; size?: number }): Promise<Listed<Accessible>> => {
    const request = { ...(search ? { search } : {}), pagination };
    const found = await context.api(CurrentUserService).accessibleOrganizations(request, { signal: context.signal });
    return { items: found.organizations, pagination: found.pagination };
  };
}

/** Every organization that the person can act for; undefined for too many to be kept. */
export const knownOrganizations = reference(
  'organization:accessible:all',
  async (context: Context): Promise<readonly Accessible[] | undefined> => {
    const { pagination } = await load(context)({ page: 0, size: 1 });
    return (pagination?.total ?? 0) > KNOWN_AT_MOST ? undefined : allOf(load(context));
  },
);

function found(context: Context, id: string): Promise<Accessible | undefined> {
  return context.cached(`organization:name:${id}`, async (shared) =>
    (await allOf(load(shared, id))).find(({ organization }) => organization === id),
  );
}

/** The names of these organizations, asking for none where they are all the one on the screen. */
export async function organizationNames(context: Context, ids: Iterable<string>): Promise<OrganizationNames> {
  const { id: own, name } = context.organization;
  const names = new Map(own ? [[own, name]] : []);
  const others = [...new Set(ids)].filter((id) => id !== '' && !names.has(id));
  if (others.length === 0 || !canLookUp(context)) return names;
  const known = await knownOrganizations(context);
  const each =
    known ??
    (await Promise.all(others.map((id) => found(context, id)))).filter((organization) => organization !== undefined);
  for (const { organization, displayName } of each) if (displayName) names.set(organization, displayName);
  return names;
}

/** The list is of the person's own account (contract: CurrentUserService), which a token need not be able to read. */
function canLookUp({ actor: { grants } }: Context): boolean {
  return grants.user.all || grants.user.names.has('READ');
}

/** What a cell says of an organization: its name, else its id with a word. */
export function organizationText(id: string, names: OrganizationNames | undefined): string | Message | undefined {
  if (id === '') return undefined;
  return names?.get(id) ?? message('common:organizationId', { id });
}

/** The organization to open, where its name is known: of another one there is nothing to be seen. */
export function organizationLinks(
  id: string,
  names: OrganizationNames | undefined,
): readonly (ItemRef & { readonly name: string })[] {
  const name = names?.get(id);
  return name === undefined ? [] : [{ entity: 'organization', id, name }];
}
