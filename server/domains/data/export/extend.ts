import { and, eq } from 'drizzle-orm';

import { Export_Status, type ExtendExportDownloadExpiry_Request } from '#proto/gen/hiber/export_pb.ts';
import type { App } from '#server/app/app.ts';
import type { Scope } from '#server/session/scope.ts';
import { readDuration } from '#server/wire/durations.ts';
import { failedPrecondition, invalidArgument, notFound } from '#server/wire/errors.ts';
import { durationText } from '#server/wire/present.ts';
import { shorten } from '#server/wire/text.ts';

import { loadFiles, lockExport } from './find.ts';
import { MAX_EXPIRY } from './limits.ts';
import { type ExportFileRow, exportLink, type ExportRow, fileName, statusAt } from './present.ts';
import { dataExport, exportFile } from './schema.ts';

/** The sentence for an export that can't be extended. Its files don't exist yet, or no longer. */
const reasons: Partial<Record<Export_Status, string>> = {
  [Export_Status.PROCESSING]: "isn't ready yet. Its time starts when it is.",
  [Export_Status.EXPIRED]: 'has expired, and its files are deleted. Request it again.',
  [Export_Status.FAILED]: 'failed, so it has no files. Request it again.',
};

/**
 * Adds to the expiry of the listed files, or of all (contract: ExportService.Extend). The export expires with the last
 * of its files.
 */
export async function extendExport(
  app: App,
  caller: Scope,
  { identifier, extendBy, file: listed }: ExtendExportDownloadExpiry_Request,
): Promise<{ readonly row: ExportRow; readonly files: readonly ExportFileRow[]; readonly now: Date }> {
  const seconds = readDuration(extendBy, 'extend_by');
  if (seconds === undefined) throw invalidArgument('Specify how long to extend the export by, such as 7d.');
  if (seconds <= 0) throw invalidArgument(`An export can't be extended by ${durationText(seconds)}. Use 1h or more.`);
  return app.db.transaction(async (tx) => {
    const row = await lockExport(tx, caller, identifier);
    const now = app.now();
    const reason = reasons[statusAt(row, now)];
    if (reason !== undefined) throw failedPrecondition(`The export "${row.name}" ${reason}`);
    const latest = now.getTime() + MAX_EXPIRY * 1000;
    const files = ((await loadFiles(tx, caller.organization, [identifier])).get(identifier) ?? []).filter(
      ({ expiresAt }) => expiresAt !== null && expiresAt > now,
    );
    const extended = new Set(listed.map((text) => findFile(row, files, text).index));
    const updated: ExportFileRow[] = [];
    for (const file of files) {
      const isExtended = extended.size === 0 || extended.has(file.index);
      const expiresAt = new Date((file.expiresAt?.getTime() ?? 0) + (isExtended ? seconds * 1000 : 0));
      if (isExtended && expiresAt.getTime() > latest) {
        throw invalidArgument(`An export can be kept for at most ${durationText(MAX_EXPIRY)} from now.`);
      }
      updated.push({ ...file, expiresAt });
      await tx
        .update(exportFile)
        .set({ expiresAt })
        .where(
          and(
            eq(exportFile.organization, file.organization),
            eq(exportFile.export, identifier),
            eq(exportFile.index, file.index),
          ),
        );
    }
    const [saved] = await tx
      .update(dataExport)
      .set({ expiresAt: new Date(Math.max(...updated.map(({ expiresAt }) => expiresAt?.getTime() ?? 0))) })
      .where(and(eq(dataExport.organization, row.organization), eq(dataExport.identifier, identifier)))
      .returning();
    return { row: saved as ExportRow, files: updated, now };
  });
}

/** Finds a file by its name or its URL (not specified in the contract). */
function findFile(row: ExportRow, files: readonly ExportFileRow[], text: string): ExportFileRow {
  const found = files.find((file) => fileName(row, file.index) === text || exportLink(file) === text);
  if (found === undefined) throw notFound(`The export "${row.name}" has no file "${shorten(text)}".`);
  return found;
}
