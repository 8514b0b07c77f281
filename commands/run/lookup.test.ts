import { expect, test } from 'vitest';

import { testContext } from '#commands/testkit/context.ts';
import { gadget } from '#commands/testkit/gadget.ts';

import { notFound } from './lookup.ts';

/** Returns the names suggested for a text, out of those that the search finds. */
async function suggestions(text: string, found: readonly string[]): Promise<unknown> {
  const people: typeof gadget = {
    ...gadget,
    search: async (_context, _text, limit) =>
      found.slice(0, limit).map((name) => ({ id: name, name, state: 'OK' as const })),
  };
  return (await notFound(people, text, testContext())).userMessage.values?.['candidates'];
}

test('suggests names that start with the text before names that contain it', async () => {
  expect(await suggestions('Anna', ['Hanna Lindqvist', 'Jo Annable', 'Anna Vermeer'])).toBe(
    'Anna Vermeer, Jo Annable, Hanna Lindqvist',
  );
  const hannas = Array.from({ length: 9 }, (_, index) => `Hanna ${index}`);
  expect(await suggestions('anna', [...hannas, 'Anna Vermeer'])).toBe(
    'Anna Vermeer, Hanna 0, Hanna 1, Hanna 2, Hanna 3',
  );
});
