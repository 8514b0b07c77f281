import type { Preferences } from '#commands/model/context.ts';
import { FIRST_DAYS, type FirstDay } from '#commands/model/time.ts';
import { MOMENT_FORMATS, type MomentFormat } from '#commands/text/moment.ts';

/** The setting that records whether the user has seen the introduction. */
export const TOUR_SETTING = 'tourSeen';

/** The start screen for users who have not chosen one (spec 9). */
const DEFAULT_SCREEN = '/dashboard';

/**
 * Parses the stored settings.
 *
 * @returns undefined if they are not a JSON object. In that case, another client stored them, so do not overwrite them.
 */
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

/** Returns the path of the user's start screen. */
export function defaultScreen({ defaultScreen: screen }: Preferences): string {
  return typeof screen === 'string' && screen.startsWith('/') ? screen : DEFAULT_SCREEN;
}

/** Returns the preferred format of dates and times, or undefined if the user has not set one. */
export function momentFormat({ dateTimeFormat }: Preferences): MomentFormat | undefined {
  return MOMENT_FORMATS.find((item) => item === dateTimeFormat);
}

export function firstDay({ firstDayOfWeek }: Preferences): FirstDay {
  return FIRST_DAYS.find((item) => item === firstDayOfWeek) ?? 'MONDAY';
}

/** Checks whether the user has seen the introduction. */
export function hasSeenTour({ [TOUR_SETTING]: seen }: Preferences): boolean {
  return seen === true;
}
