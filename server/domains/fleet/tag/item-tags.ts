import { and, eq, sql } from 'drizzle-orm';

import type { UpdateTagsForItem } from '#proto/gen/hiber/tag_pb.ts';
import type { Tx } from '#server/db/database.ts';
import { reserveIds } from '#server/db/ids.ts';
import { tag } from '#server/db/schema/tag.ts';
import type { Scope } from '#server/session/scope.ts';
import { describeMissing, invalidArgument, notFound, summarizeList } from '#server/wire/errors.ts';

import { isCustomType, readLabel } from './label.ts';

/** A tag as shown on an item. */
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
 * Reads an UpdateTagsForItem. Checks that the tags exist, and creates the new labels (contract: TagService). A new
 * label that already exists resolves to the existing tag, so the call is idempotent. Creating tags requires
 * TAGS_MANAGE, and assigning tags of a custom type requires CUSTOM_TAGS.
 */
export async function readTagChange(tx: Tx, caller: Scope, update: UpdateTagsForItem | undefined): Promise<TagChange> {
  const addIds = [...new Set((update?.tagIdsToAdd ?? []).map(Number))];
  const removeIds = [...new Set((update?.tagIdsToRemove ?? []).map(Number))];
  const removeIdSet = new Set(removeIds);
  const conflictingIds = addIds.filter((id) => removeIdSet.has(id));
  if (conflictingIds.length > 0)
    throw invalidArgument(
      `These tags are in both tag_ids_to_add and tag_ids_to_remove: ${summarizeList(conflictingIds)}. List each in only one of them.`,
    );

  const existingTags = await findTagsById(tx, caller.organization, [...addIds, ...removeIds]);
  const add = addIds.map((id) => existingTags.get(id) as ItemTag);
  const customTag = add.find(({ type }) => isCustomType(type));
  if (customTag) caller.require('CUSTOM_TAGS');
  const createdTags = await createTags(tx, caller, update?.newTagsToAdd ?? []);
  return {
    add: [...new Map([...add, ...createdTags].map((tag) => [tag.id, tag])).values()],
    remove: removeIds.map((id) => existingTags.get(id) as ItemTag),
  };
}

async function findTagsById(tx: Tx, organization: string, ids: readonly number[]): Promise<Map<number, ItemTag>> {
  if (ids.length === 0) return new Map();
  const rows = await tx
    .select({ id: tag.id, name: tag.name, type: tag.type })
    .from(tag)
    .where(and(eq(tag.organization, organization), sql`${tag.id} = any(${sql.param([...ids])}::bigint[])`));
  const tags = new Map(rows.map((row) => [row.id, row]));
  const missingIds = ids.filter((id) => !tags.has(id));
  if (missingIds.length > 0)
    throw notFound(`${organization} has ${describeMissing('tag with id', missingIds, 'tags with ids')}.`);
  return tags;
}

async function createTags(tx: Tx, caller: Scope, labels: UpdateTagsForItem['newTagsToAdd']): Promise<ItemTag[]> {
  if (labels.length === 0) return [];
  caller.require('TAGS_MANAGE');
  const { organization } = caller;
  const newLabels = labels.map((label) => readLabel(label, caller));
  const ids = await reserveIds(tx, organization, 'tag', newLabels.length);
  await tx
    .insert(tag)
    .values(newLabels.map((label, index) => ({ organization, id: ids[index] as number, ...label })))
    .onConflictDoNothing();
  return tx
    .select({ id: tag.id, name: tag.name, type: tag.type })
    .from(tag)
    .where(
      and(
        eq(tag.organization, organization),
        sql`(${tag.type}, ${tag.name}) in (
          select * from unnest(${sql.param(newLabels.map(({ type }) => type))}::text[],
            ${sql.param(newLabels.map(({ name }) => name))}::text[]))`,
      ),
    )
    .orderBy(tag.id);
}
