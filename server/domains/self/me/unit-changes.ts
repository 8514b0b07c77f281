import type { DescField, Message } from '@bufbuild/protobuf';
import { reflect, type ReflectMessage } from '@bufbuild/protobuf/reflect';

import { MAX_DECIMALS } from '#commands/units/format.ts';
import type { Field_Numeric_Format } from '#proto/gen/hiber/field_pb.ts';
import {
  type UnitPreferences,
  type UnitPreferences_Request,
  UnitPreferences_RequestSchema,
  UnitPreferencesSchema,
} from '#proto/gen/hiber/unit_preferences_pb.ts';
import { invalidArgument } from '#server/wire/errors.ts';

/** A category and its new preference; undefined removes the preference. */
interface Change {
  readonly category: DescField;
  readonly preference: ReflectMessage | undefined;
}

/**
 * Reads the changes in a request. The names of its `update_…` and `remove_…` fields end in the preference's name.
 *
 * @throws ConnectError INVALID_ARGUMENT for a unit that doesn't exist, and for a format that can't be displayed
 */
export function readChanges(request: UnitPreferences_Request): Change[] {
  const fields = reflect(UnitPreferences_RequestSchema, request);
  return UnitPreferencesSchema.fields.flatMap((category): Change[] => {
    const [update, remove] = ['update', 'remove'].map((verb) =>
      UnitPreferences_RequestSchema.fields.find(({ name }) => name === `${verb}_${category.name}`),
    );
    if (update?.fieldKind === 'message' && fields.isSet(update)) {
      const preference = fields.get(update);
      checkPreference(preference, category.name.replace(/_preference$/, '').replaceAll('_', ' '));
      return [{ category, preference }];
    }
    // `false` removes nothing, so it changes nothing.
    return remove?.fieldKind === 'scalar' && fields.get(remove) === true ? [{ category, preference: undefined }] : [];
  });
}

export function applyChanges(preferences: UnitPreferences, changes: readonly Change[]): UnitPreferences {
  const reflection = reflect(UnitPreferencesSchema, preferences);
  for (const { category, preference } of changes) {
    if (preference === undefined) reflection.clear(category);
    else if (category.fieldKind === 'message') reflection.set(category, preference);
  }
  return preferences;
}

function checkPreference(preference: ReflectMessage, kind: string): void {
  for (const field of preference.fields) {
    if (field.fieldKind === 'message' && preference.isSet(field)) {
      checkFormat(preference.get(field).message, kind);
    }
  }
}

function checkFormat(message: Message, kind: string): void {
  const format = message as Field_Numeric_Format;
  if (format.round.case !== 'roundToScale') return;
  const { value: decimals } = format.round;
  if (decimals >= 1 && decimals <= MAX_DECIMALS) return;
  throw invalidArgument(
    `Values of ${kind} can be rounded to 1 to ${MAX_DECIMALS} decimals, not ${decimals}. To show no decimals, use round_to_integer.`,
  );
}
