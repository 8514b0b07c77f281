import { Decimal } from 'decimal.js';

import { Field_Numeric_Format_RoundingMode as Mode, type Field_Numeric_Format } from '#proto/gen/hiber/field_pb.ts';

/** How numbers are rounded. */
export type NumberFormat = Pick<Field_Numeric_Format, 'round' | 'roundingMode'>;

/** The maximum number of decimals of a format: the significant digits that every double has. */
export const MAX_DECIMALS = 15;

/** Significant digits of a number whose format demands no decimals. */
const DEFAULT_DIGITS = 10;

/** From here on, doubles have no decimals to round; the text has an exponent, as in `Number.prototype.toFixed`. */
const EXPONENT_FROM = 1e21;

const ROUNDINGS: ReadonlyMap<Mode, Decimal.Rounding> = new Map<Mode, Decimal.Rounding>([
  [Mode.HALF_UP, Decimal.ROUND_HALF_UP],
  [Mode.HALF_DOWN, Decimal.ROUND_HALF_DOWN],
  [Mode.UP, Decimal.ROUND_UP],
  [Mode.DOWN, Decimal.ROUND_DOWN],
  [Mode.CEILING, Decimal.ROUND_CEIL],
  [Mode.FLOOR, Decimal.ROUND_FLOOR],
  [Mode.HALF_EVEN, Decimal.ROUND_HALF_EVEN],
]);

/**
 * Formats a number without grouping, with as many decimals as the format demands. Rounds the decimal text of the
 * double, so 1.005 half up is 1.01, although the double is slightly less. Without a number of decimals, rounds decimals
 * beyond ten significant digits, and drops trailing zeros.
 *
 * @throws RangeError if the number is not finite
 */
export function formatNumber(value: number, format?: NumberFormat): string {
  if (!Number.isFinite(value)) throw new RangeError(`${value} cannot be shown: it is not a finite number.`);
  if (Math.abs(value) >= EXPONENT_FROM) return String(value);
  const number = new Decimal(value);
  const rounding = ROUNDINGS.get(format?.roundingMode ?? Mode.HALF_UP) ?? Decimal.ROUND_HALF_UP;
  const decimals = decimalsOf(format);
  const text =
    decimals === undefined
      ? number.toDecimalPlaces(Math.max(0, DEFAULT_DIGITS - 1 - number.e), rounding).toString()
      : number.toFixed(decimals, rounding);
  return text.replace(/^-(?=0(\.0*)?$)/, '');
}

/** Appends the symbol of a unit to a formatted number; there is none for a value without a unit. */
export function withSymbol(formatted: string, symbol: string): string {
  if (symbol === '') return formatted;
  return symbol === '%' ? `${formatted}%` : `${formatted} ${symbol}`;
}

function decimalsOf({ round }: Partial<NumberFormat> = {}): number | undefined {
  if (round?.case === 'roundToInteger') return round.value ? 0 : undefined;
  return round?.case === 'roundToScale' ? Math.min(round.value, MAX_DECIMALS) : undefined;
}
