import { toBaseUnit } from './base-unit.ts';
import { type ColumnValues, seriesOfPart } from './columns.ts';
import type { Reduction } from './reduce-in-database.ts';
import type { ValueCriteria } from './selection.ts';

/** The values of a series of an owner, as indexes in order of their owner, number, field, and parser. */
interface Series {
  readonly owner: string;
  readonly name: string;
  /** The first index of each part, and the one after its last. */
  readonly ranges: readonly (readonly [start: number, end: number])[];
  readonly count: number;
}

/** No value. */
const NONE = -1;

/** Divides values into series, sorted by owner and name. */
function divide({ parts, part }: ColumnValues, criteria: ValueCriteria): readonly Series[] {
  const series = new Map<string, Series>();
  for (const [index, item] of parts.entries()) {
    const [owner, name] = [item.owner, seriesOfPart(criteria, item)];
    const end = parts[index + 1]?.start ?? part.length;
    const key = JSON.stringify([owner, name]);
    const { ranges = [], count = 0 } = series.get(key) ?? {};
    series.set(key, { owner, name, ranges: [...ranges, [item.start, end]], count: count + end - item.start });
  }
  return [...series.values()].toSorted((a, b) => compareBytes(a.owner, b.owner) || compareBytes(a.name, b.name));
}

/** Compares as the database does. */
const compareBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/**
 * Returns the number of each value in the same unit for a whole series: fields of the same numeric type may have
 * several units. NaN for a value without a number.
 */
function comparableNumbers({ parts, part, numeric }: ColumnValues, { seriesBy }: ValueCriteria): Float64Array {
  if (seriesBy === 'field') return numeric;
  const convert = parts.map(({ unit }) => toBaseUnit(unit));
  return numeric.map((number, index) => convert[part[index] ?? 0]?.(number) ?? NaN);
}

/**
 * Reduces values as {@link reducedQuery} does in the database.
 *
 * @returns the indexes of the kept values
 */
export function reduceValues(
  values: ColumnValues,
  criteria: ValueCriteria,
  { buckets, limit }: Reduction,
): readonly number[] {
  const comparable = comparableNumbers(values, criteria);
  return divide(values, criteria).flatMap((series) =>
    series.count > limit ? reduceSeries(values, comparable, series, buckets) : indexesOf(series),
  );
}

const indexesOf = ({ ranges }: Series): readonly number[] =>
  ranges.flatMap(([start, end]) => Array.from({ length: end - start }, (_, index) => start + index));

function reduceSeries(
  values: ColumnValues,
  comparable: Float64Array,
  { ranges }: Series,
  buckets: number,
): readonly number[] {
  const { time } = values;
  const compare = createComparison(values, comparable);
  let [firstAt, lastAt] = [Infinity, -Infinity];
  for (const [start, end] of ranges) {
    for (let index = start; index < end; index += 1) {
      firstAt = Math.min(firstAt, time[index] ?? 0);
      lastAt = Math.max(lastAt, time[index] ?? 0);
    }
  }
  const bucketOf = divideTime(firstAt, lastAt, buckets);
  const noIndexes = () => new Int32Array(buckets).fill(NONE);
  const [first, lowest, highest, last] = [noIndexes(), noIndexes(), noIndexes(), noIndexes()];
  for (const [start, end] of ranges) {
    for (let index = start; index < end; index += 1) {
      const bucket = bucketOf(time[index] ?? 0);
      keepFirst(first, bucket, index, compare.earlier);
      keepFirst(last, bucket, index, compare.later);
      if (Number.isNaN(comparable[index])) continue;
      keepFirst(lowest, bucket, index, compare.lower);
      keepFirst(highest, bucket, index, compare.higher);
    }
  }
  const kept = new Set([...first, ...lowest, ...highest, ...last]);
  kept.delete(NONE);
  return [...kept];
}

/** Keeps a value for a bucket if it comes before the one that has been kept so far. */
function keepFirst(kept: Int32Array, bucket: number, index: number, compare: (a: number, b: number) => number): void {
  const other = kept[bucket] ?? NONE;
  if (other === NONE || compare(index, other) < 0) kept[bucket] = index;
}

/** Divides a period into equal buckets like PostgreSQL's `width_bucket`. Its end belongs to the last bucket. */
function divideTime(start: number, end: number, buckets: number): (time: number) => number {
  const [from, to] = [start / 1000, end / 1000];
  return (time) => {
    const position = time >= end ? buckets : Math.trunc(buckets * ((time / 1000 - from) / (to - from)));
    return start === end ? 0 : Math.min(position, buckets - 1);
  };
}

/** Creates comparisons of values by index. They are negative if the first value is earlier, later, and so on. */
function createComparison({ time, message, part }: ColumnValues, comparable: Float64Array) {
  // Of several values at the same time, the one with the earliest message is first.
  const earlier = (a: number, b: number): number =>
    (time[a] ?? 0) - (time[b] ?? 0) || (message[a] ?? 0) - (message[b] ?? 0) || (part[a] ?? 0) - (part[b] ?? 0);
  // Of equal extremes, the first is the most extreme.
  const lower = (a: number, b: number): number => (comparable[a] ?? NaN) - (comparable[b] ?? NaN) || earlier(a, b);
  const higher = (a: number, b: number): number => (comparable[b] ?? NaN) - (comparable[a] ?? NaN) || earlier(a, b);
  return { earlier, later: (a: number, b: number) => earlier(b, a), lower, higher };
}

/** Finds the lowest or highest number of each series, as {@link extremesQuery} does in the database. */
export function findExtremes(
  values: ColumnValues,
  criteria: ValueCriteria,
  extreme: 'lowest' | 'highest',
): readonly number[] {
  const comparable = comparableNumbers(values, criteria);
  const compare = createComparison(values, comparable)[extreme === 'lowest' ? 'lower' : 'higher'];
  return divide(values, criteria).flatMap((series) => {
    const [first, ...others] = indexesOf(series).filter((index) => !Number.isNaN(comparable[index]));
    return first === undefined
      ? []
      : [others.reduce((best, index) => (compare(index, best) < 0 ? index : best), first)];
  });
}
