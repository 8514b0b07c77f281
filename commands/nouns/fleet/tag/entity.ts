import { create, toJson } from '@bufbuild/protobuf';

import type { Location } from '#proto/gen/hiber/base_pb.ts';
import { Filter_TagsSchema } from '#proto/gen/hiber/filter_pb.ts';
import { TagSchema, TagSelectionSchema, TagService, type Tag, type TagSelection } from '#proto/gen/hiber/tag_pb.ts';
import type { Context } from '#commands/model/context.ts';
import { entity, type Entity } from '#commands/model/entity.ts';
import { addTo, matching, narrow, valuesOf } from '#commands/kit/filter-keys.ts';
import type { Suggestion } from '#commands/model/suggestion.ts';
import { findOne, notFound } from '#commands/run/lookup.ts';
import { readId } from '#commands/run/integers.ts';
import { message } from '#commands/text/message.ts';
import { tagColumns, tagFacts } from './columns.ts';
import { suggestTagTypes, TAG_TYPES, tagTypeText } from '#commands/kit/tag-types.ts';
import type { TagItem } from './item.ts';

async function fetchTags({ api, organization, signal }: Context, selection: TagSelection): Promise<readonly TagItem[]> {
  const counts = { modemCount: true, webhookCount: true, processPointCount: true };
  const request = { organization: organization.id, selection, ...counts };
  const found = await api(TagService).list(request, { signal });
  return found.tags.map((tag) => ({
    tag,
    devices: found.tagModemCount[`${tag.id}`] ?? 0,
    webhooks: found.tagWebhookCount[`${tag.id}`] ?? 0,
    processPoints: found.tagProcessPointCount[`${tag.id}`] ?? 0,
  }));
}

/** The contract has one list of all tags and no pages (contract: TagService), so windows and orders are made from the whole of it. */
function everyTag(context: Context, selection: TagSelection): Promise<readonly TagItem[]> {
  const key = `tag:list:${JSON.stringify(toJson(TagSelectionSchema, selection))}`;
  return context.cached(key, (shared) => fetchTags(shared, selection));
}

const nothing = (): TagSelection => create(TagSelectionSchema);

type Order = (a: TagItem, b: TagItem) => number;

/** As people count: Avocet 2 before Avocet 10. */
const natural = new Intl.Collator('en', { numeric: true });

const byName: Order = (a, b) => natural.compare(nameOf(a), nameOf(b)) || Number(a.tag.id - b.tag.id);

const orders: Readonly<Record<string, Order>> = {
  name: byName,
  type: (a, b) => typeOf(a).localeCompare(typeOf(b)),
  priority: (a, b) => (a.tag.priority ?? 0) - (b.tag.priority ?? 0),
  devices: (a, b) => a.devices - b.devices,
  webhooks: (a, b) => a.webhooks - b.webhooks,
  'process-points': (a, b) => a.processPoints - b.processPoints,
};

function sorted(items: readonly TagItem[], sort: readonly string[]): readonly TagItem[] {
  if (sort.length === 0) return items;
  const keys = sort.map((name) => ({ order: orders[name.replace(/^-/, '')]!, sign: name.startsWith('-') ? -1 : 1 }));
  return items.toSorted(
    (a, b) => keys.reduce((found, { order, sign }) => found || sign * order(a, b), 0) || byName(a, b),
  );
}

function nameOf({ tag }: TagItem): string {
  return tag.label?.name ?? '';
}

function typeOf({ tag }: TagItem): string {
  return tag.label?.type ?? '';
}

/** Names may be shared, ids may not. */
const ownId = ({ tag }: TagItem): string => `#${tag.id}`;

/** Those that a text names: by `#id`, by its very name, else by name in any case or id. */
function named(all: readonly TagItem[], text: string): readonly TagItem[] {
  const wanted = text.trim();
  const numbered = all.filter((item) => `#${item.tag.id}` === wanted);
  if (numbered.length > 0) return numbered;
  const exact = all.filter((item) => nameOf(item) === wanted);
  if (exact.length > 0) return exact;
  return all.filter(
    (item) => nameOf(item).toLocaleLowerCase() === wanted.toLocaleLowerCase() || `${item.tag.id}` === wanted,
  );
}

export const tag: Entity<TagItem, TagSelection> = entity({
  name: 'tag',
  plural: 'tags',
  screen: {
    path: '/settings/tags',
    aliases: ['/settings'],
    rail: { icon: 'tag', group: 'data' },
    key: 'g t',
    tabs: 'settings',
  },
  views: [
    { id: 'all', filter: '' },
    { id: 'wells', filter: 'type:well' },
    { id: 'sites', filter: 'type:site' },
    { id: 'areas', filter: 'type:production_area' },
  ],
  id: ({ tag }) => `${tag.id}`,
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
  list: async (context, { selection, sort }, { page, size }) => {
    const all = sorted(await everyTag(context, selection), sort);
    return { items: all.slice(page * size, (page + 1) * size), total: all.length };
  },
  byIds: async (context, ids) => (await everyTag(context, nothing())).filter((item) => ids.includes(`${item.tag.id}`)),
  find: async (context, text) => {
    const known = named(await everyTag(context, nothing()), text);
    // No event tells of a tag that somebody else made (contract: Event), so what is kept may lack it.
    return known.length > 0 ? known : named(await fetchTags(context, nothing()), text);
  },
  search: async (context, text, limit) => matching(await everyTag(context, nothing()), text, nameOf).slice(0, limit),
  emptySelection: nothing,
  applySearch: (selection, words) => {
    selection.search.push(words);
  },
  filter: {
    name: {
      kind: 'text',
      every: tagNames,
      suggest: suggestTagNames,
      apply: (selection, term) => {
        selection.names = narrow(selection.names, valuesOf(term), term.key);
      },
    },
    type: {
      kind: 'text',
      every: tagTypes,
      suggest: async (context, text) => suggestTagTypes(await tagTypes(context), text),
      apply: (selection, term) => {
        selection.types = narrow(selection.types, valuesOf(term), term.key);
      },
    },
    id: {
      kind: 'number',
      negates: true,
      apply: (selection, term) =>
        addTo((selection.filter ??= create(Filter_TagsSchema)), valuesOf(term).map(readId), term),
    },
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
  columns: tagColumns,
  facts: tagFacts,
  itemTabs: [
    { id: 'devices', entity: 'device', key: 'tag', value: ownId, columns: ['health', 'number', 'name'] },
    { id: 'webhooks', entity: 'webhook', key: 'tag', value: ownId, columns: ['health', 'description', 'url'] },
  ],
  changedBy: ['DEVICE_UPDATED', 'DEVICE_CREATED'],
});

/** The ids of tags by name or `#id`. @throws CommandError with near ones for a name that does not exist or is not the only one. */
export async function tagIds(names: readonly string[], context: Context): Promise<bigint[]> {
  return Promise.all(
    names.map(async (name) => {
      const found = await findOne(tag, name, context);
      if (!found) throw await notFound(tag, name, context);
      return found.tag.id;
    }),
  );
}

/** Where tags are: one point, the corners of an area, or the path of a shape. */
export async function tagPlaces(
  context: Context,
): Promise<readonly { readonly name: string; readonly points: readonly Location[] }[]> {
  const all = await everyTag(context, nothing());
  return all.map((item) => ({ name: nameOf(item), points: pointsOf(item) })).filter(({ points }) => points.length > 0);
}

function pointsOf({ tag: { metadata } }: TagItem): readonly Location[] {
  const location = metadata?.location;
  switch (location?.case) {
    case 'locationPoint':
      return [location.value];
    case 'locationArea':
      return [location.value.bottomLeft, location.value.topRight].filter((point) => point !== undefined);
    case 'locationShape':
      return location.value.path;
    default:
      return [];
  }
}

/** The names of all tags, for patterns. */
export async function tagNames(context: Context): Promise<readonly string[]> {
  return (await everyTag(context, nothing())).map(nameOf);
}

/** The types that tags have here, and those of the contract. */
export async function tagTypes(context: Context): Promise<readonly string[]> {
  const used = (await everyTag(context, nothing())).map(typeOf);
  return [...new Set([...TAG_TYPES, ...used])].filter((type) => type !== '');
}

/** The tags among these that are of none of the types. */
export async function tagsNotOf(
  context: Context,
  ids: readonly bigint[],
  types: readonly string[],
): Promise<readonly string[]> {
  const all = await everyTag(context, nothing());
  return all.filter((item) => ids.includes(item.tag.id) && !types.includes(typeOf(item))).map(nameOf);
}

/** Names of tags, for lists that are not of devices: what they count is counted by the list itself. */
export async function suggestTagNames(context: Context, text: string): Promise<readonly Suggestion[]> {
  return (await suggestTags(context, text)).map(({ value, label, detail }) => ({
    value,
    label,
    ...(detail ? { detail } : {}),
  }));
}

/** Names of tags with how many devices have them, most used first. */
export async function suggestTags(context: Context, text: string): Promise<readonly Suggestion[]> {
  const all = await everyTag(context, nothing());
  return matching(
    all.toSorted((a, b) => b.devices - a.devices),
    text,
    nameOf,
  ).map((item) => ({
    value: nameOf(item),
    label: nameOf(item),
    detail: typeOf(item),
    count: item.devices,
  }));
}

/** How tags look in a cell. */
export function tagLabels(tags: readonly Tag[]): readonly { readonly id: string; readonly name: string }[] {
  return tags.map((each) => ({ id: `${each.id}`, name: each.label?.name ?? '' }));
}
