import type { Context } from './context.ts';
import type { Message } from '#commands/text/message.ts';
import type { Suggestion } from './suggestion.ts';

/** A value with `*` in it, as the texts around the stars: `AB*` is `['AB', '']`. */
export type Pattern = readonly string[];

/** What a term of a filter tests. Values are texts as typed (unquoted, canonical case once checked). */
export type Test =
  /** Any of them, or any value that a pattern fits. Keys are given values only: patterns are looked up before. */
  | { readonly values: readonly string[]; readonly patterns?: readonly Pattern[] }
  /** `key>x`, `key<x`, `key:a..b`; `above` and `below` are bounds of the value, either may be absent. */
  | { readonly above?: string; readonly below?: string }
  /** `key:*`. */
  | { readonly present: true };

export interface Term {
  readonly key: string;
  /** `-key:value`. */
  readonly negated: boolean;
  readonly test: Test;
}

/** A parsed filter. `sort` names carry `-` for descending; words are the bare words in order. */
export interface Filter {
  readonly terms: readonly Term[];
  readonly words: readonly string[];
  readonly sort: readonly string[];
  readonly group?: string;
}

/** Items whose names complete a value; every entity is one. Methods, so that an entity of any item is. */
export interface NameSource {
  label(item: unknown): string;
  search(context: Context, text: string, limit: number): Promise<readonly unknown[]>;
}

/** How the values of a key are written and checked. */
export type ValueKind = 'choice' | 'text' | 'name' | 'time' | 'number' | 'flag';

/**
 * A key of an entity's filter: what it takes and where in the contract's selection it goes. What the contract cannot
 * select is not declared: there is no filtering of a partial list, ever.
 */
export interface FilterKey<Selection> {
  readonly kind: ValueKind;
  /** For `choice`: the closed list, in canonical case. */
  readonly options?: readonly string[];
  /** How a value reads where items are shown: in a cell, in a form. */
  label?(value: string): Message;
  /** Of what nothing has more than one: `two lifecycles`. Said where a filter asks for several at once. */
  readonly several?: Message;
  /** `-key:value` can be selected. */
  readonly negates?: boolean;
  /** `>`, `<` and `..` can be selected. */
  readonly ranges?: boolean;
  /** `key:*` (and `-key:*` with `negates`) can be selected. */
  readonly presence?: boolean;
  /** Other words for the key, as people say it elsewhere; the canonical text has the key itself. */
  readonly aliases?: readonly string[];
  /** Bare words are looked for in this too: what is no value of the key can still be searched for. */
  readonly searched?: boolean;
  /** The contract finds the value anywhere in the text, so that `*` around it says nothing. */
  readonly contains?: boolean;
  /**
   * Every value there is, all of them: what `*` inside a value stands for. A text that is none of them is refused with
   * the nearest. Absent where nobody can list them.
   */
  every?(context: Context): Promise<readonly string[]>;
  /** Refuses a canonical value that cannot exist. */
  check?(value: string): Message | undefined;
  /** For `name`: whose names complete it. */
  readonly entity?: () => NameSource;
  /** The canonical text of a value as typed (`error` to `ERROR`, `55290491` to `5529 0491`); as it is when absent. */
  canonical?(value: string): string;
  /** Completions, with counts where they are cheap. */
  suggest?(context: Context, text: string): Promise<readonly Suggestion[]>;
  /**
   * Writes the term into the selection. Throws {@link CommandError} for a value that does not exist (with the ones that
   * do) or a form the contract cannot select.
   */
  apply(selection: Selection, term: Term, context: Context): void | Promise<void>;
}

export type FilterKeys<Selection> = Readonly<Record<string, FilterKey<Selection>>>;
