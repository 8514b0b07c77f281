import { UnitOfMeasurement } from '#proto/gen/hiber/unit_pb.ts';
import {
  Value_Numeric_Distance_DistanceUnit as Distance,
  Value_Numeric_Duration_DurationUnit as Duration,
  Value_Numeric_Flow_FlowUnit as Flow,
  Value_Numeric_FuelEfficiency_FuelEfficiencyUnit as FuelEfficiency,
  Value_Numeric_Mass_MassUnit as Mass,
  Value_Numeric_Percentage_PercentageUnit as Percentage,
  Value_Numeric_Pressure_PressureUnit as Pressure,
  Value_Numeric_Rate_RateUnit as Rate,
  Value_Numeric_RotationSpeed_RotationSpeedUnit as RotationSpeed,
  Value_Numeric_Speed_SpeedUnit as Speed,
  Value_Numeric_Temperature_TemperatureUnit as Temperature,
  Value_Numeric_Voltage_VoltageUnit as Voltage,
  Value_Numeric_Volume_VolumeUnit as Volume,
} from '#proto/gen/hiber/value_pb.ts';

/**
 * The kinds of units that can be converted to one another, named like the cases of the contract's `typed_value`. A
 * battery level is also a percentage.
 */
export type UnitKind =
  | 'distance'
  | 'duration'
  | 'flow'
  | 'fuelEfficiency'
  | 'mass'
  | 'percentage'
  | 'pressure'
  | 'rate'
  | 'rotationSpeed'
  | 'speed'
  | 'temperature'
  | 'voltage'
  | 'volume';

/**
 * The size of a unit in the base unit of its kind: `base = (value + offset) × factor ÷ divisor`, or, if reciprocal,
 * `base = factor ÷ divisor ÷ value`. All these numbers are exact decimals.
 */
export interface Scale {
  readonly factor: number;
  readonly divisor: number;
  readonly offset: number;
  readonly reciprocal: boolean;
}

export interface Unit {
  readonly id: UnitOfMeasurement;
  readonly kind: UnitKind;
  /** The unit's number in the enum of its kind. 0 is a valid unit. */
  readonly member: number;
  readonly symbol: string;
  readonly scale: Scale;
}

type Units = typeof UnitOfMeasurement;

/** The name of a unit that has a kind. Excludes the values for unset and unsupported units. */
export type UnitName = Exclude<keyof Units, 'UNIT_UNKNOWN' | 'OTHER'>;

// The definitions are exact. [SP 811] is NIST Special Publication 811 (2008). [HB 44] is NIST Handbook 44, appendix C.
// [SI] is the SI Brochure of the BIPM, 8th edition.

/** In meters [SP 811, B.8]. */
const FOOT = 0.3048;
const INCH = 0.0254;
const YARD = 0.9144;
const MILE = 1609.344;
/** In meters [SI, table 8]. A knot is one nautical mile per hour. */
const NAUTICAL_MILE = 1852;
/** In cubic meters: 231 cubic inches [HB 44]. */
const US_GALLON = 0.003785411784;
/** In cubic meters [SP 811, B.8]. */
const IMPERIAL_GALLON = 0.00454609;
/** In cubic meters: 42 US gallons [SP 811, B.8]. */
const OIL_BARREL = 0.158987294928;
/** In cubic meters: the cube of a foot. */
const CUBIC_FOOT = 0.028316846592;
/** In cubic meters [SI]. */
const LITER = 0.001;
/** In kilograms [SP 811, B.8]. */
const POUND = 0.45359237;
/** Standard acceleration of gravity, in m/s² [SP 811, B.8]. */
const GRAVITY = 9.80665;
/** In newtons: a pound under standard gravity [SP 811, B.8]. */
const POUND_FORCE = 4.4482216152605;
/** In square meters: the square of an inch. */
const SQUARE_INCH = 0.00064516;
const SQUARE_CENTIMETER = 0.0001;
/** In pascals [SP 811, B.8]. */
const BAR = 100_000;
/** Converts °C to K by addition [SP 811, B.8]. */
const CELSIUS_OFFSET = 273.15;
/** Converts °F to °R (1 °R = 5/9 K) by addition [SP 811, B.8]. */
const FAHRENHEIT_OFFSET = 459.67;
const KILOMETER = 1000;
const HOUR = 3600;
const DAY = 86_400;

const times = (factor: number, divisor = 1): Scale => ({ factor, divisor, offset: 0, reciprocal: false });

/** All units by name. The base units are the SI units. */
const DEFINITIONS: { readonly [Name in UnitName]: readonly [UnitKind, number, string, Scale] } = {
  DURATION_MILLISECONDS: ['duration', Duration.MILLISECONDS, 'ms', times(0.001)],
  DURATION_SECONDS: ['duration', Duration.SECONDS, 's', times(1)],
  DURATION_MINUTES: ['duration', Duration.MINUTES, 'min', times(60)],
  DURATION_HOURS: ['duration', Duration.HOURS, 'h', times(HOUR)],
  DURATION_DAYS: ['duration', Duration.DAYS, 'd', times(DAY)],
  DURATION_WEEKS: ['duration', Duration.WEEKS, 'w', times(7 * DAY)],
  FUEL_EFFICIENCY_LITER_PER_100_KILOMETER: [
    'fuelEfficiency',
    FuelEfficiency.LITER_PER_100_KILOMETER,
    'L/100 km',
    { ...times(100 * KILOMETER, LITER), reciprocal: true },
  ],
  FUEL_EFFICIENCY_KILOMETER_PER_LITER: [
    'fuelEfficiency',
    FuelEfficiency.KILOMETER_PER_LITER,
    'km/L',
    times(KILOMETER, LITER),
  ],
  FUEL_EFFICIENCY_KILOMETER_PER_US_GALLON: [
    'fuelEfficiency',
    FuelEfficiency.KILOMETER_PER_GALLON,
    'km/gal (US)',
    times(KILOMETER, US_GALLON),
  ],
  FUEL_EFFICIENCY_KILOMETER_PER_IMPERIAL_GALLON: [
    'fuelEfficiency',
    FuelEfficiency.KILOMETER_PER_IMPERIAL_GALLON,
    'km/gal (imperial)',
    times(KILOMETER, IMPERIAL_GALLON),
  ],
  FUEL_EFFICIENCY_MILE_PER_US_GALLON: [
    'fuelEfficiency',
    FuelEfficiency.MILES_PER_GALLON,
    'mi/gal (US)',
    times(MILE, US_GALLON),
  ],
  FUEL_EFFICIENCY_MILE_PER_IMPERIAL_GALLON: [
    'fuelEfficiency',
    FuelEfficiency.MILES_PER_IMPERIAL_GALLON,
    'mi/gal (imperial)',
    times(MILE, IMPERIAL_GALLON),
  ],
  FUEL_EFFICIENCY_MILE_PER_LITER: ['fuelEfficiency', FuelEfficiency.MILES_PER_LITER, 'mi/L', times(MILE, LITER)],
  DISTANCE_METER: ['distance', Distance.METER, 'm', times(1)],
  DISTANCE_MILLIMETER: ['distance', Distance.MILLIMETER, 'mm', times(0.001)],
  DISTANCE_CENTIMETER: ['distance', Distance.CENTIMETER, 'cm', times(0.01)],
  DISTANCE_KILOMETER: ['distance', Distance.KILOMETER, 'km', times(KILOMETER)],
  DISTANCE_NAUTICAL_MILE: ['distance', Distance.NAUTICAL_MILE, 'nmi', times(NAUTICAL_MILE)],
  DISTANCE_MILE: ['distance', Distance.MILE, 'mi', times(MILE)],
  DISTANCE_YARD: ['distance', Distance.YARD, 'yd', times(YARD)],
  DISTANCE_FOOT: ['distance', Distance.FOOT, 'ft', times(FOOT)],
  DISTANCE_INCH: ['distance', Distance.INCH, 'in', times(INCH)],
  PERCENT: ['percentage', Percentage.PERCENT, '%', times(1)],
  PRESSURE_BAR: ['pressure', Pressure.BAR, 'bar', times(BAR)],
  PRESSURE_PSI: ['pressure', Pressure.PSI, 'psi', times(POUND_FORCE, SQUARE_INCH)],
  PRESSURE_K_PA: ['pressure', Pressure.K_PA, 'kPa', times(1000)],
  PRESSURE_KILOGRAM_PER_CENTIMETER_SQUARED: [
    'pressure',
    Pressure.KILOGRAM_PER_CENTIMETER_SQUARED,
    'kg/cm²',
    times(GRAVITY, SQUARE_CENTIMETER),
  ],
  SPEED_KILOMETERS_PER_HOUR: ['speed', Speed.KILOMETERS_PER_HOUR, 'km/h', times(KILOMETER, HOUR)],
  SPEED_KNOTS: ['speed', Speed.KNOTS, 'kn', times(NAUTICAL_MILE, HOUR)],
  SPEED_METERS_PER_SECOND: ['speed', Speed.METERS_PER_SECOND, 'm/s', times(1)],
  SPEED_MILES_PER_HOUR: ['speed', Speed.MILES_PER_HOUR, 'mph', times(MILE, HOUR)],
  SPEED_FEET_PER_SECOND: ['speed', Speed.FEET_PER_SECOND, 'ft/s', times(FOOT)],
  TEMPERATURE_KELVIN: ['temperature', Temperature.KELVIN, 'K', times(1)],
  TEMPERATURE_DEGREES_CELSIUS: [
    'temperature',
    Temperature.DEGREES_CELSIUS,
    '°C',
    { ...times(1), offset: CELSIUS_OFFSET },
  ],
  TEMPERATURE_DEGREES_FAHRENHEIT: [
    'temperature',
    Temperature.DEGREES_FAHRENHEIT,
    '°F',
    { ...times(5, 9), offset: FAHRENHEIT_OFFSET },
  ],
  VOLTAGE_MILLIVOLT: ['voltage', Voltage.MILLIVOLT, 'mV', times(0.001)],
  VOLUME_LITER: ['volume', Volume.LITER, 'L', times(LITER)],
  VOLUME_GALLON_US: ['volume', Volume.GALLON_US, 'gal (US)', times(US_GALLON)],
  VOLUME_GALLON_IMPERIAL: ['volume', Volume.GALLON_IMPERIAL, 'gal (imperial)', times(IMPERIAL_GALLON)],
  VOLUME_CUBIC_METER: ['volume', Volume.CUBIC_METER, 'm³', times(1)],
  VOLUME_CUBIC_FOOT: ['volume', Volume.CUBIC_FEET, 'ft³', times(CUBIC_FOOT)],
  VOLUME_OIL_BARREL: ['volume', Volume.OIL_BARREL, 'bbl', times(OIL_BARREL)],
  MASS_KILOGRAMS: ['mass', Mass.KILOGRAMS, 'kg', times(1)],
  MASS_POUNDS: ['mass', Mass.POUNDS, 'lb', times(POUND)],
  FLOW_BARRELS_PER_DAY: ['flow', Flow.BARRELS_PER_DAY, 'bbl/d', times(OIL_BARREL, DAY)],
  FLOW_CUBIC_METER_PER_HOUR: ['flow', Flow.CUBIC_METER_PER_HOUR, 'm³/h', times(1, HOUR)],
  FLOW_CUBIC_METER_PER_SECOND: ['flow', Flow.CUBIC_METER_PER_SECOND, 'm³/s', times(1)],
  FLOW_LITER_PER_HOUR: ['flow', Flow.LITER_PER_HOUR, 'L/h', times(LITER, HOUR)],
  FLOW_LITER_PER_SECOND: ['flow', Flow.LITER_PER_SECOND, 'L/s', times(LITER)],
  FLOW_CUBIC_FEET_PER_HOUR: ['flow', Flow.CUBIC_FEET_PER_HOUR, 'ft³/h', times(CUBIC_FOOT, HOUR)],
  FLOW_CUBIC_FEET_PER_SECOND: ['flow', Flow.CUBIC_FEET_PER_SECOND, 'ft³/s', times(CUBIC_FOOT)],
  REVOLUTIONS_PER_MINUTE: ['rotationSpeed', RotationSpeed.REVOLUTIONS_PER_MINUTE, 'rpm', times(1)],
  ITEMS_PER_24_HOURS: ['rate', Rate.ITEMS_PER_24_HOURS, 'per 24 h', times(1)],
};

const units: ReadonlyMap<UnitOfMeasurement, Unit> = new Map(
  Object.entries(DEFINITIONS).map(([name, [kind, member, symbol, scale]]) => {
    const id = UnitOfMeasurement[name as UnitName];
    return [id, { id, kind, member, symbol, scale }];
  }),
);

/** Returns a unit, or undefined if it is unset, unsupported, or unknown to this version of the contract. */
export function unitOf(id: UnitOfMeasurement): Unit | undefined {
  return units.get(id);
}

/** Returns the unit with this number in the enum of its kind. */
export function unitOfKind(kind: UnitKind, member: number): Unit | undefined {
  return [...units.values()].find((unit) => unit.kind === kind && unit.member === member);
}
