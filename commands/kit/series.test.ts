import { create } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';

import { unitOf } from '#commands/units/table.ts';
import { UnitOfMeasurement } from '#proto/gen/hiber/unit_pb.ts';
import { ValueContextSchema, type ValueContext } from '#proto/gen/hiber/value_service_pb.ts';

import { toSeries } from './series.ts';

/** Creates a number of a field, as the server sends it. */
function number(minute: number, value: number, text: string, unit: UnitOfMeasurement): ValueContext {
  return create(ValueContextSchema, {
    field: 'pressure',
    time: { timestamp: { seconds: BigInt(minute * 60) } },
    valueType: {
      case: 'value',
      value: {
        value: {
          case: 'numeric',
          value: { value, formatted: text, unit, unitSymbol: unitOf(unit)?.symbol ?? '' },
        },
      },
    },
  });
}

const shown = (values: readonly ValueContext[]) =>
  toSeries(values).map(({ unit, points }) => [unit, ...points.map(({ value, text }) => `${value} ${text}`)]);

test('converts values to the unit of the newest, with as many decimals', () => {
  expect(
    shown([
      number(0, 100, '100', UnitOfMeasurement.PRESSURE_K_PA),
      number(1, 250, '250', UnitOfMeasurement.PRESSURE_K_PA),
      number(2, 3, '3.00', UnitOfMeasurement.PRESSURE_BAR),
    ]),
  ).toEqual([['bar', '1 1.00', '2.5 2.50', '3 3.00']]);
});

test('converts units with an offset', () => {
  expect(
    shown([
      number(0, 50, '50', UnitOfMeasurement.TEMPERATURE_DEGREES_FAHRENHEIT),
      number(1, 20, '20.0', UnitOfMeasurement.TEMPERATURE_DEGREES_CELSIUS),
    ]),
  ).toEqual([['°C', '10 10.0', '20 20.0']]);
});

test('keeps values apart that cannot be converted to one another', () => {
  expect(
    shown([
      number(0, 20, '20.0', UnitOfMeasurement.TEMPERATURE_DEGREES_CELSIUS),
      number(1, 7, '7', UnitOfMeasurement.UNIT_UNKNOWN),
      number(2, 3, '3.00', UnitOfMeasurement.PRESSURE_BAR),
      number(3, 300, '300', UnitOfMeasurement.PRESSURE_K_PA),
    ]),
  ).toEqual([
    ['°C', '20 20.0'],
    ['', '7 7'],
    ['kPa', '300 300', '300 300'],
  ]);
});

test('keeps a value apart that has no finite result in the unit', () => {
  expect(
    shown([
      number(0, 0, '0', UnitOfMeasurement.FUEL_EFFICIENCY_LITER_PER_100_KILOMETER),
      number(1, 10, '10', UnitOfMeasurement.FUEL_EFFICIENCY_KILOMETER_PER_LITER),
    ]),
  ).toEqual([
    ['L/100 km', '0 0'],
    ['km/L', '10 10'],
  ]);
});

test('keeps texts apart from numbers', () => {
  const text = create(ValueContextSchema, {
    field: 'pressure',
    time: { timestamp: { seconds: 0n } },
    valueType: { case: 'value', value: { value: { case: 'text', value: 'offline' } } },
  });
  expect(shown([text, number(1, 3, '3', UnitOfMeasurement.UNIT_UNKNOWN)])).toEqual([
    ['', 'NaN offline'],
    ['', '3 3'],
  ]);
});

test('keeps the color of an enum value', () => {
  const state = create(ValueContextSchema, {
    field: 'state',
    time: { timestamp: { seconds: 60n } },
    valueType: {
      case: 'value',
      value: { value: { case: 'enum', value: { value: 'open', displayName: 'Open', color: '#00ff00' } } },
    },
  });
  expect(toSeries([state])[0]?.points).toEqual([{ time: 60_000, value: NaN, text: 'Open', color: '#00ff00' }]);
});
