import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

// Rules for every text that a person reads, in every language.

interface Text {
  /** `commands/locales/en/tag.json plan.assign` */
  readonly at: string;
  readonly text: string;
}

type Texts = string | { readonly [name: string]: Texts };

function textsIn(texts: Texts, file: string, path: readonly string[] = []): readonly Text[] {
  if (typeof texts === 'string') return [{ at: `${file} ${path.join('.')}`, text: texts }];
  return Object.entries(texts).flatMap(([name, inner]) => textsIn(inner, file, [...path, name]));
}

const files: readonly string[] = ['commands', 'src/locales'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
);
const parsed = (file: string): Texts => JSON.parse(readFileSync(file, 'utf8')) as Texts;
const texts: readonly Text[] = files.flatMap((file) => textsIn(parsed(file), file));

it.each(files)('%s names each text once: of two, the first would never be read', (file) => {
  // Numbers as names move to the front, so that only what is there can be compared, not in which order.
  const characters = (text: string): string => [...text.replaceAll(/\s/g, '')].toSorted().join('');
  expect(characters(JSON.stringify(parsed(file)))).toBe(characters(readFileSync(file, 'utf8')));
});

/** Quotation marks other than “…”: an apostrophe stands within a word, or after the s of a plural. */
const WRONG_QUOTES = /["`‘’„«»]|(?<![\p{L}\p{N}])'|(?<!s)'(?![\p{L}\p{N}])/u;

it('knows a quotation mark from an apostrophe', () => {
  expect(["'x'", "of '{{tag}}'", '"x"', '‘x’', 'don’t'].filter((text) => !WRONG_QUOTES.test(text))).toEqual([]);
  expect(["don't", "users' access", '“x”', "collega's"].filter((text) => WRONG_QUOTES.test(text))).toEqual([]);
});

it('quotes in one way, and closes each quote', () => {
  expect(texts.length).toBeGreaterThan(1000);
  const wrong = texts.filter(({ text }) => WRONG_QUOTES.test(text));
  const open = texts.filter(({ text }) => text.replaceAll(/“[^“”]*”/g, '').match(/[“”]/));
  expect([...wrong, ...open].map(({ at }) => at)).toEqual([]);
});

/** Words of our own with another word for the same beside them: the one that people read, and what they never do. */
const GLOSSARY: readonly (readonly [term: string, instead: RegExp])[] = [
  ['support session', /\bvisit(s|ing|ed)?\b|\bimpersonat/i],
];

/** What people may type is taken in any word. */
const SYNONYMS = /\/words\.json /;

it.each(GLOSSARY)('says “%s”, and no other word for it', (_, instead) => {
  const read = texts.filter(({ at }) => !SYNONYMS.test(at));
  expect(read.filter(({ text }) => instead.test(text)).map(({ at }) => at)).toEqual([]);
});

/**
 * How many, by the names that texts give it. The bounds of a value are texts too (`1m`), and so are written as they
 * come.
 */
const BARE_COUNT = /\{\{(count|done|total|shown|length|limit|amount|most)\}\}/;

it('groups every count, in the way of the language: 2,000', () => {
  expect(texts.some(({ text }) => text.includes('{{count, number}}'))).toBe(true);
  expect(texts.filter(({ text }) => BARE_COUNT.test(text)).map(({ at }) => at)).toEqual([]);
});
