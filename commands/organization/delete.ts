import { OrganizationService, type OrganizationTree } from '#proto/hiber/organization_pb';
import { inBatches } from '../core/batch.ts';
import { command } from '../core/command.ts';
import type { Context } from '../core/context.ts';
import { CommandError } from '../core/errors.ts';
import { message, type Message } from '../core/message.ts';
import { p } from '../core/params.ts';
import { succeeded } from '../core/result.ts';
import { organization, type OrganizationItem } from './entity.ts';

function sizeOf({ children }: OrganizationTree): number {
  return children.reduce((sum, child) => sum + 1 + sizeOf(child), 0);
}

/** How many stand below these: they are deleted too (contract: OrganizationService.Delete). */
async function countBelow(context: Context, items: readonly OrganizationItem[]): Promise<number> {
  const sizes = items.map(async (item) => {
    const request = { organization: organization.id(item) };
    const { tree } = await context.api(OrganizationService).tree(request, { signal: context.signal });
    return tree ? sizeOf(tree) : 0;
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** The contract deletes only what is below the organization one acts for. */
function refuseOwn(context: Context, items: readonly OrganizationItem[]): void {
  const own = items.some((item) => organization.id(item) === context.organization.id);
  if (own) throw new CommandError(message('organization:validation.own'), 'organizations');
}

export const deleteOrganization = command({
  id: 'organization.delete',
  on: () => organization,
  requires: 'DELETE_ORGANIZATION',
  effect: 'destructive',
  params: { organizations: p.many(() => organization) },
  positional: ['organizations'],
  plan: async (context, { organizations: { items } }) => {
    refuseOwn(context, items);
    const below = await countBelow(context, items);
    const [first] = items;
    const notes: Message[] = below > 0 ? [message('organization:plan.below', { count: below })] : [];
    return {
      summary: message('organization:plan.delete', { items: message('organization:count', { count: items.length }) }),
      count: items.length,
      changes: items.map((item) => ({
        id: organization.id(item),
        label: organization.label(item),
        field: message('organization:fields.organization'),
        before: organization.label(item),
        after: undefined,
      })),
      notes: [...notes, message('organization:plan.allGoes')],
      reversible: false,
      confirm: items.length === 1 && first ? organization.label(first) : `${items.length}`,
    };
  },
  run: async (context, { organizations: { items } }) => {
    refuseOwn(context, items);
    const results = await inBatches(context, {
      items,
      id: organization.id,
      label: organization.label,
      // The contract deletes one at a time.
      size: 1,
      each: async (chunk, { signal }) => {
        for (const item of chunk) {
          const request = { parentOrganization: context.organization.id, organizationToDelete: organization.id(item) };
          await context.api(OrganizationService).delete(request, { signal });
        }
      },
    });
    const count = message('organization:count', { count: succeeded({ results }).length });
    return { changed: ['organization', 'me'], results, said: message('organization:said.deleted', { items: count }) };
  },
});
