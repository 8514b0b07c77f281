import { and, eq, sql } from 'drizzle-orm';

import type { UpdateProcessPoint } from '#proto/gen/hiber/process_point_service_pb.ts';
import { anyOf } from '#server/db/any-of.ts';
import type { Tx } from '#server/db/database.ts';
import { processPoint } from '#server/db/schema/process-point.ts';
import { processPointFile } from '#server/domains/data/file/schema.ts';
import { removeUnreferencedFiles, storeFiles } from '#server/domains/data/file/store.ts';

import { newMetadata } from './changes.ts';
import type { PointRow } from './model/where.ts';

export async function writeMetadata(
  tx: Tx,
  organization: string,
  points: readonly PointRow[],
  update: UpdateProcessPoint,
): Promise<void> {
  const identifiers = sql.param(points.map(({ identifier }) => identifier));
  const metadata = sql.param(points.map((point) => JSON.stringify(newMetadata(point.metadata, update))));
  await tx.execute(sql`
    update ${processPoint} as point set metadata = changed.metadata
      from unnest(${identifiers}::text[], ${metadata}::jsonb[]) as changed (identifier, metadata)
     where point.organization = ${organization} and point.identifier = changed.identifier`);
}

export async function attachFiles(
  tx: Tx,
  organization: string,
  points: readonly string[],
  uploads: UpdateProcessPoint['addFiles'],
  now: Date,
): Promise<void> {
  const files = await storeFiles(tx, organization, uploads, now);
  if (files.length === 0 || points.length === 0) return;
  await tx
    .insert(processPointFile)
    .values(points.flatMap((point) => files.map((file) => ({ organization, point, file }))))
    .onConflictDoNothing();
}

export async function detachFiles(
  tx: Tx,
  organization: string,
  points: readonly string[],
  files: readonly string[],
): Promise<void> {
  if (files.length === 0) return;
  await tx
    .delete(processPointFile)
    .where(
      and(
        eq(processPointFile.organization, organization),
        anyOf(processPointFile.point, points),
        anyOf(processPointFile.file, files),
      ),
    );
  await removeUnreferencedFiles(tx, organization, files);
}
