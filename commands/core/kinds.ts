import type { AnyEntity, Entity } from './entity.ts';
import type { Message } from './message.ts';
import type { Selected, Target } from './target.ts';
import type { Context } from './context.ts';

/**
 * The closed set of param kinds, each with the plain value an invocation holds. Every surface (palette prompt, form field, CLI flag,
 * text literal) is an exhaustive `Record<Kind, …>`, so that a kind a surface forgot is a type error.
 *
 * | kind | value | typed as |
 * |---|---|---|
 * | text | string; the empty text clears | `'Pump 3'` |
 * | number | number | `12.5` |
 * | flag | boolean | `--disabled`, `--no-disabled` |
 * | duration | seconds | `1h15m30s` |
 * | time | canonical text | `now`, `-10h`, `2026-01-31 20:00` |
 * | range | start and end as times | `-10h..now` |
 * | choice | one name of a closed list | `pending_maintenance` in any case |
 * | choices | several of them | `MESSAGE_RECEIVED,ALARM_TRIGGERED` |
 * | words | free texts | `a,b` |
 * | pairs | name to text | `--header X-Site=north --header X-Kind=well`; hidden: `--header X-Key=@ask` |
 * | secret | text that is never printed | `@ask` |
 * | file | `@path`, or once it was read a data URL with its name | `@logo.png` |
 * | ref | one item by name, number or id | `'Needs visit'` |
 * | refs | several | `'Needs visit,North field'` |
 * | many | a {@link Target} | `'health:ERROR'`, `'AAAA BBBB'`, `@selection` |
 * | query | canonical filter text | `'lifecycle:INSTALLED last>2d'` |
 */
export interface KindValues {
  text: string;
  number: number;
  flag: boolean;
  duration: number;
  time: string;
  range: { readonly start: string; readonly end: string };
  choice: string;
  choices: readonly string[];
  words: readonly string[];
  pairs: Readonly<Record<string, string>>;
  secret: string;
  file: string;
  ref: string;
  refs: readonly string[];
  many: Target;
  query: string;
}

export type Kind = keyof KindValues;
export type ArgValue = KindValues[Kind];

/** What a `secret` holds in a line, in history and in a link: the host asks for it when it runs. */
export const ASK = '@ask';

/** The pairs whose values are still to be asked for. */
export function unaskedPairs(param: Param, value: ArgValue | undefined): readonly string[] {
  if (param.kind !== 'pairs' || !param.hidden || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, text]) => (text === ASK ? [name] : []));
}

/** Hidden values as lines, history and links hold them; an empty one hides nothing. */
export function withAsk(pairs: KindValues['pairs']): KindValues['pairs'] {
  return Object.fromEntries(Object.entries(pairs).map(([name, text]) => [name, text === '' ? '' : ASK]));
}

/** A named thing that a ref found, or (where the param allows it) the name of one that is to be created. */
export type Found<Item> = { readonly item: Item } | { readonly create: string };

interface Common<V> {
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

export interface Suggestion {
  readonly value: string;
  readonly label: string;
  /** How it reads, where that is not simply its label. */
  readonly said?: Message;
  readonly detail?: string;
  readonly count?: number;
}

type Suggest = (context: Context, text: string) => Promise<readonly Suggestion[]>;

/** How many characters a text has, or each of several. */
interface Lengths {
  readonly minLength?: number;
  readonly maxLength?: number;
}

export interface ParamShapes {
  /** `maxLength` is the usual one where none is given. */
  text: Common<string> &
    Lengths & { readonly multiline?: boolean; readonly placeholder?: string; readonly suggest?: Suggest };
  number: Common<number> & { readonly min?: number; readonly max?: number; readonly integer?: boolean };
  flag: Common<boolean>;
  duration: Common<number> & { readonly min?: number; readonly max?: number };
  /** `min` and `max` are times: `now`, `2026-01-31`. */
  time: Common<string> & { readonly min?: string; readonly max?: string };
  /** With `partial`, picking one day is enough. */
  range: Common<KindValues['range']> & { readonly min?: string; readonly max?: string; readonly partial?: boolean };
  choice: Common<string> & { readonly options: readonly string[]; readonly label?: (option: string) => Message };
  choices: Common<readonly string[]> & {
    readonly options: readonly string[];
    readonly label?: (option: string) => Message;
  };
  words: Common<readonly string[]> & Lengths & { readonly suggest?: Suggest };
  /** With `hidden`, names are printed and kept, and values are treated as a `secret` is. */
  pairs: Common<KindValues['pairs']> & Lengths & { readonly hidden?: boolean };
  secret: Common<string> & Lengths;
  file: Common<string> & { readonly accept: readonly string[]; readonly maxBytes: number };
  ref: Common<string> & { readonly entity: () => AnyEntity; readonly orCreate?: boolean };
  refs: Common<readonly string[]> & { readonly entity: () => AnyEntity; readonly orCreate?: boolean };
  many: Common<Target> & { readonly entity: () => AnyEntity; readonly atMost?: number };
  query: Common<string> & { readonly entity: () => AnyEntity };
}

/** `V` is what an invocation holds, `R` what `plan` and `run` receive; both are only types. */
export type Param<K extends Kind = Kind, R = unknown> = {
  [Each in K]: ParamShapes[Each] & { readonly kind: Each };
}[K] & {
  /** Boxed, so that `undefined` in `R` is not lost to the `?`. */
  readonly _resolved?: { readonly box: R };
};

export type Params = Readonly<Record<string, Param>>;

export type ResolvedOf<P> = P extends { readonly _resolved?: { readonly box: infer R } } ? R : never;
export type EntityItem<E> = E extends Entity<infer Item> ? Item : never;
export type { Selected };
