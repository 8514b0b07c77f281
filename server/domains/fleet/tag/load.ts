import { and, eq, type SQL, sql } from 'drizzle-orm';

import type { Tag } from '#proto/gen/hiber/tag_pb.ts';
import type { Database } from '#server/db/database.ts';
import { naturalOrder } from '#server/db/schema/columns.ts';
import { tag, type TagLocation } from '#server/db/schema/tag.ts';
import { loadTagFiles } from '#server/domains/data/file/files.ts';
import { tagFile } from '#server/domains/data/file/schema.ts';

import { presentTag } from './present.ts';
import { TagCache } from './tag-cache.ts';

interface TagColumns extends Record<string, unknown> {
  readonly ids: number[] | null;
  readonly names: string[] | null;
  readonly types: string[] | null;
  /** The priorities other than 0, by tag id. */
  readonly priorities: Readonly<Record<number, number>> | null;
  /** By tag id. */
  readonly locations: Readonly<Record<number, TagLocation>> | null;
  readonly hasFiles: boolean;
}

/** The largest number of tags to keep in memory, with the tags of all organizations. Each takes about 400 bytes. */
const CACHED_TAGS = 50_000;

const caches = new WeakMap<Database, TagCache>();

function cacheOf(db: Database): TagCache {
  const cache = caches.get(db) ?? new TagCache(CACHED_TAGS);
  caches.set(db, cache);
  return cache;
}

/**
 * Loads and presents the tags that match a condition, with their files. Sorts them by priority from high to low, and
 * then by name (contract: TagService.List). Do not modify the tags, because several calls share them.
 */
export async function loadTags(db: Database, organization: string, where: SQL | undefined): Promise<readonly Tag[]> {
  return where === undefined
    ? loadAllTags(db, organization)
    : presentTags(db, organization, (await db.orm.execute<TagColumns>(tagsQuery(organization, where))).rows[0]);
}

/**
 * The state of an organization's tags, which changes with every change to them. The database sets `xmin` of a row to
 * the transaction that wrote it, so different states differ in an id or an `xmin`, and their hashes in 64 bits. Null if
 * a tag has files, which change without it.
 */
const stateOf = (organization: string): SQL => sql`
  select case when ${hasFiles(organization)} then null else
      (select count(*) || ' ' || coalesce(sum(hashint8extended(${tag.id}, ${tag}.xmin::text::bigint)), 0)
         from ${tag} where ${eq(tag.organization, organization)}) end`;

const hasFiles = (organization: string): SQL =>
  sql`exists (select from ${tagFile} where ${eq(tagFile.organization, organization)})`;

/**
 * Reading the state of the tags takes half of the time of reading the tags themselves, and presenting them takes as
 * long again.
 */
async function loadAllTags(db: Database, organization: string): Promise<readonly Tag[]> {
  const cache = cacheOf(db);
  const cached = cache.get(organization);
  if (cached !== undefined) {
    const { rows } = await db.orm.execute<{ state: string | null }>(sql`select (${stateOf(organization)}) as state`);
    if (rows[0]?.state === cached.state) return cached.tags;
  }
  const { state, columns } = await readByIndex(db, organization);
  const tags = await presentTags(db, organization, columns);
  cache.set(organization, state === null ? undefined : { state, tags });
  return tags;
}

/**
 * Reads all tags in index order, and their state, in one statement, so they belong together. The planner would rather
 * sort the tags: it doesn't know that comparing names in natural order is slow. Sorting 10,000 took nine times as long.
 */
async function readByIndex(
  db: Database,
  organization: string,
): Promise<{ readonly state: string | null; readonly columns: TagColumns | undefined }> {
  const { rows } = await db.transaction(async (tx) => {
    await tx.execute(sql`set local enable_sort = off`);
    return tx.execute<TagColumns & { state: string | null }>(
      sql`select (${stateOf(organization)}) as state, loaded.* from (${tagsQuery(organization, undefined)}) as loaded`,
    );
  });
  return { state: rows[0]?.state ?? null, columns: rows[0] };
}

/** The contract does not paginate tags. Reading one row of lists takes a third of the time of reading 10,000 rows. */
const tagsQuery = (organization: string, where: SQL | undefined): SQL => sql`
  select json_agg(id) as ids, json_agg(name) as names, json_agg(type) as types,
    json_object_agg(id, priority) filter (where priority <> 0) as priorities,
    json_object_agg(id, location) filter (where location is not null) as locations,
    ${hasFiles(organization)} as "hasFiles"
  from (
    select ${tag.id}, ${tag.name}, ${tag.type}, ${tag.priority}, ${tag.location} from ${tag}
     where ${and(eq(tag.organization, organization), where)}
     order by ${tag.priority} desc, ${naturalOrder(tag.name)}, ${tag.id}
  ) as listed`;

async function presentTags(db: Database, organization: string, columns: TagColumns | undefined): Promise<Tag[]> {
  const { ids, names, types, priorities, locations } = columns ?? {};
  if (!ids || !names || !types) return [];
  const files = columns?.hasFiles ? await loadTagFiles(db.orm, organization, ids) : undefined;
  return ids.map((id, index) =>
    presentTag({
      id,
      name: names[index] ?? '',
      type: types[index] ?? '',
      priority: priorities?.[id] ?? 0,
      location: locations?.[id] ?? null,
      files: files?.get(id) ?? [],
    }),
  );
}
