import type { JsonObject } from '@bufbuild/protobuf';

import type { Context } from '#commands/model/context.ts';
import { isUnimplemented } from '#commands/model/errors.ts';
import type { Field } from '#proto/gen/hiber/field_pb.ts';
import { ParserTraceService } from '#proto/gen/quarterdeck/parser/v1/parser_trace_service_pb.ts';

import { missingFields } from './result.ts';
import type { Source } from './source.ts';
import { lineOf, missingText, trySource } from './trial.ts';

/** The bytes of a message that a field was read from. */
export interface FieldRange {
  readonly path: string;
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

export interface TraceFailure {
  readonly error: string;
  /** The line of an invalid definition. */
  readonly line?: number | undefined;
  /** The field that couldn't be read, and the byte where it begins. */
  readonly path?: string | undefined;
  readonly offset?: number | undefined;
}

export interface ParsedTrace {
  readonly fields: JsonObject;
  /** Undefined if the server does not report them. */
  readonly ranges: readonly FieldRange[] | undefined;
}

export type Trace = TraceFailure | ParsedTrace;

/**
 * Applies a definition or a simple parser to bytes, and returns which bytes each field came from.
 *
 * The contract's Test returns only the result. The bytes come from our extension of the contract, because the server
 * already computes them in its sandbox. To compute them here, the console would have to load Kaitai's compiler (700 KB)
 * and run code generated from the definition, and could get other results than the server. Without the extension, the
 * result has no bytes.
 */
export async function traceSource(
  context: Context,
  source: Source,
  hex: string,
  declaredFields: readonly Field[],
): Promise<Trace> {
  const { api, organization, signal } = context;
  const request = {
    organization: organization.id,
    parser: source,
    data: { case: 'parseBytes', value: { hex } },
  } as const;
  try {
    const { result, ranges } = await api(ParserTraceService).trace(request, { signal });
    if (result.case === 'failure') return result.value;
    const fields = result.value ?? {};
    const missingNames = missingFields(declaredFields, fields);
    return missingNames.length === 0 ? { fields, ranges } : { error: missingText(missingNames) };
  } catch (error) {
    if (!isUnimplemented(error)) throw error;
  }
  const trial = await trySource(context, source, hex, declaredFields);
  return 'error' in trial ? { ...trial, line: lineOf(trial.error) } : { ...trial, ranges: undefined };
}
