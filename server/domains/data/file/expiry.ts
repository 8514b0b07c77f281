import { and, eq, lte, sql } from 'drizzle-orm';

import type { App } from '#server/app/app.ts';

import { file, fileContent } from './schema.ts';
import { deleteFiles, settleDrafts } from './store.ts';

/** How long an upload may take to arrive and to become a file. A request has two minutes (`request-body.ts`). */
const UPLOAD_MS = 60 * 60_000;

/**
 * Deletes files that have expired (contract: File.expires_at), drafts that nothing refers to, and the parts of uploads
 * that never became a file. One organization at a time, so no transaction locks many.
 */
export async function deleteExpiredFiles({ db, now }: Pick<App, 'db' | 'now'>): Promise<void> {
  const time = now();
  const hasExpired = lte(file.expiresAt, time);
  const organizations = await db.orm.selectDistinct({ id: file.organization }).from(file).where(hasExpired);
  for (const { id } of organizations) await db.transaction((tx) => deleteFiles(tx, id, hasExpired));
  const drafts = await db.orm.selectDistinct({ id: file.organization }).from(file).where(lte(file.draftUntil, time));
  for (const { id } of drafts) await db.transaction((tx) => settleDrafts(tx, id, time));
  await db.orm.delete(fileContent).where(
    and(
      eq(fileContent.isExport, false),
      lte(fileContent.createdAt, new Date(time.getTime() - UPLOAD_MS)),
      sql`not exists (select from ${file}
          where ${file.organization} = ${fileContent.organization} and ${file.content} = ${fileContent.id})`,
    ),
  );
}
