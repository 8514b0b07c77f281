import { Decimal } from 'decimal.js';

import type { Scale } from './scales.ts';
import type { Unit } from './table.ts';

/** Decimals with many more digits than a double, so only the final rounding to a double affects the result. */
const Exact = Decimal.clone({ precision: 40 });

/**
 * Returns a function that converts values to another unit of the same kind. It calculates with the decimal text of a
 * value, so 1.1 m is 110 cm instead of 110.00000000000001. It returns undefined if the result is not finite, such as
 * 0 L/100 km in km/L, and throws a RangeError if the value is not finite.
 *
 * @throws RangeError if the units are of different kinds
 */
export function converter(from: Unit, to: Unit): (value: number) => number | undefined {
  if (from.kind !== to.kind) throw new RangeError(`${from.symbol} can't be converted to ${to.symbol}.`);
  const calculate = calculation(from.scale, to.scale);
  return (value) => {
    if (!Number.isFinite(value)) {
      throw new RangeError(`${value} ${from.symbol} can't be converted, because it is not a finite number.`);
    }
    if (from.id === to.id) return value;
    const result = calculate(new Exact(value)).toNumber();
    // The addition converts -0 to 0.
    return Number.isFinite(result) ? result + 0 : undefined;
  };
}

/** Subtracts the decimal texts of two numbers, so 17.21 - 9.5 is 7.71 instead of 7.710000000000001. */
export const difference = (a: number, b: number): number => new Exact(a).minus(b).toNumber() + 0;

function calculation(from: Scale, to: Scale): (value: Decimal) => Decimal {
  const isRatio = [from, to].every(({ offset, reciprocal }) => offset === 0 && !reciprocal);
  if (!isRatio) return (value) => fromBase(toBase(value, from), to);
  const ratio = fromBase(toBase(new Exact(1), from), to);
  return (value) => value.times(ratio);
}

function toBase(value: Decimal, { factor, divisor, offset, reciprocal }: Scale): Decimal {
  return reciprocal ? new Exact(factor).div(divisor).div(value) : value.plus(offset).times(factor).div(divisor);
}

function fromBase(base: Decimal, { factor, divisor, offset, reciprocal }: Scale): Decimal {
  return reciprocal ? new Exact(factor).div(divisor).div(base) : base.times(divisor).div(factor).minus(offset);
}
