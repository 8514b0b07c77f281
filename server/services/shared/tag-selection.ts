import { and, eq, ilike, inArray, notInArray, or, type SQL, sql } from 'drizzle-orm';
import type { LocationSelection } from '#proto/hiber/base_pb';
import type { TagSelection } from '#proto/hiber/tag_pb';
import { deviceTag, tag, webhookTag } from '#server/db/schema/tag';
import { cornersOf, polygonOf, readLocationSelection } from './locations.ts';
import { containing } from './text.ts';

const numbers = (ids: readonly bigint[]): number[] => ids.map(Number);

/** Condition on rows of `tag`; undefined when the selection selects every tag. Its parts combine as AND. */
export function tagWhere(selection: TagSelection | undefined): SQL | undefined {
  if (selection === undefined) return undefined;
  const { filter } = selection;
  return and(
    wanted(selection),
    filter?.exclude.length ? notInArray(tag.id, numbers(filter.exclude)) : undefined,
    selection.associatedWith?.exclude.length ? sql`not ${usedWith(selection.associatedWith.exclude)}` : undefined,
  );
}

/** The parts that ask for something; without any, an item needs no tag at all. */
function wanted(selection: TagSelection): SQL | undefined {
  const { search, names, types, filter, associatedWith } = selection;
  return and(
    // Several searches, names or types: any of them (not stated). Searching takes part of a name, whatever the case.
    search.length > 0 ? or(...search.map((text) => ilike(tag.name, containing(text)))) : undefined,
    names.length > 0 ? inArray(tag.name, names) : undefined,
    types.length > 0 ? inArray(tag.type, types) : undefined,
    filter?.include.length ? inArray(tag.id, numbers(filter.include)) : undefined,
    located(selection.location),
    associatedWith?.include.length ? usedWith(associatedWith.include) : undefined,
  );
}

/** Tags that share a device or a webhook with one of the given ones. */
function usedWith(ids: readonly bigint[]): SQL {
  const given = sql.param(numbers(ids));
  return sql`(${tag.id} in (
      select one.tag from ${deviceTag} one join ${deviceTag} other using (organization, number)
       where one.organization = ${tag.organization} and other.tag = any(${given}::bigint[]) and one.tag <> other.tag
    ) or ${tag.id} in (
      select one.tag from ${webhookTag} one join ${webhookTag} other using (organization, webhook)
       where one.organization = ${tag.organization} and other.tag = any(${given}::bigint[]) and one.tag <> other.tag
    ))`;
}

/** Tags whose point lies in the selection, or whose area or shape touches it. */
function located(selection: LocationSelection | undefined): SQL | undefined {
  const places = readLocationSelection(selection);
  if (places === undefined) return undefined;
  const outlines = [...places.areas.map(cornersOf), ...places.shapes].map(polygonOf);
  return sql`${tag.outline} && any(${sql.param(outlines)}::polygon[])`;
}

/**
 * Condition on items that carry tags: any tag that is asked for (contract: TagService), and none that is excluded.
 *
 * @param link the table between the items and their tags
 * @param item condition that ties a row of `link` to the item
 * @param home the organization that the request acts in
 */
export function taggedWith(
  link: typeof deviceTag | typeof webhookTag,
  item: SQL,
  home: string,
  selection: TagSelection | undefined,
): SQL | undefined {
  if (selection === undefined) return undefined;
  const any = wanted(selection);
  // Ids are per organization: those in a request are of the organization that it acts in.
  const byId = selection.filter?.include.length || selection.associatedWith?.include.length;
  const having = (condition: SQL | undefined) => sql`exists (
    select from ${link} join ${tag} on ${tag.organization} = ${link.organization} and ${tag.id} = ${link.tag}
     where ${item} and ${condition ?? sql`true`})`;
  const excluded = selection.filter?.exclude ?? [];
  return and(
    any && having(and(any, byId ? eq(tag.organization, home) : undefined)),
    excluded.length > 0
      ? sql`not ${having(and(inArray(tag.id, numbers(excluded)), eq(tag.organization, home)))}`
      : undefined,
  );
}
