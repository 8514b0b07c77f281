import { create } from '@bufbuild/protobuf';
import { and, asc, eq, ilike, or, type SQL } from 'drizzle-orm';

import {
  DeleteFile_ResponseSchema,
  FileService,
  type FileSelection,
  GetFile_ResponseSchema,
  ListFiles_RequestSchema,
  ListFiles_ResponseSchema,
  UploadFile_ResponseSchema,
} from '#proto/gen/hiber/file_pb.ts';
import { service } from '#server/app/service.ts';
import { anyOf } from '#server/db/any-of.ts';
import type { Executor } from '#server/db/database.ts';
import { naturalOrder } from '#server/db/schema/columns.ts';
import { scope } from '#server/session/scope.ts';
import { invalidArgument, notFound } from '#server/wire/errors.ts';
import { effectivePagination, paginationResult, readPage } from '#server/wire/pagination.ts';
import { substringPattern } from '#server/wire/text.ts';

import { encodeContent } from './encode.ts';
import { readContent } from './entered.ts';
import { type FileRow, presentFile } from './files.ts';
import { file } from './schema.ts';
import { deleteFiles, isCurrent, readNewFile, storeFile } from './store.ts';

export const fileService = service(FileService, (app) => ({
  /** Lists files by name, without content (order not specified in the contract). */
  async list(request, context) {
    const { organization } = scope(context);
    const requestedPage = readPage(request.pagination);
    const where = and(eq(file.organization, organization), isCurrent(app.now()), selected(request.selection));
    const rows = await app.db.orm
      .select()
      .from(file)
      .where(where)
      .orderBy(asc(naturalOrder(file.name)), asc(file.identifier))
      .limit(requestedPage.limit)
      .offset(requestedPage.offset);
    const total = await app.db.orm.$count(file, where);
    return create(ListFiles_ResponseSchema, {
      files: rows.map(presentFile),
      request: create(ListFiles_RequestSchema, {
        ...request,
        organization,
        pagination: effectivePagination(requestedPage),
      }),
      pagination: paginationResult(requestedPage, total),
    });
  },

  async get(request, context) {
    const row = await findFile(app.db.orm, scope(context).organization, request.identifier, app.now());
    const presented = presentFile(row);
    if (row.content !== null)
      presented.content = await encodeContent(app.db.orm, row, row.content, request.dataFormatted);
    return create(GetFile_ResponseSchema, { file: presented });
  },

  async upload(request, context) {
    const { organization } = scope(context);
    const now = app.now();
    if (request.file === undefined) throw invalidArgument('Send a file.');
    const { file: uploaded } = request;
    const content = readContent(uploaded);
    if (content.content === undefined && content.url === undefined) {
      throw invalidArgument('Send the bytes of the file or its URL.');
    }
    const newFile = readNewFile(uploaded, now);
    const row = await app.db.transaction((tx) => storeFile(tx, organization, newFile, content, now));
    return create(UploadFile_ResponseSchema, { file: presentFile(row) });
  },

  async delete({ identifier }, context) {
    const { organization } = scope(context);
    const count = await app.db.transaction((tx) => deleteFiles(tx, organization, eq(file.identifier, identifier)));
    if (count === 0) throw missingFile(organization, identifier);
    return create(DeleteFile_ResponseSchema);
  },
}));

/** Every word of a search must be part of the name, the media type, or the URL. */
function selected({ search = '', identifiers }: Partial<FileSelection> = {}): SQL | undefined {
  const words = search.split(/\s+/).filter(Boolean).map(substringPattern);
  return and(
    identifiers && identifiers.length > 0 ? anyOf(file.identifier, identifiers) : undefined,
    ...words.map((word) => or(ilike(file.name, word), ilike(file.mediaType, word), ilike(file.url, word))),
  );
}

async function findFile(db: Executor, organization: string, identifier: string, now: Date): Promise<FileRow> {
  const [row] = await db
    .select()
    .from(file)
    .where(and(eq(file.organization, organization), eq(file.identifier, identifier), isCurrent(now)));
  if (row === undefined) throw missingFile(organization, identifier);
  return row;
}

const missingFile = (organization: string, identifier: string) =>
  notFound(`${organization} has no file "${identifier}".`);
