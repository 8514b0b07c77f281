import type { MessageInitShape } from '@bufbuild/protobuf';

import { converter } from '#commands/units/convert.ts';
import { formatNumber, withSymbol, type NumberFormat } from '#commands/units/format.ts';
import { preferredFormat, preferredUnit } from '#commands/units/preferred.ts';
import { unitOf, unitOfKind, type Unit, type UnitKind } from '#commands/units/table.ts';
import type { Field_Numeric_Unit, Field_Numeric_UnitSchema, Field_NumericSchema } from '#proto/gen/hiber/field_pb.ts';
import { UnitOfMeasurement } from '#proto/gen/hiber/unit_pb.ts';
import type { UnitPreferences } from '#proto/gen/hiber/unit_preferences_pb.ts';
import { Value_Numeric_Type as NumericType, type Value_NumericSchema } from '#proto/gen/hiber/value_pb.ts';

import { isSupportedDuration } from './requests/times.ts';

/** How a field declares its numbers. */
export interface Quantity {
  readonly type: NumericType;
  /** A unit of that type; OTHER or unset if the field has none. */
  readonly unit: UnitOfMeasurement;
  readonly format: NumberFormat | undefined;
}

type NumericInit = MessageInitShape<typeof Value_NumericSchema>;
type TypedValue = NonNullable<NumericInit['typedValue']>;
type FieldUnit = MessageInitShape<typeof Field_Numeric_UnitSchema>['unit'];

type UnitCase = UnitKind | 'batteryLevel';

/** The members of the oneof for each type that has units, which values and fields share. */
const CASES: ReadonlyMap<NumericType, UnitCase> = new Map<NumericType, UnitCase>([
  [NumericType.BATTERY_LEVEL, 'batteryLevel'],
  [NumericType.DISTANCE, 'distance'],
  [NumericType.DURATION, 'duration'],
  [NumericType.FLOW, 'flow'],
  [NumericType.FUEL_EFFICIENCY, 'fuelEfficiency'],
  [NumericType.MASS, 'mass'],
  [NumericType.PERCENTAGE, 'percentage'],
  [NumericType.PRESSURE, 'pressure'],
  [NumericType.RATE, 'rate'],
  [NumericType.ROTATION_SPEED, 'rotationSpeed'],
  [NumericType.SPEED, 'speed'],
  [NumericType.TEMPERATURE, 'temperature'],
  [NumericType.VOLTAGE, 'voltage'],
  [NumericType.VOLUME, 'volume'],
]);

const TYPES: ReadonlyMap<string, NumericType> = new Map([...CASES].map(([type, unitCase]) => [unitCase, type]));

const kindOf = (unitCase: UnitCase): UnitKind => (unitCase === 'batteryLevel' ? 'percentage' : unitCase);

/** True if numbers of this type can have the unit. */
export function hasUnit(type: NumericType, unit: UnitOfMeasurement): boolean {
  const unitCase = CASES.get(type);
  return unitCase === undefined || unitOf(unit)?.kind === kindOf(unitCase);
}

/** The unit and format that the caller prefers for a quantity. */
interface Preferred {
  readonly unit: Unit | undefined;
  /** The unit of the field. */
  readonly from: Unit | undefined;
  readonly format: NumberFormat | undefined;
}

/** Battery levels, rates, and other types are never converted (contract: Value). */
function preferredUnitOf({ type, unit: id, format }: Quantity, preferences: UnitPreferences | undefined): Preferred {
  const from = unitOf(id);
  const unitCase = CASES.get(type);
  if (!from || from.kind !== unitCase || !preferences) return { unit: from, from, format };
  return { unit: preferredUnit(from, preferences), from, format: preferredFormat(from.kind, preferences, format) };
}

/**
 * Returns a function that presents the numbers of a field, in the preferred unit and format if preferences are given. A
 * number without a finite result in the preferred unit stays in its own unit.
 *
 * @throws RangeError from that function, if a number is not finite
 */
export function numericPresenter(quantity: Quantity, preferences?: UnitPreferences): (value: number) => NumericInit {
  const { unit, from, format } = preferredUnitOf(quantity, preferences);
  const convert = unit && from ? converter(from, unit) : (value: number) => value;
  return (value) => {
    const convertedValue = convert(value);
    const isConverted = convertedValue !== undefined && unit !== from;
    const shownUnit = isConverted ? unit : from;
    const shownValue = convertedValue ?? value;
    const formattedNumber = formatNumber(shownValue, format);
    const symbol = shownUnit?.symbol ?? '';
    return {
      type: quantity.type,
      value: shownValue,
      typedValue: typedValue(quantity.type, shownValue, shownUnit),
      textual: withSymbol(formattedNumber, symbol),
      unit: shownUnit?.id ?? quantity.unit,
      unitSymbol: symbol,
      formatted: formattedNumber,
      ...(isConverted ? { convertedFrom: quantity.unit } : {}),
    };
  };
}

/** Presents the type, unit, and format of a field, as preferred if preferences are given. */
export function presentQuantity(
  quantity: Quantity,
  preferences?: UnitPreferences,
): MessageInitShape<typeof Field_NumericSchema> {
  const { unit, from, format } = preferredUnitOf(quantity, preferences);
  return {
    type: quantity.type,
    ...(format ? { format } : {}),
    ...(unit ? { unit: fieldUnit(quantity.type, unit) } : {}),
    ...(from && unit !== from ? { convertedFrom: fieldUnit(quantity.type, from) } : {}),
  };
}

/** Reads a field's type and unit; undefined if the request has no unit, or one unknown to this contract. */
export function readUnit({ unit }: Field_Numeric_Unit): Omit<Quantity, 'format'> | undefined {
  if (unit.case === undefined) return undefined;
  const requestedUnit = unitOfKind(kindOf(unit.case), unit.value);
  const type = TYPES.get(unit.case);
  return requestedUnit && type !== undefined ? { type, unit: requestedUnit.id } : undefined;
}

function fieldUnit(type: NumericType, { member, symbol }: Unit): MessageInitShape<typeof Field_Numeric_UnitSchema> {
  return { unit: { case: CASES.get(type), value: member } as FieldUnit, symbol };
}

/** States the unit. A duration, a rate, and an unclassified number also have a value (contract: Value.Numeric). */
function typedValue(type: NumericType, value: number, unit: Unit | undefined): TypedValue {
  if (type === NumericType.OTHER) return { case: 'other', value: {} };
  const unitCase = CASES.get(type);
  if (!unit || unitCase === undefined || kindOf(unitCase) !== unit.kind) return { case: 'unknown', value };
  const typed = { unit: unit.member };
  if (unitCase === 'duration')
    return { case: 'duration', value: { ...typed, ...toDuration(value, unit) } } as TypedValue;
  if (unitCase === 'rate') return { case: 'rate', value: { ...typed, value: toUint32(value) } } as TypedValue;
  return { case: unitCase, value: typed } as TypedValue;
}

const NANOS_PER_SECOND = 1_000_000_000n;

/** Returns nothing for a duration beyond the range of protobuf. */
function toDuration(value: number, unit: Unit) {
  const second = unitOf(UnitOfMeasurement.DURATION_SECONDS) ?? unit;
  const seconds = converter(unit, second)(value);
  if (seconds === undefined || !isSupportedDuration(seconds)) return {};
  const nanos = BigInt(Math.round(seconds * Number(NANOS_PER_SECOND)));
  return { duration: { seconds: nanos / NANOS_PER_SECOND, nanos: Number(nanos % NANOS_PER_SECOND) } };
}

const MAX_UINT32 = 2 ** 32 - 1;

const toUint32 = (value: number): number => Math.min(Math.max(Math.round(value), 0), MAX_UINT32);
