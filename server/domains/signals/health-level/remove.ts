import { and, eq, sql } from 'drizzle-orm';

import type { HealthLevel } from '#proto/gen/hiber/health_pb.ts';
import type { App } from '#server/app/app.ts';
import { healthLevel } from '#server/db/schema/health-level.ts';
import { failedPrecondition } from '#server/wire/errors.ts';

import { refreshAllHealth } from './device-health.ts';
import { changeScale, renumber, replaceLevelName, requireLevel } from './scale.ts';

/** Sorts the removed level last while devices still refer to it. */
const LAST_SEVERITY = 1_000_000;

/**
 * Removes a level, moves its events and conditions to the catch-all, and recomputes the health of devices (contract:
 * HealthService). The catch-all itself and the last level can't be removed, because no level would replace them (not
 * specified in the contract).
 *
 * @throws ConnectError NOT_FOUND, FAILED_PRECONDITION
 */
export async function removeLevel(app: App, organization: string, name: string): Promise<HealthLevel[]> {
  return changeScale(app, organization, async (tx, levels) => {
    const removedLevel = requireLevel(organization, levels, name);
    const remaining = levels.filter((level) => level !== removedLevel);
    const catchAll = remaining.find((item) => item.catchAll);
    if (remaining.length === 0) throw failedPrecondition(`"${name}" is the last health level of ${organization}.`);
    if (!catchAll) {
      throw failedPrecondition(`"${name}" is the catch-all. Make another health level the catch-all first.`);
    }
    const row = and(eq(healthLevel.organization, organization), eq(healthLevel.level, name));
    await tx.update(healthLevel).set({ severity: LAST_SEVERITY }).where(row);
    await tx.execute(sql`
      update device_condition set health_level = ${catchAll.level}
      where organization = ${organization} and health_level = ${name}`);
    await tx.execute(sql`
      update event_health set level = ${catchAll.level} where organization = ${organization} and level = ${name}`);
    await replaceLevelName(tx, organization, name, catchAll.level);
    await refreshAllHealth(tx, organization);
    await tx.delete(healthLevel).where(row);
    await renumber(
      tx,
      organization,
      remaining.map(({ level }) => level),
    );
    return `Health level "${name}" was removed. "${catchAll.level}" replaces it.`;
  });
}
