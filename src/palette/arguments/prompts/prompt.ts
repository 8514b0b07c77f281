import type { ArgValue, Kind, KindValues } from '#commands/model/arg-value.ts';
import type { Context } from '#commands/model/context.ts';
import type { ParamShapes } from '#commands/model/kinds.ts';
import type { Message, Translate } from '#commands/text/message.ts';
import type { Row } from '#src/search/rows.ts';

/** The input of a prompt: a param, the text typed for it, and its value so far. */
export interface PromptInput<K extends Kind = Kind> {
  readonly param: ParamShapes[K] & { readonly kind: K };
  readonly text: string;
  readonly value: KindValues[K] | undefined;
  readonly context: Context;
  readonly translate: Translate;
  /** Translates the console's own strings. */
  readonly t: (key: string, values?: Message['values']) => string;
}

/** A row that sets the param. */
export interface Choice extends Row {
  readonly value: ArgValue;
  /** True if the prompt stays open for more values after this row is chosen. */
  readonly keepsOpen?: boolean;
  /** True if choosing the row adds `value` to the param's values, or removes it from them. */
  readonly toggles?: boolean;
  /** True if the row repeats the typed text, and so disappears when the text changes. */
  readonly isEcho?: boolean;
}

/** The id of the row that ends a multiple selection. */
export const DONE = 'done';

export interface PromptResult {
  readonly rows: readonly Choice[];
  /** The problem with the typed text. If set, there are no rows. */
  readonly problem?: Message;
}

/**
 * Defines how the palette prompts for a kind of param. Every choice is a row, including typed values, so Enter always
 * chooses the active row.
 */
export interface Prompt<K extends Kind = Kind> {
  readonly masked?: boolean;
  /** The rows available immediately. */
  readonly immediateRows: (input: PromptInput<K>) => PromptResult;
  /** The rows that need a request. They are added below the rows from `immediate`. */
  readonly load?: (input: PromptInput<K>, signal: AbortSignal) => Promise<readonly Choice[]>;
}

export const NOTHING: PromptResult = { rows: [] };
