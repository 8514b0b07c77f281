import { assignment } from '#commands/kit/assignment.ts';
import { device, selectNumbers } from '#commands/nouns/fleet/device/entity.ts';
import { organizationIdOf } from '#commands/nouns/fleet/device/item.ts';
import { tag } from '#commands/nouns/fleet/tag/entity.ts';
import { message } from '#commands/text/message.ts';
import { AssignmentService } from '#proto/gen/hiber/assignment_pb.ts';
import { ModemMessageBodyParserService } from '#proto/gen/hiber/parser_pb.ts';

import { parser } from './entity.ts';
import { idArgument, idOf } from './item.ts';
import { loadLinkedIds } from './links.ts';
import { selectParsers } from './list.ts';

const selectTags = (items: readonly { readonly tag: { readonly id: bigint } }[]) => ({
  filter: { include: items.map((item) => item.tag.id) },
});

/** Assigns a parser to devices directly. Assignments through a tag are separate. */
export const { assign: assignToDevices, unassign: unassignFromDevices } = assignment({
  target: device,
  entity: parser,
  requires: ['MANAGE_PARSERS', 'ASSIGNMENTS', 'VIEW_DEVICES'],
  field: message('parser:fields.parsers'),
  isAssigned: { load: (context, item) => loadLinkedIds(context, idOf(item), 'device') },
  organization: organizationIdOf,
  argFor: idArgument,
  assign: {
    call: async ({ api, organization, signal }, items, id) => {
      const toModems = selectNumbers(items.map(device.id));
      const request = { organization, assignParsers: selectParsers([id]), toModems };
      await api(ModemMessageBodyParserService).assign(request, { signal });
    },
  },
  unassign: {
    call: async ({ api, organization, signal }, items, id) => {
      const fromModems = selectNumbers(items.map(device.id));
      const request = { organization, unassignParsers: selectParsers([id]), fromModems };
      await api(ModemMessageBodyParserService).unassign(request, { signal });
    },
  },
});

/** Assigns a parser to tags, and so to every device that has one of them. */
export const { assign: assignToTags, unassign: unassignFromTags } = assignment({
  target: tag,
  entity: parser,
  verbs: { assign: 'assign-to-tags', unassign: 'unassign-from-tags' },
  requires: ['MANAGE_PARSERS', 'ASSIGNMENTS'],
  field: message('parser:fields.parsers'),
  isAssigned: { load: (context, item) => loadLinkedIds(context, idOf(item), 'tag') },
  argFor: idArgument,
  assign: {
    call: async ({ api, organization, signal }, items, id) => {
      const assign = { case: 'assignParsers' as const, value: selectParsers([id]) };
      const to = { case: 'toTags' as const, value: selectTags(items) };
      await api(AssignmentService).assign({ organization, assign, to }, { signal });
    },
  },
  unassign: {
    call: async ({ api, organization, signal }, items, id) => {
      const unassign = { case: 'unassignParsers' as const, value: selectParsers([id]) };
      const from = { case: 'fromTags' as const, value: selectTags(items) };
      await api(AssignmentService).unassign({ organization, unassign, from }, { signal });
    },
  },
});
