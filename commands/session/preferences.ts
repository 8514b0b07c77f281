import type { Preferences } from '#commands/model/context.ts';
import { MOMENT_FORMATS, type MomentFormat } from '#commands/text/moment.ts';
import { FIRST_DAYS, type FirstDay } from '#commands/model/time.ts';

/** Where the console opens when nothing is said (spec 9); the address of a screen. */
const DEFAULT_SCREEN = '/dashboard';

/** Undefined for a text that is not an object: another client's, which must not be written over. */
export function readPreferences(json: string): Preferences | undefined {
  if (json.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Preferences) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The screen set by the user, else spec 9's default. */
export function defaultScreen({ defaultScreen: screen }: Preferences): string {
  return typeof screen === 'string' && screen.startsWith('/') ? screen : DEFAULT_SCREEN;
}

/** How moments are to be written; undefined where the person has not said. */
export function momentFormat({ dateTimeFormat }: Preferences): MomentFormat | undefined {
  return MOMENT_FORMATS.find((item) => item === dateTimeFormat);
}

export function firstDay({ firstDayOfWeek }: Preferences): FirstDay {
  return FIRST_DAYS.find((item) => item === firstDayOfWeek) ?? 'MONDAY';
}
