import { isTrue } from '#commands/kit/filter-keys.ts';
import { findExactMatches } from '#commands/kit/matching.ts';
import { remoteByIds, remoteList } from '#commands/kit/remote-list.ts';
import { entity, type Entity } from '#commands/model/entity.ts';
import { CommandError } from '#commands/model/errors.ts';
import type { FilterKey } from '#commands/model/filter.ts';
import { DEVELOPER_TOOLS } from '#commands/nouns/tab-groups.ts';
import { loadAllPages } from '#commands/run/paging.ts';
import { message } from '#commands/text/message.ts';
import { ModemMessageBodyParserSchema } from '#proto/gen/hiber/parser_pb.ts';

import { parserAttributes } from './attributes.ts';
import { idArgument, idOf, kindOf, nameOf, type ParserItem } from './item.ts';
import {
  loadParsers,
  loadWithDefinitions,
  searchParsers,
  selectAllParsers,
  selectParsers,
  type ParserSelection,
} from './list.ts';
import { parserTabs } from './tabs.ts';

/** The contract can leave out inherited parsers, but can't select only those. */
const ownedKey: FilterKey<ParserSelection> = {
  kind: 'flag',
  apply: (selection, term) => {
    if (!isTrue(term)) throw new CommandError(message('parser:filter.onlyOwned'));
    selection.onlyOwnedParsers = true;
  },
};

export const parser: Entity<ParserItem, ParserSelection> = entity({
  name: 'parser',
  plural: 'parsers',
  requires: 'MANAGE_PARSERS',
  screen: {
    path: '/developer-tools/parsers',
    rail: { icon: 'binary', group: 'developer', forGroup: true },
    key: 'g Shift+P',
    tabs: DEVELOPER_TOOLS,
    itemScreens: { create: 'parser-bench', 'create/simple': 'simple-parser-bench', update: 'parser-bench' },
  },
  views: [
    { id: 'all', filter: '' },
    { id: 'owned', filter: 'owned:true' },
    { id: 'simple', filter: 'kind:SIMPLE' },
  ],
  example: { name: 'Thermocouple' },
  id: idOf,
  label: nameOf,
  detail: kindOf,
  json: ({ parser }, toJson) => toJson(ModemMessageBodyParserSchema, parser),
  // The contract doesn't define what identifiers look like.
  isId: () => false,
  toId: (text) => text.trim().replace(/^#/, ''),
  ...remoteList({ load: loadParsers, searchSelection: searchParsers }),
  byIds: remoteByIds(loadWithDefinitions, selectParsers),
  find: async (context, text) => {
    if (text.trim().startsWith('#')) return parser.byIds(context, [parser.toId(text)]);
    const candidates = await loadAllPages(loadParsers(context, searchParsers(text.trim())));
    const matches = findExactMatches(candidates, text, (item) => [idOf(item), nameOf(item)]);
    return matches.length > 0 ? parser.byIds(context, matches.map(idOf)) : [];
  },
  emptySelection: selectAllParsers,
  applySearch: (selection, text) => {
    selection.search = text;
  },
  filter: { ...parserAttributes.filter, owned: ownedKey },
  // The server returns parsers by name; the contract has no other order.
  sorts: [],
  addCommand: 'parser.upload',
  otherAddCommands: ['parser.build'],
  emptyHint: true,
  columns: parserAttributes.columns,
  details: parserAttributes.details,
  detailTabs: parserTabs,
  itemTabs: [
    {
      id: 'fields',
      entity: 'field',
      key: 'parser',
      value: (item) => idArgument(idOf(item)),
      columns: ['name', 'path', 'unit'],
      add: (item) => ({ id: 'field.create', args: { parser: idArgument(idOf(item)) } }),
      addsMore: true,
    },
  ],
  changedBy: ['MESSAGE_BODY_PARSER_CREATED', 'MESSAGE_BODY_PARSER_UPDATED', 'MESSAGE_BODY_PARSER_DELETED'],
});

export { parser as entity };
