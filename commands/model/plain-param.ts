import type { Message } from '#commands/text/message.ts';

import type { KindValues } from './arg-value.ts';
import type { Context } from './context.ts';
import type { Suggestion } from './suggestion.ts';

/** Options of params of every kind. */
export interface Common<V> {
  readonly required: boolean;
  /** The flag of the same command that makes this param optional. */
  readonly unless?: string;
  /** The message for a missing required argument, instead of the default message. */
  readonly missing?: Message;
  readonly fallback?: V;
  /** True if an empty string is valid and clears the value; otherwise a required string must not be empty. */
  readonly clears?: boolean;
  /** Returns a message for an invalid value, in addition to the checks of the kind itself. */
  readonly check?: (value: V, context: Context) => Message | undefined;
  /** The meaning of an absent value, such as every event. */
  readonly none?: Message;
  /**
   * Disables the param with a reason, as `blocked` does for a command; for example, a field that only support may set.
   */
  readonly blocked?: (context: Context) => Message | undefined;
}

type Suggest = (context: Context, text: string) => Promise<readonly Suggestion[]>;

/** Limits on the length of a string, or of each string in a list. */
interface Lengths {
  readonly minLength?: number;
  readonly maxLength?: number;
}

/** Params that do not refer to items, so they need no entity. */
export interface PlainShapes {
  /** `maxLength` has a default. */
  readonly text: Common<string> &
    Lengths & { readonly multiline?: boolean; readonly placeholder?: string; readonly suggest?: Suggest };
  readonly number: Common<number> & { readonly min?: number; readonly max?: number; readonly integer?: boolean };
  readonly flag: Common<boolean>;
  readonly duration: Common<number> & { readonly min?: number; readonly max?: number };
  /** `min` and `max` are times: `now`, `2026-01-31`. With `future`, a duration counts from now: `30d`. */
  readonly time: Common<string> & { readonly min?: string; readonly max?: string; readonly future?: boolean };
  /** With `partial`, picking one day is enough. */
  readonly range: Common<KindValues['range']> & {
    readonly min?: string;
    readonly max?: string;
    readonly partial?: boolean;
  };
  readonly choice: Common<string> & {
    readonly options: readonly string[];
    readonly label?: (option: string) => Message;
  };
  readonly choices: Common<readonly string[]> & {
    readonly options: readonly string[];
    readonly label?: (option: string) => Message;
  };
  readonly words: Common<readonly string[]> & Lengths & { readonly suggest?: Suggest };
  /** With `hidden`, names are printed and stored, while values are treated like a `secret`. */
  readonly pairs: Common<KindValues['pairs']> & Lengths & { readonly hidden?: boolean };
  readonly secret: Common<string> & Lengths;
  readonly file: Common<string> & { readonly accept: readonly string[]; readonly maxBytes: number };
}

export type PlainParam = {
  [K in keyof PlainShapes]: PlainShapes[K] & { readonly kind: K };
}[keyof PlainShapes];
