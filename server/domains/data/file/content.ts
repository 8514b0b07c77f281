import { randomUUID } from 'node:crypto';

import { Code, ConnectError } from '@connectrpc/connect';
import { and, eq, sql } from 'drizzle-orm';

import { MAX_FILE_BYTES, MAX_FILES_BYTES } from '#commands/text/lengths.ts';
import type { Executor, Tx } from '#server/db/database.ts';
import { runToCompletion } from '#server/db/pool/work.ts';
import { organization as organizations } from '#server/db/schema/organization.ts';

import { SIGNATURE_BYTES } from './media-type.ts';
import { fileContent, filePart } from './schema.ts';

/** Memory per upload or download stays at a few parts. Migration 0024 splits older contents into the same size. */
export const PART_BYTES = 256 * 1024;

/** Creates the error for a file, or for all files together, of more than a limit. */
export const fileSizeError = (message: string): ConnectError => new ConnectError(message, Code.ResourceExhausted);

export interface StoredContent {
  readonly id: string;
  readonly size: number;
  /** The first bytes, which tell the format. */
  readonly head: Uint8Array;
}

/**
 * Stores a content in parts as it arrives. Deletes the parts if it does not arrive completely; a later job deletes
 * those of a server that stopped in the meantime.
 *
 * @throws ConnectError RESOURCE_EXHAUSTED as soon as the content is larger than a file can be
 */
export async function storeContent(
  db: Executor,
  organization: string,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  now: Date,
): Promise<StoredContent> {
  const id = randomUUID();
  await db.insert(fileContent).values({ organization, id, size: 0, createdAt: now });
  try {
    return { id, ...(await storeParts(db, organization, id, chunks)) };
  } catch (error) {
    // Inside a transaction, the rollback deletes them.
    if (!('rollback' in db)) await runToCompletion(() => db.delete(fileContent).where(isContent(organization, id)));
    throw error;
  }
}

async function storeParts(
  db: Executor,
  organization: string,
  content: string,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<Omit<StoredContent, 'id'>> {
  let [size, index] = [0, 0];
  let head: Uint8Array = new Uint8Array();
  for await (const part of partsOf(chunks)) {
    if (index === 0) head = part.slice(0, SIGNATURE_BYTES);
    size += part.byteLength;
    await insertPart(db, organization, content, index, part);
    index += 1;
  }
  return { size, head };
}

/** Adds the size with each part, so the sizes of unfinished uploads count for the organization's limit. */
async function insertPart(db: Executor, organization: string, content: string, index: number, part: Uint8Array) {
  await db.execute(sql`
    with part as (
      insert into ${filePart} (organization, content, index, data)
      values (${organization}, ${content}, ${index}, ${Buffer.from(part.buffer, part.byteOffset, part.byteLength)}))
    update ${fileContent} set size = size + ${part.byteLength} where organization = ${organization} and id = ${content}`);
}

/** Creates an empty content for an export, which {@link appendContent} fills. */
export async function createExportContent(tx: Tx, organization: string, now: Date): Promise<string> {
  const id = randomUUID();
  await tx.insert(fileContent).values({ organization, id, size: 0, createdAt: now, isExport: true });
  return id;
}

/** Appends bytes to a content. Fills its last part before it adds others, so all parts but the last stay complete. */
export async function appendContent(tx: Tx, organization: string, content: string, bytes: Uint8Array): Promise<void> {
  const size = await sizeOf(tx, organization, content);
  const rest = (PART_BYTES - (size % PART_BYTES)) % PART_BYTES;
  if (rest > 0 && bytes.byteLength > 0) {
    const piece = Buffer.from(bytes.subarray(0, rest));
    const isLastPart = and(
      eq(filePart.organization, organization),
      eq(filePart.content, content),
      eq(filePart.index, Math.floor(size / PART_BYTES)),
    );
    await tx.execute(sql`update ${filePart} set data = data || ${piece} where ${isLastPart}`);
    await tx.execute(sql`update ${fileContent} set size = size + ${piece.byteLength}
      where organization = ${organization} and id = ${content}`);
  }
  for (let offset = rest; offset < bytes.byteLength; offset += PART_BYTES) {
    const index = Math.floor((size + offset) / PART_BYTES);
    await insertPart(tx, organization, content, index, bytes.subarray(offset, offset + PART_BYTES));
  }
}

/** Splits chunks of any size into parts. Only the last part is smaller than the others. */
async function* partsOf(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let part = Buffer.alloc(PART_BYTES);
  let [filled, total] = [0, 0];
  for await (const chunk of chunks) {
    total += chunk.byteLength;
    requireFileSize(total);
    for (let offset = 0; offset < chunk.byteLength;) {
      const piece = chunk.subarray(offset, offset + PART_BYTES - filled);
      part.set(piece, filled);
      filled += piece.byteLength;
      offset += piece.byteLength;
      if (filled < PART_BYTES) continue;
      yield part;
      part = Buffer.alloc(PART_BYTES);
      filled = 0;
    }
  }
  if (filled > 0) yield part.subarray(0, filled);
}

const MEGABYTE = 1024 * 1024;

/** @throws ConnectError RESOURCE_EXHAUSTED if a file of this size is too large */
export function requireFileSize(size: number): void {
  if (size <= MAX_FILE_BYTES) return;
  throw fileSizeError(
    `A file can have at most ${MAX_FILE_BYTES / MEGABYTE} MB. Make it smaller, or store it elsewhere and add its URL.`,
  );
}

/**
 * Checks the limit for all files of an organization, including the content just stored. Locks out other uploads until
 * the transaction ends, which together could exceed the limit.
 *
 * @throws ConnectError RESOURCE_EXHAUSTED if the organization's files are too large
 */
export async function requireSpace(tx: Tx, organization: string): Promise<void> {
  await tx
    .select({ id: organizations.id })
    .from(organizations)
    .where(eq(organizations.id, organization))
    .for('no key update');
  const [row] = await tx
    .select({ size: sql<string>`coalesce(sum(${fileContent.size}), 0)` })
    .from(fileContent)
    .where(and(eq(fileContent.organization, organization), eq(fileContent.isExport, false)));
  if (Number(row?.size ?? 0) <= MAX_FILES_BYTES) return;
  throw fileSizeError(
    `The files of ${organization} can have at most ${MAX_FILES_BYTES / MEGABYTE / 1024} GB together. ` +
      'Delete files that nobody needs first.',
  );
}

/** Returns the size of a content in bytes. */
export async function sizeOf(db: Executor, organization: string, id: string): Promise<number> {
  const [row] = await db.select({ size: fileContent.size }).from(fileContent).where(isContent(organization, id));
  return row?.size ?? 0;
}

/** Reads the bytes from `start` to before `end`, part by part. Ends early if the content is deleted in the meantime. */
export async function* readParts(
  db: Executor,
  organization: string,
  content: string,
  start: number,
  end: number,
): AsyncGenerator<Uint8Array> {
  for (let offset = start; offset < end;) {
    const index = Math.floor(offset / PART_BYTES);
    const [part] = await db
      .select({ data: filePart.data })
      .from(filePart)
      .where(and(eq(filePart.organization, organization), eq(filePart.content, content), eq(filePart.index, index)));
    if (part === undefined) return;
    const first = index * PART_BYTES;
    yield part.data.subarray(offset - first, end - first);
    offset = first + PART_BYTES;
  }
}

/** Reads a whole content. */
export async function readAll(db: Executor, organization: string, content: string): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  const size = await sizeOf(db, organization, content);
  for await (const part of readParts(db, organization, content, 0, size)) parts.push(part);
  return Buffer.concat(parts);
}

const isContent = (organization: string, id: string) =>
  and(eq(fileContent.organization, organization), eq(fileContent.id, id));
