import { randomUUID } from 'node:crypto';

import { and, eq, type SQL, sql, lte } from 'drizzle-orm';

import type { File } from '#proto/gen/hiber/file_pb.ts';
import { anyOf } from '#server/db/any-of.ts';
import type { Tx } from '#server/db/database.ts';
import { describeMissing, notFound } from '#server/wire/errors.ts';

import { requireFileSize, requireSpace, type StoredContent, storeContent } from './content.ts';
import { readContent, readExpiry, readFileIdentifier, readFileName } from './entered.ts';
import type { FileRow } from './files.ts';
import { readType, storedType, UNKNOWN_TYPE } from './media-type.ts';
import { deviceFile, deviceNoteFile, file, fileContent, processPointFile, tagFile } from './schema.ts';

/** What a caller uploads, after checking it. */
export interface NewFile {
  /** The file to replace or create; undefined to create one. */
  readonly identifier: string | undefined;
  readonly name: string;
  /** The caller's claim. */
  readonly mediaType: string;
  readonly expiresAt: Date | null;
  /** When to delete it unless something refers to it by then. */
  readonly draftUntil?: Date;
}

export type NewContent = { readonly content: StoredContent } | { readonly url: string };

/** Reads an uploaded file except its content. */
export const readNewFile = ({ identifier, name, mediaType, expiresAt }: File, now: Date): NewFile => ({
  identifier: readFileIdentifier(identifier),
  name: readFileName(name),
  mediaType,
  expiresAt: readExpiry(expiresAt, now),
});

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
      await requireFiles(tx, organization, [item.identifier], now);
      identifiers.push(item.identifier);
      continue;
    }
    const row = await storeFile(tx, organization, readNewFile(item, now), { content, url }, now);
    identifiers.push(row.identifier);
  }
  return identifiers;
}

/** Stores a file whose content is in memory. */
export async function storeFile(
  tx: Tx,
  organization: string,
  newFile: NewFile,
  { content, url = '' }: ReturnType<typeof readContent>,
  now: Date,
): Promise<FileRow> {
  if (content === undefined) return saveFile(tx, organization, newFile, { url }, now);
  requireFileSize(content.byteLength);
  return saveFile(tx, organization, newFile, { content: await storeContent(tx, organization, [content], now) }, now);
}

/**
 * Adds a file with a stored content, or replaces the file with the same identifier (contract: FileService.Upload).
 * Deletes the content that it replaces.
 */
export async function saveFile(
  tx: Tx,
  organization: string,
  { identifier = randomUUID(), name, mediaType, expiresAt, draftUntil }: NewFile,
  newContent: NewContent,
  now: Date,
): Promise<FileRow> {
  const content = 'content' in newContent ? newContent.content : undefined;
  if (content !== undefined) await requireSpace(tx, organization);
  const isFile = and(eq(file.organization, organization), eq(file.identifier, identifier));
  const [before] = await tx.select({ content: file.content }).from(file).where(isFile).for('update');
  const values = {
    name,
    mediaType: content ? storedType(mediaType, content.head) : (readType(mediaType) ?? UNKNOWN_TYPE),
    content: content?.id ?? null,
    url: 'url' in newContent ? newContent.url : null,
    createdAt: now,
    expiresAt,
    draftUntil: draftUntil ?? null,
  };
  const [row] = await tx
    .insert(file)
    .values({ organization, identifier, ...values })
    .onConflictDoUpdate({ target: [file.organization, file.identifier], set: values })
    .returning();
  if (before?.content) await deleteContents(tx, organization, [before.content]);
  return row as FileRow;
}

/** Checks that the organization has these files. */
export async function requireFiles(
  tx: Tx,
  organization: string,
  identifiers: readonly string[],
  now: Date,
): Promise<void> {
  const rows = await tx
    .select({ identifier: file.identifier })
    .from(file)
    .where(and(eq(file.organization, organization), anyOf(file.identifier, [...identifiers]), isCurrent(now)));
  const missingIdentifiers = identifiers.filter((value) => !rows.some(({ identifier }) => identifier === value));
  if (missingIdentifiers.length > 0)
    throw notFound(
      `${organization} has ${describeMissing(
        'file',
        missingIdentifiers.map((value) => `"${value}"`),
      )}.`,
    );
}

/** Matches files that have not expired; a job deletes the others within a minute. */
export const isCurrent = (now: Date): SQL =>
  sql`(${file.expiresAt} is null or ${file.expiresAt} > ${now.toISOString()}::timestamptz)`;

/** Deletes the given files, except those that are still referenced (contract: delete_files). */
export async function removeUnreferencedFiles(
  tx: Tx,
  organization: string,
  identifiers: readonly string[],
): Promise<void> {
  if (identifiers.length === 0) return;
  await deleteFiles(tx, organization, and(anyOf(file.identifier, [...identifiers]), isUnreferenced()));
}

const isUnreferenced = (): SQL | undefined =>
  and(
    ...[tagFile, deviceFile, processPointFile, deviceNoteFile].map(
      (link) =>
        sql`not exists (select from ${link} where organization = ${file.organization} and file = ${file.identifier})`,
    ),
  );

/** Deletes the drafts whose time is over, and keeps those that something refers to. */
export async function settleDrafts(tx: Tx, organization: string, now: Date): Promise<void> {
  const isOver = and(eq(file.organization, organization), lte(file.draftUntil, now));
  // Nothing can refer to them until the transaction ends, and what already does is visible to the next statement.
  await tx.select({ identifier: file.identifier }).from(file).where(isOver).orderBy(file.identifier).for('update');
  await deleteFiles(tx, organization, and(lte(file.draftUntil, now), isUnreferenced()));
  await tx.update(file).set({ draftUntil: null }).where(isOver);
}

/**
 * Deletes the matching files of an organization with their content. The references to them go with them.
 *
 * @returns the number of deleted files
 */
export async function deleteFiles(tx: Tx, organization: string, condition: SQL | undefined): Promise<number> {
  const rows = await tx
    .delete(file)
    .where(and(eq(file.organization, organization), condition))
    .returning({ content: file.content });
  await deleteContents(
    tx,
    organization,
    rows.flatMap(({ content }) => content ?? []),
  );
  return rows.length;
}

/** Deletes contents with their parts. */
export async function deleteContents(tx: Tx, organization: string, contents: readonly string[]): Promise<void> {
  if (contents.length === 0) return;
  await tx.delete(fileContent).where(and(eq(fileContent.organization, organization), anyOf(fileContent.id, contents)));
}
