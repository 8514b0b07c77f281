import { enumName } from '#commands/model/wire.ts';
import { listMessage, message, type Message } from '#commands/text/message.ts';

/** The shape of a generated enum. */
type EnumObject = Readonly<Record<string, number>>;

/** Display texts for the values of a contract enum. */
export interface EnumTexts {
  readonly enumObject: EnumObject;
  /** The key prefix of its texts: `device:lifecycle` for `device:lifecycle.PAUSED`. */
  readonly prefix: string;
  /** The text of a value, or its number if this version of the contract does not define it. */
  text(value: number): Message;
  /** Returns the text of the value with a name in the contract. */
  byName(name: string): Message;
  /** The texts of several values, separated by commas. Undefined if there are none. */
  list(values: readonly number[]): Message | undefined;
}

const declaredEnums: EnumTexts[] = [];

/**
 * Declares the texts for an enum. Everything that shows its values uses them, and a test requires a translation for
 * each value.
 */
export function enumTexts(enumObject: EnumObject, prefix: string): EnumTexts {
  const byName = (name: string): Message => message(`${prefix}.${name}`);
  const text = (value: number): Message => {
    const name = enumName(enumObject, value);
    return name === undefined ? message('common:unknown', { value }) : byName(name);
  };
  const texts: EnumTexts = { enumObject, prefix, byName, text, list: (values) => listMessage(values.map(text)) };
  declaredEnums.push(texts);
  return texts;
}

/** Returns the texts for all declared enums, for the test. */
export function allEnumTexts(): readonly EnumTexts[] {
  return declaredEnums;
}
