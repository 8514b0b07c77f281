import { and, eq, inArray, lt, lte, sql } from 'drizzle-orm';

import { Export_Status } from '#proto/gen/hiber/export_pb.ts';
import type { App } from '#server/app/app.ts';

import { deleteExportContents } from './contents.ts';
import { RETENTION_MS } from './limits.ts';
import { dataExport, exportFile } from './schema.ts';

/**
 * Deletes expired files, and marks exports without any left. Deletes exports that expired or failed long ago. One
 * organization at a time, so no transaction locks many.
 */
export async function expireExports({ db, now }: Pick<App, 'db' | 'now'>): Promise<void> {
  const time = now();
  const isExpired = lte(exportFile.expiresAt, time);
  const organizations = await db.orm.selectDistinct({ id: exportFile.organization }).from(exportFile).where(isExpired);
  for (const { id } of organizations) {
    await db.transaction(async (tx) => {
      await tx
        .update(dataExport)
        .set({ status: Export_Status.EXPIRED })
        .where(
          and(
            eq(dataExport.organization, id),
            eq(dataExport.status, Export_Status.READY),
            lte(dataExport.expiresAt, time),
          ),
        );
      await deleteExportContents(tx, id, isExpired);
    });
  }
  await db.orm
    .delete(dataExport)
    .where(
      and(
        inArray(dataExport.status, [Export_Status.EXPIRED, Export_Status.FAILED]),
        lt(sql`coalesce(${dataExport.expiresAt}, ${dataExport.dueAt})`, new Date(time.getTime() - RETENTION_MS)),
      ),
    );
}
