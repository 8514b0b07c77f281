import { create } from '@bufbuild/protobuf';

import { isTrue, singleValue } from '#commands/kit/filter-keys.ts';
import { remoteByIds, remoteFind, remoteList } from '#commands/kit/remote-list.ts';
import type { Context } from '#commands/model/context.ts';
import { entity, type Entity } from '#commands/model/entity.ts';
import { CommandError } from '#commands/model/errors.ts';
import type { FilterKey } from '#commands/model/filter.ts';
import { parser } from '#commands/nouns/data/parser/entity.ts';
import { idOf as parserIdOf } from '#commands/nouns/data/parser/item.ts';
import { DEVELOPER_TOOLS } from '#commands/nouns/tab-groups.ts';
import { loadAllPages, type ListResponse } from '#commands/run/paging.ts';
import { pathKey, stepsOf } from '#commands/text/field-path.ts';
import { message } from '#commands/text/message.ts';
import { FieldSchema, type Field } from '#proto/gen/hiber/field_pb.ts';
import {
  FieldSelectionSchema,
  FieldService,
  ListFields_Sort as Sort,
  type FieldSelection,
} from '#proto/gen/hiber/field_service_pb.ts';

import { fieldAttributes } from './attributes.ts';
import { idOf, nameOf } from './item.ts';
import { valuesTab } from './values-tab.ts';

const sorts: Readonly<Record<string, readonly [Sort, Sort?]>> = {
  parser: [Sort.PARSER_PRIORITY],
  name: [Sort.DISPLAY_NAME, Sort.DISPLAY_NAME_DESC],
  path: [Sort.FIELD_PATH, Sort.FIELD_PATH_DESC],
  type: [Sort.TYPE, Sort.TYPE_DESC],
  unit: [Sort.UNIT, Sort.UNIT_DESC],
};

/** The contract sorts by one attribute, and by parser in one direction only. */
function sortBy([name, ...others]: readonly string[]): Sort {
  if (others.length > 0) throw new CommandError(message('common:filter.oneSort'));
  if (name === undefined) return Sort.PARSER_PRIORITY;
  const [ascending, descending] = sorts[name.replace(/^-/, '')]!;
  const sort = name.startsWith('-') ? descending : ascending;
  if (sort === undefined) throw new CommandError(message('common:filter.sortOneWay', { sort: name.slice(1) }));
  return sort;
}

function load(context: Context, selection: FieldSelection, sort: readonly string[] = []) {
  return async (pagination: { page?: number; size?: number }): Promise<ListResponse<Field>> => {
    const request = { organization: context.organization.id, selection, pagination, sort: sortBy(sort) };
    const response = await context.api(FieldService).list(request, { signal: context.signal });
    return { items: response.fields, pagination: response.pagination };
  };
}

/** Selects every field. The contract hides operational fields by default; people who manage parsers want them all. */
const selectAllFields = (): FieldSelection => create(FieldSelectionSchema, { includeOperational: true });

const addWords = (selection: FieldSelection, words: string): void => {
  selection.search = [selection.search, words].filter(Boolean).join(' ');
};

function searchSelection(text: string): FieldSelection {
  const selection = selectAllFields();
  if (text) addWords(selection, text);
  return selection;
}

type Key = FilterKey<FieldSelection>;

/** The contract has no field for parsers, but its search matches their identifiers. */
const parserKey: Key = {
  kind: 'name',
  entity: () => parser,
  apply: async (selection, term, context) => {
    const { findOne, createNotFoundError } = await import('#commands/run/lookup.ts');
    const text = singleValue(term);
    const match = await findOne(parser, text, context);
    if (!match) throw await createNotFoundError(parser, text, context);
    addWords(selection, parserIdOf(match));
  },
};

/** The contract can leave out fields of inherited parsers, but can't select only those. */
const ownedKey: Key = {
  kind: 'flag',
  apply: (selection, term) => {
    if (!isTrue(term)) throw new CommandError(message('field:filter.onlyOwned'));
    selection.onlyOwned = true;
  },
};

/** The contract can leave out operational fields, but can't select only those. */
const operationalKey: Key = {
  kind: 'flag',
  apply: (selection, term) => {
    if (isTrue(term)) throw new CommandError(message('field:filter.onlyOperational'));
    selection.includeOperational = false;
  },
};

const byIds = remoteByIds(load, (ids) =>
  create(FieldSelectionSchema, { fieldIdentifiers: [...ids], includeOperational: true }),
);

const findByText = remoteFind({
  load: (context, text) => load(context, searchSelection(text)),
  byIds,
  identifiers: [(item) => [idOf(item), nameOf(item), item.field]],
});

/** Finds fields by another spelling of their path: `$.level` for `level`. The contract's search doesn't know any. */
async function findByPath(context: Context, path: string): Promise<readonly Field[]> {
  const last = stepsOf(path)?.at(-1);
  if (last === undefined) return [];
  const fields = await loadAllPages(load(context, searchSelection(String(last))));
  return fields.filter((item) => pathKey(item.field) === pathKey(path));
}

export const field: Entity<Field, FieldSelection> = entity({
  name: 'field',
  plural: 'fields',
  requires: 'MANAGE_PARSERS',
  screen: {
    path: '/developer-tools/fields',
    rail: { icon: 'binary', group: 'developer', forGroup: true },
    key: 'g f',
    tabs: DEVELOPER_TOOLS,
  },
  views: [
    { id: 'all', filter: '' },
    { id: 'process', filter: 'operational:false' },
    { id: 'owned', filter: 'owned:true' },
  ],
  example: { name: 'Pressure' },
  id: idOf,
  label: nameOf,
  detail: ({ parserName }) => parserName,
  json: (item, toJson) => toJson(FieldSchema, item),
  // The contract doesn't define what identifiers look like.
  isId: () => false,
  toId: (text) => text.trim().replace(/^#/, ''),
  ...remoteList({ load, searchSelection }),
  byIds,
  find: async (context, text) => {
    const matches = await findByText(context, text);
    return matches.length > 0 ? matches : findByPath(context, text);
  },
  emptySelection: selectAllFields,
  applySearch: addWords,
  filter: { ...fieldAttributes.filter, parser: parserKey, operational: operationalKey, owned: ownedKey },
  sorts: Object.keys(sorts),
  defaultSort: 'parser',
  emptyHint: true,
  columns: fieldAttributes.columns,
  details: fieldAttributes.details,
  detailTabs: [valuesTab],
  changedBy: ['MESSAGE_BODY_PARSER_CREATED', 'MESSAGE_BODY_PARSER_UPDATED', 'MESSAGE_BODY_PARSER_DELETED'],
});

export { field as entity };
