import { texts } from '#commands/model/command.ts';
import { CommandError } from '#commands/model/errors.ts';
import { listed, message, type Message } from '#commands/text/message.ts';
import type { Registry } from '#commands/registry/registry.ts';

import type { Overrides } from './bindings.ts';
import { clashesOf, isReserved } from './conflicts.ts';
import { formatKeys } from './format.ts';

/** Changed keys as a text: command ids with their sequences, in the order of the ids. */
export function printOverrides(overrides: Overrides): string {
  const sorted = Object.entries(overrides).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify(Object.fromEntries(sorted), null, 2);
}

/**
 * Reads what {@link printOverrides} wrote, perhaps in another browser and by hand.
 * @throws CommandError that says what is wrong with it
 */
export function readOverrides(text: string, registry: Registry): Overrides {
  const read = parsed(text);
  if (!isOverrides(read)) throw new CommandError(message('app:keys.unreadable'), 'keys');
  for (const [id, all] of Object.entries(read)) {
    const problem = all.map((keys) => problemOf(id, keys, read, registry)).find((message) => message !== undefined);
    const unknown = registry.command(id) ? undefined : message('app:keys.unknownCommand', { id });
    const sentence = unknown ?? problem;
    if (sentence) throw new CommandError(sentence, 'keys');
  }
  return read;
}

/** What is wrong with a text of keys; undefined when it can be taken. */
export function problemOfText(text: string, registry: Registry): Message | undefined {
  try {
    readOverrides(text, registry);
    return undefined;
  } catch (error) {
    if (error instanceof CommandError) return error.userMessage;
    throw error;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Said by the caller: it is not what was copied.
    return undefined;
  }
}

function isOverrides(read: unknown): read is Overrides {
  const isList = (value: unknown): boolean => Array.isArray(value) && value.every((item) => typeof item === 'string');
  return typeof read === 'object' && read !== null && !Array.isArray(read) && Object.values(read).every(isList);
}

const PRESS = /^(?:(?:\$mod|Control|Alt|Shift|Meta)\+)*(?:[^\s+]+|\+)$/;

function problemOf(id: string, keys: string, overrides: Overrides, registry: Registry): Message | undefined {
  const of = registry.command(id);
  if (!of) return undefined;
  if (!keys.split(' ').every((press) => PRESS.test(press))) return message('app:keys.noKeys', { keys, id });
  if (isReserved(keys)) return message('app:keys.reserved', { keys: formatKeys(keys) });
  const titles = listed(clashesOf(of, keys, registry, overrides).map(texts.title));
  return titles && message('app:keys.clash', { keys: formatKeys(keys), title: texts.title(of), titles });
}
