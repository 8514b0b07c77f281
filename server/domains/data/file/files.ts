import { create } from '@bufbuild/protobuf';
import { and, eq, sql } from 'drizzle-orm';

import { groupBy } from '#commands/text/group-by.ts';
import { type File, FileSchema } from '#proto/gen/hiber/file_pb.ts';
import { anyOf } from '#server/db/any-of.ts';
import type { Executor } from '#server/db/database.ts';
import { presentTimestamp } from '#server/wire/present.ts';

import { deviceFile, file, processPointFile, tagFile } from './schema.ts';

export type FileRow = Omit<typeof file.$inferSelect, 'draftUntil'>;

/** The columns of a file, for queries that join it with its owners. */
const columns = {
  organization: file.organization,
  identifier: file.identifier,
  key: file.key,
  name: file.name,
  mediaType: file.mediaType,
  content: file.content,
  url: file.url,
  createdAt: file.createdAt,
  expiresAt: file.expiresAt,
};

/**
 * Presents a file without its content, which would make device lists too large; FileService returns it, and the link
 * serves it. The link is relative, because a server can have several addresses.
 */
export function presentFile(row: FileRow): File {
  return create(FileSchema, {
    content: row.url === null ? { case: 'fileService', value: true } : { case: 'url', value: row.url },
    mediaType: row.mediaType,
    name: row.name,
    identifier: row.identifier,
    link: fileLink(row),
    time: presentTimestamp(row.createdAt),
    expiresAt: row.expiresAt ? presentTimestamp(row.expiresAt) : undefined,
  });
}

/** The folder of the links. server/http/files serves them. */
export const FILES_PATH = '/files/';

/** Returns the path of a file's content. The random key keeps anyone from guessing it; the caller's session decides. */
export const fileLink = ({ organization, key }: Pick<FileRow, 'organization' | 'key'>): string =>
  `${FILES_PATH}${encodeURIComponent(organization)}/${key}`;

/** Loads the tags' files by tag id. */
export async function loadTagFiles(
  db: Executor,
  organization: string,
  ids: readonly number[],
): Promise<Map<number, FileRow[]>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ owner: tagFile.tag, ...columns })
    .from(tagFile)
    .innerJoin(file, and(eq(file.organization, tagFile.organization), eq(file.identifier, tagFile.file)))
    .where(and(eq(tagFile.organization, organization), sql`${tagFile.tag} = any(${sql.param([...ids])}::bigint[])`))
    .orderBy(file.name, file.identifier);
  return groupBy(rows, ({ owner }) => owner);
}

/** Loads the devices' files by device number. */
export async function loadDeviceFiles(
  db: Executor,
  organizations: readonly string[],
  numbers: readonly string[],
): Promise<Map<string, FileRow[]>> {
  if (numbers.length === 0) return new Map();
  const rows = await db
    .select({ owner: deviceFile.number, ...columns })
    .from(deviceFile)
    .innerJoin(file, and(eq(file.organization, deviceFile.organization), eq(file.identifier, deviceFile.file)))
    .where(
      and(
        anyOf(deviceFile.organization, [...organizations]),
        sql`${deviceFile.number} = any(${sql.param([...numbers])}::text[])`,
      ),
    )
    .orderBy(file.name, file.identifier);
  return groupBy(rows, ({ owner }) => owner);
}

/** Loads the files of process points, keyed by the point's identifier. */
export async function loadPointFiles(
  db: Executor,
  organizations: readonly string[],
  points: readonly string[],
): Promise<Map<string, FileRow[]>> {
  if (points.length === 0) return new Map();
  const rows = await db
    .select({ owner: processPointFile.point, ...columns })
    .from(processPointFile)
    .innerJoin(
      file,
      and(eq(file.organization, processPointFile.organization), eq(file.identifier, processPointFile.file)),
    )
    .where(and(anyOf(processPointFile.organization, organizations), anyOf(processPointFile.point, points)))
    .orderBy(file.name, file.identifier);
  return groupBy(rows, ({ owner }) => owner);
}
