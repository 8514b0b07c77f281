import { commandLabels, type CommandMetadata } from '#commands/model/command.ts';
import { CommandError } from '#commands/model/errors.ts';
import type { Suggestion } from '#commands/model/suggestion.ts';
import type { Directory } from '#commands/registry/directory.ts';
import { listMessage, message, type Message } from '#commands/text/message.ts';

import { isOverrides, keysOf, type Overrides } from './bindings.ts';
import { addKeys, areSameKeys, findConflicts, isReserved, removeKeys } from './conflicts.ts';
import { formatKeys } from './format.ts';
import { MAX_PRESSES } from './press.ts';

/** Prints custom keys as JSON, with command ids and their sequences, sorted by id. */
export function printOverrides(overrides: Overrides): string {
  const sorted = Object.entries(overrides).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(Object.fromEntries(sorted), null, 2);
}

/**
 * Parses the output of {@link printOverrides}, which can come from another browser or have been edited by hand.
 *
 * @throws CommandError describing the problem
 */
export function readOverrides(text: string, directory: Directory): Overrides {
  const overrides = parseJson(text);
  if (!isOverrides(overrides)) throw new CommandError(message('app:keys.unreadable'), 'keys');
  for (const [id, sequences] of Object.entries(overrides)) {
    const problem = sequences
      .map((keys) => findProblem(id, keys, overrides, directory))
      .find((message) => message !== undefined);
    const unknown = directory.command(id) ? undefined : message('app:keys.unknownCommand', { id });
    const failure = unknown ?? problem;
    if (failure) throw new CommandError(failure, 'keys');
  }
  return overrides;
}

/** Returns the problem with custom keys in text form. Undefined if they are valid. */
export function problemOfText(text: string, directory: Directory): Message | undefined {
  try {
    readOverrides(text, directory);
    return undefined;
  } catch (error) {
    if (error instanceof CommandError) return error.userMessage;
    throw error;
  }
}

/** Returns all commands with their keys, to choose one whose keys to change. */
export function suggestCommands(directory: Directory, overrides: Overrides): readonly Suggestion[] {
  return directory.commands.map((command) => ({
    value: command.id,
    label: command.id,
    message: commandLabels.title(command),
    detail: keysOf(command, overrides)
      .map((keys) => formatKeys(keys))
      .join(', '),
  }));
}

/**
 * Adds keys to a command.
 *
 * @throws CommandError if the keys are invalid, or another command uses them
 */
export function addCustomKeys(id: string, keys: string, directory: Directory, overrides: Overrides): Overrides {
  const command = requireCommand(id, directory);
  const problem = findProblem(id, keys, overrides, directory);
  if (problem) throw new CommandError(problem, 'keys');
  return addKeys(command, keys, overrides);
}

/**
 * Removes keys from a command.
 *
 * @throws CommandError if the command doesn't have these keys
 */
export function removeCustomKeys(id: string, keys: string, directory: Directory, overrides: Overrides): Overrides {
  const command = requireCommand(id, directory);
  const current = keysOf(command, overrides);
  const title = commandLabels.title(command);
  if (current.length === 0) throw new CommandError(message('app:keys.hasNone', { title }), 'command');
  if (!current.some((value) => areSameKeys(value, keys)))
    throw new CommandError(message('app:keys.otherKeys', { keys, title, current: current.join(', ') }), 'keys');
  return removeKeys(command, keys, overrides);
}

function requireCommand(id: string, directory: Directory): CommandMetadata {
  const command = directory.command(id);
  if (!command) throw new CommandError(message('app:keys.noCommand', { id }), 'command');
  return command;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The caller reports that the text isn't a copy of key bindings.
    return undefined;
  }
}

/** The names that keyboard events have for keys that type no character, except modifiers. */
const KEY_NAMES =
  'F\\d\\d?|Arrow(?:Up|Down|Left|Right)|Page(?:Up|Down)|(?:Media|Audio|Browser|Launch)[A-Z]\\w*|Escape|Enter|Space|Tab|' +
  'Backspace|Delete|Insert|Home|End|Clear|Help|Pause|PrintScreen|ScrollLock|ContextMenu';

const PRESS = new RegExp(`^(?:(?:\\$mod|Control|Alt|Shift|Meta)\\+)*(?:\\S|${KEY_NAMES})$`, 'u');

function findProblem(id: string, keys: string, overrides: Overrides, directory: Directory): Message | undefined {
  const command = directory.command(id);
  if (!command) return undefined;
  const presses = keys.split(' ');
  if (presses.length > MAX_PRESSES) return message('app:keys.tooLong', { id, count: MAX_PRESSES });
  if (!presses.every((press) => PRESS.test(press))) return message('app:keys.noKeys', { keys, id });
  if (isReserved(keys)) return message('app:keys.reserved', { keys: formatKeys(keys) });
  const titles = listMessage(
    findConflicts(command, keys, directory, overrides).map((other) => commandLabels.title(other)),
  );
  return titles && message('app:keys.clash', { keys: formatKeys(keys), title: commandLabels.title(command), titles });
}
