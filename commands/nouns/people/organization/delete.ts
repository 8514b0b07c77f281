import { bulkAction } from '#commands/kit/bulk-action.ts';
import { LETTERS } from '#commands/kit/letters.ts';
import type { Context } from '#commands/model/context.ts';
import { CommandError } from '#commands/model/errors.ts';
import { message } from '#commands/text/message.ts';
import { OrganizationService, type OrganizationTree } from '#proto/gen/hiber/organization_pb.ts';

import { organization } from './entity.ts';
import type { OrganizationItem } from './item.ts';

function countDescendants({ children }: OrganizationTree): number {
  return children.reduce((sum, child) => sum + 1 + countDescendants(child), 0);
}

/** Counts the sub-organizations that the server deletes with the given items (contract: OrganizationService.Delete). */
async function countAllDescendants(context: Context, items: readonly OrganizationItem[]): Promise<number> {
  const sizes = items.map(async (item) => {
    const request = { organization: organization.id(item) };
    const { tree } = await context.api(OrganizationService).tree(request, { signal: context.signal });
    return tree ? countDescendants(tree) : 0;
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** Rejects deleting the current organization because only sub-organizations can be deleted. */
function rejectOwnOrganization(context: Context, items: readonly OrganizationItem[]): void {
  const includesOwn = items.some((item) => organization.id(item) === context.organization.id);
  if (includesOwn) throw new CommandError(message('organization:validation.own'), 'organizations');
}

export const deleteOrganization = bulkAction({
  entity: organization,
  verb: 'delete',
  effect: 'destructive',
  requires: 'DELETE_ORGANIZATION',
  keys: [LETTERS.remove],
  validate: rejectOwnOrganization,
  change: (item) => ({
    field: message('organization:fields.organization'),
    before: organization.label(item),
    after: undefined,
  }),
  notes: async (context, items) => {
    const count = await countAllDescendants(context, items);
    return [
      ...(count > 0 ? [message('organization:plan.below', { count })] : []),
      message('organization:plan.deletesEverything'),
    ];
  },
  // The contract deletes one organization per call.
  size: 1,
  call: async ({ api, organization: parentOrganization, signal }, [item]) => {
    const request = { parentOrganization, organizationToDelete: organization.id(item!) };
    await api(OrganizationService).delete(request, { signal });
  },
  changed: ['me'],
});
