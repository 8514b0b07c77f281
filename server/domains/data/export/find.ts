import { and, asc, desc, eq, gt, ilike, or, type SQL, sql } from 'drizzle-orm';

import { groupBy } from '#commands/text/group-by.ts';
import { Export_Status, type ExportSelection } from '#proto/gen/hiber/export_pb.ts';
import type { App } from '#server/app/app.ts';
import { anyOf } from '#server/db/any-of.ts';
import type { Executor } from '#server/db/database.ts';
import type { Scope } from '#server/session/scope.ts';
import { notFound } from '#server/wire/errors.ts';
import type { Page } from '#server/wire/pagination.ts';
import { substringPattern } from '#server/wire/text.ts';

import { CONTENT_PERMISSIONS } from './configuration.ts';
import { openFormat } from './format.ts';
import { type ExportFileRow, type ExportRow, exportLink, fileName } from './present.ts';
import { dataExport, exportFile } from './schema.ts';

/** Matches the exports that the caller may see. Those with data of hidden devices are for staff. */
export const visibleExports = ({ organization, allLifecycles }: Scope): SQL | undefined =>
  and(eq(dataExport.organization, organization), allLifecycles ? undefined : eq(dataExport.hidden, false));

/** Finds a page of exports, newest first (order not specified in the contract). */
export async function findExports(
  db: Executor,
  caller: Scope,
  selection: ExportSelection | undefined,
  now: Date,
  requestedPage: Page,
): Promise<{ readonly rows: readonly ExportRow[]; readonly total: number }> {
  const where = and(visibleExports(caller), selected(caller, selection, now));
  const rows = await db
    .select()
    .from(dataExport)
    .where(where)
    .orderBy(desc(dataExport.createdAt), desc(dataExport.identifier))
    .limit(requestedPage.limit)
    .offset(requestedPage.offset);
  return { rows, total: await db.$count(dataExport, where) };
}

/** Every word of a search must be part of the identifier or of a URL, or, beyond the contract, of the name. */
function selected({ organization }: Scope, selection: ExportSelection | undefined, now: Date): SQL | undefined {
  const { identifiers = [], search = '', includeExpired = false } = selection ?? {};
  const isExpired = sql`(${dataExport.status} = ${Export_Status.EXPIRED}
    or (${dataExport.status} = ${Export_Status.READY} and ${dataExport.expiresAt} <= ${now.toISOString()}::timestamptz))`;
  const link = exportLink({ organization, key: '' });
  const hasUrl = (pattern: string) => sql`exists (select from ${exportFile}
    where ${exportFile.organization} = ${dataExport.organization} and ${exportFile.export} = ${dataExport.identifier}
      and ${exportFile.expiresAt} > ${now.toISOString()}::timestamptz and ${link} || ${exportFile.key} ilike ${pattern})`;
  return and(
    identifiers.length > 0 ? anyOf(dataExport.identifier, identifiers) : undefined,
    includeExpired ? undefined : sql`not ${isExpired}`,
    ...search
      .split(/\s+/)
      .filter(Boolean)
      .map(substringPattern)
      .map((word) => or(ilike(dataExport.identifier, word), ilike(dataExport.name, word), hasUrl(word))),
  );
}

/** Loads the files of exports, keyed by the identifier of the export. */
export async function loadFiles(
  db: Executor,
  organization: string,
  identifiers: readonly string[],
): Promise<Map<string, ExportFileRow[]>> {
  const rows = await db
    .select()
    .from(exportFile)
    .where(and(eq(exportFile.organization, organization), anyOf(exportFile.export, identifiers)))
    .orderBy(asc(exportFile.index));
  return groupBy(rows, (row) => row.export);
}

/**
 * Finds an export for a change, and locks it, which waits for the batch in progress.
 *
 * @throws ConnectError NOT_FOUND
 */
export async function lockExport(tx: Executor, caller: Scope, identifier: string): Promise<ExportRow> {
  const [row] = await tx
    .select()
    .from(dataExport)
    .where(and(visibleExports(caller), eq(dataExport.identifier, identifier)))
    .for('update');
  if (row === undefined) throw notFound(`${caller.organization} has no export "${identifier}".`);
  return row;
}

/** A file of an export, to be sent. */
interface SentFile {
  readonly organization: string;
  readonly name: string;
  readonly mediaType: string;
  readonly content: string;
}

/**
 * Finds the file at a link. EXPORT alone shows the exports of others, but not their content.
 *
 * @returns undefined if it has expired
 * @throws ConnectError PERMISSION_DENIED
 */
export async function findExportFile({ db, now }: App, caller: Scope, key: string): Promise<SentFile | undefined> {
  const [found] = await db.orm
    .select({ file: exportFile, name: dataExport.name, format: dataExport.format, kind: dataExport.kind })
    .from(exportFile)
    .innerJoin(
      dataExport,
      and(eq(dataExport.organization, exportFile.organization), eq(dataExport.identifier, exportFile.export)),
    )
    .where(and(visibleExports(caller), eq(exportFile.key, key), gt(exportFile.expiresAt, now())));
  if (found === undefined) return undefined;
  const { file, kind, ...named } = found;
  caller.require(CONTENT_PERMISSIONS[kind]);
  const isJson = openFormat(named.format).configuration.case === 'json';
  return {
    organization: caller.organization,
    name: fileName(named, file.index),
    mediaType: isJson ? 'application/json' : 'text/csv',
    content: file.content,
  };
}
