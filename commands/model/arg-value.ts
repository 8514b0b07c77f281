import type { Target } from './target.ts';

/**
 * The closed set of param kinds, each with the plain value that an invocation contains. Every surface (palette prompt,
 * form field, CLI flag, text literal) handles them in an exhaustive `Record<Kind, …>`, so a missing kind is a type
 * error.
 *
 * | kind | value | typed as |
 * |---|---|---|
 * | text | string; an empty one clears | `'Pump 3'` |
 * | number | number | `12.5` |
 * | flag | boolean | `--disabled`, `--no-disabled` |
 * | duration | seconds | `1h15m30s` |
 * | time | canonical text | `now`, `-10h`, `2026-01-31 20:00` |
 * | range | start and end as times | `-10h..now` |
 * | choice | one name from a closed list | `pending_maintenance` in any case |
 * | choices | several names from a closed list | `MESSAGE_RECEIVED,ALARM_TRIGGERED` |
 * | words | any strings | `a,b` |
 * | pairs | strings by name | `--header X-Site=north --header X-Kind=well`; hidden: `--header X-Key=@ask` |
 * | secret | string that is never printed | `@ask` |
 * | file | `@path`; once read, a data URL with the file's name | `@logo.png` |
 * | files | several such files | `@front.jpg,@back.jpg` |
 * | ref | one item by name, number, or id | `'Needs visit'` |
 * | refs | several such items | `'Needs visit,North field'` |
 * | many | a {@link Target} | `'health:ERROR'`, `'AAAA BBBB'`, `@selection` |
 * | query | canonical filter text | `'lifecycle:INSTALLED last>2d'` |
 */
export interface KindValues {
  readonly text: string;
  readonly number: number;
  readonly flag: boolean;
  readonly duration: number;
  readonly time: string;
  readonly range: { readonly start: string; readonly end: string };
  readonly choice: string;
  readonly choices: readonly string[];
  readonly words: readonly string[];
  readonly pairs: Readonly<Record<string, string>>;
  readonly secret: string;
  readonly file: string;
  readonly files: readonly string[];
  readonly ref: string;
  readonly refs: readonly string[];
  readonly many: Target;
  readonly query: string;
}

export type Kind = keyof KindValues;
export type ArgValue = KindValues[Kind];

/** Replaces a `secret` in lines, history, and links. The host prompts for the value when the command runs. */
export const ASK = '@ask';

/** Replaces hidden values with {@link ASK}, for lines, history, and links. An empty value stays empty. */
export function replaceWithAsk(pairs: KindValues['pairs']): KindValues['pairs'] {
  return Object.fromEntries(Object.entries(pairs).map(([name, text]) => [name, text === '' ? '' : ASK]));
}
