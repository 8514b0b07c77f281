import type { MessageInitShape } from '@bufbuild/protobuf';

import { tagTypeText } from '#commands/kit/tag-types.ts';
import type { Column } from '#commands/model/column.ts';
import type { Context } from '#commands/model/context.ts';
import type { DetailTab } from '#commands/model/entity.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import { FIRST_PAGE } from '#commands/model/tab-filter.ts';
import { toMs, textOf } from '#commands/model/wire.ts';
import { message, type Message } from '#commands/text/message.ts';
import type { Assignment, AssignmentSelectionSchema } from '#proto/gen/hiber/assignment_pb.ts';

const PAGE_SIZE = 50;

/** How an item's parsers are found, assigned, and unassigned. */
interface ParsersTab<Item> {
  /** Selects the links to the item, and those that reach it through its tags. */
  readonly links: (item: Item) => readonly ParserLinks[];
  readonly organization: (item: Item) => string | undefined;
  readonly assign: (item: Item) => Invocation;
  readonly unassign: (item: Item) => Invocation;
  /** The source of a parser that is linked to the item itself. Absent if every parser is. */
  readonly ownSource?: Message;
}

interface ParserLinks {
  readonly to: 'device' | 'tag';
  readonly selection: Pick<MessageInitShape<typeof AssignmentSelectionSchema>, 'modems' | 'tags'>;
}

const parserOf = ({ assign }: Assignment) => (assign.case === 'assignParser' ? assign.value : undefined);

/** Returns a tab with the parsers of an item. Each shows whether it comes from the item itself or from a tag. */
export function parsersTab<Item>(spec: ParsersTab<Item>): DetailTab<Item> {
  const { ownSource } = spec;
  const sourceOf = ({ to }: Assignment): Message | string | undefined => {
    if (to.case !== 'toTag') return ownSource;
    const { name = '', type = '' } = to.value.label ?? {};
    return message('common:parsers.byTag', { name, type: tagTypeText(type) ?? '' });
  };
  const columns: readonly Column<Assignment>[] = [
    { id: 'parserName', kind: 'text', width: 120, grow: 2, value: (link) => parserOf(link)?.name },
    ...(ownSource ? [{ id: 'parserSource', kind: 'text', width: 110, grow: 1, value: sourceOf } as const] : []),
    {
      id: 'parserSince',
      kind: 'time',
      width: 150,
      value: ({ start }) => textOf(start),
      time: ({ start }) => toMs(start),
    },
  ];
  const load = async (context: Context, item: Item, page: number): Promise<readonly Assignment[]> => {
    const { AssignmentService, AssignmentType } = await import('#proto/gen/hiber/assignment_pb.ts');
    const types = {
      device: AssignmentType.ASSIGNS_MESSAGE_BODY_PARSER_TO_MODEM,
      tag: AssignmentType.ASSIGNS_MESSAGE_BODY_PARSER_TO_TAG,
    };
    const lists = await Promise.all(
      spec.links(item).map(async ({ to, selection }) => {
        const { assignments } = await context.api(AssignmentService).list(
          {
            organization: spec.organization(item) ?? context.organization.id,
            selection: { ...selection, types: { include: [types[to]] } },
            useProcessPoint: true,
            pagination: { page, size: PAGE_SIZE },
          },
          { signal: context.signal },
        );
        return assignments;
      }),
    );
    return lists.flat();
  };
  return {
    id: 'parsers',
    requires: 'ASSIGNMENTS',
    columns,
    limit: PAGE_SIZE,
    pages: true,
    load: (context, item, { page } = FIRST_PAGE) => load(context, item, page),
    key: (row) => {
      const { to } = row as Assignment;
      return `${parserOf(row as Assignment)?.identifier} ${to.case === 'toTag' ? to.value.id : ''}`;
    },
    opens: (row, item) => {
      const organization = spec.organization(item);
      const id = parserOf(row as Assignment)?.identifier ?? '';
      return { entity: 'parser', id, ...(organization === undefined ? {} : { organization }) };
    },
    add: spec.assign,
    addsMore: true,
    remove: spec.unassign,
  };
}
