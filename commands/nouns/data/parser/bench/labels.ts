import type { JsonValue } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';

import { fieldLabels, type Prefer } from '#commands/kit/field-labels.ts';
import { labeledText, type ValueLabel } from '#commands/kit/json-lines.ts';
import type { Context } from '#commands/model/context.ts';
import { loadUnitPreferences } from '#commands/nouns/self/me/unit-preferences.ts';
import { canonicalPath } from '#commands/text/field-path.ts';
import { formatNumber, withSymbol } from '#commands/units/format.ts';
import { preferredFormat, preferredUnit } from '#commands/units/preferred.ts';
import type { Field } from '#proto/gen/hiber/field_pb.ts';
import type { UnitPreferences } from '#proto/gen/hiber/unit_preferences_pb.ts';

/** How to show the values of a parser's fields: as they are declared, and as the user prefers them. */
export interface DeclaredLabels {
  readonly fields: ReadonlyMap<string, Field>;
  readonly declared: ReadonlyMap<string, Required<ValueLabel>>;
  readonly preferred: ReadonlyMap<string, Required<ValueLabel>>;
}

export function declaredLabels(fields: readonly Field[], preferences?: UnitPreferences): DeclaredLabels {
  const declared = fieldLabels(fields);
  return {
    fields: new Map(fields.map((field) => [canonicalPath(field.field), field])),
    declared,
    preferred: preferences ? fieldLabels(fields, preferIn(preferences)) : declared,
  };
}

const preferIn =
  (preferences: UnitPreferences): Prefer =>
  ({ unit, format }) => ({
    unit: preferredUnit(unit, preferences),
    format: preferredFormat(unit.kind, preferences, format),
  });

/** Loads the user's preferences. Undefined for a token that may not read its owner's profile. */
export async function findUnitPreferences(context: Context): Promise<UnitPreferences | undefined> {
  try {
    return await loadUnitPreferences(context);
  } catch (error) {
    if (error instanceof ConnectError && error.code === Code.PermissionDenied) return undefined;
    throw error;
  }
}

/** A value in the user's unit and format. */
export interface ShownValue {
  readonly text: string;
  readonly unit: string;
  /** The value with its unit, as its field declares it. Absent unless the user prefers another unit or format. */
  readonly declared?: string;
}

export function shownValue(value: JsonValue, path: string, { declared, preferred }: DeclaredLabels): ShownValue {
  const [declaredLabel, preferredLabel] = [declared.get(path), preferred.get(path)];
  if (!declaredLabel || !preferredLabel) return { text: plainText(value), unit: '' };
  const { text, unit } = preferredLabel.show(value);
  const declaredValue = declaredLabel.show(value);
  if (declaredValue.text === text && declaredValue.unit === unit) return { text, unit };
  return { text, unit, declared: withSymbol(declaredValue.text, declaredValue.unit) };
}

function plainText(value: JsonValue): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? formatNumber(value) : JSON.stringify(value);
}

/**
 * Returns a changed value of a comparison. Its declared value has all digits, because a format could hide the
 * difference.
 *
 * @param json the value as JSON
 */
export function shownChange(json: string, path: string, labels: DeclaredLabels): Omit<ShownValue, 'unit'> {
  const value = JSON.parse(json) as JsonValue;
  const label = labels.declared.get(path);
  if (typeof value !== 'number' || !label) return { text: json };
  const exactText = withSymbol(json, label.show(value).unit);
  const isPreferred = shownValue(value, path, labels).declared !== undefined;
  return isPreferred
    ? { text: labeledText(value, labels.preferred.get(path), ' '), declared: exactText }
    : { text: exactText };
}
