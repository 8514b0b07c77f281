/** Checks declared fields from requests and presents those from the database. */
import { create, type MessageInitShape } from '@bufbuild/protobuf';

import { pathKey } from '#commands/text/field-path.ts';
import { MAX_LENGTH } from '#commands/text/lengths.ts';
import { MAX_DECIMALS } from '#commands/units/format.ts';
import {
  type Field,
  type Field_Numeric,
  type Field_Numeric_Format,
  Field_Numeric_FormatSchema,
  FieldSchema,
} from '#proto/gen/hiber/field_pb.ts';
import { UnitOfMeasurement } from '#proto/gen/hiber/unit_pb.ts';
import type { UnitPreferences } from '#proto/gen/hiber/unit_preferences_pb.ts';
import {
  type Value_Enum,
  Value_Numeric_Type as NumericType,
  Value_Type as ValueType,
} from '#proto/gen/hiber/value_pb.ts';
import { newIdentifier } from '#server/db/ids.ts';
import type { EnumValue, parser, parserField, StoredFormat } from '#server/db/schema/parser.ts';
import { requireDistinct } from '#server/wire/distinct.ts';
import { readEnteredText } from '#server/wire/entered-text.ts';
import { invalidArgument } from '#server/wire/errors.ts';
import { presentQuantity, readUnit } from '#server/wire/numeric.ts';
import { shorten } from '#server/wire/text.ts';

import { readPath } from './path.ts';

export type FieldRow = typeof parserField.$inferSelect;
export type ParserRow = typeof parser.$inferSelect;
/** The columns of a field that a request sets. */
export type FieldColumns = Omit<FieldRow, 'organization' | 'parser'>;

/** The maximum number of fields per parser. */
export const MAX_FIELDS = 200;
const MAX_ENUM_VALUES = 200;
const { fieldName: MAX_NAME, fieldPath: MAX_PATH, enumText: MAX_ENUM_TEXT } = MAX_LENGTH;

/**
 * Reads new fields.
 *
 * @throws ConnectError INVALID_ARGUMENT, naming the field
 */
export function readFields(fields: readonly Field[]): FieldColumns[] {
  const read = fields.map(readField);
  requireDistinct(
    read,
    ({ field }) => pathKey(field),
    ({ field }) => `The field "${shorten(field)}" is listed twice.`,
  );
  return read;
}

function readField(field: Field): FieldColumns {
  const path = readPath(field.field, 'The path of a field');
  if (path.length > MAX_PATH) {
    throw invalidArgument(`The path of a field can have at most ${MAX_PATH} characters, not ${path.length}.`);
  }
  return {
    identifier: newIdentifier('field'),
    field: path,
    displayName: readDisplayName(path, field.displayName),
    priority: field.priority,
    encrypted: field.encrypted,
    optional: field.optional,
    operational: field.operational,
    ...readDetails(path, field),
  };
}

export function readDisplayName(path: string, displayName: string | undefined): string | null {
  return readEnteredText(displayName ?? '', `The display name of ${shorten(path)}`, MAX_NAME) || null;
}

type Details = Pick<FieldRow, 'type' | 'numericType' | 'unit' | 'format' | 'enumValues'>;

const NO_DETAILS = { numericType: null, unit: null, format: null, enumValues: null };

const TYPE_NAMES: Readonly<Record<ValueType, string>> = {
  [ValueType.OTHER]: 'other',
  [ValueType.NUMERIC]: 'numeric',
  [ValueType.TEXT]: 'text',
  [ValueType.ENUM]: 'enum',
};

/** A field without a type or details is text (contract: FieldService.Add). */
function readDetails(path: string, { type, details }: Field): Details {
  const detailsType =
    details.case === 'numeric' ? ValueType.NUMERIC : details.case === 'enum' ? ValueType.ENUM : undefined;
  if (detailsType !== undefined && type !== ValueType.OTHER && type !== detailsType) {
    throw invalidArgument(
      `The field ${shorten(path)} is ${TYPE_NAMES[type]}, but has ${TYPE_NAMES[detailsType]} details.`,
    );
  }
  switch (detailsType ?? type) {
    case ValueType.NUMERIC: {
      const numericDetails = details.case === 'numeric' ? details.value : undefined;
      return { ...NO_DETAILS, type: ValueType.NUMERIC, ...readNumeric(path, numericDetails) };
    }
    case ValueType.ENUM: {
      const values = details.case === 'enum' ? details.value.values : [];
      return { ...NO_DETAILS, type: ValueType.ENUM, enumValues: readEnumValues(path, values) };
    }
    default:
      return { ...NO_DETAILS, type: ValueType.TEXT };
  }
}

export const numericTypeName = (type: NumericType): string =>
  Object.entries(NumericType).find(([, number]) => number === type)?.[0] ?? String(type);

function readNumeric(
  path: string,
  numericDetails: Field_Numeric | undefined,
): Pick<FieldRow, 'numericType' | 'unit' | 'format'> {
  const type = numericDetails?.type ?? NumericType.OTHER;
  const format = readFormat(path, numericDetails?.format);
  if (numericDetails?.unit === undefined || numericDetails.unit.unit.case === undefined) {
    // A zero unit is a real unit, so a missing one can't mean the default (contract: Value and units).
    if (type !== NumericType.OTHER && type !== NumericType.TYPE_UNKNOWN) {
      throw invalidArgument(`The field ${shorten(path)} needs a unit for its type ${numericTypeName(type)}.`);
    }
    return { numericType: NumericType.OTHER, unit: UnitOfMeasurement.UNIT_UNKNOWN, format };
  }
  const quantity = readUnit(numericDetails.unit);
  if (quantity === undefined) throw invalidArgument(`The unit of the field ${shorten(path)} is unknown.`);
  if (type !== NumericType.TYPE_UNKNOWN && type !== quantity.type) {
    throw invalidArgument(
      `The field ${shorten(path)} has the type ${numericTypeName(type)}, but a unit of ${numericTypeName(quantity.type)}.`,
    );
  }
  return { numericType: quantity.type, unit: quantity.unit, format };
}

export function readFormat(path: string, format: Field_Numeric_Format | undefined): StoredFormat | null {
  if (format === undefined) return null;
  const { round, roundingMode } = format;
  if (round.case === 'roundToScale') {
    if (round.value < 1 || round.value > MAX_DECIMALS) {
      throw invalidArgument(
        `The field ${shorten(path)} can be rounded to 1 to ${MAX_DECIMALS} decimals, not ${round.value}. To round to an integer, set round_to_integer.`,
      );
    }
    return { decimals: round.value, roundingMode };
  }
  return round.case === 'roundToInteger' && round.value ? { decimals: 0, roundingMode } : { roundingMode };
}

export function readEnumValues(path: string, values: readonly Value_Enum[]): EnumValue[] {
  if (values.length > MAX_ENUM_VALUES) {
    throw invalidArgument(
      `The field ${shorten(path)} can have at most ${MAX_ENUM_VALUES} values; there are ${values.length}.`,
    );
  }
  const enumValues = values.map(({ value, displayName, description, color, priority }) => {
    const name = readEnteredText(value, `A value of ${shorten(path)}`, MAX_ENUM_TEXT);
    if (name === '') throw invalidArgument(`A value of ${shorten(path)} is empty.`);
    return {
      value: name,
      displayName: enumText(displayName, `The display name of "${shorten(name)}"`),
      description: enumText(description, `The description of "${shorten(name)}"`),
      color: enumText(color, `The color of "${shorten(name)}"`),
      priority,
    };
  });
  requireDistinctValues(path, enumValues);
  return enumValues;
}

/** Requires that a list of enum values, or of their updates, has each value only once. */
export const requireDistinctValues = (path: string, values: readonly { readonly value: string }[]): void =>
  requireDistinct(
    values,
    ({ value }) => value,
    ({ value }) => `The field ${shorten(path)} lists the value "${shorten(value)}" twice.`,
  );

export const enumText = (text: string, subject: string): string => readEnteredText(text, subject, MAX_ENUM_TEXT);

/** Presents a field, in the preferred unit and format if preferences are given. */
export function presentField(
  row: FieldRow,
  parserRow: Pick<ParserRow, 'identifier' | 'name'>,
  preferences?: UnitPreferences,
): Field {
  return create(FieldSchema, {
    identifier: row.identifier,
    field: row.field,
    ...(row.displayName === null ? {} : { displayName: row.displayName }),
    type: row.type,
    priority: row.priority,
    encrypted: row.encrypted,
    optional: row.optional,
    operational: row.operational,
    parserIdentifier: parserRow.identifier,
    parserName: parserRow.name,
    details: presentDetails(row, preferences),
  });
}

function presentDetails(
  { type, numericType, unit, format, enumValues }: FieldRow,
  preferences: UnitPreferences | undefined,
): MessageInitShape<typeof FieldSchema>['details'] {
  if (type === ValueType.NUMERIC) {
    const quantity = {
      type: numericType ?? NumericType.OTHER,
      unit: unit ?? UnitOfMeasurement.UNIT_UNKNOWN,
      format: format === null ? undefined : presentFormat(format),
    };
    return { case: 'numeric', value: presentQuantity(quantity, preferences) };
  }
  if (type === ValueType.ENUM) return { case: 'enum', value: { values: enumValues?.toSorted(byPriority) ?? [] } };
  return { case: undefined };
}

/** Higher priorities first, as for tags. Values of the same priority keep their order. */
const byPriority = (a: EnumValue, b: EnumValue): number => b.priority - a.priority;

export function presentFormat({ decimals, roundingMode }: StoredFormat): Field_Numeric_Format {
  return create(Field_Numeric_FormatSchema, {
    roundingMode,
    round:
      decimals === undefined
        ? { case: undefined }
        : decimals === 0
          ? { case: 'roundToInteger', value: true }
          : { case: 'roundToScale', value: decimals },
  });
}
