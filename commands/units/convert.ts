import { Decimal } from 'decimal.js';

import type { Scale, Unit } from './table.ts';

/** Decimals with many more digits than a double: what counts is the last step, which rounds to a double. */
const Exact = Decimal.clone({ precision: 40 });

/**
 * Returns a function that converts values to another unit of the same kind. It calculates with the decimal text of a
 * value, so 1.1 m is 110 cm and not 110.00000000000001. It returns undefined if the result is not finite: 0 L/100 km
 * in km/L, or more than a double can hold.
 *
 * @throws RangeError if the units are of different kinds; from that function, if a value is not finite
 */
export function converter(from: Unit, to: Unit): (value: number) => number | undefined {
  if (from.kind !== to.kind) throw new RangeError(`${from.symbol} cannot be converted to ${to.symbol}.`);
  const calculate = calculation(from.scale, to.scale);
  return (value) => {
    if (!Number.isFinite(value)) {
      throw new RangeError(`${value} ${from.symbol} cannot be converted: it is not a finite number.`);
    }
    if (from.id === to.id) return value;
    const result = calculate(new Exact(value)).toNumber();
    // The sum turns -0 into 0.
    return Number.isFinite(result) ? result + 0 : undefined;
  };
}

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
