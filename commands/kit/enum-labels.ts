import { enumName } from '#commands/model/wire.ts';
import { listMessage, message, type Message } from '#commands/text/message.ts';

/** The shape of a generated enum. */
type EnumObject = Readonly<Record<string, number>>;

/** Labels for the values of a contract enum. */
export interface EnumLabels {
  readonly enumObject: EnumObject;
  /** The key prefix of its labels: `device:lifecycle` for `device:lifecycle.PAUSED`. */
  readonly prefix: string;
  /** Returns the label of a value, or its number if this version of the contract doesn't define it. */
  text(value: number): Message;
  /** Returns the label of the value that has this name in the contract. */
  byName(name: string): Message;
  /** Returns the labels of several values, separated by commas, or undefined if there are none. */
  list(values: readonly number[]): Message | undefined;
}

const declaredEnums: EnumLabels[] = [];

/**
 * Declares labels for an enum. Everything that shows its values uses them, and a test requires a label for each value.
 */
export function enumLabels(enumObject: EnumObject, prefix: string): EnumLabels {
  const byName = (name: string): Message => message(`${prefix}.${name}`);
  const text = (value: number): Message => {
    const name = enumName(enumObject, value);
    return name === undefined ? message('common:unknown', { value }) : byName(name);
  };
  const labels: EnumLabels = { enumObject, prefix, byName, text, list: (values) => listMessage(values.map(text)) };
  declaredEnums.push(labels);
  return labels;
}

/** Returns the labels of all declared enums, for the test. */
export function allEnumLabels(): readonly EnumLabels[] {
  return declaredEnums;
}
