import { create } from '@bufbuild/protobuf';

import { addTerm, valuesOf } from '#commands/kit/filter-keys.ts';
import { localLookups, slicePage } from '#commands/kit/local-list.ts';
import { tagTypeText } from '#commands/kit/tag-types.ts';
import type { Context } from '#commands/model/context.ts';
import { entity, type Entity } from '#commands/model/entity.ts';
import { CommandError } from '#commands/model/errors.ts';
import type { Term } from '#commands/model/filter.ts';
import { SETTINGS } from '#commands/nouns/tab-groups.ts';
import { message } from '#commands/text/message.ts';
import { Filter_TagsSchema } from '#proto/gen/hiber/filter_pb.ts';
import { TagSchema, type TagSelection } from '#proto/gen/hiber/tag_pb.ts';

import { tagAttributes } from './attributes.ts';
import { nameOf, typeOf, type TagItem } from './item.ts';
import {
  selectAllTags,
  listTags,
  listTagsOfType,
  fetchTags,
  orders,
  sortTags,
  suggestTagNames,
  loadTagNames,
} from './list.ts';

/** Returns the filter value for a tag: its id because names need not be unique. */
const idValue = ({ tag }: TagItem): string => `#${tag.id}`;

const accessors = { id: ({ tag: { id } }: TagItem) => `${id}`, name: nameOf };
const cachedLookups = localLookups({ loadAll: (context) => listTags(context, selectAllTags()), ...accessors });
const freshLookups = localLookups({ loadAll: (context) => fetchTags(context, selectAllTags()), ...accessors });

export const tag: Entity<TagItem, TagSelection> = entity({
  name: 'tag',
  plural: 'tags',
  screen: {
    path: '/settings/tags',
    aliases: ['/settings'],
    rail: { icon: 'tag', group: 'data' },
    key: 'g t',
    tabs: SETTINGS,
  },
  views: [
    { id: 'all', filter: '' },
    { id: 'wells', filter: 'type:well' },
    { id: 'sites', filter: 'type:site' },
    { id: 'areas', filter: 'type:production_area' },
  ],
  example: { name: 'Avocet pad' },
  id: accessors.id,
  label: nameOf,
  detail: (item) => message('tag:detail', { type: tagTypeText(typeOf(item)) ?? '', count: item.devices }),
  json: ({ tag, devices, webhooks, processPoints }, toJson) => ({
    ...(toJson(TagSchema, tag) as object),
    devices,
    webhooks,
    processPoints,
  }),
  isId: (text) => /^#?\d+$/.test(text.trim()),
  toId: (text) => text.trim().replace(/^#/, ''),
  list: async (context, { selection, sort }, window) =>
    slicePage(sortTags(await listTags(context, selection), sort), window),
  ...cachedLookups,
  find: async (context, text) => {
    const cachedTags = await cachedLookups.find(context, text);
    // The contract has no event for a new tag (contract: Event), so a tag that someone else created may be missing from
    // the cache.
    return cachedTags.length > 0 ? cachedTags : freshLookups.find(context, text);
  },
  findMany: freshLookups.findMany,
  emptySelection: selectAllTags,
  applySearch: (selection, text) => {
    selection.search.push(text);
  },
  filter: {
    ...tagAttributes.filter,
    /** Selects tags that are assigned to the same devices as the given tags. */
    with: {
      kind: 'name',
      entity: () => tag,
      negates: true,
      allValues: loadTagNames,
      suggest: suggestTagNames,
      apply: async (selection, term, context) =>
        addTerm(
          (selection.associatedWith ??= create(Filter_TagsSchema)),
          await resolveTagIds(valuesOf(term), context),
          term,
        ),
    },
  },
  idKey: 'id',
  sorts: Object.keys(orders),
  defaultSort: '-priority',
  otherAddCommands: ['tag.import'],
  emptyHint: true,
  columns: tagAttributes.columns,
  details: tagAttributes.details,
  itemTabs: [
    {
      id: 'devices',
      entity: 'device',
      key: 'tag',
      value: idValue,
      columns: ['health', 'number', 'name'],
      add: (item) => ({ id: 'tag.assign', args: { tag: idValue(item) } }),
    },
    {
      id: 'webhooks',
      entity: 'webhook',
      key: 'tag',
      value: idValue,
      columns: ['health', 'description', 'url'],
      add: (item) => ({ id: 'webhook.tag', args: { add: [idValue(item)] } }),
    },
    {
      id: 'processPoints',
      entity: 'process-point',
      key: 'tag',
      value: idValue,
      columns: ['health', 'name', 'type'],
      add: (item) => ({ id: 'process-point.tag', args: { tags: [idValue(item)] } }),
    },
  ],
  changedBy: ['DEVICE_UPDATED', 'DEVICE_CREATED'],
});

/**
 * Finds tag ids by name or `#id`.
 *
 * @throws CommandError with suggestions for a name that is unknown or ambiguous.
 */
async function resolveTagIds(names: readonly string[], context: Context, type?: string): Promise<bigint[]> {
  // Load the lookup on first use, because a filter without tags doesn't need it.
  const { findOne, createNotFoundError } = await import('#commands/run/lookup.ts');
  const candidates = type === undefined ? tag : tagsOfType(type);
  return Promise.all(
    names.map(async (name) => {
      const match = await findOne(candidates, name, context);
      if (!match) throw await createNotFoundError(candidates, name, context);
      return match.tag.id;
    }),
  );
}

/** Returns the tag entity, restricted to tags of a type, in which names are looked up. */
function tagsOfType(type: string): Entity<TagItem, TagSelection> {
  return { ...tag, ...localLookups({ loadAll: (context) => listTagsOfType(context, type), ...accessors }) };
}

/** Returns the ids of the tags that a filter term names, or of all tags for `tag:*`. With `type`, only of that type. */
export async function findTagIds(term: Term, context: Context, type?: string): Promise<bigint[]> {
  if (!('present' in term.test)) return resolveTagIds(valuesOf(term), context, type);
  const ids = (await listTagsOfType(context, type)).map((item) => item.tag.id);
  // An empty list would select every item.
  if (ids.length === 0 && !term.negated) throw new CommandError(message('tag:validation.none'));
  return ids;
}

export { tag as entity };
