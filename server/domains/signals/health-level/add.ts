import type { HealthLevel } from '#proto/gen/hiber/health_pb.ts';
import type { App } from '#server/app/app.ts';
import { healthLevel } from '#server/db/schema/health-level.ts';
import { alreadyExists, failedPrecondition, invalidArgument } from '#server/wire/errors.ts';

import { changeScale, MAX_LEVELS, moveCatchAll, readColors, readLevelName } from './scale.ts';

/**
 * Adds a level as the most severe one, regardless of the severity in the request. A level marked as the catch-all
 * replaces the current catch-all.
 *
 * @throws ConnectError INVALID_ARGUMENT, ALREADY_EXISTS, FAILED_PRECONDITION
 */
export async function addLevel(
  app: App,
  organization: string,
  newLevel: HealthLevel | undefined,
): Promise<HealthLevel[]> {
  if (newLevel === undefined) throw invalidArgument('Specify the health level to add as new_health_level.');
  const level = readLevelName(newLevel.level);
  // The deprecated color is the text color, unless the map contains a text color.
  const colorData = readColors(
    newLevel.color === '' ? newLevel.colorData : { text: newLevel.color, ...newLevel.colorData },
  );
  return changeScale(app, organization, async (tx, levels) => {
    if (levels.some((item) => item.level === level)) {
      throw alreadyExists(`${organization} already has a health level "${level}".`);
    }
    if (levels.length >= MAX_LEVELS) {
      throw failedPrecondition(
        `${organization} has ${levels.length} health levels, which is the maximum. Remove one first.`,
      );
    }
    await tx
      .insert(healthLevel)
      .values({ organization, level, severity: levels.length + 1, catchAll: levels.length === 0, colorData });
    if (newLevel.catchAll) await moveCatchAll(tx, organization, level);
    return `Health level "${level}" was added as the most severe.`;
  });
}
