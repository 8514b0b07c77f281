import { readdirSync, readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import en from '#commands/locales/en/verbs.json' with { type: 'json' };
import nl from '#commands/locales/nl/verbs.json' with { type: 'json' };

import { registry } from './all.ts';

/** The synonyms of one noun in one language. */
interface NounWords {
  readonly words?: string;
  readonly commands?: Readonly<Record<string, { readonly words?: string }>>;
  readonly viewWords?: Readonly<Record<string, string>>;
}

const folder = new URL('./', import.meta.url);

/** Returns every noun's strings in a language. */
function nounsIn(language: string): ReadonlyMap<string, NounWords> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith(`/${language}.json`),
  );
  return new Map(
    paths.map((path) => [path.split('/').at(-2) ?? '', JSON.parse(readFileSync(new URL(path, folder), 'utf8'))]),
  );
}

/** Returns the synonyms in a language by noun (`tag`), command (`tag.create`), and view (`device.error`). */
function listsIn(language: string) {
  const entries = [...nounsIn(language)];
  return {
    nouns: new Map(entries.flatMap(([noun, { words }]) => (words === undefined ? [] : [[noun, words]]))),
    commands: new Map(
      entries.flatMap(([noun, { commands = {} }]) =>
        Object.entries(commands).flatMap(([verb, { words }]) =>
          words === undefined ? [] : [[`${noun}.${verb}`, words] as const],
        ),
      ),
    ),
    views: new Map(
      entries.flatMap(([noun, { viewWords = {} }]) =>
        Object.entries(viewWords).map(([view, words]) => [`${noun}.${view}`, words] as const),
      ),
    ),
  };
}

const languages = [
  ['en', en],
  ['nl', nl],
] as const;

const verbs = new Set(registry.commands.map(({ verb }) => verb.split('-')[0]));
const nouns = new Set(registry.commands.map(({ noun }) => noun));
const views = new Set(registry.entities.flatMap(({ name, views: all = [] }) => all.map(({ id }) => `${name}.${id}`)));

test.each(languages)(
  '%s has no duplicate synonyms, and no synonyms for missing commands or views',
  (language, byVerb) => {
    const lists = listsIn(language);
    expect(lists.commands.size).toBeGreaterThan(5);
    expect(Object.keys(byVerb).filter((verb) => !verbs.has(verb))).toEqual([]);
    expect([...lists.nouns.keys()].filter((noun) => !nouns.has(noun))).toEqual([]);
    expect([...lists.commands.keys()].filter((id) => !registry.command(id))).toEqual([]);
    expect([...lists.views.keys()].filter((view) => !views.has(view))).toEqual([]);
    for (const text of [Object.values(byVerb), ...Object.values(lists).map((list) => [...list.values()])].flat()) {
      const phrases = text.split(',').map((phrase) => phrase.trim());
      expect(phrases).toEqual([...new Set(phrases.filter(Boolean))]);
    }
  },
);

test('Dutch has synonyms for the same verbs, nouns, and views as English', () => {
  const [english, dutch] = [listsIn('en'), listsIn('nl')];
  expect(Object.keys(nl)).toEqual(Object.keys(en));
  expect([...dutch.nouns.keys()]).toEqual([...english.nouns.keys()]);
  expect([...dutch.views.keys()]).toEqual([...english.views.keys()]);
  expect([...dutch.commands.keys()].filter((id) => !english.commands.has(id))).toEqual([]);
});
