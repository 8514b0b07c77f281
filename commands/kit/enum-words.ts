import { listed, message, type Message } from '#commands/text/message.ts';
import { enumName } from '#commands/model/wire.ts';

/** The shape of a generated enum. */
type EnumObject = Readonly<Record<string, number>>;

/** How people read the values of a contract enum. */
export interface EnumWords {
  readonly of: EnumObject;
  /** Where its texts are, each under the name of its value: `device:lifecycle`. */
  readonly texts: string;
  /** What a value is called; one that this version of the contract does not know is called by its number. */
  word(value: number): Message;
  /** The same by the name that the contract gives it. */
  named(name: string): Message;
  /** Several, with commas; undefined for none. */
  words(values: readonly number[]): Message | undefined;
}

const every: EnumWords[] = [];

/**
 * Declares the words of an enum. Everything that shows its values reads them here, and a test asks for a text of
 * each.
 */
export function enumWords(readonly: EnumObject, texts: string): EnumWords {
  const named = (name: string): Message => message(`${texts}.${name}`);
  const word = (value: number): Message => {
    const name = enumName(readonly, value);
    return name === undefined ? message('common:unknown', { value }) : named(name);
  };
  const declared: EnumWords = { of: readonly, texts, named, word, words: (values) => listed(values.map(word)) };
  every.push(declared);
  return declared;
}

/** All that are declared, for the test. */
export function everyEnum(): readonly EnumWords[] {
  return every;
}
