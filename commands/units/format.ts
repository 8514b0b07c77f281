import { Decimal } from 'decimal.js';

import { Field_Numeric_Format_RoundingMode as Mode, type Field_Numeric_Format } from '#proto/gen/hiber/field_pb.ts';

/** The rounding of numbers. */
export type NumberFormat = Pick<Field_Numeric_Format, 'round' | 'roundingMode'>;

/** The maximum number of decimals in a format. Every double has this many significant digits. */
export const MAX_DECIMALS = 15;

/** Significant digits, if the format doesn't set the decimals. */
const DEFAULT_DIGITS = 10;

/** From this value on, doubles have no decimals, and the text has an exponent, as in `Number.prototype.toFixed`. */
const MIN_EXPONENT_VALUE = 1e21;

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
 * Formats a number without grouping, with the number of decimals in the format. Rounds the decimal text of the double,
 * so 1.005 half up is 1.01, although the double is slightly less. If the format sets no number of decimals, rounds
 * decimals beyond ten significant digits, and removes trailing zeros.
 *
 * @throws RangeError if the number is not finite
 */
export function formatNumber(value: number, format?: NumberFormat): string {
  if (!Number.isFinite(value)) throw new RangeError(`${value} can't be shown, because it is not a finite number.`);
  if (Math.abs(value) >= MIN_EXPONENT_VALUE) return String(value);
  const number = new Decimal(value);
  const rounding = ROUNDINGS.get(format?.roundingMode ?? Mode.HALF_UP) ?? Decimal.ROUND_HALF_UP;
  const decimals = decimalsOf(format);
  const text =
    decimals === undefined
      ? number.toDecimalPlaces(Math.max(0, DEFAULT_DIGITS - 1 - number.e), rounding).toString()
      : number.toFixed(decimals, rounding);
  return text.replace(/^-(?=0(\.0*)?$)/, '');
}

/** Appends a unit's symbol to a formatted number. The symbol of a value without a unit is empty. */
export function withSymbol(number: string, symbol: string): string {
  if (symbol === '') return number;
  return symbol === '%' ? `${number}%` : `${number} ${symbol}`;
}

function decimalsOf({ round }: Partial<NumberFormat> = {}): number | undefined {
  if (round?.case === 'roundToInteger') return round.value ? 0 : undefined;
  return round?.case === 'roundToScale' ? Math.min(round.value, MAX_DECIMALS) : undefined;
}
