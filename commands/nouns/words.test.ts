import { expect, test } from 'vitest';

import { registry } from './all.ts';
import en from '#commands/locales/en/words.json' with { type: 'json' };
import nl from '#commands/locales/nl/words.json' with { type: 'json' };

const languages = [
  ['en', en],
  ['nl', nl],
] as const;

const verbs = new Set(registry.commands.map(({ verb }) => verb.split('-')[0]));
const nouns = new Set(registry.commands.map(({ noun }) => noun));
const views = new Set(registry.entities.flatMap(({ name, views = [] }) => views.map(({ id }) => `${name}.${id}`)));

test.each(languages)(
  '%s has other words for commands and views that there are, each once',
  (_, { verbs: byVerb, nouns: byNoun, commands, views: byView }) => {
    expect(Object.keys(byVerb).filter((verb) => !verbs.has(verb))).toEqual([]);
    expect(Object.keys(byNoun).filter((noun) => !nouns.has(noun))).toEqual([]);
    expect(Object.keys(commands).filter((id) => !registry.command(id))).toEqual([]);
    expect(Object.keys(byView).filter((view) => !views.has(view))).toEqual([]);
    for (const text of [byVerb, byNoun, commands, byView].flatMap((all) => Object.values(all))) {
      const phrases = text.split(',').map((phrase) => phrase.trim());
      expect(phrases).toEqual([...new Set(phrases.filter(Boolean))]);
    }
  },
);

test('Dutch has words for each verb and noun that English has words for', () => {
  expect(Object.keys(nl.verbs)).toEqual(Object.keys(en.verbs));
  expect(Object.keys(nl.nouns)).toEqual(Object.keys(en.nouns));
  expect(Object.keys(nl.views)).toEqual(Object.keys(en.views));
  expect(Object.keys(nl.commands).filter((id) => !Object.hasOwn(en.commands, id))).toEqual([]);
});
