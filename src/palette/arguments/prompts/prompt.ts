import type { Context } from '#commands/model/context.ts';
import type { ArgValue, Kind, KindValues } from '#commands/model/arg-value.ts';
import type { ParamShapes } from '#commands/model/kinds.ts';
import type { Message, Translate } from '#commands/text/message.ts';

import type { Row } from '#src/search/rows.ts';

/** What a prompt is asked: a param, what was typed for it, and what it holds so far. */
export interface Asked<K extends Kind = Kind> {
  readonly param: ParamShapes[K] & { readonly kind: K };
  readonly text: string;
  readonly value: KindValues[K] | undefined;
  readonly context: Context;
  readonly say: Translate;
  /** The console's own texts. */
  readonly texts: (key: string, values?: Message['values']) => string;
}

/** A row that gives the param a value. */
export interface Choice extends Row {
  readonly value: ArgValue;
  /** More may follow: the prompt stays, with what was chosen shown. */
  readonly stays?: boolean;
  /** `value` is one of several: taking it adds it to them, or takes it out. */
  readonly toggles?: boolean;
  /** Says what was typed, and so is gone when that changes. */
  readonly echo?: boolean;
}

/** The row that ends choosing several. */
export const DONE = 'done';

export interface Answer {
  readonly rows: readonly Choice[];
  /** What is wrong with the typed text; there are then no rows to take. */
  readonly problem?: Message;
}

/**
 * How the palette asks for a kind of param. Whatever Enter takes is a row, typed values too, so that what is announced
 * is what is taken.
 */
export interface Prompt<K extends Kind = Kind> {
  readonly masked?: boolean;
  /** At once, from what is known. */
  readonly now: (asked: Asked<K>) => Answer;
  /** What has to be asked for; its rows join below those of `now`. */
  readonly later?: (asked: Asked<K>, signal: AbortSignal) => Promise<readonly Choice[]>;
}

export const NOTHING: Answer = { rows: [] };
