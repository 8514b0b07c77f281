import type { Message } from '#commands/text/message.ts';

import type { Context } from './context.ts';
import type { Suggestion } from './suggestion.ts';

/** A value that contains `*`, split at each `*`: `AB*` is `['AB', '']`. */
export type Pattern = readonly string[];

/** A filter term's test. Values are unquoted, and checking them converts them to canonical case. */
export type Test =
  /**
   * Any of the values, or any that matches a pattern. Keys receive only values, because patterns are expanded first.
   */
  | { readonly values: readonly string[]; readonly patterns?: readonly Pattern[] }
  /** `key>x`, `key<x`, or `key:a..b`. Either bound can be absent. */
  | { readonly above?: string; readonly below?: string }
  /** `key:*`. */
  | { readonly present: true };

export interface Term {
  readonly key: string;
  /** `-key:value`. */
  readonly negated: boolean;
  readonly test: Test;
}

/** A parsed filter. `words` are the bare words in order. The names in `sort` start with `-` for descending order. */
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

/** How a key's values are written and checked. */
export type ValueKind = 'choice' | 'text' | 'name' | 'time' | 'number' | 'flag';

/**
 * A key of an entity's filter, with its values and how it sets the contract's selection. A key is declared only if the
 * contract can select by it because the console never filters a partial list itself.
 */
export interface FilterKey<Selection> {
  readonly kind: ValueKind;
  /** For `choice`, the closed list in canonical case. */
  readonly options?: readonly string[];
  /** Values that always exist, if only the server has the complete list. */
  readonly knownValues?: readonly string[];
  /** The display text of a value, as in a cell or a form. */
  label?(value: string): Message;
  /**
   * Names several values of a single-valued attribute: `two lifecycles`. Shown if a filter requires two at once.
   */
  readonly pluralMessage?: Message;
  /** True if `-key:value` can be selected. */
  readonly negates?: boolean;
  /** True if `>`, `<`, and `..` can be selected. */
  readonly ranges?: boolean;
  /** True if `key:*` (and `-key:*` with `negates`) can be selected. */
  readonly presence?: boolean;
  /** Other names for the key, which users may know from other products. The canonical text uses the key itself. */
  readonly aliases?: readonly string[];
  /** True if bare words also search this attribute, so a search is an alternative to a value that does not exist. */
  readonly isSearched?: boolean;
  /** True if the contract matches substrings, which makes a surrounding `*` redundant. */
  readonly contains?: boolean;
  /**
   * Returns all existing values, for expanding `*` inside a value. Any other value is rejected, with the nearest values
   * as suggestions. Absent if the values cannot be listed.
   */
  allValues?(context: Context): Promise<readonly string[]>;
  /** Returns a message for a canonical value that can't exist. */
  check?(value: string): Message | undefined;
  /** For `name`, the entity whose names complete it. */
  readonly entity?: () => NameSource;
  /**
   * Returns the canonical text of a typed value: `ERROR` for `error`, `5529 0491` for `55290491`. If absent, the value
   * is used as typed.
   */
  canonical?(value: string): string;
  /** Returns completions, with counts if counting is cheap. */
  suggest?(context: Context, text: string): Promise<readonly Suggestion[]>;
  /**
   * Writes the term into the selection.
   *
   * @throws CommandError for a value that doesn't exist (with suggestions) or a form that the contract can't select
   */
  apply(selection: Selection, term: Term, context: Context): void | Promise<void>;
}

export type FilterKeys<Selection> = Readonly<Record<string, FilterKey<Selection>>>;
