import { UnitOfMeasurement } from '#proto/gen/hiber/unit_pb.ts';

import type { ValueColumns } from './query.ts';

/** A number and the one before it. */
export interface Delta {
  readonly row: ValueColumns;
  readonly previous: ValueColumns;
}

/** The time that a series spent at each of its values. */
export interface Durations {
  /** The last value of the series. */
  readonly row: ValueColumns;
  /** Seconds by value, in the order in which the values first occurred. */
  readonly spent: readonly { readonly row: ValueColumns; readonly seconds: number }[];
}

const seriesKey = ({ owner, number, field, parser }: ValueColumns): string =>
  JSON.stringify([owner, number, field, parser]);

/** A key that is equal for numbers that can be compared: those of one type, either all or none with a unit. */
const quantityKey = ({ numericType, unit }: ValueColumns): string =>
  JSON.stringify([numericType, (unit ?? UnitOfMeasurement.UNIT_UNKNOWN) === UnitOfMeasurement.UNIT_UNKNOWN]);

/**
 * Pairs each number with the previous one from the same device and field. The first one has no pair, nor has the first
 * one after the field's type changed.
 *
 * @param rows sorted by time
 */
export function computeDeltas(rows: readonly ValueColumns[]): Delta[] {
  const last = new Map<string, ValueColumns>();
  return rows.flatMap((row) => {
    const previous = last.get(seriesKey(row));
    if (row.numeric === null) return [];
    last.set(seriesKey(row), row);
    const isComparable = previous !== undefined && quantityKey(previous) === quantityKey(row);
    return isComparable ? [{ row, previous }] : [];
  });
}

/**
 * Computes how long each value lasted: until the device's next value of the field or, for the last one, until the end.
 *
 * @param rows sorted by time
 * @param end milliseconds since the epoch
 */
export function computeDurations(rows: readonly ValueColumns[], end: number): Durations[] {
  const series = new Map<string, ValueColumns[]>();
  for (const row of rows) {
    const list = series.get(seriesKey(row));
    if (list === undefined) series.set(seriesKey(row), [row]);
    else list.push(row);
  }
  return [...series.values()].map((list) => {
    const spent = new Map<string, { row: ValueColumns; seconds: number }>();
    for (const [index, row] of list.entries()) {
      const until = list[index + 1]?.time ?? Math.max(end, row.time);
      // The same number in another unit is another value.
      const key = JSON.stringify([row.numeric ?? row.text, row.numericType, row.unit]);
      const entry = spent.get(key) ?? { row, seconds: 0 };
      spent.set(key, { row: entry.row, seconds: entry.seconds + (until - row.time) / 1000 });
    }
    return { row: list.at(-1) as ValueColumns, spent: [...spent.values()] };
  });
}
