import type { Command } from '#commands/model/command.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import { pageCommand, type AnyPage } from '#commands/model/page.ts';

import { createIndex, type Directory } from './directory.ts';
import { summarizeDirectory, type RegistrySummary } from './summary.ts';

/**
 * All commands, entities, and pages. Callers find commands by id or iterate over them, and never hard-code a command.
 */
export interface Registry extends Directory {
  readonly commands: readonly Command[];
  readonly entities: readonly AnyEntity[];
  readonly pages: readonly AnyPage[];
  command(id: string): Command | undefined;
  /** Finds an entity by its singular or plural name. */
  entity(name: string): AnyEntity | undefined;
}

/**
 * The declarations of a noun. Each `commands/nouns/<area>/<noun>/noun.ts` exports its declarations as `noun`, and
 * `commands/nouns/all.ts` lists all nouns.
 */
export interface Noun {
  /**
   * The noun's `entity.ts` also exports it as `entity`, so the table can load without the commands. What only the panel
   * shows can be added here, such as large tabs, because the panel waits for the noun.
   */
  readonly entity?: AnyEntity;
  /** Each page adds the command that opens it. */
  readonly pages?: readonly AnyPage[];
  /** A function if the commands depend on other nouns. */
  readonly commands: readonly Command[] | ((registry: RegistrySummary) => readonly Command[]);
}

/** Returns a noun's commands, including the commands that open its pages. */
export function commandsOf({ commands, pages = [] }: Noun, summary: RegistrySummary): readonly Command[] {
  return [...(typeof commands === 'function' ? commands(summary) : commands), ...pages.map(pageCommand)];
}

/** Summarizes the given nouns. */
export function summarizeNouns(nouns: readonly Noun[]): RegistrySummary {
  const entities = nouns.flatMap(({ entity }) => entity ?? []);
  const pages = nouns.flatMap((noun) => noun.pages ?? []);
  const independent = nouns.flatMap(({ commands }) => (typeof commands === 'function' ? [] : commands));
  const directory = createIndex({ commands: independent, entities, pages });
  return summarizeDirectory(directory, directory.entity);
}

/**
 * Creates a registry of the given nouns.
 *
 * @throws Error if an id or an entity name is declared twice, which is a programming error that is detected at startup.
 */
export function createRegistry(nouns: readonly Noun[]): Registry {
  const summary = summarizeNouns(nouns);
  return createIndex({
    commands: nouns.flatMap((noun) => commandsOf(noun, summary)),
    entities: nouns.flatMap(({ entity }) => entity ?? []),
    pages: nouns.flatMap(({ pages }) => pages ?? []),
  });
}
