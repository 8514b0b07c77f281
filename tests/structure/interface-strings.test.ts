import { readdirSync, readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { groupBy } from '#commands/text/group-by.ts';

// Rules for all interface strings, in every language.

interface LocalizedString {
  /** `commands/locales/en/tag.json plan.assign` */
  readonly location: string;
  readonly text: string;
}

type Strings = string | { readonly [name: string]: Strings };

function stringsIn(strings: Strings, file: string, path: readonly string[] = []): readonly LocalizedString[] {
  if (typeof strings === 'string') return [{ location: `${file} ${path.join('.')}`, text: strings }];
  return Object.entries(strings).flatMap(([name, inner]) => stringsIn(inner, file, [...path, name]));
}

const files: readonly string[] = ['commands', 'src/locales'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
);
const readStrings = (file: string): Strings => JSON.parse(readFileSync(file, 'utf8')) as Strings;
const strings: readonly LocalizedString[] = files.flatMap((file) => stringsIn(readStrings(file), file));

test.each(files)('%s has no duplicate keys', (file) => {
  // JSON.parse moves numeric names to the front, so only the characters can be compared, not their order.
  const characters = (text: string): string => [...text.replaceAll(/\s/g, '')].toSorted().join('');
  expect(characters(JSON.stringify(readStrings(file)))).toBe(characters(readFileSync(file, 'utf8')));
});

/** Quotation marks other than “…”. An apostrophe may appear within a word, or after the s of a plural. */
const STRAY_QUOTES = /["`‘’„«»]|(?<![\p{L}\p{N}])'|(?<!s)'(?![\p{L}\p{N}])/u;

test('distinguishes quotation marks from apostrophes', () => {
  expect(["'x'", "of '{{tag}}'", '"x"', '‘x’', 'don’t'].filter((text) => !STRAY_QUOTES.test(text))).toEqual([]);
  expect(["don't", "users' access", '“x”', "collega's"].filter((text) => STRAY_QUOTES.test(text))).toEqual([]);
});

test('uses one kind of quotation mark and closes every quote', () => {
  expect(strings.length).toBeGreaterThan(1000);
  const misquoted = strings.filter(({ text }) => STRAY_QUOTES.test(text));
  const unclosed = strings.filter(({ text }) => text.replaceAll(/“[^“”]*”/g, '').match(/[“”]/));
  expect([...misquoted, ...unclosed].map(({ location }) => location)).toEqual([]);
});

/** Our own terms, each with synonyms that must not appear in the interface. */
const GLOSSARY: readonly (readonly [term: string, synonyms: RegExp])[] = [
  ['support session', /\bvisit(s|ing|ed)?\b|\bimpersonat/i],
];

/** Strings that list words for users to type, including all synonyms. */
const TYPED_WORDS = /\/verbs\.json |[ .]words$| viewWords\./;

test.each(GLOSSARY)('uses “%s” consistently', (_, synonyms) => {
  const messages = strings.filter(({ location }) => !TYPED_WORDS.test(location));
  expect(messages.filter(({ text }) => synonyms.test(text)).map(({ location }) => location)).toEqual([]);
});

/** Matches an unformatted count. Bounds such as `{{max}}` may be strings (`1m`) and stay as they are. */
const BARE_COUNT = /\{\{(count|done|total|shown|length|limit|amount|most)\}\}/;

test('groups the digits of every count, as in 2,000', () => {
  expect(strings.some(({ text }) => text.includes('{{count, number}}'))).toBe(true);
  expect(strings.filter(({ text }) => BARE_COUNT.test(text)).map(({ location }) => location)).toEqual([]);
});

/** The maximum part of a noun's strings that repeat another, ignoring case. */
const MAX_REPEATED = 0.08;

test.each(files.filter((file) => /\/nouns\/.*\/en\.json$/.test(file)))('%s repeats few strings', (file) => {
  const nounStrings = stringsIn(readStrings(file), file);
  const byText = groupBy(nounStrings, ({ text }) => text.toLowerCase());
  const repeated = [...byText.values()].filter((group) => group.length > 1).flat();
  const isTooMany = repeated.length > MAX_REPEATED * nounStrings.length;
  // To mend it, use one key wherever the meaning is the same.
  expect(isTooMany ? repeated.map(({ location, text }) => `${location}: ${text}`) : []).toEqual([]);
});
