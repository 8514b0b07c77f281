import { command } from '#commands/model/command.ts';
import { createRegistry, type Registry } from '#commands/registry/registry.ts';

import { benchTexts } from './texts.ts';

const count = Number(new URLSearchParams(location.search).get('items') ?? 10_000);

/** Titles by verb, for the locale of the bench page. */
export const titles: readonly string[] = benchTexts(count, 40);

/** Replaces the product's registry (vite.config.ts), with the number of commands given in the URL. */
export const registry: Registry = createRegistry([
  {
    commands: titles.map((_, index) =>
      command({ id: `bench.run-${index}`, effect: 'navigate', run: async () => ({}) }),
    ),
  },
]);
