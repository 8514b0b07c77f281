import { mergeTimes, type Point } from '#commands/kit/value-series.ts';
import { formatClock } from '#commands/text/moment.ts';
import { offsetText } from '#commands/text/wall-clock.ts';

import type { ChartLine } from './chart-lanes.ts';

/** Returns the name of a column: a field and its unit. */
export const columnTitle = ({ name, unit }: ChartLine): string => (unit === '' ? name : `${name} (${unit})`);

/** The values of all lines at one time. A line without a value then has no cell. */
export interface TimeRow {
  readonly time: number;
  readonly cells: readonly (Pick<Point, 'text' | 'color'> | undefined)[];
}

/** Returns a row for each time at which any line has a value, the newest first. */
export function timeRows(lines: readonly ChartLine[]): readonly TimeRow[] {
  const cells = lines.map(({ series }) => new Map(series.points.map((point) => [point.time, point])));
  const times = mergeTimes(lines.map(({ series }) => series.points.map(({ time }) => time)));
  return times.toReversed().map((time) => ({ time, cells: cells.map((pointAt) => pointAt.get(time)) }));
}

/**
 * Returns the table as text, with its head. Its times are in the one format that every spreadsheet reads, without
 * the offset from UTC.
 */
export function tableRows(
  lines: readonly ChartLine[],
  titles: { readonly time: string; readonly zone: string },
): readonly (readonly string[])[] {
  const rows = timeRows(lines).map(({ time, cells }) => [
    formatClock(time, 'iso'),
    `UTC${offsetText(time)}`,
    ...cells.map((point) => point?.text ?? ''),
  ]);
  return [[titles.time, titles.zone, ...lines.map(columnTitle)], ...rows];
}
