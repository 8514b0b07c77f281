import { isDeepStrictEqual } from 'node:util';

import type { JsonObject, JsonValue } from '@bufbuild/protobuf';

import { summarizeList } from '#server/wire/errors.ts';
import { shorten } from '#server/wire/text.ts';

import type { FieldRow } from './fields.ts';
import { valueAt } from './path.ts';

/** The metadata that a parser requires of a message, keyed by path. */
export type RequiredMetadata = Readonly<Record<string, JsonValue>>;

/**
 * Returns the first required metadata that a message lacks: the parser then skips the message (contract: Behaviour).
 *
 * @returns a sentence
 */
export function missingMetadata(required: RequiredMetadata, metadata: JsonObject | undefined): string | undefined {
  for (const [path, expected] of Object.entries(required)) {
    const actual = valueAt(metadata ?? {}, path);
    if (isDeepStrictEqual(actual, expected)) continue;
    const actualText = actual === undefined ? 'has none' : `has ${shorten(JSON.stringify(actual))}`;
    return `The parser requires the metadata ${path} ${shorten(JSON.stringify(expected))}; the message ${actualText}.`;
  }
  return undefined;
}

/**
 * Returns the declared fields that a result lacks, which makes it invalid (contract: Field).
 *
 * @returns a sentence
 */
export function missingFields(
  fields: readonly Pick<FieldRow, 'field' | 'optional'>[],
  result: JsonObject,
): string | undefined {
  const absentFields = fields.filter(({ field, optional }) => !optional && (valueAt(result, field) ?? null) === null);
  if (absentFields.length === 0) return undefined;
  return `The result has no ${summarizeList(absentFields.map(({ field }) => shorten(field)))}, which the parser declares as required.`;
}
