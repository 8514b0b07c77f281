import { Code, ConnectError } from '@connectrpc/connect';
import { and, arrayOverlaps, asc, ne, sql } from 'drizzle-orm';
import type { OrganizationTree } from '#proto/gen/hiber/organization_pb.ts';
import type { App } from '#server/app/app.ts';
import type { Tx } from '#server/db/database.ts';
import { organization } from '#server/db/schema/organization.ts';
import { organizationDeleted } from './events.ts';
import { recordEvents } from '#server/events/record.ts';
import { rightsOf, tellRightsChanged } from '#server/events/rights.ts';
import { accessible } from '#server/session/access.ts';
import type { Scope } from '#server/session/scope.ts';
import { invalidArgument, notFound, some } from '#server/wire/errors.ts';
import type { OrganizationRow } from './present.ts';
import { organizationTree } from './tree.ts';

/**
 * Deletes an organization below the one that the caller acts in, with everything below and in it, all or nothing.
 *
 * @returns what was deleted
 * @throws ConnectError INVALID_ARGUMENT for the own organization, NOT_FOUND for one that is not below it,
 *   PERMISSION_DENIED when something below that one is out of the caller's reach
 */
export async function deleteOrganization(app: App, caller: Scope, slug: string): Promise<OrganizationTree> {
  const id = slug.trim();
  if (id === '') throw invalidArgument('Name the organization to delete.');
  if (id === caller.organization) {
    throw invalidArgument(`"${id}" is the organization you act in, and only those below it can be deleted.`);
  }
  const now = app.now();
  return app.db.transaction(async (tx) => {
    const rows = await lockedBelow(tx, caller, id);
    const root = rows.find((row) => row.id === id);
    if (root?.parent == null) throw notFound(`There is no organization "${id}" below "${caller.organization}".`);
    await requireReach(tx, caller, rows);
    await deleteAll(
      tx,
      rows.map((row) => row.id),
    );
    await recordEvents(tx, [organizationDeleted(root.parent, id, now)]);
    tellRightsChanged(
      tx,
      rows.map((row) => rightsOf.organization(row.id)),
    );
    return organizationTree(root, rows, () => true);
  });
}

/** The organization and its descendants by name, so that nothing can be added below them meanwhile. */
const lockedBelow = (tx: Tx, caller: Scope, id: string): Promise<OrganizationRow[]> =>
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

async function requireReach(tx: Tx, caller: Scope, rows: readonly OrganizationRow[]): Promise<void> {
  const ids = rows.map((row) => row.id);
  const reached = await tx
    .select({ id: organization.id })
    .from(organization)
    .where(and(sql`${organization.id} = any(${sql.param(ids)}::text[])`, accessible(caller.session)));
  const beyond = ids.filter((id) => !reached.some((row) => row.id === id));
  if (beyond.length === 0) return;
  throw new ConnectError(
    `This would delete ${some(beyond.map((id) => `"${id}"`))} as well, which you have no access to.`,
    Code.PermissionDenied,
  );
}

/**
 * What no foreign key leads to, and what must go before what it refers to: devices name a health level of their
 * organization. All else goes with the organization itself. Every table leads its key with the organization, so that
 * this reads nobody else's rows.
 */
const first = ['event', 'message', 'publisher_call', 'counter', 'device'] as const;

async function deleteAll(tx: Tx, ids: readonly string[]): Promise<void> {
  const those = sql.param([...ids]);
  for (const table of first) {
    await tx.execute(sql`delete from ${sql.identifier(table)} where organization = any(${those}::text[])`);
  }
  await tx.delete(organization).where(sql`${organization.id} = any(${those}::text[])`);
}
