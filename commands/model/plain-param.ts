import type { Message } from '#commands/text/message.ts';

import type { KindValues } from './arg-value.ts';
import type { Context } from './context.ts';
import type { Suggestion } from './suggestion.ts';

/** The options that all kinds of params have. */
export interface CommonOptions<V> {
  readonly required: boolean;
  /** The flag, or the other param with a value, that makes this param optional. */
  readonly unless?: string;
  /** The message for a missing required argument, instead of the default message. */
  readonly missingMessage?: Message;
  readonly fallback?: V;
  /** True if an empty string is valid and clears the value. Otherwise, a required string must not be empty. */
  readonly clears?: boolean;
  /** Returns a message for an invalid value, in addition to the checks of the kind itself. */
  readonly check?: (value: V, context: Context) => Message | undefined;
  /** The display text of an absent value, such as "Every event". */
  readonly noneText?: Message;
  /**
   * Returns a reason that disables the param, as `blocked` does for a command. For example, only support may set the
   * field.
   */
  readonly blockedReason?: (context: Context) => Message | undefined;
}

type Suggest = (context: Context, text: string) => Promise<readonly Suggestion[]>;

/** Limits on the length of a string, or of each string in a list. */
interface Lengths {
  readonly minLength?: number;
  readonly maxLength?: number;
}

/** Limits on a file. `accept` lists media types. */
interface AcceptedFile {
  readonly accept: readonly string[];
  readonly maxBytes: number;
}

/** Params that don't refer to items, so they need no entity. */
export interface PlainShapes {
  /**
   * `maxLength` has a default. With `fromInput`, the CLI also reads it from standard input (`-`) or a file (`@name`).
   * With `closed`, only suggested values are valid.
   */
  readonly text: CommonOptions<string> &
    Lengths & {
      readonly multiline?: boolean;
      /** True for code. */
      readonly mono?: boolean;
      readonly placeholder?: string;
      readonly fromInput?: boolean;
      readonly suggest?: Suggest;
      readonly closed?: boolean;
    };
  readonly number: CommonOptions<number> & { readonly min?: number; readonly max?: number; readonly integer?: boolean };
  readonly flag: CommonOptions<boolean>;
  readonly duration: CommonOptions<number> & { readonly min?: number; readonly max?: number };
  /** `min` and `max` are times: `now`, `2026-01-31`. With `future`, a duration counts from now: `30d`. */
  readonly time: CommonOptions<string> & { readonly min?: string; readonly max?: string; readonly future?: boolean };
  /** With `partial`, picking one day is enough. With `local`, times are in the user's time zone, not in UTC. */
  readonly range: CommonOptions<KindValues['range']> & {
    readonly min?: string;
    readonly max?: string;
    readonly partial?: boolean;
    readonly local?: boolean;
  };
  readonly choice: CommonOptions<string> & {
    readonly options: readonly string[];
    /** Set if the options are the names of other things, such as screens. A name alone then never finds the command. */
    readonly namesOtherThings?: true;
    readonly label?: (option: string) => Message;
  };
  readonly choices: CommonOptions<readonly string[]> & {
    readonly options: readonly string[];
    readonly label?: (option: string) => Message;
  };
  readonly words: CommonOptions<readonly string[]> &
    Lengths & {
      readonly suggest?: Suggest;
      /** True if only suggested values are valid. */
      readonly closed?: boolean;
      /** The value in the example of the help. */
      readonly example?: readonly string[];
    };
  /** With `hidden`, names are printed and stored, while values are treated like a `secret`. */
  readonly pairs: CommonOptions<KindValues['pairs']> & Lengths & { readonly hidden?: boolean };
  readonly secret: CommonOptions<string> & Lengths;
  readonly file: CommonOptions<string> & AcceptedFile;
  readonly files: CommonOptions<readonly string[]> & AcceptedFile & { readonly atMost: number };
}

export type PlainParam = {
  [K in keyof PlainShapes]: PlainShapes[K] & { readonly kind: K };
}[keyof PlainShapes];
