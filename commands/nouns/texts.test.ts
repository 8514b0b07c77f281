import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

import { createTranslator, hasText } from '#commands/locales/i18n.ts';
import * as resources from '#commands/nouns/texts.ts';

const folder = new URL('../', import.meta.url);
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.ts') && !/\.test\.ts$|(^|\/)testkit\//.test(name),
);

test('every text that a command says in so many words is there in English', async () => {
  const english = await createTranslator('en', resources);
  const message = files.flatMap((name) => {
    const found = readFileSync(new URL(name, folder), 'utf8').matchAll(/'([a-z]+:[a-zA-Z]+(?:\.[a-zA-Z_-]+)*)'/g);
    return [...found].map(([, key]) => ({ key: key as string, name }));
  });
  expect(message.length).toBeGreaterThan(100);
  const has = (key: string): boolean => hasText(english, key);
  // Filters and keys of reference data look alike but have no texts.
  const isText = (key: string): boolean => Object.hasOwn(resources.en, key.split(':')[0]!);
  expect(message.filter(({ key }) => isText(key) && !has(key))).toEqual([]);
});

interface NounTexts {
  readonly labels?: Texts;
  readonly columns?: Texts;
  readonly details?: Texts;
  readonly filter?: Texts;
  readonly commands?: Readonly<Record<string, { readonly params?: Texts }>>;
  readonly pages?: Readonly<Record<string, { readonly details?: Texts }>>;
}
type Texts = Readonly<Record<string, unknown>>;

test.each(Object.entries(resources.en as Readonly<Record<string, NounTexts>>))(
  '%s writes a label once',
  (_, { labels = {}, columns, details, filter, commands = {}, pages = {} }) => {
    const params = Object.values(commands).map((item) => item.params);
    const lines = Object.values(pages).map((item) => item.details);
    const places = [columns, details, filter, ...params, ...lines];
    const again = places.flatMap((place = {}) =>
      Object.entries(place).flatMap(([name, label]) => (labels[name] === label ? [name] : [])),
    );
    expect(again).toEqual([]);
  },
);
