import { and, eq, ne, sql } from 'drizzle-orm';

import type { CreateTagRequest, Tag, UpdateTagRequest } from '#proto/gen/hiber/tag_pb.ts';
import type { App } from '#server/app/app.ts';
import type { Tx } from '#server/db/database.ts';
import { storeNames } from '#server/db/free-names.ts';
import { reserveId } from '#server/db/ids.ts';
import { cornersOf, formatPolygon, readArea, readLocation, readShape } from '#server/db/locations.ts';
import { deviceTag, tag, type TagLocation } from '#server/db/schema/tag.ts';
import { loadTagFiles } from '#server/domains/data/file/files.ts';
import { tagFile } from '#server/domains/data/file/schema.ts';
import { removeUnreferencedFiles, storeFiles } from '#server/domains/data/file/store.ts';
import { deviceUpdated } from '#server/domains/fleet/device/model/events.ts';
import { loadDeviceSubjects } from '#server/domains/fleet/device/model/subject.ts';
import { recordEvents } from '#server/events/record.ts';
import type { Scope } from '#server/session/scope.ts';
import { alreadyExists, invalidArgument, notFound } from '#server/wire/errors.ts';

import { DEFAULT_TAG_TYPE, isCustomType, readLabel, readTagName } from './label.ts';
import { presentTag } from './present.ts';

type TagRow = typeof tag.$inferSelect;

export async function createTag(app: App, caller: Scope, request: CreateTagRequest): Promise<Tag> {
  const { organization } = caller;
  return storeNames(app.db, async (tx) => {
    const label = readLabel(request.create, caller);
    await requireUnusedLabel(tx, organization, label);
    const id = await reserveId(tx, organization, 'tag');
    const location = readTagLocation(request.location);
    const now = app.now();
    const [row] = await tx
      .insert(tag)
      .values({ organization, id, ...label, priority: request.priority, createdAt: now, ...locationColumns(location) })
      .returning();
    await attachFiles(tx, organization, id, await storeFiles(tx, organization, request.files, now));
    return presentWithFiles(tx, row as TagRow);
  });
}

export async function updateTag(app: App, caller: Scope, request: UpdateTagRequest): Promise<Tag> {
  const { organization } = caller;
  return storeNames(app.db, async (tx) => {
    const before = await requireTag(tx, organization, request.id);
    const label = newLabel(before, request, caller);
    await requireUnusedLabel(tx, organization, label, before.id);
    const [row] = await tx
      .update(tag)
      .set({ ...label, priority: request.priority ?? before.priority, ...newLocationColumns(request) })
      .where(and(eq(tag.organization, organization), eq(tag.id, before.id)))
      .returning();
    await attachFiles(tx, organization, before.id, await storeFiles(tx, organization, request.addFiles, app.now()));
    await detachFiles(tx, caller, before.id, request.deleteFiles);
    return presentWithFiles(tx, row as TagRow);
  });
}

/**
 * Deletes a tag, and records an update event for each device that had the tag (contract: TagService). Webhook filters
 * keep its id, which then matches nothing, because removing the id could make a filter match everything.
 */
export async function deleteTag(app: App, caller: Scope, id: bigint): Promise<void> {
  const { organization } = caller;
  await app.db.transaction(async (tx) => {
    const row = await requireTag(tx, organization, id);
    const links = await tx
      .delete(deviceTag)
      .where(and(eq(deviceTag.organization, organization), eq(deviceTag.tag, row.id)))
      .returning({ number: deviceTag.number });
    const files = await loadTagFiles(tx, organization, [row.id]);
    await tx.delete(tag).where(and(eq(tag.organization, organization), eq(tag.id, row.id)));
    await removeUnreferencedFiles(
      tx,
      organization,
      (files.get(row.id) ?? []).map(({ identifier }) => identifier),
    );
    const subjects = await loadDeviceSubjects(
      tx,
      organization,
      links.map(({ number }) => number),
    );
    const change = { changed: [`tag "${row.name}" removed`] };
    const now = app.now();
    await recordEvents(
      tx,
      [...subjects.values()].map((subject) => deviceUpdated(subject, now, change)),
    );
  });
}

async function requireTag(tx: Tx, organization: string, id: bigint): Promise<TagRow> {
  const [row] = await tx
    .select()
    .from(tag)
    .where(and(eq(tag.organization, organization), eq(tag.id, Number(id))))
    .for('update');
  if (!row) throw notFound(`${organization} has no tag with id ${id}.`);
  return row;
}

/**
 * Keeps labels unique, because two tags with the same name and type would be indistinguishable (not specified in the
 * contract).
 */
async function requireUnusedLabel(
  tx: Tx,
  organization: string,
  { name, type }: { name: string; type: string },
  ignoredId = 0,
): Promise<void> {
  const [existing] = await tx
    .select({ id: tag.id })
    .from(tag)
    .where(and(eq(tag.organization, organization), eq(tag.name, name), eq(tag.type, type), ne(tag.id, ignoredId)));
  if (existing) throw alreadyExists(`${organization} already has a ${type} tag "${name}", #${existing.id}.`);
}

/** Returns the label after the update. An empty name or type counts as missing and keeps its current value. */
function newLabel(before: TagRow, { update }: UpdateTagRequest, caller: Scope): { name: string; type: string } {
  const name = readTagName(update?.name || before.name);
  const type = update?.type.trim() || before.type;
  if (type !== before.type && isCustomType(type)) {
    // The contract protects only `well`, `site`, and `production_area` (TagService.Update), not the default `group`.
    if (before.type !== DEFAULT_TAG_TYPE && !isCustomType(before.type)) {
      throw invalidArgument(
        `"${before.name}" is a ${before.type}, and its type can't be changed to the custom type "${type}".`,
      );
    }
    caller.require('CUSTOM_TAGS');
  }
  return { name, type };
}

type Location = CreateTagRequest['location'];

function readTagLocation(location: Location): TagLocation | null {
  switch (location.case) {
    case 'locationPoint':
      return { kind: 'point', point: readLocation(location.value, "The tag's location") };
    case 'locationArea':
      return { kind: 'area', ...readArea(location.value, "The tag's area") };
    case 'locationShape':
      return { kind: 'shape', path: readShape(location.value, "The tag's shape") };
    default:
      return null;
  }
}

function locationColumns(location: TagLocation | null): { location: TagLocation | null; outline: string | null } {
  if (location === null) return { location, outline: null };
  const path =
    location.kind === 'point' ? [location.point] : location.kind === 'area' ? cornersOf(location) : location.path;
  return { location, outline: formatPolygon(path) };
}

/** Returns no columns if the request leaves the location unchanged. */
function newLocationColumns({ location }: UpdateTagRequest): Partial<ReturnType<typeof locationColumns>> {
  if (location.case === undefined) return {};
  if (location.case === 'removeLocation') return location.value ? locationColumns(null) : {};
  return locationColumns(readTagLocation(location));
}

async function attachFiles(tx: Tx, organization: string, id: number, files: readonly string[]): Promise<void> {
  if (files.length === 0) return;
  await tx
    .insert(tagFile)
    .values(files.map((file) => ({ organization, tag: id, file })))
    .onConflictDoNothing();
}

/** Removes files from a tag, which requires MANAGE_FILES (contract: TagService). */
async function detachFiles(tx: Tx, caller: Scope, id: number, files: readonly string[]): Promise<void> {
  if (files.length === 0) return;
  caller.require('MANAGE_FILES');
  await tx
    .delete(tagFile)
    .where(
      and(
        eq(tagFile.organization, caller.organization),
        eq(tagFile.tag, id),
        sql`${tagFile.file} = any(${sql.param([...files])}::text[])`,
      ),
    );
  await removeUnreferencedFiles(tx, caller.organization, files);
}

async function presentWithFiles(tx: Tx, row: TagRow): Promise<Tag> {
  const files = await loadTagFiles(tx, row.organization, [row.id]);
  return presentTag({ ...row, files: files.get(row.id) ?? [] });
}
