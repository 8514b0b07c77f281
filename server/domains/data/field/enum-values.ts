import type {
  UpdateFieldEnumValues,
  UpdateFieldEnumValues_UpdateEnumValue,
} from '#proto/gen/hiber/field_service_pb.ts';
import type { EnumValue } from '#server/db/schema/parser.ts';
import { enumText, readEnumValues, requireDistinctValues } from '#server/domains/data/parser/model/fields.ts';
import { currentOrDeprecated } from '#server/domains/signals/notification/event-filters.ts';
import { alreadyExists, describeMissing, invalidArgument, notFound, summarizeList } from '#server/wire/errors.ts';
import { shorten } from '#server/wire/text.ts';

/** Applies an update to the values of an enum field: replaces, then removes, updates, and adds. */
export function updateEnumValues(
  path: string,
  before: readonly EnumValue[],
  { addValues, removeValues, updateValues, replaceAllValues }: UpdateFieldEnumValues,
): readonly EnumValue[] {
  if (replaceAllValues.length > 0 && updateValues.length > 0) {
    throw invalidArgument(
      "Either replace all values or update some: replace_all_values and update_values can't be combined.",
    );
  }
  const base = replaceAllValues.length > 0 ? readEnumValues(path, replaceAllValues) : before;
  requireKnown(path, base, [...removeValues, ...updateValues.map(({ value }) => value)]);
  requireDistinctValues(path, updateValues);
  const updates = new Map(updateValues.map((update) => [update.value, update]));
  const keptValues = base
    .filter(({ value }) => !removeValues.includes(value))
    .map((value) => updateValue(value, updates.get(value.value)));
  const existing = addValues.filter(({ value }) => keptValues.some((enumValue) => enumValue.value === value.trim()));
  if (existing.length > 0) {
    throw alreadyExists(
      `The field ${shorten(path)} already has ${summarizeList(existing.map(({ value }) => quoteName(value)))}.`,
    );
  }
  return [...keptValues, ...readEnumValues(path, addValues)];
}

function requireKnown(path: string, values: readonly EnumValue[], names: readonly string[]): void {
  const unknownNames = names.filter((name) => !values.some(({ value }) => value === name));
  if (unknownNames.length > 0)
    throw notFound(`The field ${shorten(path)} has ${describeMissing('value', unknownNames.map(quoteName))}.`);
}

function updateValue(before: EnumValue, update: UpdateFieldEnumValues_UpdateEnumValue | undefined): EnumValue {
  if (update === undefined) return before;
  const name = `"${shorten(before.value)}"`;
  const displayName = currentOrDeprecated(update.displayName, update.updateDisplayName, '');
  const description = currentOrDeprecated(update.description, update.updateDescription, '');
  const color = currentOrDeprecated(update.color, update.updateColor, '');
  return {
    ...before,
    ...(displayName === undefined ? {} : { displayName: enumText(displayName, `The display name of ${name}`) }),
    ...(description === undefined ? {} : { description: enumText(description, `The description of ${name}`) }),
    ...(color === undefined ? {} : { color: enumText(color, `The color of ${name}`) }),
    priority: currentOrDeprecated(update.priority, update.updatePriority, 0) ?? before.priority,
  };
}

const quoteName = (name: string): string => `"${shorten(name)}"`;
