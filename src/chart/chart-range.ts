import { rangeSpan } from '#commands/kit/value-chart.ts';
import type { Span } from '#commands/kit/value-series.ts';
import { parseValue, printValue } from '#commands/line/line.ts';
import type { KindValues } from '#commands/model/arg-value.ts';
import type { Context } from '#commands/model/context.ts';
import { p } from '#commands/model/params.ts';
import { PRESETS } from '#commands/nouns/console/chart/presets.ts';
import { toInstant, toWallTime } from '#commands/text/wall-clock.ts';

type Range = KindValues['range'];

/** A period of a chart. Its days and times are those of the time axis. */
export const PERIOD = p.range({ local: true });

/** Returns the id of the preset that equals a range. */
export function findPreset({ start, end }: Range): string | undefined {
  return Object.keys(PRESETS).find((id) => PRESETS[id]?.start === start && PRESETS[id]?.end === end);
}

/** Reads the range from an address. Undefined if it is not a range. */
export function parseRange(text: string): Range | undefined {
  const parsed = parseValue(PERIOD, text);
  return 'value' in parsed ? (parsed.value as Range) : undefined;
}

export const printRange = (range: Range): string => printValue(PERIOD, range);

/** Reads the zoomed part of a range from an address: two UTC times. */
export function parseZoom(text: string | undefined): Span | undefined {
  const [from = NaN, to = NaN] = (text ?? '').split('..').map((time) => Date.parse(time));
  return from < to ? { from, to } : undefined;
}

export const printZoom = ({ from, to }: Span): string =>
  [from, to].map((time) => new Date(time).toISOString()).join('..');

/** True for a time that does not depend on the time zone: `now`, `-7d`. */
const isRelative = (time: string): boolean => time === 'now' || /^[-+]/.test(time);

/**
 * Returns the range of an export of what a chart shows. Days and a zoomed part become exact times, because an export's
 * days start at midnight UTC. `span` has the visible times, once they are known.
 */
export function exportRange(range: Range, zoom: Span | undefined, span: Span | undefined): Range {
  const isSame = zoom === undefined && isRelative(range.start) && isRelative(range.end);
  if (isSame || span === undefined) return range;
  return { start: new Date(span.from).toISOString(), end: new Date(span.to).toISOString() };
}

/** Returns a context whose present is the user's local time, written as UTC. Its days are those of the user's clock. */
export function localContext(context: Context): Context {
  return { ...context, now: () => new Date(toWallTime(context.now().getTime())) };
}

/**
 * Returns the times of a range. Days start at midnight in the user's time zone, as in the chart. In filters, they start
 * at midnight UTC.
 */
export function localSpan(range: Range, context: Context): Span {
  const span = rangeSpan(range, localContext(context));
  // A day lasts until the next one, even if the clock shows its last hour twice.
  const endOf = (wallTime: number): number => toInstant(wallTime + 1) - 1;
  const to = isRelative(range.end) ? rangeSpan({ start: range.end, end: range.end }, context).to : endOf(span.to);
  if (!isRelative(range.start)) return { from: toInstant(span.from), to };
  // A relative start counts back from the end.
  return { from: to - (span.to - span.from), to };
}
