import { bulkAction } from '#commands/kit/bulk-action.ts';
import { LETTERS } from '#commands/kit/letters.ts';
import type { Context } from '#commands/model/context.ts';
import { loadAllPages } from '#commands/run/paging.ts';
import { message, type Message } from '#commands/text/message.ts';
import { ModemMessageBodyParserService } from '#proto/gen/hiber/parser_pb.ts';

import { rejectInherited } from './availability.ts';
import { parser } from './entity.ts';
import { idOf, type ParserItem } from './item.ts';
import { linkedId, loadLinks, type LinkSide } from './links.ts';
import { selectParsers } from './list.ts';

/** Counts the devices or tags that the parsers are assigned to. */
async function countLinked(context: Context, items: readonly ParserItem[], side: LinkSide): Promise<number> {
  if (items.length === 0 || !context.actor.abilities.has('ASSIGNMENTS')) return 0;
  const links = await loadAllPages(loadLinks(context, items.map(idOf), side));
  return new Set(links.map(linkedId)).size;
}

/** Notes how many devices and tags lose the parsers, and how many fields are deleted. */
async function createLossNotes(context: Context, items: readonly ParserItem[]): Promise<readonly Message[]> {
  const [devices, tags] = await Promise.all([
    countLinked(context, items, 'device'),
    countLinked(context, items, 'tag'),
  ]);
  const fields = items.reduce((count, item) => count + item.parser.dataFields.length, 0);
  return [
    ...(devices > 0 ? [message('parser:plan.deleteDevices', { count: devices })] : []),
    ...(tags > 0 ? [message('parser:plan.deleteTags', { count: tags })] : []),
    ...(fields > 0 ? [message('parser:plan.deleteFields', { count: fields })] : []),
  ];
}

/**
 * Deletes parsers with their fields and assignments. This cannot be undone, because a new parser would have another
 * identifier and none of the assignments.
 */
export const deleteParser = bulkAction({
  entity: parser,
  verb: 'delete',
  effect: 'destructive',
  requires: 'MANAGE_PARSERS',
  keys: [LETTERS.remove],
  validate: rejectInherited,
  change: (item) => ({ field: message('parser:fields.name'), before: parser.label(item), after: undefined }),
  notes: createLossNotes,
  call: async ({ api, organization, signal }, items) => {
    const selection = selectParsers(items.map(idOf));
    await api(ModemMessageBodyParserService).delete({ organization, selection }, { signal });
  },
  changed: ['field', 'device', 'tag'],
});
