import type { JsonObject } from '@bufbuild/protobuf';

import { MAX_BATCH_RESULTS } from './workers/limits.mjs';

/** The bytes of a message that a field was read from; `end` is exclusive. */
export interface FieldRange {
  /** Such as `sensors[0].level`. */
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

export interface ParsedFields {
  readonly fields: JsonObject;
  /** Only if requested. Computed fields have none. */
  readonly ranges?: readonly FieldRange[];
}

export interface ParseFailure {
  /** A sentence with the field and its byte. */
  readonly error: string;
  readonly path?: string;
  /** The byte where the field begins. */
  readonly offset?: number;
  /** True if the parser exceeded a limit, or crashed. */
  readonly exceeds?: true;
}

/** How many more characters of JSON a call's results may have. Once it's used up, further messages aren't tried. */
export interface ResultBudget {
  characters: number;
}

export const newBudget = (): ResultBudget => ({ characters: MAX_BATCH_RESULTS });

export type ParseResult = ParsedFields | ParseFailure;
