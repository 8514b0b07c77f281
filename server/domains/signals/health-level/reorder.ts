import type { HealthLevel } from '#proto/gen/hiber/health_pb.ts';
import type { App } from '#server/app/app.ts';
import { failedPrecondition, invalidArgument, summarizeList } from '#server/wire/errors.ts';

import { refreshAllHealth } from './device-health.ts';
import { changeScale, renumber } from './scale.ts';

/**
 * Puts the levels in the given order, mildest first. Requires all names, which guards against concurrent edits
 * (contract: HealthService). Recomputes the health of devices in the new order.
 *
 * @throws ConnectError INVALID_ARGUMENT for a duplicate name, FAILED_PRECONDITION for a missing or unknown name
 */
export async function reorderLevels(app: App, organization: string, names: readonly string[]): Promise<HealthLevel[]> {
  if (new Set(names).size < names.length)
    throw invalidArgument('"levels" contains a name twice. List each level once.');
  return changeScale(app, organization, async (tx, levels) => {
    const missingLevels = levels.filter(({ level }) => !names.includes(level)).map(({ level }) => `"${level}"`);
    if (missingLevels.length > 0 || names.length !== levels.length) {
      const existingNames = levels.map(({ level }) => `"${level}"`);
      throw failedPrecondition(
        missingLevels.length > 0
          ? `"levels" doesn't contain ${summarizeList(missingLevels)}. List all levels of ${organization}, from mild to severe.`
          : `"levels" contains a name that isn't a level of ${organization}. The levels are ${summarizeList(existingNames, existingNames.length)}.`,
      );
    }
    if (levels.every(({ level }, index) => level === names[index])) return undefined;
    await renumber(tx, organization, names);
    await refreshAllHealth(tx, organization);
    return `The order of health levels is now ${summarizeList(
      names.map((name) => `"${name}"`),
      names.length,
    )}, from mild to severe.`;
  });
}
