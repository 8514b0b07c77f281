import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { and, eq } from 'drizzle-orm';

import type { App } from '#server/app/app.ts';
import { findExportFile } from '#server/domains/data/export/find.ts';
import { readParts, sizeOf } from '#server/domains/data/file/content.ts';
import { isWebAddress } from '#server/domains/data/file/entered.ts';
import type { FileRow } from '#server/domains/data/file/files.ts';
import { servedType, SIGNATURE_BYTES } from '#server/domains/data/file/media-type.ts';
import { file } from '#server/domains/data/file/schema.ts';
import { isCurrent } from '#server/domains/data/file/store.ts';
import { respond } from '#server/http/connection/rejection.ts';
import type { CallerAccess } from '#server/session/rest.ts';
import type { Scope } from '#server/session/scope.ts';
import { notFound } from '#server/wire/errors.ts';

import { contentDisposition } from './content-disposition.ts';

/** Sends the content of a file, or redirects to its URL (contract: File.link). */
export async function sendFile(
  app: App,
  access: CallerAccess,
  key: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const find = async ({ organization }: Scope): Promise<FileRow> => {
    const [row] = await app.db.orm
      .select()
      .from(file)
      .where(and(eq(file.organization, organization), eq(file.key, key), isCurrent(app.now())));
    if (row === undefined) throw notFound('There is no file at this address. It may have been deleted.');
    return row;
  };
  const row = await find(access.scope);
  if (row.content === null) return redirect(row, response);
  await sendContent(app, row, row.content, request, response, { requireAccess: () => access.requireStill(find) });
}

/** Sends a file of an export. It is never shown in place, even if it starts like an image. */
export async function sendExport(
  app: App,
  access: CallerAccess,
  key: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const find = async (scope: Scope) => {
    const found = await findExportFile(app, scope, key);
    if (found === undefined) throw notFound('There is no export at this address. It may have expired or been deleted.');
    return found;
  };
  const found = await find(access.scope);
  const requireAccess = () => access.requireStill(find);
  await sendContent(app, found, found.content, request, response, { requireAccess, isAttachment: true });
}

function redirect({ name, url }: FileRow, response: ServerResponse): void {
  // Files from before this rule can have any URL.
  const target = url !== null && URL.canParse(url) ? new URL(url) : undefined;
  if (target === undefined || !isWebAddress(target)) {
    throw notFound(`The file "${name}" has an address that can't be opened here: "${url}".`);
  }
  respond(response, 301, { location: target.href });
}

interface SendOptions {
  /** Throws if the caller may no longer read the content. Called before each part. */
  readonly requireAccess: () => Promise<void>;
  readonly isAttachment?: boolean;
}

async function sendContent(
  { db }: App,
  { organization, name, mediaType }: Pick<FileRow, 'organization' | 'name' | 'mediaType'>,
  content: string,
  request: IncomingMessage,
  response: ServerResponse,
  { requireAccess, isAttachment = false }: SendOptions,
): Promise<void> {
  const size = await sizeOf(db.orm, organization, content);
  const { contentType, isInline } = isAttachment
    ? { contentType: mediaType, isInline: false }
    : servedType(mediaType, await readStart(db.orm, organization, content, size));
  const range = readRange(request.headers.range, size);
  response.setHeader('accept-ranges', 'bytes');
  if (range === 'unsatisfiable') return respond(response, 416, { 'content-range': `bytes */${size}` });
  const { start, end } = range ?? { start: 0, end: size };
  response.statusCode = range === undefined ? 200 : 206;
  if (range !== undefined) response.setHeader('content-range', `bytes ${start}-${end - 1}/${size}`);
  response.setHeader('content-type', contentType);
  response.setHeader('content-disposition', contentDisposition(isInline, name, mediaType));
  response.setHeader('content-length', end - start);
  if (request.method === 'HEAD') return void response.end();
  let sent = 0;
  for await (const part of readParts(db.orm, organization, content, start, end)) {
    // A slow reader can take longer than their access lasts.
    await requireAccess();
    sent += part.byteLength;
    // Waits for a slow reader, so no more than a few parts are in memory.
    if (!response.write(part)) await waitUntilWritable(response);
    if (response.destroyed) return;
  }
  // The file was deleted or replaced meanwhile. An incomplete download must not look complete.
  if (sent < end - start) response.destroy();
  else response.end();
}

async function waitUntilWritable(response: ServerResponse): Promise<void> {
  const stop = new AbortController();
  const { signal } = stop;
  try {
    await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]);
  } finally {
    // Removes the listener of the other event.
    stop.abort();
  }
}

async function readStart(db: App['db']['orm'], organization: string, content: string, size: number) {
  for await (const part of readParts(db, organization, content, 0, Math.min(size, SIGNATURE_BYTES))) return part;
  return new Uint8Array();
}

/** Reads a single range (RFC 9110, 14.2). Ignores anything else, as the RFC permits. */
function readRange(header: string | undefined, size: number) {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1);
  if (first !== '' && last !== '' && Number(last) < start) return undefined;
  return start < end ? { start, end } : ('unsatisfiable' as const);
}
