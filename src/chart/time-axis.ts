import type { MomentFormat } from '#commands/text/moment.ts';

const DAY = 86_400_000;

export interface AxisFormat {
  readonly language: string;
  readonly format: MomentFormat | undefined;
}

/** The formatters by their options. Creating one for each tick would be too slow. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function write(time: number, { language }: AxisFormat, options: Intl.DateTimeFormatOptions): string {
  const key = `${language} ${JSON.stringify(options)}`;
  let formatter = formatters.get(key);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, options);
    formatters.set(key, formatter);
  }
  return formatter.format(time).replace(',', '');
}

/** Formats a time of day, with AM and PM for users who write dates the American way. */
export function clockText(time: number, axis: AxisFormat, withSeconds = false): string {
  const isTwelve = axis.format === 'month-first';
  return write(time, axis, {
    hour: isTwelve ? 'numeric' : '2-digit',
    minute: '2-digit',
    ...(withSeconds ? { second: '2-digit' } : {}),
    ...(isTwelve ? { hour12: true } : { hourCycle: 'h23' }),
  });
}

export const dayText = (time: number, axis: AxisFormat): string =>
  write(time, axis, { weekday: 'short', day: 'numeric', month: 'short' });

/** Formats a range without seconds: `20 Nov 03:28 – 27 Nov 03:28`, with the year if it is not the current one. */
export function spanText({ from, to }: { readonly from: number; readonly to: number }, axis: AxisFormat): string {
  const year = new Date().getFullYear();
  const withYear = [from, to].some((time) => new Date(time).getFullYear() !== year);
  const text = (time: number): string => {
    const day = write(time, axis, { day: 'numeric', month: 'short', ...(withYear ? { year: 'numeric' } : {}) });
    return `${day} ${clockText(time, axis)}`;
  };
  return `${text(from)} – ${text(to)}`;
}

const YEAR = 365 * DAY;
/** Beyond this, the library's own steps of up to a century can be too small for a narrow chart. */
const LONG_SPAN = 200 * YEAR;
const LONG_STEPS: readonly number[] = [25, 50, 100, 250, 500, 1000, 2500, 5000].map((years) => years * YEAR);

/** Returns the possible steps between the ticks of a span in ms. Undefined for those of the library. */
export function timeSteps({ from, to }: { readonly from: number; readonly to: number }): readonly number[] | undefined {
  return to - from > LONG_SPAN ? LONG_STEPS : undefined;
}

/** Labels ticks that are `step` ms apart. A tick at midnight shows its day, and ticks of days show only days. */
export function labelTicks(ticks: readonly number[], step: number, axis: AxisFormat): readonly string[] {
  return ticks.map((time) => {
    const date = new Date(time);
    if (step >= 28 * DAY) return write(time, axis, { month: 'short', year: 'numeric' });
    const isMidnight = date.getHours() === 0 && date.getMinutes() === 0 && date.getSeconds() === 0;
    return step >= DAY || isMidnight ? dayText(time, axis) : clockText(time, axis, step < 60_000);
  });
}
