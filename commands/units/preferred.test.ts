import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';

import { UnitOfMeasurement } from '#proto/gen/hiber/unit_pb.ts';
import { UnitPreferences_UnitCategory as System, UnitPreferencesSchema } from '#proto/gen/hiber/unit_preferences_pb.ts';
import { Value_Numeric_Temperature_TemperatureUnit as Temperature } from '#proto/gen/hiber/value_pb.ts';

import { preferredFormat, preferredUnit, systemUnits } from './preferred.ts';
import { unitOf } from './table.ts';

const units = Object.values(UnitOfMeasurement).flatMap((id) => unitOf(id) ?? []);

function symbols(preferences: MessageInitShape<typeof UnitPreferencesSchema>): Readonly<Record<string, string>> {
  const message = create(UnitPreferencesSchema, preferences);
  const changed = units.filter((unit) => preferredUnit(unit, message) !== unit);
  return Object.fromEntries(changed.map((unit) => [unit.symbol, preferredUnit(unit, message).symbol]));
}

const everySystem = (preference: System) => ({
  distancePreference: { preference },
  massPreference: { preference },
  speedPreference: { preference },
  volumePreference: { preference },
});

test('replaces metric units with imperial units of similar size', () => {
  expect(symbols(everySystem(System.IMPERIAL))).toEqual({
    mm: 'in',
    cm: 'in',
    m: 'ft',
    km: 'mi',
    kg: 'lb',
    'km/h': 'mph',
    'm/s': 'ft/s',
    L: 'gal (US)',
    'm³': 'ft³',
  });
});

test('replaces imperial units with metric units of similar size', () => {
  expect(symbols(everySystem(System.METRIC))).toEqual({
    in: 'mm',
    ft: 'm',
    yd: 'm',
    mi: 'km',
    lb: 'kg',
    mph: 'km/h',
    'ft/s': 'm/s',
    'gal (US)': 'L',
    'gal (imperial)': 'L',
    'ft³': 'm³',
    bbl: 'm³',
  });
});

test('lists the units of a system', () => {
  const symbolsOf = (system: System) => systemUnits('volume', system).map(({ symbol }) => symbol);
  expect(symbolsOf(System.METRIC)).toEqual(['L', 'm³']);
  expect(symbolsOf(System.IMPERIAL)).toEqual(['gal (US)', 'ft³']);
  expect(systemUnits('pressure', System.METRIC)).toEqual([]);
});

test('applies a preference for the unit 0 but not a missing preference', () => {
  expect(symbols({ temperaturePreference: { preference: Temperature.KELVIN } })).toEqual({ '°C': 'K', '°F': 'K' });
  expect(symbols({ temperaturePreference: {} })).toEqual({ '°C': 'K', '°F': 'K' });
  expect(symbols({})).toEqual({});
});

test('ignores a preference for an unknown unit from a later contract', () => {
  expect(symbols({ temperaturePreference: { preference: 99 as Temperature } })).toEqual({});
});

test("uses the preferred format instead of the field's format", () => {
  const format = { round: { case: 'roundToScale', value: 1 } } as const;
  const preferences = create(UnitPreferencesSchema, { percentagePreference: { format }, massPreference: {} });
  const ownFormat = { round: { case: 'roundToInteger', value: true }, roundingMode: 0 } as const;
  expect(preferredFormat('percentage', preferences, ownFormat)?.round).toEqual(format.round);
  expect(preferredFormat('mass', preferences, ownFormat)).toBe(ownFormat);
  expect(preferredFormat('duration', preferences, ownFormat)).toBe(ownFormat);
});
