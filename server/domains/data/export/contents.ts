import { and, eq, type SQL } from 'drizzle-orm';

import type { Tx } from '#server/db/database.ts';
import { deleteContents } from '#server/domains/data/file/store.ts';

import { exportFile } from './schema.ts';

/** Deletes the matching files of an organization's exports, with their contents. */
export async function deleteExportContents(tx: Tx, organization: string, condition: SQL | undefined): Promise<void> {
  const rows = await tx
    .delete(exportFile)
    .where(and(eq(exportFile.organization, organization), condition))
    .returning({ content: exportFile.content });
  await deleteContents(
    tx,
    organization,
    rows.map(({ content }) => content),
  );
}
