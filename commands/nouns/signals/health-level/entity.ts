import { cachedLoader } from '#commands/kit/filter-keys.ts';
import { findMatches } from '#commands/kit/matching.ts';
import type { Level } from '#commands/model/column.ts';
import type { Context } from '#commands/model/context.ts';
import { CommandError, UnknownValueError } from '#commands/model/errors.ts';
import type { Suggestion } from '#commands/model/suggestion.ts';
import { message } from '#commands/text/message.ts';
import { nearestNames } from '#commands/text/near.ts';
import { HealthService, type HealthLevel } from '#proto/gen/hiber/health_pb.ts';

/** The organization's levels, from least to most severe. */
export const healthLevels = cachedLoader(
  'health-level:all',
  async (context: Context): Promise<readonly HealthLevel[]> => {
    const request = { organization: context.organization.id };
    const { healthLevels: levels } = await context.api(HealthService).list(request, { signal: context.signal });
    return levels.toSorted((a, b) => Number(a.severity - b.severity));
  },
);

/** Aliases for the worst level, the levels in between, and the best level of any organization. */
const ALIASES: Readonly<Record<string, Level>> = { ERROR: 'error', WARNING: 'warning', OK: 'ok' };

/** The values of the health filter that are valid in every organization. */
export const HEALTH_ALIASES: readonly string[] = Object.keys(ALIASES);

export function levelOf(name: string | undefined, levels: readonly HealthLevel[]): Level {
  const index = levels.findIndex(({ level }) => level === name);
  if (index < 0) return 'none';
  if (index === 0) return 'ok';
  return index === levels.length - 1 ? 'error' : 'warning';
}

/** Returns an alias in uppercase, or the name of a level unchanged. */
export function canonicalHealth(value: string): string {
  const upper = value.toUpperCase();
  return Object.hasOwn(ALIASES, upper) ? upper : value;
}

/** Returns the levels that a typed value selects. A level with that name takes precedence over an alias. */
export function namedLevels(value: string, levels: readonly HealthLevel[]): readonly string[] {
  const exactMatches = levels.filter(({ level }) => level.toLowerCase() === value.toLowerCase());
  const alias = ALIASES[value.toUpperCase()];
  const matches =
    exactMatches.length > 0 ? exactMatches : levels.filter(({ level }) => alias && levelOf(level, levels) === alias);
  if (matches.length > 0) return matches.map(({ level }) => level);
  if (alias) throw new CommandError(message('common:filter.noLevelBetween', { value }));
  const names = [...levels.map(({ level }) => level), ...Object.keys(ALIASES)];
  const nearMatches = nearestNames(value, names);
  const text =
    nearMatches.length > 0
      ? message('common:filter.unknownLevelNear', { value, near: nearMatches.join(', ') })
      : message('common:filter.unknownLevel', { value, names: names.join(', ') });
  throw new UnknownValueError(text, value, nearMatches);
}

/** Returns the health filter's values: the aliases that match at least one level, then the level names. */
export function healthValues(levels: readonly HealthLevel[]): readonly string[] {
  const levelsInUse = new Set(levels.map(({ level }) => levelOf(level, levels)));
  const aliases = Object.keys(ALIASES).filter((alias) => levelsInUse.has(ALIASES[alias]!));
  return [...aliases, ...levels.map(({ level }) => level)];
}

export async function suggestLevels(context: Context, text: string): Promise<readonly Suggestion[]> {
  const names = (await healthLevels(context)).map(({ level }) => level);
  return (await findMatches(names, text, (name) => name)).map((name) => ({ value: name, label: name }));
}
