import { isDeepStrictEqual } from 'node:util';

import { and, eq } from 'drizzle-orm';

import type { HealthLevel, UpdateHealthLevel_Request } from '#proto/gen/hiber/health_pb.ts';
import type { App } from '#server/app/app.ts';
import { healthLevel } from '#server/db/schema/health-level.ts';
import { alreadyExists, invalidArgument, summarizeList } from '#server/wire/errors.ts';

import {
  changeScale,
  type LevelRow,
  moveCatchAll,
  readColors,
  readLevelName,
  replaceLevelName,
  checkColorCount,
  requireLevel,
} from './scale.ts';

/**
 * Renames a level (including in past events), changes its colors, or makes it the catch-all. Exactly one level is
 * always the catch-all, so unsetting it changes nothing.
 *
 * @throws ConnectError INVALID_ARGUMENT, NOT_FOUND, ALREADY_EXISTS
 */
export async function updateLevel(
  app: App,
  organization: string,
  request: UpdateHealthLevel_Request,
): Promise<HealthLevel[]> {
  const newName = request.rename === undefined ? undefined : readLevelName(request.rename);
  const { add, remove } = readColorChange(request);
  // The current field takes precedence over the deprecated wrapper.
  const wrapper = request.deprecatedUpdateCatchAll;
  const catchAll = request.updateCatchAll ?? (wrapper?.updated === true && wrapper.value);
  return changeScale(app, organization, async (tx, levels) => {
    const before = requireLevel(organization, levels, request.level);
    const level = newName ?? before.level;
    const isRenamed = level !== before.level;
    if (isRenamed && levels.some((item) => item.level === level)) {
      throw alreadyExists(`${organization} already has a health level "${level}".`);
    }
    const colorData = applyColorChange(before, add, remove);
    const isRecolored = !isDeepStrictEqual(colorData, before.colorData);
    const movesCatchAll = catchAll && !before.catchAll;
    if (!isRenamed && !isRecolored && !movesCatchAll) return undefined;
    await tx
      .update(healthLevel)
      .set({ level, colorData })
      .where(and(eq(healthLevel.organization, organization), eq(healthLevel.level, before.level)));
    if (isRenamed) await replaceLevelName(tx, organization, before.level, level);
    if (movesCatchAll) await moveCatchAll(tx, organization, level);
    return describeChanges(before.level, [
      ...(isRenamed ? [`renamed to "${level}"`] : []),
      ...(isRecolored ? ['recolored'] : []),
      ...(movesCatchAll ? ['made the catch-all'] : []),
    ]);
  });
}

const describeChanges = (level: string, changes: readonly string[]): string =>
  `Health level "${level}" was ${summarizeList(changes)}.`;

function readColorChange(request: UpdateHealthLevel_Request): { add: Record<string, string>; remove: Set<string> } {
  const { addColors, removeColors, updateColor } = request;
  const conflictingNames = removeColors.filter((name) => Object.hasOwn(addColors, name));
  if (conflictingNames.length > 0)
    throw invalidArgument(
      `These colors are in both add_colors and remove_colors: ${summarizeList(conflictingNames)}. List each in only one of them.`,
    );
  const remove = new Set(removeColors);
  // The deprecated `update_color` sets the text color, or clears it if it has no value. The map takes precedence.
  const textColor =
    updateColor?.updated === true && !Object.hasOwn(addColors, 'text') ? (updateColor.value ?? '') : undefined;
  if (textColor === '') remove.add('text');
  return { add: readColors(textColor ? { ...addColors, text: textColor } : addColors), remove };
}

function applyColorChange(
  { colorData }: LevelRow,
  add: Readonly<Record<string, string>>,
  remove: ReadonlySet<string>,
): Record<string, string> {
  const remaining = Object.entries(colorData).filter(([name]) => !remove.has(name));
  const colors = { ...Object.fromEntries(remaining), ...add };
  checkColorCount(Object.keys(colors).length);
  return colors;
}
