import type { Context } from '#commands/model/context.ts';
import { message, type Message } from '#commands/text/message.ts';
import type { Field } from '#proto/gen/hiber/field_pb.ts';
import {
  ModemMessageBodyParserService,
  type TestModemMessageBodyParserRequest_Response,
} from '#proto/gen/hiber/parser_pb.ts';

import type { Trial } from './difference.ts';
import { missingFields } from './result.ts';
import type { Source } from './source.ts';

/** Applies a definition or a simple parser to bytes with the contract's Test, which stores nothing. */
export async function trySource(
  { api, organization, signal }: Context,
  source: Source,
  hex: string,
  declaredFields: readonly Field[] = [],
): Promise<Trial> {
  const request = {
    organization: organization.id,
    parser: source,
    data: { case: 'parseBytes', value: { hex } },
  } as const;
  return readTrial(await api(ModemMessageBodyParserService).test(request, { signal }), declaredFields);
}

/** Reads a result of Test. */
export function readTrial(
  { result }: TestModemMessageBodyParserRequest_Response,
  declaredFields: readonly Field[],
): Trial {
  if (result.case !== 'parsed') return { error: result.value ?? '' };
  // Test doesn't know which fields the definition has to declare, but storing a message does.
  const missingNames = missingFields(declaredFields, result.value);
  if (missingNames.length === 0) return { fields: result.value };
  return { error: missingText(missingNames) };
}

/** Returns the server's error for a result with missing declared fields. */
export const missingText = (missing: readonly string[]): string =>
  `The result is missing required fields: ${missing.join(', ')}.`;

/** Returns the line number at the start of an error about a definition. */
export function lineOf(error: string): number | undefined {
  const [, line] = /^Line (\d+): /.exec(error) ?? [];
  return line === undefined ? undefined : Number(line);
}

const HEX = /^(?:0x)?([0-9a-f]{2}[\s,:-]*)*$/i;

/** Reads bytes such as `10 0d`, `0x100D`, or `10:0D` as uppercase hex. Undefined if the text contains anything else. */
export function readHex(text: string): string | undefined {
  const trimmed = text.trim();
  if (!HEX.test(trimmed)) return undefined;
  return trimmed
    .replace(/^0x/i, '')
    .replaceAll(/[\s,:-]/g, '')
    .toUpperCase();
}

export function hexProblem(text: string): Message | undefined {
  if (readHex(text) === undefined) return message('parser:bench.hex');
  return readHex(text) === '' ? message('parser:bench.noBytes') : undefined;
}
