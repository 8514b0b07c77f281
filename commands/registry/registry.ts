import type { Command } from '#commands/model/command.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import { pageCommand, type AnyPage } from '#commands/model/page.ts';

import { createIndex, type Directory } from './directory.ts';
import { productOf, type Product } from './product.ts';

/**
 * All commands and entities of the product. Readers look up commands by id or iterate; no reader names a command.
 */
export interface Registry extends Directory {
  readonly commands: readonly Command[];
  readonly entities: readonly AnyEntity[];
  readonly pages: readonly AnyPage[];
  command(id: string): Command | undefined;
  /** By singular or plural name. */
  entity(name: string): AnyEntity | undefined;
}

/**
 * The contribution of a noun: each `commands/nouns/<area>/<noun>/noun.ts` exports its contribution as `noun`, and
 * `commands/nouns/all.ts` lists them.
 */
export interface Noun {
  /** Also exported by the noun's `entity.ts` as `entity`: its table loads without the commands. */
  readonly entity?: AnyEntity;
  /** Each page adds the command that opens it. */
  readonly pages?: readonly AnyPage[];
  /** A function for commands that work with the other nouns. */
  readonly commands: readonly Command[] | ((product: Product) => readonly Command[]);
}

/** Returns the commands of a noun, including the commands that open its pages. */
export function commandsOf({ commands, pages = [] }: Noun, product: Product): readonly Command[] {
  return [...(typeof commands === 'function' ? commands(product) : commands), ...pages.map(pageCommand)];
}

/** Returns the product that these nouns make up. */
export function productFor(nouns: readonly Noun[]): Product {
  const entities = nouns.flatMap(({ entity }) => entity ?? []);
  const pages = nouns.flatMap((noun) => noun.pages ?? []);
  const independent = nouns.flatMap(({ commands }) => (typeof commands === 'function' ? [] : commands));
  const directory = createIndex({ commands: independent, entities, pages });
  return productOf(directory, directory.entity);
}

/**
 * Creates the registry of these nouns.
 *
 * @throws Error if an id or an entity name is declared twice: a programming error, detected at startup.
 */
export function createRegistry(nouns: readonly Noun[]): Registry {
  const product = productFor(nouns);
  return createIndex({
    commands: nouns.flatMap((noun) => commandsOf(noun, product)),
    entities: nouns.flatMap(({ entity }) => entity ?? []),
    pages: nouns.flatMap(({ pages }) => pages ?? []),
  });
}
