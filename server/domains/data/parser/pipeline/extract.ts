import type { JsonObject, JsonValue } from '@bufbuild/protobuf';

import type { ModemMessageBodyParser_MetadataFields } from '#proto/gen/hiber/parser_pb.ts';
import type { UnitOfMeasurement } from '#proto/gen/hiber/unit_pb.ts';
import { type Value_Numeric_Type, Value_Type as ValueType } from '#proto/gen/hiber/value_pb.ts';
import type { Sealer } from '#server/base/secrets.ts';
import { describeMissingFields } from '#server/domains/data/parser/model/check-result.ts';
import type { FieldRow } from '#server/domains/data/parser/model/fields.ts';
import { overlapWith, valueAt } from '#server/domains/data/parser/model/path.ts';
import { sealValue } from '#server/domains/data/parser/model/sealed-value.ts';
import { MAX_RESULT } from '#server/parsing/workers/limits.mjs';
import { isSupportedTime } from '#server/wire/requests/times.ts';
import { shorten } from '#server/wire/text.ts';

/** A value of a declared field. */
export interface ExtractedValue {
  readonly field: string;
  readonly type: ValueType;
  readonly numericType: Value_Numeric_Type | null;
  readonly unit: UnitOfMeasurement | null;
  readonly numeric: number | null;
  readonly text: string | null;
  readonly operational: boolean;
  /** True for an encrypted field: `text` is the sealed value (sealed-value.ts). */
  readonly sealed?: boolean;
}

/** The maximum length of a stored text value. The message's result keeps all of it. */
const MAX_TEXT_LENGTH = 2000;

/**
 * Extracts the values of the declared fields from a result. A field that contains an encrypted one, or is part of one,
 * is encrypted too.
 *
 * @returns the values, or a sentence if the result is invalid
 */
export function extractValues(
  fields: readonly FieldRow[],
  result: JsonObject,
  secrets: Sealer,
): ExtractedValue[] | string {
  const absentFields = describeMissingFields(fields, result);
  if (absentFields !== undefined) return absentFields;
  const values: ExtractedValue[] = [];
  const isEncrypted = overlapWith(fields.flatMap(({ field, encrypted }) => (encrypted ? [field] : [])));
  for (const { field, type, numericType, unit, operational } of fields) {
    const encrypted = isEncrypted(field);
    const seal = encrypted ? (value: ExtractedValue) => sealValue(secrets, value) : (value: ExtractedValue) => value;
    const fieldValue = valueAt(result, field) ?? null;
    if (fieldValue === null) continue;
    if (type === ValueType.NUMERIC) {
      const number = toNumber(fieldValue);
      if (number === undefined) {
        const value = encrypted ? 'encrypted' : shorten(JSON.stringify(fieldValue));
        return `The field ${shorten(field)} is ${value}, which isn't a number.`;
      }
      values.push(seal({ field, type, operational, numericType, unit, numeric: number, text: null }));
    } else {
      const text = typeof fieldValue === 'string' ? fieldValue : JSON.stringify(fieldValue);
      values.push(
        seal({
          field,
          type,
          operational,
          numericType: null,
          unit: null,
          numeric: null,
          text: text.slice(0, MAX_TEXT_LENGTH),
        }),
      );
    }
  }
  return values;
}

/** Integers beyond the safe range arrive as text. */
function toNumber(value: JsonValue): number | undefined {
  if (typeof value === 'boolean') return Number(value);
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/**
 * How far the time of a measurement can be ahead of the message, in milliseconds. A wrong clock could be years ahead,
 * and all later values would count as older.
 */
const MAX_AHEAD_MS = 86_400_000;

/** The times of a message. */
export interface MessageTimes {
  readonly sentAt: Date;
  readonly receivedAt: Date;
}

/**
 * Returns when the values were measured: by default when the message was sent (contract: Behaviour).
 *
 * @returns a sentence if the time is in the future
 */
export function measuredAt(
  { measuredAtField }: ModemMessageBodyParser_MetadataFields,
  result: JsonObject,
  { sentAt, receivedAt }: MessageTimes,
): Date | string {
  if (measuredAtField.case === undefined) return sentAt;
  const seconds = toNumber(valueAt(result, measuredAtField.value) ?? null);
  if (seconds === undefined) return sentAt;
  const time = measuredAtField.case === 'measuredAtTimeField' ? seconds * 1000 : sentAt.getTime() - seconds * 1000;
  if (!isSupportedTime(time)) return sentAt;
  const measured = new Date(Math.round(time));
  if (time <= Math.max(receivedAt.getTime(), sentAt.getTime()) + MAX_AHEAD_MS) return measured;
  return (
    `The measured-at field ${shorten(measuredAtField.value)} gives ${measured.toISOString()}, more than a day after ` +
    "the message was received. Correct the device's clock, or the measured-at field of the parser."
  );
}

/** Returns the location in a result; undefined if there is none, or if it isn't on Earth. */
export function locationIn(
  { locationFields }: ModemMessageBodyParser_MetadataFields,
  result: JsonObject,
): { readonly latitude: number; readonly longitude: number } | undefined {
  if (locationFields === undefined) return undefined;
  const latitude = toNumber(valueAt(result, locationFields.latitude) ?? null);
  const longitude = toNumber(valueAt(result, locationFields.longitude) ?? null);
  if (latitude === undefined || longitude === undefined) return undefined;
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined;
}

/**
 * Returns the listed fields of a result, by path. They can repeat a large value, so their total length is limited to
 * that of a result; the remaining fields are left out.
 */
export function pick(paths: readonly string[], result: JsonObject): JsonObject | undefined {
  let characters = 0;
  const entries = paths.flatMap((path): [string, JsonValue][] => {
    const fieldValue = valueAt(result, path);
    if (fieldValue === undefined) return [];
    characters += JSON.stringify(fieldValue).length;
    return characters > MAX_RESULT ? [] : [[path, fieldValue]];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
