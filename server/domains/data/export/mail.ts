import { and, eq, isNull } from 'drizzle-orm';

import type { Tx } from '#server/db/database.ts';
import { appUser, membership } from '#server/db/schema/user.ts';
import { loadMailContext } from '#server/domains/people/user/model/mail-context.ts';
import { queueEmails, toSingleLine } from '#server/mail/queue.ts';

import type { ExportContext } from './context.ts';
import { type ExportFileRow, type ExportRow, fileName } from './present.ts';

/**
 * Emails the links to whoever requested an export, if they are still a member. A link opens the export in the console,
 * because the files themselves need the session of the caller.
 */
export async function queueReadyEmail(
  app: ExportContext,
  tx: Tx,
  row: ExportRow,
  files: readonly ExportFileRow[],
): Promise<void> {
  const [user] = await tx
    .select({ email: appUser.email })
    .from(appUser)
    .innerJoin(membership, and(eq(membership.userId, appUser.id), eq(membership.organization, row.organization)))
    .where(and(eq(appUser.id, row.requestedBy), isNull(appUser.deletedAt)));
  if (user === undefined) return;
  const { origin, organization } = await loadMailContext(app, tx, row.organization);
  const name = toSingleLine(row.name);
  const query = new URLSearchParams({ organization: row.organization, panel: `export:${row.identifier}` }).toString();
  const lines = [
    `Your export "${name}" from ${toSingleLine(organization)} is ready.`,
    files.map(({ index }) => `  ${toSingleLine(fileName(row, index))}`).join('\n'),
    `Download it here:\n${origin}/settings/exports?${query}`,
    `The files are deleted on ${row.expiresAt?.toISOString().slice(0, 16).replace('T', ' ')} UTC.`,
  ];
  await queueEmails(app, tx, [
    { to: user.email, subject: `Export ready: ${name}`, body: `${lines.join('\n\n')}\n\nQuarterdeck\n` },
  ]);
}
