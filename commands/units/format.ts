import { Field_Numeric_Format_RoundingMode as Mode, type Field_Numeric_Format } from '#proto/gen/hiber/field_pb.ts';

/** The rounding of numbers. */
export type NumberFormat = Pick<Field_Numeric_Format, 'round' | 'roundingMode'>;

/** The maximum number of decimals in a format. Every double has this many significant digits. */
export const MAX_DECIMALS = 15;

/** Significant digits, if the format doesn't set the decimals. */
const DEFAULT_DIGITS = 10;

/** From this value on, doubles have no decimals, and the text has an exponent, as in `Number.prototype.toFixed`. */
const MIN_EXPONENT_VALUE = 1e21;

/** A number as decimal text: its digits before and after the decimal point. */
interface DecimalText {
  readonly isNegative: boolean;
  readonly whole: string;
  readonly fraction: string;
}

/**
 * Formats a number without grouping, with the number of decimals in the format. Rounds the decimal text of the double,
 * so 1.005 half up is 1.01, although the double is slightly less. If the format sets no number of decimals, rounds
 * decimals beyond ten significant digits, and removes trailing zeros.
 *
 * It works on the text because a page has thousands of numbers, and a decimal library takes several times as long.
 *
 * @throws RangeError if the number is not finite
 */
export function formatNumber(value: number, format?: NumberFormat): string {
  if (!Number.isFinite(value)) throw new RangeError(`${value} can't be shown, because it is not a finite number.`);
  if (Math.abs(value) >= MIN_EXPONENT_VALUE) return String(value);
  const number = toDecimalText(value);
  const mode = format?.roundingMode ?? Mode.HALF_UP;
  const decimals = decimalsOf(format);
  if (decimals !== undefined) return toFixed(number, decimals, mode);
  // The conversion to a number and back removes trailing zeros, and keeps the digits, because a double has more.
  return String(Number(toFixed(number, Math.max(0, DEFAULT_DIGITS - 1 - exponentOf(number)), mode)));
}

const decimalsIn = (text: string): number => /\.(\d+)$/.exec(text)?.[1]?.length ?? 0;

/** Formats a number with as many decimals as other formatted numbers have at most. */
export function formatLike(value: number, ...texts: readonly string[]): string {
  const decimals = Math.max(...texts.map(decimalsIn));
  return formatNumber(value, { round: { case: 'roundToScale', value: decimals }, roundingMode: Mode.HALF_UP });
}

/** Returns the shortest decimal text of a double below {@link MIN_EXPONENT_VALUE}, without an exponent. */
function toDecimalText(value: number): DecimalText {
  const isNegative = value < 0;
  const [digits = '', exponent] = String(Math.abs(value)).split('e-');
  const [whole = '', fraction = ''] = digits.split('.');
  if (exponent === undefined) return { isNegative, whole, fraction };
  return { isNegative, whole: '0', fraction: '0'.repeat(Number(exponent) - 1) + whole + fraction };
}

/** The power of ten of the first significant digit. */
function exponentOf({ whole, fraction }: DecimalText): number {
  return whole === '0' ? -1 - Math.max(0, fraction.search(/[1-9]/)) : whole.length - 1;
}

function toFixed({ isNegative, whole, fraction }: DecimalText, decimals: number, mode: Mode): string {
  const kept = whole + fraction.slice(0, decimals).padEnd(decimals, '0');
  const isAway = roundsAwayFromZero(kept, fraction.slice(decimals), isNegative, mode);
  const digits = isAway ? String(BigInt(kept) + 1n).padStart(kept.length, '0') : kept;
  const sign = isNegative && /[1-9]/.test(digits) ? '-' : '';
  return decimals === 0 ? sign + digits : `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** @param dropped the digits to round, which end with a digit other than zero */
function roundsAwayFromZero(kept: string, dropped: string, isNegative: boolean, mode: Mode): boolean {
  if (dropped === '') return false;
  const isHalf = dropped === '5';
  switch (mode) {
    case Mode.UP:
      return true;
    case Mode.DOWN:
      return false;
    case Mode.CEILING:
      return !isNegative;
    case Mode.FLOOR:
      return isNegative;
    case Mode.HALF_DOWN:
      return !isHalf && dropped >= '5';
    case Mode.HALF_EVEN:
      return isHalf ? Number(kept.at(-1)) % 2 === 1 : dropped >= '5';
    case Mode.HALF_UP:
    default:
      return dropped >= '5';
  }
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
