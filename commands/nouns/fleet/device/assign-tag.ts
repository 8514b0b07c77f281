import { assignment } from '#commands/kit/assignment.ts';
import type { CallContext } from '#commands/kit/bulk-action.ts';
import { LETTERS } from '#commands/kit/letters.ts';
import { tag } from '#commands/nouns/fleet/tag/entity.ts';
import { MAX_LENGTH } from '#commands/text/lengths.ts';
import { message } from '#commands/text/message.ts';
import { ModemService } from '#proto/gen/hiber/modem_pb.ts';
import { TagService } from '#proto/gen/hiber/tag_pb.ts';

import { device, selectNumbers } from './entity.ts';
import { organizationIdOf } from './item.ts';

type Device = Parameters<typeof device.id>[0];
type Change = { readonly tagIdsToAdd: bigint[] } | { readonly tagIdsToRemove: bigint[] };

async function update(context: CallContext, items: readonly Device[], change: Change): Promise<void> {
  const { api, organization, signal } = context;
  const selection = selectNumbers(items.map(device.id));
  // The response includes a page of the updated devices, which we do not need.
  await api(ModemService).updateTags({ organization, selection, update: change, pagination: { size: 1 } }, { signal });
}

const idArgument = (tagId: string): string => `#${tagId}`;

export const { assign, unassign } = assignment({
  target: device,
  entity: tag,
  // The spec requires TAGS_MANAGE, and the contract requires MODEMS_UPDATE (docs/contract-choices.md).
  requires: ['ASSIGN_TAGS', 'EDIT_DEVICE'],
  field: message('device:columns.tags'),
  isAssigned: ({ modem }, { tag: { id } }) => modem.tags.some((item) => item.id === id),
  organization: organizationIdOf,
  term: (tagId) => `tag:"${idArgument(tagId)}"`,
  argFor: idArgument,
  create: {
    maxLength: MAX_LENGTH.tagName,
    call: async ({ api, organization, signal }, name) => {
      const request = { organization: organization.id, create: { name } };
      return `${(await api(TagService).create(request, { signal })).id}`;
    },
    remove: ({ api, organization, signal }, id) =>
      api(TagService).delete({ organization: organization.id, id: BigInt(id) }, { signal }),
  },
  assign: { keys: [LETTERS.tag], call: (context, items, id) => update(context, items, { tagIdsToAdd: [BigInt(id)] }) },
  unassign: {
    keys: [LETTERS.untag],
    call: (context, items, id) => update(context, items, { tagIdsToRemove: [BigInt(id)] }),
  },
});
