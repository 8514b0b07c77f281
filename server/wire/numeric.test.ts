import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';

import {
  Field_Numeric_FormatSchema,
  Field_Numeric_UnitSchema,
  Field_NumericSchema,
} from '#proto/gen/hiber/field_pb.ts';
import { UnitOfMeasurement as U } from '#proto/gen/hiber/unit_pb.ts';
import { UnitPreferences_UnitCategory as System, UnitPreferencesSchema } from '#proto/gen/hiber/unit_preferences_pb.ts';
import {
  Value_Numeric_FuelEfficiency_FuelEfficiencyUnit as FuelEfficiency,
  Value_Numeric_Pressure_PressureUnit as Pressure,
  Value_Numeric_Temperature_TemperatureUnit as Temperature,
  Value_Numeric_Type as Type,
  Value_NumericSchema,
} from '#proto/gen/hiber/value_pb.ts';

import { numericPresenter, presentQuantity, readUnit, type Quantity } from './numeric.ts';

const createPreferences = (init: MessageInitShape<typeof UnitPreferencesSchema>) => create(UnitPreferencesSchema, init);

const twoDecimals = create(Field_Numeric_FormatSchema, { round: { case: 'roundToScale', value: 2 } });

const quantity = (type: Type, unit: U, format?: Quantity['format']): Quantity => ({ type, unit, format });

const presentNumber = (value: number, field: Quantity, preferences?: MessageInitShape<typeof UnitPreferencesSchema>) =>
  create(Value_NumericSchema, numericPresenter(field, preferences && createPreferences(preferences))(value));

const pressure = quantity(Type.PRESSURE, U.PRESSURE_BAR, twoDecimals);
const psi = { pressurePreference: { preference: Pressure.PSI } };

describe('a number', () => {
  test('stays in the unit and format of its field without preferences', () => {
    for (const preferences of [undefined, {}, { massPreference: { preference: System.IMPERIAL } }]) {
      expect(presentNumber(12.345, pressure, preferences)).toMatchObject({
        type: Type.PRESSURE,
        value: 12.345,
        typedValue: { case: 'pressure', value: { unit: Pressure.BAR } },
        unit: U.PRESSURE_BAR,
        unitSymbol: 'bar',
        formatted: '12.35',
        textual: '12.35 bar',
      });
      expect(presentNumber(12.345, pressure, preferences).convertedFrom).toBeUndefined();
    }
  });

  test('is converted to the preferred unit and states its original unit', () => {
    expect(presentNumber(10, pressure, psi)).toMatchObject({
      value: 145.03773773020922,
      typedValue: { case: 'pressure', value: { unit: Pressure.PSI } },
      unit: U.PRESSURE_PSI,
      convertedFrom: U.PRESSURE_BAR,
      unitSymbol: 'psi',
      formatted: '145.04',
      textual: '145.04 psi',
    });
  });

  test('has no original unit if the preferred unit is its own, even if that is unit 0', () => {
    const { convertedFrom, unitSymbol } = presentNumber(1, pressure, {
      pressurePreference: { preference: Pressure.BAR },
    });
    expect([convertedFrom, unitSymbol]).toEqual([undefined, 'bar']);
    const celsius = quantity(Type.TEMPERATURE, U.TEMPERATURE_DEGREES_CELSIUS);
    expect(presentNumber(20, celsius, { temperaturePreference: { preference: Temperature.KELVIN } })).toMatchObject({
      value: 293.15,
      typedValue: { case: 'temperature', value: { unit: Temperature.KELVIN } },
      unit: U.TEMPERATURE_KELVIN,
      textual: '293.15 K',
    });
  });

  test('is rounded as the user prefers, or else as the field specifies', () => {
    const format = { round: { case: 'roundToInteger', value: true } } as const;
    const inPercent = quantity(Type.PERCENTAGE, U.PERCENT, twoDecimals);
    expect(presentNumber(45.5, inPercent).textual).toBe('45.50%');
    expect(presentNumber(45.5, inPercent, { percentagePreference: { format } }).textual).toBe('46%');
  });

  test('is not converted if it is a battery level, a rate, a duration, or unclassified', () => {
    const format = { round: { case: 'roundToInteger', value: true } } as const;
    const preferences = { ...psi, percentagePreference: { format } };
    expect(presentNumber(45.5, quantity(Type.BATTERY_LEVEL, U.PERCENT), preferences)).toMatchObject({
      typedValue: { case: 'batteryLevel', value: { unit: 0 } },
      textual: '45.5%',
    });
    expect(presentNumber(12.6, quantity(Type.RATE, U.ITEMS_PER_24_HOURS), preferences)).toMatchObject({
      typedValue: { case: 'rate', value: { value: 13 } },
      textual: '12.6 per 24 h',
    });
    expect(presentNumber(-1.5, quantity(Type.DURATION, U.DURATION_MINUTES), preferences)).toMatchObject({
      typedValue: { case: 'duration', value: { unit: 2, duration: { seconds: -90n, nanos: 0 } } },
      textual: '-1.5 min',
    });
    expect(presentNumber(7, quantity(Type.OTHER, U.OTHER), preferences)).toMatchObject({
      typedValue: { case: 'other' },
      unit: U.OTHER,
      unitSymbol: '',
      textual: '7',
    });
    expect(presentNumber(7, quantity(Type.TYPE_UNKNOWN, U.UNIT_UNKNOWN), preferences)).toMatchObject({
      typedValue: { case: 'unknown', value: 7 },
      textual: '7',
    });
  });

  test('stays in its unit if the preferred unit has no finite result', () => {
    const consumption = quantity(Type.FUEL_EFFICIENCY, U.FUEL_EFFICIENCY_LITER_PER_100_KILOMETER);
    const preferences = { fuelEfficiencyPreference: { preference: FuelEfficiency.KILOMETER_PER_LITER } };
    expect(presentNumber(8, consumption, preferences).textual).toBe('12.5 km/L');
    const unpreferredFlow = presentNumber(0, consumption, preferences);
    expect(unpreferredFlow).toMatchObject({ value: 0, textual: '0 L/100 km', typedValue: { value: { unit: 0 } } });
    expect(unpreferredFlow.convertedFrom).toBeUndefined();
  });

  test("has no duration beyond protobuf's range, and no rate beyond its integer's range", () => {
    const { typedValue: endless } = presentNumber(1e300, quantity(Type.DURATION, U.DURATION_WEEKS));
    expect(endless).toMatchObject({ case: 'duration', value: { unit: 5 } });
    expect(endless.value).not.toHaveProperty('duration');
    expect(presentNumber(0.0015, quantity(Type.DURATION, U.DURATION_SECONDS)).typedValue.value).toMatchObject({
      duration: { seconds: 0n, nanos: 1_500_000 },
    });
    for (const [value, integer] of [
      [-3, 0],
      [1e12, 4_294_967_295],
    ] as const) {
      const { typedValue } = presentNumber(value, quantity(Type.RATE, U.ITEMS_PER_24_HOURS));
      expect(typedValue).toMatchObject({ value: { value: integer } });
    }
  });

  test('must be finite', () => {
    expect(() => presentNumber(Number.NaN, pressure)).toThrow(
      "NaN bar can't be converted, because it is not a finite number.",
    );
    expect(() => presentNumber(Infinity, quantity(Type.OTHER, U.OTHER))).toThrow("Infinity can't be shown");
  });
});

describe('a field', () => {
  test('has the preferred unit and format, and states its own unit if it was converted', () => {
    const preferredNumeric = create(Field_NumericSchema, presentQuantity(pressure, createPreferences(psi)));
    expect(preferredNumeric).toMatchObject({
      type: Type.PRESSURE,
      format: { round: { case: 'roundToScale', value: 2 } },
      unit: { unit: { case: 'pressure', value: Pressure.PSI }, symbol: 'psi' },
      convertedFrom: { unit: { case: 'pressure', value: Pressure.BAR }, symbol: 'bar' },
    });
    expect(presentQuantity(pressure)).not.toHaveProperty('convertedFrom');
    expect(presentQuantity(quantity(Type.OTHER, U.OTHER))).toEqual({ type: Type.OTHER });
  });

  test('reads every unit that it presents', () => {
    const types = Object.values(Type);
    const readable = Object.values(U).filter((unit) =>
      types.some((type) => {
        const { unit: shown } = create(Field_NumericSchema, presentQuantity(quantity(type, unit)));
        const result = shown && readUnit(shown);
        return result?.type === type && result.unit === unit;
      }),
    );
    expect(readable).toHaveLength(Object.values(U).length - 2);
    expect(readUnit(create(Field_Numeric_UnitSchema, {}))).toBeUndefined();
    const battery = create(Field_Numeric_UnitSchema, { unit: { case: 'batteryLevel', value: 0 } });
    expect(readUnit(battery)).toEqual({ type: Type.BATTERY_LEVEL, unit: U.PERCENT });
  });
});
