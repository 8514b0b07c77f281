import { targetParam, texts, type Command } from '#commands/model/command.ts';
import { commandWords } from '#commands/line/line-head.ts';
import type { Translate } from '#commands/text/message.ts';
import type { Registry } from '#commands/registry/registry.ts';
import { SEVERAL } from '#commands/run/title.ts';

import { candidate, type Candidate } from '#commands/text/score.ts';
import { createSearcher, type Searcher } from '#src/search/searcher.ts';
import { synonymsOf } from './words.ts';

/**
 * What is known of a registry's commands whoever looks: their titles in one language, ready to be searched, and what
 * they act on.
 */
export interface CommandIndex {
  readonly commands: readonly Command[];
  readonly titles: readonly string[];
  /** Title, its plural, words of the line, and other names. */
  readonly candidates: readonly Candidate[];
  readonly searcher: Searcher;
  /** Places in `commands`, by id. */
  readonly places: ReadonlyMap<string, number>;
  /** Places of the commands that act on items of an entity, by its name. */
  readonly actingOn: ReadonlyMap<string, readonly number[]>;
  /** Places of the commands that belong to the screen of an entity, by its name. */
  readonly belongingTo: ReadonlyMap<string, readonly number[]>;
}

const indexes = new WeakMap<Registry, Map<string, CommandIndex>>();

/** Made once for a registry and a language. Commands that only make sense as a key are left out. */
export function commandIndex(registry: Registry, language: string, say: Translate): CommandIndex {
  const known = indexes.get(registry)?.get(language);
  if (known) return known;
  const commands = registry.commands.filter((command) => !command.quiet);
  const titles = commands.map((command) => say(texts.title(command)));
  // The plural is found too, and the words of the line: whoever knows `tag assign` may type it.
  const candidates = commands.map((command, index) =>
    candidate(
      [...new Set([titles[index], say(texts.title(command, SEVERAL)), commandWords(command, registry).join(' ')])].join(
        '\n',
      ),
      synonymsOf(command, language),
    ),
  );
  const made: CommandIndex = {
    commands,
    titles,
    candidates,
    searcher: createSearcher(candidates),
    places: new Map(commands.map((command, index) => [command.id, index])),
    actingOn: placesBy(commands, (command) => targetParam(command)?.entity.name),
    belongingTo: placesBy(commands, (command) => command.on?.().name),
  };
  indexes.set(registry, (indexes.get(registry) ?? new Map<string, CommandIndex>()).set(language, made));
  return made;
}

function placesBy(
  commands: readonly Command[],
  nameOf: (command: Command) => string | undefined,
): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  commands.forEach((command, index) => {
    const name = nameOf(command);
    if (name === undefined) return;
    const places = found.get(name);
    if (places) places.push(index);
    else found.set(name, [index]);
  });
  return found;
}
