import { and, eq, sql } from 'drizzle-orm';
import type { UpdateTagsForItem } from '#proto/gen/hiber/tag_pb.ts';
import type { Tx } from '#server/db/database.ts';
import { nextIds } from '#server/db/ids.ts';
import { tag } from '#server/db/schema/tag.ts';
import type { Scope } from '#server/session/scope.ts';
import { invalidArgument, notFound, some } from '#server/wire/errors.ts';
import { isCustomType, readLabel } from './label.ts';

/** A tag as items carry it. */
export interface ItemTag {
  readonly id: number;
  readonly name: string;
  readonly type: string;
}

export interface TagChange {
  readonly add: ItemTag[];
  readonly remove: ItemTag[];
}

/**
 * Reads an UpdateTagsForItem: checks that the tags exist, and makes the new labels (contract: TagService). A new label
 * that exists already is that tag, so that asking twice gives the same. Making one needs TAGS_MANAGE, and assigning one
 * of a custom type CUSTOM_TAGS.
 */
export async function readTagChange(tx: Tx, caller: Scope, update: UpdateTagsForItem | undefined): Promise<TagChange> {
  const addIds = [...new Set((update?.tagIdsToAdd ?? []).map(Number))];
  const removeIds = [...new Set((update?.tagIdsToRemove ?? []).map(Number))];
  const removed = new Set(removeIds);
  const both = addIds.filter((id) => removed.has(id));
  if (both.length > 0) throw invalidArgument(`Tag ${some(both)} is both to be added and to be removed.`);

  const known = await tagsById(tx, caller.organization, [...addIds, ...removeIds]);
  const add = addIds.map((id) => known.get(id) as ItemTag);
  const custom = add.find(({ type }) => isCustomType(type));
  if (custom) caller.require('CUSTOM_TAGS');
  const made = await makeTags(tx, caller, update?.newTagsToAdd ?? []);
  return {
    add: [...new Map([...add, ...made].map((tag) => [tag.id, tag])).values()],
    remove: removeIds.map((id) => known.get(id) as ItemTag),
  };
}

async function tagsById(tx: Tx, organization: string, ids: readonly number[]): Promise<Map<number, ItemTag>> {
  if (ids.length === 0) return new Map();
  const rows = await tx
    .select({ id: tag.id, name: tag.name, type: tag.type })
    .from(tag)
    .where(and(eq(tag.organization, organization), sql`${tag.id} = any(${sql.param([...ids])}::bigint[])`));
  const known = new Map(rows.map((row) => [row.id, row]));
  const missing = ids.filter((id) => !known.has(id));
  if (missing.length > 0) throw notFound(`${organization} has no tag with id ${some(missing)}.`);
  return known;
}

async function makeTags(tx: Tx, caller: Scope, labels: UpdateTagsForItem['newTagsToAdd']): Promise<ItemTag[]> {
  if (labels.length === 0) return [];
  caller.require('TAGS_MANAGE');
  const { organization } = caller;
  const wanted = labels.map((label) => readLabel(label, caller));
  const ids = await nextIds(tx, organization, 'tag', wanted.length);
  await tx
    .insert(tag)
    .values(wanted.map((label, index) => ({ organization, id: ids[index] as number, ...label })))
    .onConflictDoNothing();
  return tx
    .select({ id: tag.id, name: tag.name, type: tag.type })
    .from(tag)
    .where(
      and(
        eq(tag.organization, organization),
        sql`(${tag.type}, ${tag.name}) in (
          select * from unnest(${sql.param(wanted.map(({ type }) => type))}::text[],
            ${sql.param(wanted.map(({ name }) => name))}::text[]))`,
      ),
    )
    .orderBy(tag.id);
}
