import type { Series } from '#commands/kit/series.ts';
import type { FieldValue } from '#commands/kit/value-loading.ts';
import {
  gapLimit,
  gapsBetween,
  indexAt,
  valueScale,
  type Point,
  type Span,
  type ValueScale,
} from '#commands/kit/value-series.ts';

import { seriesStyle, type SeriesStyle } from './series-style.ts';

/** A field in a chart: its values, its style, and its silences. */
export interface ChartLine extends SeriesStyle {
  /** Unique in the chart. A field has several lines if some of its values can't be converted to the unit of others. */
  readonly id: string;
  readonly field: string;
  readonly name: string;
  readonly unit: string;
  /** False for text values, which only the table and the legend show. */
  readonly isNumeric: boolean;
  readonly series: Series;
  readonly gaps: readonly Span[];
  /** The longest time after a value during which it still holds. */
  readonly limit: number;
}

/** Lines with the same unit, over the same scale. */
export interface ChartLane {
  readonly unit: string;
  readonly lines: readonly ChartLine[];
  readonly scale: ValueScale;
}

/** Returns the lines for the field at an index of a chart: one, unless its values differ in kind. */
export function createLines(
  field: FieldValue,
  index: number,
  allSeries: readonly Series[],
  span: Span | undefined,
  interval: number | undefined,
): readonly ChartLine[] {
  const ownSeries = allSeries.filter((series) => series.field === field.field);
  const series = ownSeries.length > 0 ? ownSeries : [{ field: field.field, unit: field.unit, points: [] }];
  return series.map((item) => createLine(field, index, item, span, interval));
}

function createLine(
  { field, name, unit, isNumeric }: FieldValue,
  index: number,
  series: Series,
  span: Span | undefined,
  interval: number | undefined,
): ChartLine {
  const [first] = series.points;
  const isNumericLine = first ? !Number.isNaN(first.value) : isNumeric;
  const times = series.points.map(({ time }) => time);
  const limit = gapLimit(times, interval);
  const last = times.at(-1);
  // A device that is silent now has a gap until now.
  const end = span && Math.min(span.to, Date.now());
  const openGap = last !== undefined && end !== undefined && end - last > limit ? [{ from: last, to: end }] : [];
  return {
    id: JSON.stringify([field, series.unit, isNumericLine]),
    field,
    name,
    unit: series.points.length > 0 ? series.unit : unit,
    isNumeric: isNumericLine,
    series,
    ...seriesStyle(index),
    gaps: [...gapsBetween(times, limit), ...openGap],
    limit,
  };
}

/** Groups numeric lines by unit, in the order of the first line of each. */
export function createLanes(lines: readonly ChartLine[]): readonly ChartLane[] {
  const units = [...new Set(lines.flatMap(({ isNumeric, unit }) => (isNumeric ? [unit] : [])))];
  return units.map((unit) => {
    const laneLines = lines.filter((line) => line.isNumeric && line.unit === unit);
    const values = laneLines.flatMap(({ series }) => series.points.map(({ value }) => value));
    return { unit, lines: laneLines, scale: valueScale(values) };
  });
}

/** The height of a lane's label, which would cover the highest values, in px. */
const LABEL_ROOM = 18;

/** Extends the scale of a lane upward, so its label covers no values. A lane without room for both is unchanged. */
export function leaveLabelRoom([low, high]: ValueScale, height: number): ValueScale {
  const plotHeight = height - LABEL_ROOM;
  if (plotHeight < height / 2) return [low, high];
  const room = LABEL_ROOM / plotHeight;
  return [low, Math.min(high + (high * room - low * room), Number.MAX_VALUE)];
}

/** Returns the value that a line has at a time: its last value before that time, unless the line is silent then. */
export function pointAt({ series: { points }, limit }: ChartLine, time: number): Point | undefined {
  const point =
    points[
      indexAt(
        points.map((item) => item.time),
        time,
      )
    ];
  return point && time - point.time <= limit ? point : undefined;
}

/**
 * Returns the indexes of values that no line reaches: neither neighbor has a value. A neighbor is null if it is a gap,
 * and undefined entries, which only other lines have values for, are passed over.
 */
export function loneIndexes(values: ArrayLike<number | null | undefined>): readonly number[] {
  const known = Array.from(values).flatMap((value, index) => (value === undefined ? [] : [{ value, index }]));
  return known.flatMap(({ value, index }, position) => {
    const neighbors = [known[position - 1], known[position + 1]];
    return value !== null && neighbors.every((neighbor) => (neighbor?.value ?? null) === null) ? [index] : [];
  });
}
