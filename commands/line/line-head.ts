import { nearest } from '#commands/text/near.ts';
import type { Command } from '#commands/model/command.ts';
import { message, type Message } from '#commands/text/message.ts';
import type { Registry } from '#commands/registry/registry.ts';
import type { Word } from './shell.ts';

/** What a word of a line is: `value` and `option` carry the param's name. */
export interface LineWord extends Word {
  readonly role: 'noun' | 'verb' | 'plural' | 'option' | 'value' | 'wrong';
  readonly param?: string;
}

export type Head =
  | { readonly command: Command; readonly words: readonly LineWord[] }
  | { readonly message: Message; readonly word?: Word; readonly taken: number };

/** The verb of the command that a plural noun stands for. */
const LIST = 'list';

/** `devices` for `device.list`, else noun and verb. */
export function commandWords(command: Command, registry: Registry): readonly string[] {
  const entity = command.verb === LIST ? registry.entities.find((noun) => noun.name === command.noun) : undefined;
  return entity ? [entity.plural] : [command.noun, command.verb];
}

/**
 * The command that a line begins with, or the sentence that says what it could begin with; `also` are words that only
 * this surface takes.
 */
export function findCommand([noun, verb]: readonly Word[], registry: Registry, also: readonly string[]): Head {
  if (!noun) return { message: message('core:line.empty'), taken: 0 };
  const entity = registry.entities.find((item) => item.plural === noun.text);
  const list = entity && registry.command(`${entity.name}.${LIST}`);
  if (list) return { command: list, words: [{ ...noun, role: 'plural' }] };
  const verbs = registry.commands.filter((command) => command.noun === noun.text).map((command) => command.verb);
  if (verbs.length === 0) return { message: unknownNoun(noun.text, registry, also), word: noun, taken: 1 };
  const of = verb && registry.command(`${noun.text}.${verb.text}`);
  if (of)
    return {
      command: of,
      words: [
        { ...noun, role: 'noun' },
        { ...verb, role: 'verb' },
      ],
    };
  if (verb) return { message: unknownVerb(noun.text, verb.text, verbs), word: verb, taken: 2 };
  const text = message('core:line.verbMissing', { noun: noun.text, verbs: verbs.join(', ') });
  return { message: text, word: noun, taken: 1 };
}

/** A noun, a plural, or a verb whose noun was left out: what the word was probably meant to be, else what there is. */
function unknownNoun(value: string, registry: Registry, also: readonly string[]): Message {
  const nouns = [...new Set(registry.commands.map((command) => command.noun)), ...also].sort();
  const plurals = registry.entities
    .filter(({ name }) => registry.command(`${name}.${LIST}`))
    .map(({ plural }) => plural);
  const near = nearest(value, [...nouns, ...plurals]);
  const meant = near.length > 0 ? near : withVerb(value, registry);
  if (meant.length > 0) return message('core:line.near', { value, near: meant.join(', ') });
  return message('core:line.noun', { value, nouns: nouns.join(', ') });
}

function withVerb(value: string, registry: Registry): readonly string[] {
  const verbs = nearest(
    value,
    registry.commands.map(({ verb }) => verb),
    1,
  );
  return registry.commands
    .filter(({ verb }) => verbs.includes(verb))
    .slice(0, 3)
    .map(({ noun, verb }) => `${noun} ${verb}`);
}

function unknownVerb(noun: string, value: string, verbs: readonly string[]): Message {
  const near = nearest(value, verbs).map((verb) => `${noun} ${verb}`);
  if (near.length > 0) return message('core:line.near', { value: `${noun} ${value}`, near: near.join(', ') });
  return message('core:line.verb', { noun, verbs: verbs.join(', '), value });
}

/** The sentence for an option that there is not; `options` as they are typed. */
export function unknownOption(value: string, options: readonly string[], also: readonly string[]): Message {
  const typed = value.replace(/=.*/s, '');
  const near = nearest(typed, [...options, ...also]);
  if (near.length > 0) return message('core:line.optionNear', { value: typed, near: near.join(', ') });
  if (options.length === 0) return message('core:line.noOptions', { value: typed });
  return message('core:line.option', { value: typed, options: options.join(', ') });
}
