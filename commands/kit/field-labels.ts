import type { JsonValue } from '@bufbuild/protobuf';

import { canonicalPath } from '#commands/text/field-path.ts';
import { converter } from '#commands/units/convert.ts';
import { formatNumber, type NumberFormat } from '#commands/units/format.ts';
import { unitOfKind, type Unit } from '#commands/units/table.ts';
import type { Field, Field_Numeric, Field_Numeric_Unit } from '#proto/gen/hiber/field_pb.ts';

import type { ValueLabel } from './json-lines.ts';

/** A unit of a number, and how to round it. */
export interface UnitFormat {
  readonly unit: Unit;
  readonly format: NumberFormat | undefined;
}

/** Returns the unit and format that the user prefers to the declared ones. */
export type Prefer = (declared: UnitFormat) => UnitFormat;

/**
 * Returns how to show the values of fields in parsed messages, keyed by path. Messages have their values in the
 * declared units, so they are converted if the server returned the fields with the preferred ones.
 *
 * @param prefer for fields with their declared units
 */
export function fieldLabels(fields: readonly Field[], prefer?: Prefer): ReadonlyMap<string, Required<ValueLabel>> {
  return new Map(
    fields.map(({ field, displayName, details }) => [
      canonicalPath(field),
      { name: displayName || field, show: showOf(details, prefer) },
    ]),
  );
}

const plainText = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value));

function showOf(details: Field['details'], prefer: Prefer | undefined): Required<ValueLabel>['show'] {
  if (details.case === 'enum') {
    const names = new Map(details.value.values.map(({ value, displayName }) => [value, displayName || value]));
    return (value) => ({ text: names.get(plainText(value)) ?? plainText(value), unit: '' });
  }
  if (details.case !== 'numeric') return (value) => ({ text: plainText(value), unit: '' });
  const { from, to, format } = numberLabel(details.value, prefer);
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

function numberLabel({ unit, convertedFrom, format }: Field_Numeric, prefer: Prefer | undefined): NumberLabel {
  const to = unit && declaredUnitOf(unit);
  const from = convertedFrom ? declaredUnitOf(convertedFrom) : to;
  // A battery level is a percentage to which no preference applies (contract: Value).
  if (!prefer || !to || unit.unit.case !== to.kind) return { from, to, format };
  const preferred = prefer({ unit: to, format });
  return { from, to: preferred.unit, format: preferred.format };
}

/** Returns a declared unit, whose number belongs to the enum of its kind. */
export function declaredUnitOf({ unit }: Field_Numeric_Unit): Unit | undefined {
  return unit.case === undefined
    ? undefined
    : unitOfKind(unit.case === 'batteryLevel' ? 'percentage' : unit.case, unit.value);
}
