import { commandWords } from '#commands/line/line-head.ts';
import { targetParam, commandLabels, type Command } from '#commands/model/command.ts';
import type { Registry } from '#commands/registry/registry.ts';
import { SEVERAL } from '#commands/run/title.ts';
import type { Translate } from '#commands/text/message.ts';
import { candidate, type Candidate } from '#commands/text/score.ts';
import { createSearcher, type Searcher } from '#src/search/searcher.ts';

import { synonymsOf, type NounWords } from './synonyms.ts';

/**
 * The part of the command search that is the same for all users: the searchable titles in one language, and the targets
 * of the commands.
 */
export interface CommandIndex {
  readonly commands: readonly Command[];
  readonly titles: readonly string[];
  /** The title of each command in singular and plural, the words to type, and the synonyms. */
  readonly candidates: readonly Candidate[];
  readonly searcher: Searcher;
  /** Indexes into `commands`, keyed by id. */
  readonly indexById: ReadonlyMap<string, number>;
  /** Indexes of the commands that act on an entity's items, keyed by the entity's name. */
  readonly indexesByTarget: ReadonlyMap<string, readonly number[]>;
  /** Indexes of the commands that belong to an entity's screen, keyed by the entity's name. */
  readonly indexesByScreen: ReadonlyMap<string, readonly number[]>;
}

/** The data that an index is built from. */
interface IndexSource {
  readonly registry: Registry;
  readonly language: string;
  readonly translate: Translate;
  readonly words: NounWords;
}

const indexes = new WeakMap<Registry, Map<string, CommandIndex>>();

/** Returns the index, which is cached by registry and language. Excludes commands that only make sense as a key. */
export function commandIndex({ registry, language, translate, words }: IndexSource): CommandIndex {
  const cached = indexes.get(registry)?.get(language);
  if (cached) return cached;
  const commands = registry.commands.filter((command) => !command.unlisted);
  const titles = commands.map((command) => translate(commandLabels.title(command)));
  // The words to type are searchable too, for users who know `tag assign`.
  const candidates = commands.map((command, index) =>
    candidate(
      [
        ...new Set([
          titles[index],
          translate(commandLabels.title(command, SEVERAL)),
          commandWords(command, registry).join(' '),
        ]),
      ].join('\n'),
      synonymsOf(command, language, words),
    ),
  );
  const newIndex: CommandIndex = {
    commands,
    titles,
    candidates,
    searcher: createSearcher(candidates),
    indexById: new Map(commands.map((command, index) => [command.id, index])),
    indexesByTarget: indexesBy(commands, (command) => targetParam(command)?.entity.name),
    indexesByScreen: indexesBy(commands, (command) => command.on?.().name),
  };
  indexes.set(registry, (indexes.get(registry) ?? new Map<string, CommandIndex>()).set(language, newIndex));
  return newIndex;
}

function indexesBy(
  commands: readonly Command[],
  nameOf: (command: Command) => string | undefined,
): ReadonlyMap<string, readonly number[]> {
  const byName = new Map<string, number[]>();
  commands.forEach((command, index) => {
    const name = nameOf(command);
    if (name === undefined) return;
    const existing = byName.get(name);
    if (existing) existing.push(index);
    else byName.set(name, [index]);
  });
  return byName;
}
