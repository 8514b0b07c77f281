import { tagTypeText } from '#commands/kit/tag-types.ts';
import { TAG_ENTITY, type Column } from '#commands/model/column.ts';
import type { DetailTab, TextLine } from '#commands/model/entity.ts';
import { FIRST_PAGE } from '#commands/model/tab-filter.ts';
import { toMs, textOf } from '#commands/model/wire.ts';
import { device } from '#commands/nouns/fleet/device/entity.ts';
import type { Assignment } from '#proto/gen/hiber/assignment_pb.ts';
import type { Tag } from '#proto/gen/hiber/tag_pb.ts';

import { idArgument, idOf, type ParserItem } from './item.ts';
import { linkedId, loadLinks } from './links.ts';
import { loadDefinition } from './list.ts';

const PAGE_SIZE = 50;

/** A device that a parser is assigned to directly. */
interface AssignedDevice {
  readonly link: Assignment;
  readonly name: string;
}

const since: Pick<Column<Assignment>, 'id' | 'kind' | 'width' | 'value' | 'time'> = {
  id: 'since',
  kind: 'day',
  width: 84,
  value: ({ start }) => textOf(start),
  time: ({ start }) => toMs(start),
};

const deviceColumns: readonly Column<AssignedDevice>[] = [
  { id: 'number', kind: 'mono', width: 66, value: ({ link }) => linkedId(link) },
  { id: 'deviceName', kind: 'text', width: 140, grow: 1, value: ({ name }) => name },
  { ...since, value: ({ link }) => since.value(link), time: ({ link }) => since.time?.(link) },
];

const devices: DetailTab<ParserItem> = {
  id: 'devices',
  requires: 'ASSIGNMENTS',
  add: (item) => ({ id: 'parser.assign', args: { parser: idArgument(idOf(item)) } }),
  addsMore: true,
  remove: (item) => ({ id: 'parser.unassign', args: { parser: idArgument(idOf(item)) } }),
  columns: deviceColumns,
  limit: PAGE_SIZE,
  pages: true,
  load: async (context, item, { page } = FIRST_PAGE) => {
    const { items } = await loadLinks(context, [idOf(item)], 'device')({ page, size: PAGE_SIZE });
    const deviceItems = await device.byIds(
      context,
      items.flatMap((link) => linkedId(link) ?? []),
    );
    const names = new Map(deviceItems.map(({ modem }) => [modem.number, modem.name]));
    return items.map((link): AssignedDevice => ({ link, name: names.get(linkedId(link) ?? '') ?? '' }));
  },
  key: (row) => linkedId((row as AssignedDevice).link) ?? '',
  opens: (row) => ({ entity: device.name, id: linkedId((row as AssignedDevice).link) ?? '' }),
};

const tagOf = ({ to }: Assignment): Tag | undefined => (to.case === 'toTag' ? to.value : undefined);

const tagColumns: readonly Column<Assignment>[] = [
  { id: 'tagName', kind: 'text', width: 110, grow: 1, value: (link) => tagOf(link)?.label?.name },
  { id: 'tagType', kind: 'text', width: 90, value: (link) => tagTypeText(tagOf(link)?.label?.type) },
  since,
];

const tags: DetailTab<ParserItem> = {
  id: 'tags',
  requires: 'ASSIGNMENTS',
  add: (item) => ({ id: 'parser.assign-to-tags', args: { parser: idArgument(idOf(item)) } }),
  addsMore: true,
  remove: (item) => ({ id: 'parser.unassign-from-tags', args: { parser: idArgument(idOf(item)) } }),
  columns: tagColumns,
  limit: PAGE_SIZE,
  pages: true,
  load: async (context, item, { page } = FIRST_PAGE) =>
    (await loadLinks(context, [idOf(item)], 'tag')({ page, size: PAGE_SIZE })).items,
  key: (row) => linkedId(row as Assignment) ?? '',
  opens: (row) => ({ entity: TAG_ENTITY, id: linkedId(row as Assignment) ?? '' }),
};

/** The definition, line by line. */
const definition: DetailTab<ParserItem> = {
  id: 'definition',
  lines: true,
  columns: [],
  // A definition has at most 256 K characters.
  limit: Infinity,
  load: async (context, item) =>
    (await loadDefinition(context, context.organization.id, idOf(item)))
      .trimEnd()
      .split('\n')
      .map((text, index): TextLine => ({ number: index + 1, text })),
  key: (row) => `${(row as TextLine).number}`,
};

export const parserTabs: readonly DetailTab<ParserItem>[] = [devices, tags, definition];
