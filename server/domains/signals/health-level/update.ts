import { isDeepStrictEqual } from 'node:util';
import { and, eq } from 'drizzle-orm';
import type { HealthLevel, UpdateHealthLevel_Request } from '#proto/gen/hiber/health_pb.ts';
import type { App } from '#server/app/app.ts';
import { healthLevel } from '#server/db/schema/health-level.ts';
import { alreadyExists, invalidArgument, some } from '#server/wire/errors.ts';
import {
  changeScale,
  type LevelRow,
  moveCatchAll,
  readColors,
  readLevelName,
  replaceInHistory,
  requireFewColors,
  requireLevel,
} from './scale.ts';

/**
 * Renames a level, in history too; adds, overwrites and removes colors; moves the catch-all to it. There is always one
 * catch-all, so that to unset it changes nothing.
 *
 * @throws ConnectError INVALID_ARGUMENT, NOT_FOUND, ALREADY_EXISTS
 */
export async function updateLevel(
  app: App,
  organization: string,
  request: UpdateHealthLevel_Request,
): Promise<HealthLevel[]> {
  const wanted = request.rename === undefined ? undefined : readLevelName(request.rename);
  const { add, remove } = readColorChange(request);
  // The new field wins over the wrapper.
  const wrapper = request.deprecatedUpdateCatchAll;
  const catchAll = request.updateCatchAll ?? (wrapper?.updated === true && wrapper.value);
  return changeScale(app, organization, async (tx, levels) => {
    const before = requireLevel(organization, levels, request.level);
    const level = wanted ?? before.level;
    const renamed = level !== before.level;
    if (renamed && levels.some((item) => item.level === level)) {
      throw alreadyExists(`${organization} has a health level "${level}" already.`);
    }
    const colorData = changedColors(before, add, remove);
    const recolored = !isDeepStrictEqual(colorData, before.colorData);
    const moved = catchAll && !before.catchAll;
    if (!renamed && !recolored && !moved) return undefined;
    await tx
      .update(healthLevel)
      .set({ level, colorData })
      .where(and(eq(healthLevel.organization, organization), eq(healthLevel.level, before.level)));
    if (renamed) await replaceInHistory(tx, organization, before.level, level);
    if (moved) await moveCatchAll(tx, organization, level);
    return sentence(before.level, [
      ...(renamed ? [`renamed to "${level}"`] : []),
      ...(recolored ? ['given other colors'] : []),
      ...(moved ? ['made the catch-all'] : []),
    ]);
  });
}

const sentence = (level: string, changes: readonly string[]): string => `Health level "${level}" was ${some(changes)}.`;

function readColorChange(request: UpdateHealthLevel_Request): { add: Record<string, string>; remove: Set<string> } {
  const { addColors, removeColors, updateColor } = request;
  const both = removeColors.filter((name) => Object.hasOwn(addColors, name));
  if (both.length > 0) throw invalidArgument(`Color "${some(both, 1)}" is both to be added and to be removed.`);
  const remove = new Set(removeColors);
  // Deprecated: the color of texts, which the map wins over; without a value it is cleared.
  const old =
    updateColor?.updated === true && !Object.hasOwn(addColors, 'text') ? (updateColor.value ?? '') : undefined;
  if (old === '') remove.add('text');
  return { add: readColors(old ? { ...addColors, text: old } : addColors), remove };
}

function changedColors(
  { colorData }: LevelRow,
  add: Readonly<Record<string, string>>,
  remove: ReadonlySet<string>,
): Record<string, string> {
  const kept = Object.entries(colorData).filter(([name]) => !remove.has(name));
  const changed = { ...Object.fromEntries(kept), ...add };
  requireFewColors(Object.keys(changed).length);
  return changed;
}
