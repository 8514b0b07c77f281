import { expect, test } from 'vitest';

import { testContext } from '../testing/context.ts';
import { gadget } from '../testing/gadget.ts';
import { complete } from './complete.ts';

/** Completes at the `|` of a text; answers the whole text for each suggestion. */
async function at(marked: string): Promise<string[]> {
  const cursor = marked.indexOf('|');
  const text = marked.replace('|', '');
  const { from, to, suggestions } = await complete(text, cursor, gadget, testContext());
  return suggestions.map(({ value }) => text.slice(0, from) + value + text.slice(to));
}

test('keys first', async () => {
  expect(await at('s|')).toEqual(['state:', 'seen:', 'sort:', 'volts:']);
  expect(await at('state:OK |')).toContain('state:OK online:');
  expect(await at('-s|')).toEqual(['-state:', '-volts:']);
  expect(await at('se|>2d pump')).toEqual(['seen:2d pump']);
});

test('then values, with counts where the entity has them', async () => {
  const { suggestions } = await complete('state:', 6, gadget, testContext());
  expect(suggestions.map(({ label, count }) => [label, count])).toEqual([
    ['ERROR', 2],
    ['OK', 1],
  ]);
  expect(await at('state:OK,|')).toEqual(['state:OK,ERROR']);
  expect(await at('tag:|')).toContain('tag:*');
  expect(await at('tag:nor|')).toEqual(['tag:"North pump"']);
  expect(await at('seen>last|')).toContain('seen>"last month"');
  expect(await at('online:|')).toEqual(['online:true', 'online:false']);
});

test('sort keys both ways, and views', async () => {
  expect(await at('sort:-in|')).toEqual(['sort:-inactivity']);
  expect(await at('sort:name,|')).toEqual(['sort:name,-name', 'sort:name,inactivity', 'sort:name,-inactivity']);
  expect(await at('view:|')).toEqual(['view:broken']);
});
