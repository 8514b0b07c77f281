import { create } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';

import { FieldSchema } from '#proto/gen/hiber/field_pb.ts';
import { UnitPreferencesSchema } from '#proto/gen/hiber/unit_preferences_pb.ts';
import {
  Value_Numeric_FuelEfficiency_FuelEfficiencyUnit as FuelEfficiency,
  Value_Numeric_Pressure_PressureUnit as Pressure,
} from '#proto/gen/hiber/value_pb.ts';

import { declaredLabels, shownChange } from './labels.ts';
import { missingFields, resultNodes } from './result.ts';
import { lineOf, readHex } from './trial.ts';

const pressure = create(FieldSchema, {
  field: '$.sensors[0].pressure',
  displayName: 'Pressure',
  details: {
    case: 'numeric',
    value: {
      unit: { unit: { case: 'pressure', value: Pressure.BAR }, symbol: 'bar' },
      format: { round: { case: 'roundToScale', value: 2 } },
    },
  },
});
const state = create(FieldSchema, {
  field: 'state',
  optional: true,
  details: { case: 'enum', value: { values: [{ value: 'open', displayName: 'Open' }] } },
});

test('a tree has the format and the unit of each declared field', () => {
  const labels = declaredLabels([pressure, state]);
  const nodes = resultNodes({ sensors: [{ pressure: 1.2345 }], state: 'open', raw: 0.1 }, labels);
  expect(nodes.map(({ path, depth, text, unit }) => [path, depth, text, unit])).toEqual([
    ['sensors', 0, undefined, ''],
    ['sensors[0]', 1, undefined, ''],
    ['sensors[0].pressure', 2, '1.23', 'bar'],
    ['state', 0, 'Open', ''],
    ['raw', 0, '0.1', ''],
  ]);
});

describe('the units that the user prefers', () => {
  const battery = create(FieldSchema, {
    field: 'battery',
    details: { case: 'numeric', value: { unit: { unit: { case: 'batteryLevel', value: 0 } } } },
  });
  const use = create(FieldSchema, {
    field: 'use',
    details: {
      case: 'numeric',
      value: { unit: { unit: { case: 'fuelEfficiency', value: FuelEfficiency.LITER_PER_100_KILOMETER } } },
    },
  });
  const format = { round: { case: 'roundToScale', value: 1 } } as const;
  const preferences = create(UnitPreferencesSchema, {
    pressurePreference: { preference: Pressure.PSI, format },
    percentagePreference: { format },
    fuelEfficiencyPreference: { preference: FuelEfficiency.KILOMETER_PER_LITER },
  });
  const labels = declaredLabels([pressure, state, battery, use], preferences);

  test('are those of a tree, which keeps the declared values', () => {
    const result = { sensors: [{ pressure: 1.25 }], state: 'open', battery: 98.25, use: 0, raw: 0.1 };
    const nodes = resultNodes(result, labels).filter(({ text }) => text !== undefined);
    expect(nodes.map(({ path, text, unit, declared }) => [path, text, unit, declared])).toEqual([
      ['sensors[0].pressure', '18.1', 'psi', '1.25 bar'],
      ['state', 'Open', '', undefined],
      ['battery', '98.25', '%', undefined],
      ['use', '0', 'L/100 km', undefined],
      ['raw', '0.1', '', undefined],
    ]);
  });

  test('are those of a changed value, which keeps all digits in the declared unit', () => {
    const path = 'sensors[0].pressure';
    expect(shownChange('1.2500001', path, labels)).toEqual({ text: '18.1 psi', declared: '1.2500001 bar' });
    expect(shownChange('1.2500001', path, declaredLabels([pressure]))).toEqual({ text: '1.2500001 bar' });
    expect([shownChange('"n/a"', path, labels), shownChange('1', 'raw', labels)]).toEqual([
      { text: '"n/a"' },
      { text: '1' },
    ]);
  });
});

test('a result without a required field is incomplete', () => {
  expect(missingFields([pressure, state], { sensors: [] })).toEqual(['$.sensors[0].pressure']);
});

test('reads hexadecimal digits in the forms that people copy', () => {
  expect(['10 0d', '0x100D', '10:0D', '10-0d', '1', 'xy', ''].map(readHex)).toEqual([
    '100D',
    '100D',
    '100D',
    '100D',
    undefined,
    undefined,
    '',
  ]);
});

test('reads the line number from an error', () => {
  expect([lineOf('Line 12: Unknown type.'), lineOf('Field level: no.')]).toEqual([12, undefined]);
});
