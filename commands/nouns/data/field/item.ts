import { enumLabels } from '#commands/kit/enum-labels.ts';
import { enumName } from '#commands/model/wire.ts';
import { message, type Message } from '#commands/text/message.ts';
import { unitOf, unitOfKind, type Unit, type UnitKind } from '#commands/units/table.ts';
import {
  Field_Numeric_Format_RoundingMode as RoundingMode,
  type Field,
  type Field_Numeric,
  type Field_Numeric_Format,
  type Field_Numeric_Unit,
} from '#proto/gen/hiber/field_pb.ts';
import { UnitOfMeasurement } from '#proto/gen/hiber/unit_pb.ts';
import { Value_Type, type Value_Enum } from '#proto/gen/hiber/value_pb.ts';

export const typeLabels = enumLabels(Value_Type, 'field:type');

export const idOf = ({ identifier }: Field): string => identifier;

export const nameOf = ({ displayName, field }: Field): string => displayName || field;

export function numericOf({ details }: Field): Field_Numeric | undefined {
  return details.case === 'numeric' ? details.value : undefined;
}

export function enumValuesOf({ details }: Field): readonly Value_Enum[] {
  return details.case === 'enum' ? details.value.values : [];
}

/** The contract's enum has no unit for a battery level. It is shown as a percentage. */
const BATTERY_LEVEL = 'BATTERY_LEVEL';

/** The units that a field can have, as named in the contract. */
export const UNITS: readonly string[] = [
  ...Object.keys(UnitOfMeasurement).filter((name) => unitNamed(name) !== undefined),
  BATTERY_LEVEL,
];

export function unitNamed(name: string): Unit | undefined {
  if (name === BATTERY_LEVEL) return unitOf(UnitOfMeasurement.PERCENT);
  const id = UnitOfMeasurement[name as keyof typeof UnitOfMeasurement] as UnitOfMeasurement | undefined;
  return id === undefined ? undefined : unitOf(id);
}

/** Returns the unit with its quantity: `bar (pressure)`. */
export function unitText(name: string): Message {
  const unit = unitNamed(name);
  if (!unit) return message('common:unknown', { value: name });
  const quantity = name === BATTERY_LEVEL ? BATTERY_LEVEL : unit.kind.replaceAll(/[A-Z]/g, '_$&').toUpperCase();
  return message('field:unit', { symbol: unit.symbol, quantity: message(`field:numericType.${quantity}`) });
}

/** Converts a unit's name to the contract's oneof, in which the kind of unit selects the member. */
export function toWireUnit(name: string): Field_Numeric_Unit['unit'] | undefined {
  const unit = unitNamed(name);
  if (!unit) return undefined;
  const kind = name === BATTERY_LEVEL ? 'batteryLevel' : unit.kind;
  return { case: kind, value: name === BATTERY_LEVEL ? 0 : unit.member } as Field_Numeric_Unit['unit'];
}

/** Returns a field's unit name, or undefined for a number without a unit. */
export function unitNameOf(field: Field): string | undefined {
  const unit = numericOf(field)?.unit?.unit;
  if (unit?.case === undefined) return undefined;
  if (unit.case === 'batteryLevel') return BATTERY_LEVEL;
  const knownUnit = unitOfKind(unit.case satisfies UnitKind, unit.value);
  return knownUnit && enumName(UnitOfMeasurement, knownUnit.id);
}

/** The value of `decimals` for a number that is shown as it was sent. */
export const AS_SENT = 'AS_SENT';

/** A field's decimals and rounding, as named in arguments. */
export interface FormatNames {
  readonly decimals: string;
  readonly rounding: string;
}

export function formatNamesOf(format: Field_Numeric_Format | undefined): FormatNames {
  const rounding = enumName(RoundingMode, format?.roundingMode ?? RoundingMode.HALF_UP) ?? 'HALF_UP';
  const { round } = format ?? {};
  if (round?.case === 'roundToScale') return { decimals: `${round.value}`, rounding };
  return { decimals: round?.case === 'roundToInteger' && round.value ? '0' : AS_SENT, rounding };
}

/** Converts names to the contract's format. */
export function toFormat({ decimals, rounding }: FormatNames): Pick<Field_Numeric_Format, 'round' | 'roundingMode'> {
  const roundingMode = RoundingMode[rounding as keyof typeof RoundingMode];
  if (decimals === AS_SENT) return { round: { case: undefined }, roundingMode };
  return decimals === '0'
    ? { round: { case: 'roundToInteger', value: true }, roundingMode }
    : { round: { case: 'roundToScale', value: Number(decimals) }, roundingMode };
}
