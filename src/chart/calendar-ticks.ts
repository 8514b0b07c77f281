import type { Span } from '#commands/kit/value-series.ts';
import { instantsAt, toInstant, toWallTime } from '#commands/text/wall-clock.ts';

/** The distance between the ticks of a time axis. */
export interface TickStep {
  readonly unit: 'ms' | 'day' | 'month';
  readonly count: number;
}

/**
 * Returns the ticks of a time axis in a span. They are at round times of the user's clock, also after the clock changes
 * and in time zones with an offset of half an hour.
 */
export function calendarTicks(span: Span, { unit, count }: TickStep): readonly number[] {
  const ticks = unit === 'ms' ? clockTicks(span, count) : dateTicks(span, unit, count);
  return ticks.filter((tick) => tick >= span.from && tick <= span.to);
}

/** Returns ticks at the multiples of a step that divides a day. */
function clockTicks({ from, to }: Span, step: number): readonly number[] {
  const offsets = [from, to].map((instant) => toWallTime(instant) - instant);
  const first = Math.floor((from + Math.min(...offsets)) / step);
  const last = Math.ceil((to + Math.max(...offsets)) / step);
  const ticks: number[] = [];
  for (let index = first; index <= last; index++) {
    const [instant, repetition] = instantsAt(index * step);
    if (instant !== undefined) ticks.push(instant);
    // The clock goes back by less than a larger step, so the repetition would be too close to the next tick.
    if (instant !== undefined && repetition !== undefined && repetition - instant >= step) ticks.push(repetition);
  }
  return ticks.sort((a, b) => a - b);
}

/** Returns ticks at midnight: every few days from the first one on, or in the months that the count divides. */
function dateTicks({ from, to }: Span, unit: 'day' | 'month', count: number): readonly number[] {
  const start = new Date(toWallTime(from - 1));
  const [year, month, day] = [start.getUTCFullYear(), start.getUTCMonth(), start.getUTCDate()];
  const firstMonth = Math.floor((year * 12 + month) / count) * count;
  const tickAt = (index: number): number => {
    const date = new Date(0);
    if (unit === 'day') date.setUTCFullYear(year, month, day + 1 + index * count);
    else date.setUTCFullYear(0, firstMonth + index * count, 1);
    return toInstant(date.getTime());
  };
  const ticks: number[] = [];
  for (let index = 0; tickAt(index) <= to; index++) ticks.push(tickAt(index));
  return ticks;
}
