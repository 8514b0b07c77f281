import { and, desc, eq, lte, sql } from 'drizzle-orm';

import { rowWriter } from '#commands/text/row-writer.ts';
import { Export_Status } from '#proto/gen/hiber/export_pb.ts';
import type { App } from '#server/app/app.ts';
import { describeError } from '#server/base/describe-error.ts';
import type { Tx } from '#server/db/database.ts';
import { withoutTimeLimit } from '#server/db/pool/work.ts';
import { appendContent, createExportContent } from '#server/domains/data/file/content.ts';
import { fileContent } from '#server/domains/data/file/schema.ts';

import { type Batch, readBatch } from './batch.ts';
import { deleteExportContents } from './contents.ts';
import type { ExportContext } from './context.ts';
import { recordExportEvent } from './events.ts';
import { openFormat, toRowFormat } from './format.ts';
import { GIGABYTE, MAX_EXPORT_BYTES, MAX_FILE_ROWS } from './limits.ts';
import { queueReadyEmail } from './mail.ts';
import { planSegments } from './plan.ts';
import type { ExportFileRow, ExportRow } from './present.ts';
import { dataExport, exportFile, exportSegment } from './schema.ts';

/** The attempts without progress after which an export fails. */
const MAX_FAILURES = 5;
/** The pause after the first failure; it doubles after each. */
const FAILURE_PAUSE_MS = 5000;

/** Thrown if an export can't be completed, for a reason that its requester can read. */
class ExportError extends Error {
  override name = 'ExportError';
}

/** Limits of a run that tests lower. */
export interface RunLimits {
  readonly fileRows?: number;
  readonly exportBytes?: number;
}

/** Runs a batch of every export that is due. */
export async function runExports(app: App, stopping?: AbortSignal, limits: RunLimits = {}): Promise<void> {
  let hasMore = true;
  while (hasMore) hasMore = stopping?.aborted !== true && (await runDueBatch(app, limits));
}

/**
 * Exports the next rows of the export that has waited the longest. The rows, the position after them, and the end of
 * the export are one transaction, which keeps the export locked: a server that is killed at any moment leaves the
 * export as it was after the previous batch, and other servers skip it in the meantime.
 *
 * @returns false if no export is due
 */
async function runDueBatch(app: App, limits: RunLimits): Promise<boolean> {
  let taken: ExportRow | undefined;
  try {
    await withoutTimeLimit(() =>
      app.db.transaction(async (tx) => {
        taken = await lockDue(tx, app.now());
        if (taken !== undefined) await exportBatch(app, tx, taken, limits);
      }),
    );
  } catch (error) {
    if (taken === undefined) throw error;
    await recordFailure(app, taken, error);
  }
  return taken !== undefined;
}

const isExport = ({ organization, identifier }: ExportRow) =>
  and(eq(dataExport.organization, organization), eq(dataExport.identifier, identifier));

async function lockDue(tx: Tx, now: Date): Promise<ExportRow | undefined> {
  const [row] = await tx
    .select()
    .from(dataExport)
    .where(and(eq(dataExport.status, Export_Status.PROCESSING), lte(dataExport.dueAt, now)))
    .orderBy(dataExport.dueAt)
    .limit(1)
    .for('update', { skipLocked: true });
  return row;
}

/** Exports the next rows of a locked export. */
export async function exportBatch(
  app: ExportContext,
  tx: Tx,
  row: ExportRow,
  limits: RunLimits = {},
): Promise<{ readonly isLast: boolean }> {
  const { rows: size, pauseMs } = app.config.exportPace;
  const rowsTotal = row.rowsTotal ?? (await planSegments(tx, row));
  const batch = await readBatch(app, tx, row, size);
  await appendRows(app, tx, row, batch, limits);
  const now = app.now();
  const rowsDone = row.rowsDone + batch.rows.length;
  await tx
    .update(dataExport)
    .set({
      rowsDone,
      // More rows than counted can only be values that were stored meanwhile.
      rowsTotal: batch.isLast ? rowsDone : Math.max(rowsTotal, rowsDone),
      segment: batch.segment,
      cursor: batch.cursor,
      dueAt: new Date(now.getTime() + pauseMs),
      failures: 0,
    })
    .where(isExport(row));
  if (batch.isLast) await finish(app, tx, row, now);
  return { isLast: batch.isLast };
}

/** Appends rows to the last file of an export. Begins another one if it would have too many rows. */
async function appendRows(
  app: ExportContext,
  tx: Tx,
  row: ExportRow,
  { rows, isLast }: Batch,
  { fileRows = MAX_FILE_ROWS, exportBytes = MAX_EXPORT_BYTES }: RunLimits,
): Promise<void> {
  const { organization } = row;
  const writer = rowWriter(toRowFormat(openFormat(row.format), app.config.neutralizesFormulas));
  const append = (content: string, text: string) => appendContent(tx, organization, content, Buffer.from(text));
  let file = await findLastFile(tx, row);
  if (file !== undefined && file.rows > 0 && file.rows + rows.length > fileRows) {
    await append(file.content, writer.end);
    file = await addFile(app, tx, row, file.index + 1);
  }
  file ??= await addFile(app, tx, row, 0);
  const first = file.rows;
  const text = [
    first === 0 ? writer.start : '',
    ...rows.map((item, index) => writer.row(item, first + index)),
    isLast ? writer.end : '',
  ];
  await append(file.content, text.join(''));
  await tx
    .update(exportFile)
    .set({ rows: first + rows.length })
    .where(and(isFileOf(row), eq(exportFile.index, file.index)));
  await requireExportSpace(tx, organization, exportBytes);
}

const isFileOf = ({ organization, identifier }: ExportRow) =>
  and(eq(exportFile.organization, organization), eq(exportFile.export, identifier));

async function findLastFile(tx: Tx, row: ExportRow): Promise<ExportFileRow | undefined> {
  const [file] = await tx.select().from(exportFile).where(isFileOf(row)).orderBy(desc(exportFile.index)).limit(1);
  return file;
}

async function addFile(app: ExportContext, tx: Tx, row: ExportRow, index: number): Promise<ExportFileRow> {
  const { organization, identifier } = row;
  const content = await createExportContent(tx, organization, app.now());
  const [file] = await tx.insert(exportFile).values({ organization, export: identifier, index, content }).returning();
  return file as ExportFileRow;
}

async function requireExportSpace(tx: Tx, organization: string, maximum: number): Promise<void> {
  const [used] = await tx
    .select({ size: sql<string>`coalesce(sum(${fileContent.size}), 0)` })
    .from(fileContent)
    .where(and(eq(fileContent.organization, organization), eq(fileContent.isExport, true)));
  if (Number(used?.size ?? 0) <= maximum) return;
  throw new ExportError(
    `The exports of ${organization} can have at most ${maximum / GIGABYTE} GB together. ` +
      'Delete those that nobody needs, or export less.',
  );
}

async function finish(app: ExportContext, tx: Tx, row: ExportRow, now: Date): Promise<void> {
  const expiresAt = new Date(now.getTime() + row.expiresIn * 1000);
  const files = await tx.update(exportFile).set({ expiresAt }).where(isFileOf(row)).returning();
  const [finished] = await tx
    .update(dataExport)
    .set({ status: Export_Status.READY, expiresAt })
    .where(isExport(row))
    .returning();
  await deleteSegments(tx, row);
  const ready = finished as ExportRow;
  await recordExportEvent(tx, 'exportReady', ready, files, now);
  if (row.emailSubscribed) await queueReadyEmail(app, tx, ready, files);
}

const deleteSegments = (tx: Tx, { organization, identifier }: ExportRow) =>
  tx
    .delete(exportSegment)
    .where(and(eq(exportSegment.organization, organization), eq(exportSegment.export, identifier)));

/** Schedules another attempt, or ends an export that can't be completed. */
async function recordFailure(app: App, { organization, identifier, failures }: ExportRow, error: unknown) {
  const now = app.now();
  const reason = error instanceof ExportError ? error.message : undefined;
  if (reason === undefined) {
    app.log.error('A batch of an export failed.', { organization, identifier, error: describeError(error) });
  }
  await app.db.transaction(async (tx) => {
    const where = and(
      eq(dataExport.organization, organization),
      eq(dataExport.identifier, identifier),
      eq(dataExport.status, Export_Status.PROCESSING),
    );
    const [row] = await tx.select().from(dataExport).where(where).for('update');
    // It was deleted, or another server has continued it.
    if (row === undefined || row.failures > failures) return;
    if (reason === undefined && row.failures + 1 < MAX_FAILURES) {
      const dueAt = new Date(now.getTime() + FAILURE_PAUSE_MS * 2 ** row.failures);
      await tx
        .update(dataExport)
        .set({ failures: row.failures + 1, dueAt })
        .where(isExport(row));
      return;
    }
    await deleteExportContents(tx, organization, eq(exportFile.export, identifier));
    await deleteSegments(tx, row);
    const [failed] = await tx
      .update(dataExport)
      .set({
        status: Export_Status.FAILED,
        error: reason ?? "The server couldn't read or store the data. Run the export again.",
      })
      .where(isExport(row))
      .returning();
    await recordExportEvent(tx, 'exportFailed', failed as ExportRow, [], now);
  });
}
