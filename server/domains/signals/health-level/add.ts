import type { HealthLevel } from '#proto/gen/hiber/health_pb.ts';
import type { App } from '#server/app/app.ts';
import { healthLevel } from '#server/db/schema/health-level.ts';
import { alreadyExists, failedPrecondition, invalidArgument } from '#server/wire/errors.ts';
import { changeScale, MAX_LEVELS, moveCatchAll, readColors, readLevelName } from './scale.ts';

/**
 * Appends a level as the most severe. Its severity is not read; marked as the catch-all it takes that over, and
 * otherwise the catch-all stays where it is.
 *
 * @throws ConnectError INVALID_ARGUMENT, ALREADY_EXISTS, FAILED_PRECONDITION
 */
export async function addLevel(app: App, organization: string, given: HealthLevel | undefined): Promise<HealthLevel[]> {
  if (given === undefined) throw invalidArgument('Give the health level to add, as new_health_level.');
  const level = readLevelName(given.level);
  // The deprecated color is the color of texts, where the map does not say it.
  const colorData = readColors(given.color === '' ? given.colorData : { text: given.color, ...given.colorData });
  return changeScale(app, organization, async (tx, levels) => {
    if (levels.some((item) => item.level === level)) {
      throw alreadyExists(`${organization} has a health level "${level}" already.`);
    }
    if (levels.length >= MAX_LEVELS) {
      throw failedPrecondition(`${organization} has ${levels.length} health levels, which is the most there can be.`);
    }
    await tx
      .insert(healthLevel)
      .values({ organization, level, severity: levels.length + 1, catchAll: levels.length === 0, colorData });
    if (given.catchAll) await moveCatchAll(tx, organization, level);
    return `Health level "${level}" was added as the most severe.`;
  });
}
