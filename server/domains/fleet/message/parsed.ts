import type { JsonObject } from '@bufbuild/protobuf';

import type { Sealer } from '#server/base/secrets.ts';
import type { StoredParsedBody } from '#server/db/schema/message.ts';

/** ParsedBody, which the contract declares twice: for a message, and for its older form. */
interface PresentedBody {
  readonly parserIdentifier: string;
  readonly parserName: string;
  readonly parsed:
    | { readonly case: 'error'; readonly value: string }
    | { readonly case: 'result'; readonly value: JsonObject };
}

/** The parts of a message that come from its parsers. */
interface ParsedParts {
  readonly bodyParsed: PresentedBody[];
  /** True if at least one parser succeeded. */
  readonly bodyParsedSuccessfully: boolean;
  /** All results merged. */
  readonly bodyFields: JsonObject | undefined;
}

/** Presents the results of parsers; null for a message without any. */
export function presentParsed(stored: readonly StoredParsedBody[] | null): ParsedParts {
  const results = (stored ?? []).flatMap(({ result }) => (result === undefined ? [] : [result as JsonObject]));
  return {
    bodyParsed: (stored ?? []).map(presentParsedBody),
    bodyParsedSuccessfully: results.length > 0,
    bodyFields: results.length > 0 ? (Object.assign({}, ...results) as JsonObject) : undefined,
  };
}

export const presentParsedBody = ({ parser, name, result, error = '' }: StoredParsedBody): PresentedBody => ({
  parserIdentifier: parser,
  parserName: name,
  parsed: result === undefined ? { case: 'error', value: error } : { case: 'result', value: result as JsonObject },
});

/**
 * Decrypts the results of parsers with encrypted fields.
 *
 * @throws UnsealError
 */
export const openParsed = (secrets: Sealer, stored: readonly StoredParsedBody[] | null): StoredParsedBody[] | null =>
  stored?.map(({ sealed, ...body }) =>
    sealed === undefined ? body : { ...body, result: JSON.parse(secrets.open(sealed)) as JsonObject },
  ) ?? null;
