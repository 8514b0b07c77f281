import { and, eq, sql } from 'drizzle-orm';

import type { ProcessPoint, ProcessPointSelection } from '#proto/gen/hiber/process_point_pb.ts';
import type { CreateProcessPoint, UpdateProcessPoint } from '#proto/gen/hiber/process_point_service_pb.ts';
import type { App } from '#server/app/app.ts';
import { anyOf } from '#server/db/any-of.ts';
import type { Tx } from '#server/db/database.ts';
import { storeNames } from '#server/db/free-names.ts';
import { newIdentifier } from '#server/db/ids.ts';
import { processPoint } from '#server/db/schema/process-point.ts';
import { removeUnreferencedFiles } from '#server/domains/data/file/store.ts';
import { deviceScope } from '#server/domains/fleet/device/model/where.ts';
import { recordEvents } from '#server/events/record.ts';
import type { Scope } from '#server/session/scope.ts';
import { alreadyExists, failedPrecondition, invalidArgument, summarizeList } from '#server/wire/errors.ts';

import { changedPhrases, updatedFields } from './changed-fields.ts';
import { changesMetadata, readNewPoint, readUpdate } from './changes.ts';
import { writeMetadata, attachFiles, detachFiles } from './metadata.ts';
import { pointCreated, pointDeleted, pointUpdated } from './model/events.ts';
import { loadPoints } from './model/list.ts';
import { presentPoint } from './model/present.ts';
import { lockPoints, type PointRow } from './model/where.ts';

/** The maximum number of points that one call creates (not specified in the contract). */
const MAX_CREATED_POINTS = 500;

export async function createPoints(
  app: App,
  caller: Scope,
  requests: readonly CreateProcessPoint[],
): Promise<ProcessPoint[]> {
  if (requests.length === 0) throw invalidArgument('Specify the process points to create.');
  if (requests.length > MAX_CREATED_POINTS) {
    throw invalidArgument(`A call can create at most ${MAX_CREATED_POINTS} process points, not ${requests.length}.`);
  }
  const { organization } = caller;
  const now = app.now();
  return storeNames(app.db, async (tx) => {
    const rows = requests.map((request) => {
      const identifier = newIdentifier('point');
      return { organization, identifier, createdAt: now, ...readNewPoint(request, identifier) };
    });
    await requireFreeNames(tx, organization, rows);
    await tx.insert(processPoint).values(rows);
    for (const [index, { identifier }] of rows.entries()) {
      await attachFiles(tx, organization, [identifier], requests[index]?.files ?? [], now);
    }
    const points = await presentAll(tx, caller, rows);
    await recordEvents(
      tx,
      points.map((point) => pointCreated(point, now)),
    );
    return points;
  });
}

/** Updates the selected process points, in the order of their identifiers. */
export async function updatePoints(
  app: App,
  caller: Scope,
  selection: ProcessPointSelection | undefined,
  update: UpdateProcessPoint | undefined,
): Promise<ProcessPoint[]> {
  if (update === undefined) throw invalidArgument('Specify what to update.');
  const columns = readUpdate(update);
  const { organization } = caller;
  const now = app.now();
  return storeNames(app.db, async (tx) => {
    const before = await lockPoints(tx, deviceScope(caller), selection);
    const identifiers = before.map(({ identifier }) => identifier);
    if (columns.name !== undefined) await checkRename(tx, organization, columns.name, before);
    const hasColumns = Object.keys(columns).length > 0;
    if (hasColumns) {
      const name = columns.name === undefined ? {} : { name: sql`coalesce(nullif(${columns.name}, ''), identifier)` };
      await tx
        .update(processPoint)
        .set({ ...columns, ...name })
        .where(and(eq(processPoint.organization, organization), anyOf(processPoint.identifier, identifiers)));
    }
    if (changesMetadata(update)) await writeMetadata(tx, organization, before, update);
    await attachFiles(tx, organization, identifiers, update.addFiles, now);
    await detachFiles(tx, organization, identifiers, update.deleteFiles);
    const points = await presentAll(tx, caller, before);
    const changed = changedPhrases(update);
    if (changed.length > 0) {
      await recordEvents(
        tx,
        points.map((point) => pointUpdated(point, now, { updated: updatedFields(point, update), changed })),
      );
    }
    return points;
  });
}

/**
 * Deletes process points with their assignments. The values stay with the devices. Returns the number of deleted
 * points.
 */
export async function deletePoints(
  app: App,
  caller: Scope,
  selection: ProcessPointSelection | undefined,
): Promise<number> {
  const { organization } = caller;
  return app.db.transaction(async (tx) => {
    const rows = await lockPoints(tx, deviceScope(caller), selection);
    const points = await presentAll(tx, caller, rows);
    await tx.delete(processPoint).where(
      and(
        eq(processPoint.organization, organization),
        anyOf(
          processPoint.identifier,
          rows.map(({ identifier }) => identifier),
        ),
      ),
    );
    const files = points.flatMap((point) => point.files.map(({ identifier }) => identifier));
    await removeUnreferencedFiles(tx, organization, files);
    const now = app.now();
    await recordEvents(
      tx,
      points.map((point) => pointDeleted(point, now)),
    );
    return rows.length;
  });
}

async function presentAll(
  tx: Tx,
  caller: Scope,
  rows: readonly Pick<PointRow, 'identifier'>[],
): Promise<ProcessPoint[]> {
  const identifiers = rows.map(({ identifier }) => identifier);
  return (await loadPoints(tx, deviceScope(caller), identifiers)).map(presentPoint);
}

/** Names are unique in the organization (contract: ProcessPointService). */
async function requireFreeNames(
  tx: Tx,
  organization: string,
  points: readonly { readonly identifier: string; readonly name: string }[],
): Promise<void> {
  const names = points.map(({ name }) => name);
  const duplicate = names.find((name, index) => names.indexOf(name) !== index);
  if (duplicate !== undefined) throw alreadyExists(`The name "${duplicate}" is listed twice.`);
  const identifiers = points.map(({ identifier }) => identifier);
  const taken = await tx
    .select({ identifier: processPoint.identifier, name: processPoint.name })
    .from(processPoint)
    .where(and(eq(processPoint.organization, organization), anyOf(processPoint.name, names)));
  const others = taken.filter(({ identifier }) => !identifiers.includes(identifier));
  if (others.length > 0) {
    throw alreadyExists(
      `${organization} already has a process point named ${summarizeList(others.map(({ name }) => `"${name}"`))}.`,
    );
  }
}

async function checkRename(tx: Tx, organization: string, name: string, points: readonly PointRow[]): Promise<void> {
  if (points.length > 1) {
    throw failedPrecondition(
      `${points.length} process points are selected. Names are unique, so rename them separately.`,
    );
  }
  await requireFreeNames(
    tx,
    organization,
    points.map(({ identifier }) => ({ identifier, name: name || identifier })),
  );
}
