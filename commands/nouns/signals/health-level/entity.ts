import { HealthService, type HealthLevel } from '#proto/gen/hiber/health_pb.ts';
import type { Context } from '#commands/model/context.ts';
import type { Level } from '#commands/model/column.ts';
import { CommandError, UnknownValue } from '#commands/model/errors.ts';
import { matching, reference } from '#commands/kit/filter-keys.ts';
import type { Suggestion } from '#commands/model/suggestion.ts';
import { message } from '#commands/text/message.ts';
import { nearest } from '#commands/text/near.ts';

/** The organization's levels, from least to most severe. */
export const healthLevels = reference('health-level:all', async (context: Context): Promise<readonly HealthLevel[]> => {
  const request = { organization: context.organization.id };
  const { healthLevels: levels } = await context.api(HealthService).list(request, { signal: context.signal });
  return levels.toSorted((a, b) => Number(a.severity - b.severity));
});

/** What the three marks mean on any organization's scale: its worst level, its best one, and what is between them. */
const ALIASES: Readonly<Record<string, Level>> = { ERROR: 'error', WARNING: 'warning', OK: 'ok' };

export function levelOf(name: string | undefined, levels: readonly HealthLevel[]): Level {
  const at = levels.findIndex(({ level }) => level === name);
  if (at < 0) return 'none';
  if (at === 0) return 'ok';
  return at === levels.length - 1 ? 'error' : 'warning';
}

/** An alias in upper case; the name of a level as it was typed. */
export function canonicalHealth(value: string): string {
  const upper = value.toUpperCase();
  return Object.hasOwn(ALIASES, upper) ? upper : value;
}

/** The names of the levels that a typed value means. A level that is really called so goes before the alias. */
export function namedLevels(value: string, levels: readonly HealthLevel[]): readonly string[] {
  const called = levels.filter(({ level }) => level.toLowerCase() === value.toLowerCase());
  const alias = ALIASES[value.toUpperCase()];
  const found = called.length > 0 ? called : levels.filter(({ level }) => alias && levelOf(level, levels) === alias);
  if (found.length > 0) return found.map(({ level }) => level);
  if (alias) throw new CommandError(message('common:filter.noLevelBetween', { value }));
  const names = [...levels.map(({ level }) => level), ...Object.keys(ALIASES)];
  const near = nearest(value, names);
  const text =
    near.length > 0
      ? message('common:filter.unknownLevelNear', { value, near: near.join(', ') })
      : message('common:filter.unknownLevel', { value, names: names.join(', ') });
  throw new UnknownValue(text, value, near);
}

/** What a filter takes: the aliases that mean something here, then the levels by name. */
export function healthValues(levels: readonly HealthLevel[]): readonly string[] {
  const meant = new Set(levels.map(({ level }) => levelOf(level, levels)));
  const aliases = Object.keys(ALIASES).filter((alias) => meant.has(ALIASES[alias]!));
  return [...aliases, ...levels.map(({ level }) => level)];
}

export async function suggestLevels(context: Context, text: string): Promise<readonly Suggestion[]> {
  const names = (await healthLevels(context)).map(({ level }) => level);
  return matching(names, text, (name) => name).map((name) => ({ value: name, label: name }));
}
