import type { JsonObject, MessageInitShape } from '@bufbuild/protobuf';

import type { ModemMessage_ParsedBodySchema } from '#proto/gen/hiber/modem_pb.ts';
import type { StoredParsedBody } from '#server/db/schema/message.ts';

/** The parts of a message that come from its parsers. */
interface ParsedParts {
  readonly bodyParsed: MessageInitShape<typeof ModemMessage_ParsedBodySchema>[];
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

export const presentParsedBody = ({ parser, name, result, error = '' }: StoredParsedBody): ParsedParts['bodyParsed'][number] => ({
  parserIdentifier: parser,
  parserName: name,
  parsed:
    result === undefined ? { case: 'error', value: error } : { case: 'result', value: result as JsonObject },
});
