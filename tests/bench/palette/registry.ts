import { command } from '#commands/model/command.ts';
import { loadersFor } from '#src/registry/testkit/loaders.ts';

import { createStrings } from './strings.ts';

const count = Number(new URLSearchParams(location.search).get('items') ?? 10_000);

/** Titles by verb, for the locale of the bench page. */
export const titles: readonly string[] = createStrings(count, 40);

/**
 * Replaces the console's nouns (see vite.config.ts) with a single noun that has as many commands as the URL specifies.
 */
export const { manifest, importNoun, importEntity } = loadersFor({
  bench: {
    commands: titles.map((_, index) =>
      command({ id: `bench.run-${index}`, effect: 'navigate', run: async () => ({}) }),
    ),
  },
});
