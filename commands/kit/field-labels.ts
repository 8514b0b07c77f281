import type { JsonValue } from '@bufbuild/protobuf';

import { canonicalPath } from '#commands/text/field-path.ts';
import { converter } from '#commands/units/convert.ts';
import { formatNumber, type NumberFormat } from '#commands/units/format.ts';
import { preferredFormat, preferredUnit } from '#commands/units/preferred.ts';
import { unitOfKind, type Unit } from '#commands/units/table.ts';
import type { Field, Field_Numeric, Field_Numeric_Unit } from '#proto/gen/hiber/field_pb.ts';
import type { UnitPreferences } from '#proto/gen/hiber/unit_preferences_pb.ts';

import type { ValueLabel } from './json-lines.ts';

/**
 * Returns how to show the values of fields in parsed messages, keyed by path. Messages have their values in the
 * declared units, so they are converted if the server returned the fields with the preferred ones.
 *
 * @param preferences for fields with their declared units: converts to the preferred units
 */
export function fieldLabels(
  fields: readonly Field[],
  preferences?: UnitPreferences,
): ReadonlyMap<string, Required<ValueLabel>> {
  return new Map(
    fields.map(({ field, displayName, details }) => [
      canonicalPath(field),
      { name: displayName || field, show: showOf(details, preferences) },
    ]),
  );
}

const plainText = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value));

function showOf(details: Field['details'], preferences: UnitPreferences | undefined): Required<ValueLabel>['show'] {
  if (details.case === 'enum') {
    const names = new Map(details.value.values.map(({ value, displayName }) => [value, displayName || value]));
    return (value) => ({ text: names.get(plainText(value)) ?? plainText(value), unit: '' });
  }
  if (details.case !== 'numeric') return (value) => ({ text: plainText(value), unit: '' });
  const { from, to, format } = numberLabel(details.value, preferences);
  const convert = from && to ? converter(from, to) : (value: number) => value;
  return (value) => {
    if (typeof value !== 'number') return { text: plainText(value), unit: to?.symbol ?? '' };
    const converted = convert(value);
    // A value without a finite result, such as 0 L/100 km in km/L, stays in its own unit, as on the server.
    return converted === undefined
      ? { text: formatNumber(value, format), unit: from?.symbol ?? '' }
      : { text: formatNumber(converted, format), unit: to?.symbol ?? '' };
  };
}

interface NumberLabel {
  /** The unit of values in messages. */
  readonly from: Unit | undefined;
  /** The unit to show. */
  readonly to: Unit | undefined;
  readonly format: NumberFormat | undefined;
}

function numberLabel(
  { unit, convertedFrom, format }: Field_Numeric,
  preferences: UnitPreferences | undefined,
): NumberLabel {
  const to = unit && declaredUnitOf(unit);
  const from = convertedFrom ? declaredUnitOf(convertedFrom) : to;
  // A battery level is a percentage to which no preference applies (contract: Value).
  if (!preferences || !to || unit.unit.case !== to.kind) return { from, to, format };
  return { from, to: preferredUnit(to, preferences), format: preferredFormat(to.kind, preferences, format) };
}

/** Returns a declared unit, whose number belongs to the enum of its kind. */
export function declaredUnitOf({ unit }: Field_Numeric_Unit): Unit | undefined {
  return unit.case === undefined
    ? undefined
    : unitOfKind(unit.case === 'batteryLevel' ? 'percentage' : unit.case, unit.value);
}
