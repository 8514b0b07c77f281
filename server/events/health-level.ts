import { create } from '@bufbuild/protobuf';
import { asc, eq } from 'drizzle-orm';

import type { HealthLevel } from '#proto/gen/hiber/health_pb.ts';
import { HealthLevelSchema } from '#proto/gen/hiber/health_pb.ts';
import type { Executor } from '#server/db/database.ts';
import { healthLevel } from '#server/db/schema/health-level.ts';

export function presentHealthLevel(row: typeof healthLevel.$inferSelect): HealthLevel {
  return create(HealthLevelSchema, {
    level: row.level,
    severity: BigInt(row.severity),
    catchAll: row.catchAll,
    colorData: row.colorData,
    // Deprecated, mirrors `text` (contract: HealthService).
    color: row.colorData.text ?? '',
  });
}

/** Loads the organization's levels, mildest first. */
export async function loadHealthLevels(db: Executor, organization: string): Promise<HealthLevel[]> {
  const rows = await db
    .select()
    .from(healthLevel)
    .where(eq(healthLevel.organization, organization))
    .orderBy(asc(healthLevel.severity), asc(healthLevel.level));
  return rows.map(presentHealthLevel);
}
