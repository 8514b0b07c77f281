import { type SQL, sql } from 'drizzle-orm';

import { Value_Type as ValueType } from '#proto/gen/hiber/value_pb.ts';

import { type ValueColumns, valuesQuery } from './query.ts';
import type { ValueCriteria } from './selection.ts';

/** What the values of a part have in common. */
type Common = Pick<ValueColumns, 'owner' | 'number' | 'field' | 'parser' | 'type' | 'numericType' | 'unit' | 'sealed'>;

/** Consecutive values that differ only in their time, message, and content. */
interface Part extends Common {
  /** The index of its first value. */
  readonly start: number;
  /** The texts of its values; undefined for plain numbers. */
  readonly texts: readonly (string | null)[] | undefined;
}

/**
 * Values as columns, which take much less time to read and less memory than rows. An index identifies a value. The
 * parts are sorted by owner, number, field, and parser.
 */
export interface ColumnValues {
  readonly parts: readonly Part[];
  /** The index in `parts`. */
  readonly part: Uint16Array;
  /** Milliseconds since the epoch. */
  readonly time: Float64Array;
  /** NaN for a value without a number. */
  readonly numeric: Float64Array;
  readonly message: Float64Array;
}

/** The maximum length of a text to read, because a selection can have many. */
const MAX_TEXT = 100;
/** What fits into `part`. */
const MAX_PARTS = 2 ** 16;

/** A part as the database returns it: binary numbers, in PostgreSQL's own format. */
interface PartRow extends Record<string, unknown>, Common {
  /** The time, number, and message of each value. */
  readonly bytes: Buffer;
  readonly texts: readonly (string | null)[] | null;
  readonly hasLongText: boolean;
}

/** Runs a query and returns its rows. */
type Execute = (query: SQL) => Promise<{ readonly rows: readonly PartRow[] }>;

/**
 * Reads the selected values.
 *
 * @returns undefined if there are more than `max` values, or values with a long text, so reading them as columns would
 *   take too much memory
 */
export async function readColumns(
  execute: Execute,
  criteria: ValueCriteria,
  max: number,
): Promise<ColumnValues | undefined> {
  const hasText = sql`type <> ${sql.raw(String(ValueType.NUMERIC))} or sealed`;
  // The values of a group have the same order in `bytes` and `texts`.
  const { rows } = await execute(sql`
    select owner, number, field, parser, type, numeric_type as "numericType", unit, sealed,
      string_agg(timestamptz_send(time) || float8send(coalesce("numeric", 'NaN')) || int8send(message), '') as bytes,
      json_agg(left(text, ${MAX_TEXT})) filter (where ${hasText}) as texts,
      coalesce(bool_or(length(text) > ${MAX_TEXT}), false) as "hasLongText"
      from (select * from (${valuesQuery(criteria)}) as value limit ${max + 1}) as value
     group by owner, number, field, parser, type, numeric_type, unit, sealed
     order by owner, number, field, parser`);
  const count = rows.reduce((sum, { bytes }) => sum + bytes.length / SIZE, 0);
  if (count > max || rows.length > MAX_PARTS || rows.some(({ hasLongText }) => hasLongText)) return undefined;
  return toColumns(rows, count);
}

/** The size of a value in bytes: three numbers of 8 bytes. */
const SIZE = 24;
/** PostgreSQL counts microseconds from here. */
const POSTGRES_EPOCH = Date.UTC(2000, 0, 1);

function toColumns(rows: readonly PartRow[], count: number): ColumnValues {
  const [time, numeric, message] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)];
  const part = new Uint16Array(count);
  let start = 0;
  const parts = rows.map((row, index): Part => {
    const { bytes, texts, owner, number, field, parser, type, numericType, unit, sealed } = row;
    const length = bytes.length / SIZE;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    for (let offset = 0; offset < length; offset += 1) {
      // Times have whole milliseconds, so rounding corrects what a double can't represent.
      time[start + offset] = Math.round(readInteger(view, offset * SIZE) / 1000) + POSTGRES_EPOCH;
      numeric[start + offset] = view.getFloat64(offset * SIZE + 8);
      message[start + offset] = readInteger(view, offset * SIZE + 16);
    }
    part.fill(index, start, start + length);
    start += length;
    const common = { owner, number, field, parser, type, numericType, unit, sealed };
    return { ...common, start: start - length, texts: texts ?? undefined };
  });
  return { parts, part, time, numeric, message };
}

/** Reads a 64-bit integer as a double. */
const readInteger = (bytes: DataView, offset: number): number =>
  bytes.getInt32(offset) * 2 ** 32 + bytes.getUint32(offset + 4);

/** Returns a value with all of its columns. */
export function rowAt({ parts, part, time, numeric }: ColumnValues, index: number): ValueColumns {
  const { start, texts, owner, number, field, parser, type, numericType, unit, sealed } = parts[
    part[index] ?? 0
  ] as Part;
  const content = numeric[index] ?? NaN;
  // Without a spread, which takes ten times as long.
  return {
    owner,
    number,
    time: time[index] ?? 0,
    field,
    parser,
    type,
    numericType,
    unit,
    numeric: Number.isNaN(content) ? null : content,
    text: texts?.[index - start] ?? null,
    sealed,
  };
}

/** Returns the series of each part, as {@link seriesOf} does in the database. */
export const seriesOfPart = (
  { seriesBy }: Pick<ValueCriteria, 'seriesBy'>,
  { field, numericType }: Pick<Common, 'field' | 'numericType'>,
): string => (seriesBy === 'field' || numericType === null ? field : String(numericType));
