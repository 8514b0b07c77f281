import fc from 'fast-check';
import { expect, test } from 'vitest';

import { Field_Numeric_Format_RoundingMode as Mode } from '#proto/gen/hiber/field_pb.ts';

import { formatNumber, withSymbol, type NumberFormat } from './format.ts';

type ModeName = keyof typeof Mode;

const modeNames = Object.keys(Mode) as ModeName[];

const formatOf = (decimals: number, mode: ModeName = 'HALF_UP'): NumberFormat => ({
  round: decimals === 0 ? { case: 'roundToInteger', value: true } : { case: 'roundToScale', value: decimals },
  roundingMode: Mode[mode],
});

test.each<readonly [number, number, ModeName, string]>([
  [1.005, 2, 'HALF_UP', '1.01'],
  [-1.005, 2, 'HALF_UP', '-1.01'],
  [1.005, 2, 'HALF_DOWN', '1.00'],
  [1.005, 2, 'HALF_EVEN', '1.00'],
  [1.015, 2, 'HALF_EVEN', '1.02'],
  [2.5, 0, 'HALF_EVEN', '2'],
  [2.5, 0, 'HALF_DOWN', '2'],
  [2.5, 0, 'HALF_UP', '3'],
  [-2.5, 0, 'HALF_DOWN', '-2'],
  [2.1, 0, 'UP', '3'],
  [-2.1, 0, 'UP', '-3'],
  [-2.9, 0, 'DOWN', '-2'],
  [-2.9, 0, 'CEILING', '-2'],
  [2.1, 0, 'CEILING', '3'],
  [-2.1, 0, 'FLOOR', '-3'],
  [6.1415, 3, 'HALF_UP', '6.142'],
  [6.1415, 3, 'HALF_DOWN', '6.141'],
  [7, 2, 'HALF_UP', '7.00'],
  [1_234_567.891, 1, 'HALF_UP', '1234567.9'],
  [1e-10, 2, 'HALF_UP', '0.00'],
  [1e-10, 2, 'UP', '0.01'],
  [5e-324, 2, 'CEILING', '0.01'],
  [-1e-10, 2, 'HALF_UP', '0.00'],
  [-0.4, 0, 'HALF_UP', '0'],
  [-0, 1, 'HALF_UP', '0.0'],
  [1e20, 1, 'HALF_UP', '100000000000000000000.0'],
  [1e21, 1, 'HALF_UP', '1e+21'],
  [1.5e21, 1, 'HALF_UP', '1.5e+21'],
  [-Number.MAX_VALUE, 0, 'HALF_UP', '-1.7976931348623157e+308'],
])('formats %d with %i decimals, rounded %s, as %s', (value, decimals, mode, text) => {
  expect(formatNumber(value, formatOf(decimals, mode))).toBe(text);
});

test.each([
  [0, '0'],
  [-0, '0'],
  [21.5, '21.5'],
  [0.1 + 0.2, '0.3'],
  [1 / 3, '0.3333333333'],
  [123_456_789_012.25, '123456789012'],
  [1e-7, '1e-7'],
  [1.23456789012e-9, '1.23456789e-9'],
  [1e300, '1e+300'],
])('formats %d without a format as %s', (value, text) => {
  expect(formatNumber(value)).toBe(text);
  expect(formatNumber(value, { round: { case: undefined }, roundingMode: Mode.HALF_UP })).toBe(text);
  expect(formatNumber(value, { round: { case: 'roundToInteger', value: false }, roundingMode: Mode.HALF_UP })).toBe(
    text,
  );
});

test('rejects numbers that are not finite', () => {
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(() => formatNumber(value)).toThrow(`${value} can't be shown, because it is not a finite number.`);
  }
});

test('rounds half up if the mode is unknown, as in a later contract', () => {
  expect(formatNumber(-2.5, { ...formatOf(0), roundingMode: 99 as Mode })).toBe('-3');
});

test('never writes more decimals than a double has', () => {
  expect(formatNumber(0.5, formatOf(4_294_967_295))).toBe('0.500000000000000');
});

/** Rounds `units × 10^-scale` to fewer decimals, using only integers, as the contract defines the modes. */
function roundedUnits(units: bigint, droppedDigits: number, mode: ModeName): bigint {
  const step = 10n ** BigInt(droppedDigits);
  const truncated = units / step;
  const remainder = units % step;
  if (remainder === 0n) return truncated;
  const awayFromZero = truncated + (units < 0n ? -1n : 1n);
  const doubledRemainder = 2n * (remainder < 0n ? -remainder : remainder);
  const isTie = doubledRemainder === step;
  const nearestUnits = doubledRemainder > step ? awayFromZero : truncated;
  switch (mode) {
    case 'HALF_UP':
      return isTie ? awayFromZero : nearestUnits;
    case 'HALF_DOWN':
      return isTie ? truncated : nearestUnits;
    case 'HALF_EVEN':
      return isTie && truncated % 2n !== 0n ? awayFromZero : nearestUnits;
    case 'UP':
      return awayFromZero;
    case 'DOWN':
      return truncated;
    case 'CEILING':
      return units > 0n ? awayFromZero : truncated;
    case 'FLOOR':
      return units < 0n ? awayFromZero : truncated;
  }
}

function decimalText(units: bigint, decimals: number): string {
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, '0');
  const sign = units < 0n ? '-' : '';
  return decimals === 0 ? sign + digits : `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

test('rounds like integer arithmetic in every mode', () => {
  const digits = fc.oneof(
    fc.bigInt({ min: -(10n ** 15n) + 1n, max: 10n ** 15n - 1n }),
    // Values exactly between two results.
    fc.bigInt({ min: -(10n ** 6n), max: 10n ** 6n }).map((units) => units * 10n + 5n),
  );
  fc.assert(
    fc.property(digits, fc.nat(6), fc.nat(6), fc.constantFrom(...modeNames), (units, decimals, droppedDigits, mode) => {
      const value = Number(decimalText(units, decimals + droppedDigits));
      const expected = decimalText(roundedUnits(units, droppedDigits, mode), decimals);
      expect(formatNumber(value, formatOf(decimals, mode))).toBe(expected);
    }),
    { numRuns: 2000 },
  );
});

test('appends a symbol after a space, and a percent sign without a space', () => {
  expect(withSymbol('12.50', 'bar')).toBe('12.50 bar');
  expect(withSymbol('50', '%')).toBe('50%');
  expect(withSymbol('90', 'min')).toBe('90 min');
  expect(withSymbol('7', '')).toBe('7');
});
