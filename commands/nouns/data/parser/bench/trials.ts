import type { Context } from '#commands/model/context.ts';
import { isUnimplemented } from '#commands/model/errors.ts';
import { MAX_TEST_BATCH } from '#commands/text/lengths.ts';
import type { Field } from '#proto/gen/hiber/field_pb.ts';
import { ParserTraceService } from '#proto/gen/quarterdeck/parser/v1/parser_trace_service_pb.ts';

import type { Trial } from './difference.ts';
import type { Source } from './source.ts';
import { readTrial, trySource } from './trial.ts';

/** Applies a source to bodies, and returns the results of the first ones: of at least one. */
export type TrySome = (source: Source, hexes: readonly string[]) => Promise<readonly Trial[]>;

/** The number of calls of Test at a time, for each of two sources, on servers that take one message per call. */
const CONCURRENCY = 3;
/** The hexadecimal digits of a call. The server limits a request to 4 MB. */
const MAX_DIGITS = 1024 * 1024;

/**
 * Returns a function that applies sources to bodies, in as few calls as the server allows. The contract's Test takes
 * one message per call, so the batches are from our extension of the contract, and other servers are called for each.
 */
export function openTrials(context: Context, declaredFields: readonly Field[]): TrySome {
  const { api, organization, signal } = context;
  let hasBatches = true;
  return async (source, hexes) => {
    if (hasBatches) {
      const parseBytes = firstBodies(hexes).map((hex) => ({ hex }));
      const request = { organization: organization.id, parser: source, parseBytes };
      try {
        const { results } = await api(ParserTraceService).testBatch(request, { signal });
        return results.map((result) => readTrial(result, declaredFields));
      } catch (error) {
        if (!isUnimplemented(error)) throw error;
        hasBatches = false;
      }
    }
    const part = hexes.slice(0, CONCURRENCY);
    return Promise.all(part.map((hex) => trySource(context, source, hex, declaredFields)));
  };
}

/** Returns as many of the first bodies as fit into a call, and at least one. */
function firstBodies(hexes: readonly string[]): readonly string[] {
  let digits = 0;
  const end = hexes.findIndex((hex, index) => {
    digits += hex.length;
    return index === MAX_TEST_BATCH || (index > 0 && digits > MAX_DIGITS);
  });
  return end < 0 ? hexes : hexes.slice(0, end);
}
