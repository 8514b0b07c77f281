import { Decimal } from 'decimal.js';

import type { Scale, Unit } from './table.ts';

/** Decimals with many more digits than a double: what counts is the last step, which rounds to a double. */
const Exact = Decimal.clone({ precision: 40 });

/**
 * Converts a value to another unit of its kind. Calculates with the decimal text of the value, so 1.1 m is 110 cm and
 * not 110.00000000000001. Undefined if the result is not finite: 0 L/100 km in km/L, or more than a double can hold.
 *
 * @throws RangeError if the value is not finite, or the units are of different kinds
 */
export function convert(value: number, from: Unit, to: Unit): number | undefined {
  if (!Number.isFinite(value))
    throw new RangeError(`${value} ${from.symbol} cannot be converted: it is not a finite number.`);
  if (from.kind !== to.kind) throw new RangeError(`${from.symbol} cannot be converted to ${to.symbol}.`);
  if (from.id === to.id) return value;
  const result = fromBase(toBase(new Exact(value), from.scale), to.scale).toNumber();
  // The sum turns -0 into 0.
  return Number.isFinite(result) ? result + 0 : undefined;
}

function toBase(value: Decimal, { factor, divisor, offset, reciprocal }: Scale): Decimal {
  return reciprocal ? new Exact(factor).div(divisor).div(value) : value.plus(offset).times(factor).div(divisor);
}

function fromBase(base: Decimal, { factor, divisor, offset, reciprocal }: Scale): Decimal {
  return reciprocal ? new Exact(factor).div(divisor).div(base) : base.times(divisor).div(factor).minus(offset);
}
