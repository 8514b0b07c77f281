import { Code, ConnectError } from '@connectrpc/connect';
import { and, arrayOverlaps, asc, ne, sql } from 'drizzle-orm';

import type { OrganizationTree } from '#proto/gen/hiber/organization_pb.ts';
import type { App } from '#server/app/app.ts';
import type { Tx } from '#server/db/database.ts';
import { organization } from '#server/db/schema/organization.ts';
import { accessSubject, announceAccessChanged } from '#server/events/access.ts';
import { recordEvents } from '#server/events/record.ts';
import { accessible } from '#server/session/access.ts';
import type { Scope } from '#server/session/scope.ts';
import { invalidArgument, notFound, summarizeList } from '#server/wire/errors.ts';

import { organizationDeleted } from './events.ts';
import type { OrganizationRow } from './present.ts';
import { organizationTree } from './tree.ts';

/**
 * Deletes a sub-organization of the caller's organization, with all its descendants and data. If this fails, nothing is
 * deleted.
 *
 * @returns the deleted organizations
 * @throws ConnectError INVALID_ARGUMENT for the caller's own organization, NOT_FOUND for an organization that isn't
 *   one of its descendants, PERMISSION_DENIED if the caller has no access to a descendant
 */
export async function deleteOrganization(app: App, caller: Scope, slug: string): Promise<OrganizationTree> {
  const id = slug.trim();
  if (id === '') throw invalidArgument('Specify the organization to delete.');
  if (id === caller.organization) {
    throw invalidArgument(`You are acting in "${id}". You can delete only its sub-organizations.`);
  }
  const now = app.now();
  return app.db.transaction(async (tx) => {
    const rows = await lockDescendants(tx, caller, id);
    const root = rows.find((row) => row.id === id);
    if (root?.parent == null) throw notFound(`"${caller.organization}" has no sub-organization "${id}".`);
    await requireAccess(tx, caller, rows);
    await deleteAll(
      tx,
      rows.map((row) => row.id),
    );
    await recordEvents(tx, [organizationDeleted(root.parent, id, now)]);
    announceAccessChanged(
      tx,
      rows.map((row) => accessSubject.organization(row.id)),
    );
    return organizationTree(root, rows, () => true);
  });
}

/** Returns the organization and its descendants, sorted by name. Locks them, so nobody can add a descendant. */
const lockDescendants = (tx: Tx, caller: Scope, id: string): Promise<OrganizationRow[]> =>
  tx
    .select()
    .from(organization)
    .where(
      and(
        arrayOverlaps(organization.path, [id]),
        arrayOverlaps(organization.path, [caller.organization]),
        ne(organization.id, caller.organization),
      ),
    )
    .orderBy(asc(organization.displayName), asc(organization.id))
    .for('update');

async function requireAccess(tx: Tx, caller: Scope, rows: readonly OrganizationRow[]): Promise<void> {
  const ids = rows.map((row) => row.id);
  const accessibleRows = await tx
    .select({ id: organization.id })
    .from(organization)
    .where(and(sql`${organization.id} = any(${sql.param(ids)}::text[])`, accessible(caller.session)));
  const inaccessibleIds = ids.filter((id) => !accessibleRows.some((row) => row.id === id));
  if (inaccessibleIds.length === 0) return;
  throw new ConnectError(
    `This would also delete ${summarizeList(inaccessibleIds.map((id) => `"${id}"`))}, which you have no access to.`,
    Code.PermissionDenied,
  );
}

/**
 * Tables without a foreign key to the organization, and `device`, because its rows refer to health levels and must be
 * deleted first. Foreign keys delete all other rows. The primary keys of these tables begin with the organization, so
 * the deletion reads no rows of other organizations.
 */
const tablesToClearFirst = ['event', 'message', 'value', 'publisher_call', 'counter', 'device'] as const;

async function deleteAll(tx: Tx, ids: readonly string[]): Promise<void> {
  const idsParam = sql.param([...ids]);
  for (const table of tablesToClearFirst) {
    await tx.execute(sql`delete from ${sql.identifier(table)} where organization = any(${idsParam}::text[])`);
  }
  await tx.delete(organization).where(sql`${organization.id} = any(${idsParam}::text[])`);
}
