import { isDeepStrictEqual } from 'node:util';

import type { JsonObject, JsonValue } from '@bufbuild/protobuf';

import { summarizeList } from '#server/wire/errors.ts';
import { shorten } from '#server/wire/text.ts';

import type { FieldRow } from './fields.ts';
import { valueAt } from './path.ts';

/** The metadata that a parser requires in a message, keyed by path. */
export type RequiredMetadata = Readonly<Record<string, JsonValue>>;

/**
 * Describes the first required metadata missing from a message, in which case the parser skips it (contract:
 * Behaviour). Returns undefined if none is missing.
 */
export function describeMissingMetadata(
  required: RequiredMetadata,
  metadata: JsonObject | undefined,
): string | undefined {
  for (const [path, expected] of Object.entries(required)) {
    const actual = valueAt(metadata ?? {}, path);
    if (isDeepStrictEqual(actual, expected)) continue;
    const actualText = actual === undefined ? 'has none' : `has ${shorten(JSON.stringify(actual))}`;
    return `The parser requires metadata ${path} = ${shorten(JSON.stringify(expected))}, but the message ${actualText}.`;
  }
  return undefined;
}

/**
 * Names the required fields missing from a result, which make it invalid (contract: Field). Returns undefined if none
 * are missing.
 */
export function describeMissingFields(
  fields: readonly Pick<FieldRow, 'field' | 'optional'>[],
  result: JsonObject,
): string | undefined {
  const absentFields = fields.filter(({ field, optional }) => !optional && (valueAt(result, field) ?? null) === null);
  if (absentFields.length === 0) return undefined;
  return `The result is missing required fields: ${summarizeList(absentFields.map(({ field }) => shorten(field)))}.`;
}
