import type { Command } from '#commands/model/command.ts';
import type { Registry } from '#commands/registry/registry.ts';
import { message, type Message } from '#commands/text/message.ts';
import { nearestNames } from '#commands/text/near.ts';

import type { Word } from './shell.ts';

/** A word of a line, with its role. A `value` or `option` also has the name of its param. */
export interface LineWord extends Word {
  readonly role: 'noun' | 'verb' | 'plural' | 'option' | 'value' | 'wrong';
  readonly param?: string;
}

/** The command that a line starts with, and the words that name it. */
interface CommandHead {
  readonly command: Command;
  readonly words: readonly LineWord[];
}

export type Head = CommandHead | { readonly message: Message; readonly word?: Word; readonly wordCount: number };

/** The verb that a plural noun implies. */
const LIST = 'list';

/** Returns the words of a command: its own word, `devices` for `device.list`, otherwise the noun and the verb. */
export function commandWords(command: Command, registry: Registry): readonly string[] {
  if (command.word !== undefined) return [command.word];
  const entity = command.verb === LIST ? registry.entities.find((noun) => noun.name === command.noun) : undefined;
  return entity ? [entity.plural] : [command.noun, command.verb];
}

/** Finds the command that a line starts with. Undefined if its first words name no command. */
export function leadingCommand([noun, verb]: readonly Word[], registry: Registry): CommandHead | undefined {
  if (!noun) return undefined;
  const entity = registry.entities.find((item) => item.plural === noun.text);
  const list = entity && registry.command(`${entity.name}.${LIST}`);
  const nounCommand = list ?? registry.commands.find(({ word }) => word === noun.text);
  if (nounCommand) return { command: nounCommand, words: [{ ...noun, role: 'plural' }] };
  const command = verb && registry.command(`${noun.text}.${verb.text}`);
  if (!command) return undefined;
  return {
    command,
    words: [
      { ...noun, role: 'noun' },
      { ...verb, role: 'verb' },
    ],
  };
}

/**
 * Finds the command that a line starts with, or a message with suggestions. `localWords` are nouns that only the
 * terminal accepts. Finding suggestions is slow, so search uses {@link leadingCommand}.
 */
export function findCommand(words: readonly Word[], registry: Registry, localWords: readonly string[]): Head {
  const [noun, verb] = words;
  if (!noun) return { message: message('running:line.empty'), wordCount: 0 };
  const head = leadingCommand(words, registry);
  if (head) return head;
  const verbs = registry.commands.filter((item) => item.noun === noun.text).map((item) => item.verb);
  if (verbs.length === 0) return { message: unknownNoun(noun.text, registry, localWords), word: noun, wordCount: 1 };
  if (verb) return { message: unknownVerb(noun.text, verb.text, verbs), word: verb, wordCount: 2 };
  const verbMissing = message('running:line.verbMissing', { noun: noun.text, verbs: verbs.join(', ') });
  return { message: verbMissing, word: noun, wordCount: 1 };
}

/**
 * Returns the message for an unknown noun. Suggests similar nouns and plurals, or else commands with a similar verb, or
 * else lists all nouns.
 */
function unknownNoun(value: string, registry: Registry, localWords: readonly string[]): Message {
  const nouns = [...new Set(registry.commands.map((command) => command.noun)), ...localWords].sort();
  const plurals = registry.entities
    .filter(({ name }) => registry.command(`${name}.${LIST}`))
    .map(({ plural }) => plural);
  const words = registry.commands.flatMap(({ word }) => word ?? []);
  const nearMatches = nearestNames(value, [...nouns, ...plurals, ...words]);
  const suggestions = nearMatches.length > 0 ? nearMatches : commandsWithVerb(value, registry);
  if (suggestions.length > 0) return message('running:line.near', { value, near: suggestions.join(', ') });
  return message('running:line.noun', { value, nouns: nouns.join(', ') });
}

function commandsWithVerb(value: string, registry: Registry): readonly string[] {
  const verbs = nearestNames(
    value,
    registry.commands.map(({ verb }) => verb),
    1,
  );
  return registry.commands
    .filter(({ verb }) => verbs.includes(verb))
    .slice(0, 3)
    .map(({ noun, verb }) => `${noun} ${verb}`);
}

/** Our verbs by the names that other tools use for them. These names are too different to count as typos. */
const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ['show', 'open'],
  ['get', 'open'],
  ['view', 'open'],
  ['describe', 'open'],
  ['info', 'open'],
  ['ls', 'list'],
  ['new', 'create'],
  ['add', 'create'],
  ['set', 'edit'],
  ['update', 'edit'],
  ['change', 'edit'],
  ['remove', 'delete'],
  ['rm', 'delete'],
]);

/** True if the words are a noun, a mistyped (not just incomplete) verb, and at least one argument. */
export function hasMistypedVerb([noun, verb, argument]: readonly Word[], registry: Registry): boolean {
  if (!noun || !verb || !argument) return false;
  const verbs = registry.commands.filter((item) => item.noun === noun.text).map((item) => item.verb);
  return !verbs.some((item) => item.includes(verb.text)) && nearestNames(verb.text, verbs).length > 0;
}

function unknownVerb(noun: string, value: string, verbs: readonly string[]): Message {
  const synonym = verbs.find((verb) => verb === SYNONYMS.get(value.toLowerCase()));
  const nearMatches = (synonym === undefined ? nearestNames(value, verbs) : [synonym]).map((verb) => `${noun} ${verb}`);
  if (nearMatches.length > 0)
    return message('running:line.near', { value: `${noun} ${value}`, near: nearMatches.join(', ') });
  return message('running:line.verb', { noun, verbs: verbs.join(', '), value });
}

/** Returns the message for an unknown option. `options` are the valid options, with their dashes. */
export function unknownOption(value: string, options: readonly string[], localWords: readonly string[]): Message {
  const option = value.replace(/=.*/s, '');
  const nearMatches = nearestNames(option, [...options, ...localWords]);
  if (nearMatches.length > 0)
    return message('running:line.optionNear', { value: option, near: nearMatches.join(', ') });
  if (options.length === 0) return message('running:line.noOptions', { value: option });
  return message('running:line.option', { value: option, options: options.join(', ') });
}
