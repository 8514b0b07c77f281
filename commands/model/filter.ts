import type { Message } from '#commands/text/message.ts';

import type { Context } from './context.ts';
import type { Suggestion } from './suggestion.ts';

/** A value with `*` in it, split at the stars: `AB*` is `['AB', '']`. */
export type Pattern = readonly string[];

/** The test of a filter term. Values are as typed (unquoted; in canonical case once checked). */
export type Test =
  /** Any of the values, or any that matches a pattern. Keys receive only values: patterns are expanded first. */
  | { readonly values: readonly string[]; readonly patterns?: readonly Pattern[] }
  /** `key>x`, `key<x`, `key:a..b`; `above` and `below` bound the value, and either may be absent. */
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

/** A source of names for completing a value. Its functions are methods, so any entity is assignable. */
export interface NameSource {
  label(item: unknown): string;
  search(context: Context, text: string, limit: number): Promise<readonly unknown[]>;
}

/** How the values of a key are written and checked. */
export type ValueKind = 'choice' | 'text' | 'name' | 'time' | 'number' | 'flag';

/**
 * A key of an entity's filter: its values, and how it sets the contract's selection. A key is declared only if the
 * contract can select by it, because the console never filters a partial list itself.
 */
export interface FilterKey<Selection> {
  readonly kind: ValueKind;
  /** For `choice`: the closed list, in canonical case. */
  readonly options?: readonly string[];
  /** Values that always exist, if the complete list is only known to the server. */
  readonly known?: readonly string[];
  /** The display text of a value, as in a cell or a form. */
  label?(value: string): Message;
  /** Names several values of a single-valued attribute: `two lifecycles`. Shown if a filter requires two at once. */
  readonly several?: Message;
  /** True if `-key:value` can be selected. */
  readonly negates?: boolean;
  /** True if `>`, `<` and `..` can be selected. */
  readonly ranges?: boolean;
  /** True if `key:*` (and `-key:*` with `negates`) can be selected. */
  readonly presence?: boolean;
  /** Other names for the key that users may know from other products; the canonical text always has the key itself. */
  readonly aliases?: readonly string[];
  /** True if bare words also search this attribute, so a search is an alternative to a value that does not exist. */
  readonly searched?: boolean;
  /** True if the contract matches substrings, which makes a surrounding `*` redundant. */
  readonly contains?: boolean;
  /**
   * All existing values, for expanding `*` inside a value. Any other value is rejected, with the nearest values as
   * suggestions. Absent if the values cannot be listed.
   */
  allValues?(context: Context): Promise<readonly string[]>;
  /** Returns a message for a canonical value that cannot exist. */
  check?(value: string): Message | undefined;
  /** For `name`: the entity whose names complete it. */
  readonly entity?: () => NameSource;
  /**
   * The canonical text of a typed value (`error` to `ERROR`, `55290491` to `5529 0491`); if absent, the value as typed.
   */
  canonical?(value: string): string;
  /** Returns completions, with counts if counting is cheap. */
  suggest?(context: Context, text: string): Promise<readonly Suggestion[]>;
  /**
   * Writes the term into the selection.
   *
   * @throws CommandError for a value that does not exist (with suggestions) or a form that the contract cannot select
   */
  apply(selection: Selection, term: Term, context: Context): void | Promise<void>;
}

export type FilterKeys<Selection> = Readonly<Record<string, FilterKey<Selection>>>;
