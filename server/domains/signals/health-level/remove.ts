import { and, eq, sql } from 'drizzle-orm';
import type { HealthLevel } from '#proto/gen/hiber/health_pb.ts';
import type { App } from '#server/app/app.ts';
import { healthLevel } from '#server/db/schema/health-level.ts';
import { refreshAllHealth } from './device-health.ts';
import { failedPrecondition } from '#server/wire/errors.ts';
import { changeScale, renumber, replaceInHistory, requireLevel } from './scale.ts';

/** Behind every other level, while devices still refer to the one that goes. */
const OUT_OF_THE_WAY = 1_000_000;

/**
 * Removes a level: its events, and what weighs on devices with it, move to the catch-all, and the health of devices is
 * computed anew (contract: HealthService). The catch-all itself and the last level stay, as what they stand for would
 * have no level then (not stated).
 *
 * @throws ConnectError NOT_FOUND, FAILED_PRECONDITION
 */
export async function removeLevel(app: App, organization: string, name: string): Promise<HealthLevel[]> {
  return changeScale(app, organization, async (tx, levels) => {
    const removed = requireLevel(organization, levels, name);
    const left = levels.filter((level) => level !== removed);
    const catchAll = left.find((item) => item.catchAll);
    if (left.length === 0) throw failedPrecondition(`"${name}" is the last health level of ${organization}.`);
    if (!catchAll) {
      throw failedPrecondition(`"${name}" is the catch-all: make another health level the catch-all first.`);
    }
    const row = and(eq(healthLevel.organization, organization), eq(healthLevel.level, name));
    await tx.update(healthLevel).set({ severity: OUT_OF_THE_WAY }).where(row);
    await tx.execute(sql`
      update device_condition set health_level = ${catchAll.level}
      where organization = ${organization} and health_level = ${name}`);
    await tx.execute(sql`
      update event_health set level = ${catchAll.level} where organization = ${organization} and level = ${name}`);
    await replaceInHistory(tx, organization, name, catchAll.level);
    await refreshAllHealth(tx, organization);
    await tx.delete(healthLevel).where(row);
    await renumber(
      tx,
      organization,
      left.map(({ level }) => level),
    );
    return `Health level "${name}" was removed; what had it has "${catchAll.level}" now.`;
  });
}
