import { create, toBinary } from '@bufbuild/protobuf';

import { findMatches } from '#commands/kit/matching.ts';
import { TAG_TYPES, tagTypeText } from '#commands/kit/tag-types.ts';
import type { Context } from '#commands/model/context.ts';
import type { Suggestion } from '#commands/model/suggestion.ts';
import type { Location } from '#proto/gen/hiber/base_pb.ts';
import { TagSelectionSchema, TagService, type TagSelection } from '#proto/gen/hiber/tag_pb.ts';

import { nameOf, typeOf, type TagItem } from './item.ts';

/** Selects every tag. */
export const selectAllTags = (): TagSelection => create(TagSelectionSchema);

export async function fetchTags(
  { api, organization, signal }: Context,
  selection: TagSelection,
): Promise<readonly TagItem[]> {
  const counts = { modemCount: true, webhookCount: true, processPointCount: true };
  const request = { organization: organization.id, selection, ...counts };
  const response = await api(TagService).list(request, { signal });
  return response.tags.map((tag) => ({
    tag,
    devices: response.tagModemCount[`${tag.id}`] ?? 0,
    webhooks: response.tagWebhookCount[`${tag.id}`] ?? 0,
    processPoints: response.tagProcessPointCount[`${tag.id}`] ?? 0,
  }));
}

/**
 * Loads the tags that a selection matches. The server returns them all, without pagination (contract: TagService), so
 * callers page and sort them.
 */
export function listTags(context: Context, selection: TagSelection): Promise<readonly TagItem[]> {
  const key = `tag:list:${toBinary(TagSelectionSchema, selection).join(' ')}`;
  return context.loadCached(key, (sharedContext) => fetchTags(sharedContext, selection));
}

type Order = (a: TagItem, b: TagItem) => number;

/** Sorts in natural order, which puts Avocet 2 before Avocet 10. */
const collator = new Intl.Collator('en', { numeric: true });

const byName: Order = (a, b) => collator.compare(nameOf(a), nameOf(b)) || Number(a.tag.id - b.tag.id);

export const orders: Readonly<Record<string, Order>> = {
  name: byName,
  type: (a, b) => typeOf(a).localeCompare(typeOf(b)),
  priority: (a, b) => (a.tag.priority ?? 0) - (b.tag.priority ?? 0),
  devices: (a, b) => a.devices - b.devices,
  webhooks: (a, b) => a.webhooks - b.webhooks,
  'process-points': (a, b) => a.processPoints - b.processPoints,
};

export function sortTags(items: readonly TagItem[], sort: readonly string[]): readonly TagItem[] {
  if (sort.length === 0) return items;
  const keys = sort.map((name) => ({ order: orders[name.replace(/^-/, '')]!, sign: name.startsWith('-') ? -1 : 1 }));
  return items.toSorted(
    (a, b) => keys.reduce((result, { order, sign }) => result || sign * order(a, b), 0) || byName(a, b),
  );
}

/** The location of a tag as points: one point, the corners of an area, or the path of a shape. */
export interface TagLocation {
  readonly name: string;
  readonly points: readonly Location[];
  readonly isShape: boolean;
}

/** Returns the locations of the tags that have one. */
export async function loadTagLocations(context: Context): Promise<readonly TagLocation[]> {
  const tags = await listTags(context, selectAllTags());
  return tags
    .map((item) => ({
      name: nameOf(item),
      points: pointsOf(item),
      isShape: item.tag.metadata?.location.case === 'locationShape',
    }))
    .filter(({ points }) => points.length > 0);
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

/** Returns the names of all tags, or of those of a type, for expanding patterns. */
export async function loadTagNames(context: Context, type?: string): Promise<readonly string[]> {
  return (await listTagsOfType(context, type)).map(nameOf);
}

/** Returns the tags of a type, or all tags. */
export async function listTagsOfType(context: Context, type: string | undefined): Promise<readonly TagItem[]> {
  const tags = await listTags(context, selectAllTags());
  return type === undefined ? tags : tags.filter((item) => typeOf(item) === type);
}

/** Returns the contract's tag types and the custom types in use. */
export async function loadTagTypes(context: Context): Promise<readonly string[]> {
  const usedTypes = (await listTags(context, selectAllTags())).map(typeOf);
  return [...new Set([...TAG_TYPES, ...usedTypes])].filter((type) => type !== '');
}

/** Returns the names of the given tags whose type isn't one of the given types. */
export async function loadTagsWithoutType(
  context: Context,
  ids: readonly bigint[],
  types: readonly string[],
): Promise<readonly string[]> {
  const tags = await listTags(context, selectAllTags());
  return tags.filter((item) => ids.includes(item.tag.id) && !types.includes(typeOf(item))).map(nameOf);
}

/** Suggests names of all tags, or of those of a type, without device counts, for filters on other entities. */
export async function suggestTagNames(context: Context, text: string, type?: string): Promise<readonly Suggestion[]> {
  const tags = await listTagsOfType(context, type);
  return (await findMatches(tags.toSorted(mostUsedFirst), text, nameOf)).map(toSuggestion);
}

const mostUsedFirst: Order = (a, b) => b.devices - a.devices;

function toSuggestion(item: TagItem): Suggestion {
  const [name, type] = [nameOf(item), tagTypeText(typeOf(item))];
  return { value: name, label: name, ...(typeof type === 'object' ? { about: type } : type ? { detail: type } : {}) };
}

/** Suggests the names of all tags, or of those of a type, with device counts, most used first. */
export async function suggestTags(context: Context, text: string, type?: string): Promise<readonly Suggestion[]> {
  const tags = await listTagsOfType(context, type);
  return (await findMatches(tags.toSorted(mostUsedFirst), text, nameOf)).map((item) => ({
    ...toSuggestion(item),
    count: item.devices,
  }));
}
