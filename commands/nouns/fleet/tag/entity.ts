import { create, toJson } from '@bufbuild/protobuf';

import { Filter_TagsSchema } from '#proto/gen/hiber/filter_pb.ts';
import { TagSchema, type TagSelection } from '#proto/gen/hiber/tag_pb.ts';
import type { Context } from '#commands/model/context.ts';
import { entity, type Entity } from '#commands/model/entity.ts';
import { addTo, valuesOf } from '#commands/kit/filter-keys.ts';
import { localLookups, pageOf } from '#commands/kit/local-list.ts';
import { findOne, notFound } from '#commands/run/lookup.ts';
import { message } from '#commands/text/message.ts';
import { tagTypeText } from '#commands/kit/tag-types.ts';
import { SETTINGS } from '#commands/nouns/tab-groups.ts';
import { tagAttributes } from './attributes.ts';
import { nameOf, typeOf, type TagItem } from './item.ts';
import { everything, everyTag, fetchTags, orders, sorted, suggestTagNames, tagNames } from './list.ts';

/** Names may be shared, ids may not. */
const ownId = ({ tag }: TagItem): string => `#${tag.id}`;

const named = { id: ({ tag: { id } }: TagItem) => `${id}`, name: nameOf };
const kept = localLookups({ every: (context) => everyTag(context, everything()), ...named });
const asked = localLookups({ every: (context) => fetchTags(context, everything()), ...named });

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
  id: named.id,
  label: nameOf,
  detail: (item) => message('tag:detail', { type: tagTypeText(typeOf(item)) ?? '', count: item.devices }),
  json: ({ tag, devices, webhooks, processPoints }) => ({
    ...(toJson(TagSchema, tag) as object),
    devices,
    webhooks,
    processPoints,
  }),
  isId: (text) => /^#?\d+$/.test(text.trim()),
  toId: (text) => text.trim().replace(/^#/, ''),
  list: async (context, { selection, sort }, window) =>
    pageOf(sorted(await everyTag(context, selection), sort), window),
  ...kept,
  find: async (context, text) => {
    const known = await kept.find(context, text);
    // No event tells of a tag that somebody else made (contract: Event), so what is kept may lack it.
    return known.length > 0 ? known : asked.find(context, text);
  },
  emptySelection: everything,
  applySearch: (selection, words) => {
    selection.search.push(words);
  },
  filter: {
    ...tagAttributes.filter,
    /** Tags that are used together with these, on one device. */
    with: {
      kind: 'name',
      entity: () => tag,
      negates: true,
      every: tagNames,
      suggest: suggestTagNames,
      apply: async (selection, term, context) =>
        addTo((selection.associatedWith ??= create(Filter_TagsSchema)), await tagIds(valuesOf(term), context), term),
    },
  },
  idKey: 'id',
  sorts: Object.keys(orders),
  defaultSort: '-priority',
  columns: tagAttributes.columns,
  details: tagAttributes.details,
  itemTabs: [
    { id: 'devices', entity: 'device', key: 'tag', value: ownId, columns: ['health', 'number', 'name'] },
    { id: 'webhooks', entity: 'webhook', key: 'tag', value: ownId, columns: ['health', 'description', 'url'] },
  ],
  changedBy: ['DEVICE_UPDATED', 'DEVICE_CREATED'],
});

/**
 * The ids of tags by name or `#id`.
 * @throws CommandError with near ones for a name that does not exist or is not the only one.
 */
export async function tagIds(names: readonly string[], context: Context): Promise<bigint[]> {
  return Promise.all(
    names.map(async (name) => {
      const found = await findOne(tag, name, context);
      if (!found) throw await notFound(tag, name, context);
      return found.tag.id;
    }),
  );
}
