import { type SQL, sql } from 'drizzle-orm';

import type { Scale } from '#commands/units/scales.ts';
import { unitOf } from '#commands/units/table.ts';
import { type UnitOfMeasurement, UnitOfMeasurementSchema } from '#proto/gen/hiber/unit_pb.ts';

const unitCount = 1 + Math.max(...UnitOfMeasurementSchema.values.map(({ number }) => number));
/** Values without a convertible unit stay as they are. */
const NO_SCALE: Scale = { factor: 1, divisor: 1, offset: 0, reciprocal: false };
/** Scales by unit number. */
const scales = Array.from({ length: unitCount }, (_, number) => unitOf(number as UnitOfMeasurement)?.scale ?? NO_SCALE);

/** A SQL array of the scales, indexed by unit number. */
const scaleOf = (type: string, read: (scale: Scale) => number | boolean): SQL =>
  sql`(${sql.param(scales.map(read))}::${sql.raw(type)}[])[coalesce(unit, 0) + 1]`;

/**
 * The column `numeric`, limited to a range in which no conversion overflows or underflows, because PostgreSQL would
 * throw. Null stays null, which `greatest` and `least` ignore.
 */
const bounded = sql`case when numeric is null then null when abs(numeric) < 1e-290 then 0
  else greatest(-1e290, least(1e290, numeric)) end`;

/** The column `numeric` in the base unit of its kind, as SQL. It's only for comparisons, so rounding doesn't matter. */
export const inBaseUnit: SQL = sql`case when ${scaleOf('boolean', ({ reciprocal }) => reciprocal)}
  then ${scaleOf('float8', ({ factor, divisor }) => factor / divisor)} / nullif(${bounded}, 0)
  else (${bounded} + ${scaleOf('float8', ({ offset }) => offset)}) * ${scaleOf('float8', ({ factor, divisor }) => factor / divisor)} end`;

/**
 * Returns the function that {@link inBaseUnit} is in the database. Its results are exactly the same; NaN stands for
 * null.
 */
export function toBaseUnit(unit: UnitOfMeasurement | null): (numeric: number) => number {
  const { factor, divisor, offset, reciprocal } = scales[unit ?? 0] ?? NO_SCALE;
  const ratio = factor / divisor;
  return (numeric) => {
    const limited = Math.abs(numeric) < 1e-290 ? 0 : Math.max(-1e290, Math.min(1e290, numeric));
    if (reciprocal) return limited === 0 ? NaN : ratio / limited;
    return (limited + offset) * ratio;
  };
}
