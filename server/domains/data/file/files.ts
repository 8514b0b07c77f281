import { randomUUID } from 'node:crypto';

import { create } from '@bufbuild/protobuf';
import { and, eq, sql } from 'drizzle-orm';

import { groupBy } from '#commands/text/group-by.ts';
import { type File, FileSchema } from '#proto/gen/hiber/file_pb.ts';
import { anyOf } from '#server/db/any-of.ts';
import type { Executor, Tx } from '#server/db/database.ts';
import { readHex } from '#server/wire/bytes.ts';
import { invalidArgument, notFound, describeMissing } from '#server/wire/errors.ts';
import { presentTimestamp } from '#server/wire/present.ts';

import { deviceFile, deviceNoteFile, file, processPointFile, tagFile } from './schema.ts';

/** A stored file without its content, which only FileService returns. */
export type FileRow = Omit<typeof file.$inferSelect, 'content'>;

const columns = {
  organization: file.organization,
  identifier: file.identifier,
  name: file.name,
  mediaType: file.mediaType,
  url: file.url,
  createdAt: file.createdAt,
  expiresAt: file.expiresAt,
};

/**
 * Presents a file's metadata. Leaves out the content of stored files, which would make device lists too large, and
 * `file_service`, because this server doesn't have that service yet.
 */
export function presentFile(row: FileRow): File {
  return create(FileSchema, {
    content: row.url === null ? { case: undefined } : { case: 'url', value: row.url },
    mediaType: row.mediaType,
    name: row.name,
    identifier: row.identifier,
    time: presentTimestamp(row.createdAt),
    expiresAt: row.expiresAt ? presentTimestamp(row.expiresAt) : undefined,
  });
}

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

/**
 * Stores the uploaded files, and checks that referenced files exist (contract: "existing identifier or inline upload").
 *
 * @returns the identifiers of the files
 */
export async function storeFiles(tx: Tx, organization: string, files: readonly File[], now: Date): Promise<string[]> {
  const identifiers: string[] = [];
  for (const item of files) {
    const { content, url } = readContent(item);
    if (content === undefined && url === undefined) {
      await requireFiles(tx, organization, [item.identifier]);
      identifiers.push(item.identifier);
      continue;
    }
    const row = {
      organization,
      identifier: item.identifier || randomUUID(),
      name: item.name || 'file',
      mediaType: item.mediaType || 'application/octet-stream',
      content: content ?? null,
      url: url ?? null,
      createdAt: now,
    };
    // Replace the file if the identifier is taken (contract: FileService.Upload).
    await tx
      .insert(file)
      .values(row)
      .onConflictDoUpdate({ target: [file.organization, file.identifier], set: row });
    identifiers.push(row.identifier);
  }
  return identifiers;
}

/** Checks that the organization has these files. */
export async function requireFiles(tx: Tx, organization: string, identifiers: readonly string[]): Promise<void> {
  const rows = await tx
    .select({ identifier: file.identifier })
    .from(file)
    .where(and(eq(file.organization, organization), anyOf(file.identifier, [...identifiers])));
  const missingIdentifiers = identifiers.filter((value) => !rows.some(({ identifier }) => identifier === value));
  if (missingIdentifiers.length > 0)
    throw notFound(
      `${organization} has ${describeMissing(
        'file',
        missingIdentifiers.map((value) => `"${value}"`),
      )}.`,
    );
}

/** Reads the bytes or the URL of an uploaded file. Returns neither if the request only references a stored file. */
export function readContent({ content, name }: File): { content?: Uint8Array; url?: string } {
  switch (content.case) {
    case 'data':
      return { content: content.value.bytes ?? fromHex(content.value.hex ?? '', name) };
    case 'dataRaw':
      return { content: content.value };
    case 'dataFormattedHex':
      return { content: fromHex(content.value, name) };
    case 'dataFormattedBase64':
      return { content: Buffer.from(content.value, 'base64') };
    case 'dataUri': {
      const base64 = /^data:[^,]*;base64,(.*)$/s.exec(content.value)?.[1];
      if (base64 === undefined) throw invalidArgument(`The file "${name}" isn't a base64 data URI.`);
      return { content: Buffer.from(base64, 'base64') };
    }
    case 'url':
      if (!URL.canParse(content.value))
        throw invalidArgument(`The file "${name}" has an invalid URL: "${content.value}".`);
      return { url: content.value };
    default:
      return {};
  }
}

function fromHex(hex: string, name: string): Uint8Array {
  const bytes = readHex(hex);
  if (bytes === undefined) throw invalidArgument(`The file "${name}" isn't hexadecimal.`);
  return bytes;
}

/** Deletes the given files, except those that are still referenced (contract: delete_files). */
export async function removeUnreferencedFiles(
  tx: Tx,
  organization: string,
  identifiers: readonly string[],
): Promise<void> {
  if (identifiers.length === 0) return;
  await tx
    .delete(file)
    .where(
      and(
        eq(file.organization, organization),
        anyOf(file.identifier, [...identifiers]),
        ...[tagFile, deviceFile, processPointFile, deviceNoteFile].map(
          (link) =>
            sql`not exists (select from ${link} where organization = ${file.organization} and file = ${file.identifier})`,
        ),
      ),
    );
}
