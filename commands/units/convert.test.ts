import fc from 'fast-check';
import { expect, test } from 'vitest';

import { UnitOfMeasurement } from '#proto/gen/hiber/unit_pb.ts';

import { converter } from './convert.ts';
import { unitOf, unitOfKind, type Unit, type UnitName } from './table.ts';

function unitNamed(name: UnitName): Unit {
  const unit = unitOf(UnitOfMeasurement[name]);
  if (!unit) throw new Error(`${name} has no definition.`);
  return unit;
}

const convert = (value: number, from: Unit, to: Unit): number | undefined => converter(from, to)(value);

const units = Object.values(UnitOfMeasurement).flatMap((id) => unitOf(id) ?? []);

/**
 * Published conversions, with the published digits. [SP 811] is NIST Special Publication 811 (2008), appendix B.
 * [HB 44] is NIST Handbook 44, appendix C. [SI] is the SI Brochure of the BIPM, 9th edition, table 8.
 */
const PUBLISHED: readonly (readonly [amount: number, from: UnitName, result: string, to: UnitName, source: string])[] =
  [
    [1, 'DISTANCE_INCH', '2.54', 'DISTANCE_CENTIMETER', 'SP 811'],
    [1, 'DISTANCE_INCH', '25.4', 'DISTANCE_MILLIMETER', 'SP 811'],
    [1, 'DISTANCE_FOOT', '0.3048', 'DISTANCE_METER', 'SP 811'],
    [1, 'DISTANCE_YARD', '0.9144', 'DISTANCE_METER', 'SP 811'],
    [1, 'DISTANCE_MILE', '1.609344', 'DISTANCE_KILOMETER', 'SP 811'],
    [1, 'DISTANCE_NAUTICAL_MILE', '1852', 'DISTANCE_METER', 'SP 811'],
    [1, 'DISTANCE_MILE', '5280', 'DISTANCE_FOOT', 'HB 44'],
    [1, 'DISTANCE_YARD', '3', 'DISTANCE_FOOT', 'HB 44'],
    [1, 'MASS_POUNDS', '0.4535924', 'MASS_KILOGRAMS', 'SP 811'],
    [1, 'MASS_KILOGRAMS', '2.204623', 'MASS_POUNDS', 'HB 44'],
    [1, 'PRESSURE_PSI', '6.894757', 'PRESSURE_K_PA', 'SP 811'],
    [1, 'PRESSURE_BAR', '100', 'PRESSURE_K_PA', 'SP 811'],
    [1, 'PRESSURE_KILOGRAM_PER_CENTIMETER_SQUARED', '98.0665', 'PRESSURE_K_PA', 'SP 811'],
    [1, 'SPEED_KNOTS', '0.5144444', 'SPEED_METERS_PER_SECOND', 'SP 811'],
    [1, 'SPEED_KNOTS', '1.852', 'SPEED_KILOMETERS_PER_HOUR', 'SP 811'],
    [1, 'SPEED_MILES_PER_HOUR', '1.609344', 'SPEED_KILOMETERS_PER_HOUR', 'SP 811'],
    [1, 'SPEED_MILES_PER_HOUR', '0.44704', 'SPEED_METERS_PER_SECOND', 'SP 811'],
    [1, 'SPEED_FEET_PER_SECOND', '0.3048', 'SPEED_METERS_PER_SECOND', 'SP 811'],
    [1, 'SPEED_KILOMETERS_PER_HOUR', '0.2777778', 'SPEED_METERS_PER_SECOND', 'SP 811'],
    [1, 'VOLUME_GALLON_US', '3.785412', 'VOLUME_LITER', 'SP 811'],
    [1, 'VOLUME_GALLON_IMPERIAL', '4.54609', 'VOLUME_LITER', 'SP 811'],
    [1, 'VOLUME_CUBIC_FOOT', '0.02831685', 'VOLUME_CUBIC_METER', 'SP 811'],
    [1, 'VOLUME_OIL_BARREL', '158.9873', 'VOLUME_LITER', 'SP 811'],
    [1, 'VOLUME_OIL_BARREL', '42', 'VOLUME_GALLON_US', 'HB 44'],
    [1, 'VOLUME_CUBIC_METER', '1000', 'VOLUME_LITER', 'SP 811'],
    [1, 'FLOW_CUBIC_FEET_PER_SECOND', '0.02831685', 'FLOW_CUBIC_METER_PER_SECOND', 'SP 811'],
    [86_400, 'FLOW_BARRELS_PER_DAY', '0.1589873', 'FLOW_CUBIC_METER_PER_SECOND', 'SP 811, for a barrel'],
    [1, 'FLOW_CUBIC_METER_PER_SECOND', '3600', 'FLOW_CUBIC_METER_PER_HOUR', 'SI'],
    [1, 'FLOW_CUBIC_METER_PER_HOUR', '1000', 'FLOW_LITER_PER_HOUR', 'SP 811'],
    [1, 'FLOW_LITER_PER_SECOND', '3600', 'FLOW_LITER_PER_HOUR', 'SP 811'],
    [1, 'FLOW_CUBIC_FEET_PER_SECOND', '3600', 'FLOW_CUBIC_FEET_PER_HOUR', 'SP 811'],
    [1, 'FUEL_EFFICIENCY_MILE_PER_US_GALLON', '0.4251437', 'FUEL_EFFICIENCY_KILOMETER_PER_LITER', 'SP 811'],
    [1, 'FUEL_EFFICIENCY_MILE_PER_US_GALLON', '235.215', 'FUEL_EFFICIENCY_LITER_PER_100_KILOMETER', 'SP 811, B.5'],
    [1.609344, 'FUEL_EFFICIENCY_KILOMETER_PER_LITER', '4.54609', 'FUEL_EFFICIENCY_MILE_PER_IMPERIAL_GALLON', 'SP 811'],
    [8, 'FUEL_EFFICIENCY_LITER_PER_100_KILOMETER', '12.5', 'FUEL_EFFICIENCY_KILOMETER_PER_LITER', 'definition'],
    [1, 'FUEL_EFFICIENCY_KILOMETER_PER_LITER', '3.785412', 'FUEL_EFFICIENCY_KILOMETER_PER_US_GALLON', 'SP 811'],
    [1, 'FUEL_EFFICIENCY_KILOMETER_PER_LITER', '4.54609', 'FUEL_EFFICIENCY_KILOMETER_PER_IMPERIAL_GALLON', 'SP 811'],
    [1.609344, 'FUEL_EFFICIENCY_KILOMETER_PER_LITER', '1', 'FUEL_EFFICIENCY_MILE_PER_LITER', 'SP 811'],
    [0, 'TEMPERATURE_DEGREES_CELSIUS', '273.15', 'TEMPERATURE_KELVIN', 'SP 811'],
    [32, 'TEMPERATURE_DEGREES_FAHRENHEIT', '0', 'TEMPERATURE_DEGREES_CELSIUS', 'SP 811'],
    [212, 'TEMPERATURE_DEGREES_FAHRENHEIT', '100', 'TEMPERATURE_DEGREES_CELSIUS', 'SP 811'],
    [-40, 'TEMPERATURE_DEGREES_CELSIUS', '-40', 'TEMPERATURE_DEGREES_FAHRENHEIT', 'SP 811'],
    [0, 'TEMPERATURE_KELVIN', '-459.67', 'TEMPERATURE_DEGREES_FAHRENHEIT', 'SP 811'],
    [1, 'DURATION_SECONDS', '1000', 'DURATION_MILLISECONDS', 'SI prefix'],
    [1, 'DURATION_HOURS', '60', 'DURATION_MINUTES', 'SI'],
    [1, 'DURATION_DAYS', '86400', 'DURATION_SECONDS', 'SI'],
    [1, 'DURATION_WEEKS', '7', 'DURATION_DAYS', 'definition'],
  ];

test.each(PUBLISHED)('converts %d %s to %s %s [%5$s]', (amount, from, result, to) => {
  const digits = result.replace(/^-?[0.]*/, '').replace('.', '').length;
  const rounded = Number(convert(amount, unitNamed(from), unitNamed(to))?.toPrecision(Math.max(1, digits)));
  expect(rounded).toBe(Number(result));
});

test('the published conversions cover every unit that can be converted', () => {
  const coveredUnits = new Set(PUBLISHED.flatMap(([, from, , to]) => [unitNamed(from), unitNamed(to)]));
  const missingUnits = units.filter((unit) => !coveredUnits.has(unit));
  expect(missingUnits.map(({ symbol }) => symbol).toSorted()).toEqual(['%', 'mV', 'per 24 h', 'rpm']);
});

const kindArbitrary = fc.constantFrom(...new Set(units.map(({ kind }) => kind)));
const unitsOfOneKind = kindArbitrary.chain((kind) => {
  const unit = fc.constantFrom(...units.filter((item) => item.kind === kind));
  return fc.tuple(unit, unit, unit);
});

/** Values in a physically realistic range. Other values could give results that are too large or small for doubles. */
const amount = fc.double({ min: 1e-9, max: 1e12, noNaN: true });
const signedAmount = fc.tuple(amount, fc.boolean()).map(([value, negative]) => (negative ? -value : value));

const isNear = (value: number | undefined, expected: number, scale: number): boolean =>
  Math.abs(Number(value) - expected) <= 1e-12 * scale;

/** Returns the size of a value. Adds the offset that a temperature conversion uses, because it limits the precision. */
const sizeOf = (value: number, { kind }: Unit): number => Math.abs(value) + (kind === 'temperature' ? 500 : 0);

test('returns the original value after converting it there and back', () => {
  fc.assert(
    fc.property(unitsOfOneKind, signedAmount, ([from, to], value) => {
      expect(isNear(convert(convert(value, from, to)!, to, from), value, sizeOf(value, from))).toBe(true);
    }),
  );
});

test('gives the same result through a third unit', () => {
  fc.assert(
    fc.property(unitsOfOneKind, signedAmount, ([from, via, to], value) => {
      const directResult = convert(value, from, to)!;
      expect(isNear(convert(convert(value, from, via)!, via, to), directResult, sizeOf(directResult, to))).toBe(true);
    }),
  );
});

test('preserves the order of values and reverses it for a reciprocal unit', () => {
  fc.assert(
    fc.property(unitsOfOneKind, amount, amount, ([from, to], left, right) => {
      fc.pre(left < right);
      const [first, second] = [convert(left, from, to)!, convert(right, from, to)!];
      const isReversed = from.scale.reciprocal !== to.scale.reciprocal;
      expect(isReversed ? first >= second : first <= second).toBe(true);
    }),
  );
});

test('calculates with decimals, without binary rounding errors', () => {
  const meters = (value: number, to: UnitName) => convert(value, unitNamed('DISTANCE_METER'), unitNamed(to));
  expect(meters(1.1, 'DISTANCE_CENTIMETER')).toBe(110);
  expect(meters(0.3048, 'DISTANCE_FOOT')).toBe(1);
  expect(convert(293.25, unitNamed('TEMPERATURE_KELVIN'), unitNamed('TEMPERATURE_DEGREES_CELSIUS'))).toBe(20.1);
  expect(convert(3, unitNamed('DISTANCE_FOOT'), unitNamed('DISTANCE_YARD'))).toBe(1);
});

test('returns no infinite results and no negative zero', () => {
  const [perDistance, perVolume] = (
    ['FUEL_EFFICIENCY_LITER_PER_100_KILOMETER', 'FUEL_EFFICIENCY_KILOMETER_PER_LITER'] as const
  ).map(unitNamed) as [Unit, Unit];
  expect(convert(0, perDistance, perVolume)).toBeUndefined();
  expect(convert(0, perVolume, perDistance)).toBeUndefined();
  const [km, mm] = [unitNamed('DISTANCE_KILOMETER'), unitNamed('DISTANCE_MILLIMETER')];
  expect(convert(Number.MAX_VALUE, km, mm)).toBeUndefined();
  expect(convert(Number.MIN_VALUE, mm, km)).toBe(0);
  expect(convert(-0, km, mm)).toBe(0);
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
    expect(() => convert(value, km, mm)).toThrow(`${value} km can't be converted, because it is not a finite number.`);
  }
  expect(() => convert(1, km, perVolume)).toThrow("km can't be converted to km/L.");
});

test('every unit has a symbol and is found by its number in the enum of its kind', () => {
  expect(units).toHaveLength(Object.keys(UnitOfMeasurement).length - 2);
  for (const unit of units) expect(unitOfKind(unit.kind, unit.member)).toBe(unit);
  expect(new Set(units.map(({ symbol }) => symbol)).size).toBe(units.length);
  expect(unitOf(UnitOfMeasurement.UNIT_UNKNOWN)).toBeUndefined();
  expect(unitOf(UnitOfMeasurement.OTHER)).toBeUndefined();
  expect(unitOfKind('pressure', 0)?.symbol).toBe('bar');
  expect(unitOfKind('pressure', 99)).toBeUndefined();
});
