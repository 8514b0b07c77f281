import { remoteByIds, remoteList } from '#commands/kit/remote-list.ts';
import { entity, type Entity } from '#commands/model/entity.ts';
import { DEVELOPER_TOOLS } from '#commands/nouns/tab-groups.ts';
import { loadAllPages } from '#commands/run/paging.ts';
import { ModemMessageBodyParserSchema } from '#proto/gen/hiber/parser_pb.ts';

import { parserAttributes } from './attributes.ts';
import { idOf, kindOf, nameOf, type ParserItem } from './item.ts';
import { loadParsers, searchParsers, selectAllParsers, selectParsers, type ParserSelection } from './list.ts';

export const parser: Entity<ParserItem, ParserSelection> = entity({
  name: 'parser',
  plural: 'parsers',
  requires: 'MANAGE_PARSERS',
  screen: {
    path: '/developer-tools/parsers',
    rail: { icon: 'binary', group: 'developer', forGroup: true },
    key: 'g Shift+P',
    tabs: DEVELOPER_TOOLS,
    workbench: true,
  },
  id: idOf,
  label: nameOf,
  detail: kindOf,
  json: ({ parser }, toJson) => toJson(ModemMessageBodyParserSchema, parser),
  // The contract does not define what identifiers look like.
  isId: () => false,
  toId: (text) => text.trim().replace(/^#/, ''),
  ...remoteList({ load: loadParsers, searchSelection: searchParsers }),
  byIds: remoteByIds(loadParsers, selectParsers),
  find: async (context, text) => {
    if (text.trim().startsWith('#')) return parser.byIds(context, [parser.toId(text)]);
    const query = text.trim().toLocaleLowerCase();
    const candidates = await loadAllPages(loadParsers(context, searchParsers(text.trim())));
    return candidates.filter((item) => [idOf(item), nameOf(item)].some((name) => name.toLocaleLowerCase() === query));
  },
  emptySelection: selectAllParsers,
  applySearch: (selection, text) => {
    selection.search = text;
  },
  filter: parserAttributes.filter,
  // The server returns parsers by name; the contract has no other order.
  sorts: [],
  emptyHint: true,
  columns: parserAttributes.columns,
  details: parserAttributes.details,
  changedBy: ['MESSAGE_BODY_PARSER_CREATED', 'MESSAGE_BODY_PARSER_UPDATED', 'MESSAGE_BODY_PARSER_DELETED'],
});

export { parser as entity };
