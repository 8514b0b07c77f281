import type { KindValues } from './arg-value.ts';
import type { Context } from './context.ts';
import type { Message } from '#commands/text/message.ts';
import type { Suggestion } from './suggestion.ts';

/** What params of every kind have. */
export interface Common<V> {
  readonly required: boolean;
  /** The flag of the same command that makes it one that may be left out. */
  readonly unless?: string;
  /** What to say where it is required and not there, instead of the usual sentence. */
  readonly missing?: Message;
  readonly fallback?: V;
  /** The empty text is a value that clears; without this a required text must not be empty. */
  readonly clears?: boolean;
  /** Refuses a value with the sentence to show; what the kind itself checks need not be repeated. */
  readonly check?: (value: V, context: Context) => Message | undefined;
  /** What leaving it out means: every event. */
  readonly none?: Message;
  /** Disables the param with a reason, as `blocked` does for a command: e.g. a field only support may set. */
  readonly blocked?: (context: Context) => Message | undefined;
}

type Suggest = (context: Context, text: string) => Promise<readonly Suggestion[]>;

/** How many characters a text has, or each of several. */
interface Lengths {
  readonly minLength?: number;
  readonly maxLength?: number;
}

/** Params that name no items, and so need no entity. */
export interface PlainShapes {
  /** `maxLength` is the usual one where none is given. */
  readonly text: Common<string> &
    Lengths & { readonly multiline?: boolean; readonly placeholder?: string; readonly suggest?: Suggest };
  readonly number: Common<number> & { readonly min?: number; readonly max?: number; readonly integer?: boolean };
  readonly flag: Common<boolean>;
  readonly duration: Common<number> & { readonly min?: number; readonly max?: number };
  /** `min` and `max` are times: `now`, `2026-01-31`. */
  readonly time: Common<string> & { readonly min?: string; readonly max?: string };
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
  /** With `hidden`, names are printed and kept, and values are treated as a `secret` is. */
  readonly pairs: Common<KindValues['pairs']> & Lengths & { readonly hidden?: boolean };
  readonly secret: Common<string> & Lengths;
  readonly file: Common<string> & { readonly accept: readonly string[]; readonly maxBytes: number };
}

export type PlainParam = {
  [K in keyof PlainShapes]: PlainShapes[K] & { readonly kind: K };
}[keyof PlainShapes];
