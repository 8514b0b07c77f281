import { readdirSync, readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import * as resources from '#commands/cli/strings.ts';
import { createTranslator, hasText } from '#commands/locales/i18n.ts';

const folder = new URL('../', import.meta.url);
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.ts') && !/\.test\.ts$|(^|\/)testkit\//.test(name),
);

test('every text key in the command sources has an English text', async () => {
  const english = await createTranslator('en', resources);
  const usedKeys = files.flatMap((name) => {
    const matches = readFileSync(new URL(name, folder), 'utf8').matchAll(/'([a-z-]+:[a-zA-Z]+(?:\.[a-zA-Z_-]+)*)'/g);
    return [...matches].map(([, key]) => ({ key: key as string, name }));
  });
  expect(usedKeys.length).toBeGreaterThan(100);
  const has = (key: string): boolean => hasText(english, key);
  // Filters and cache keys look like string keys.
  const isText = (key: string): boolean => Object.hasOwn(resources.en, key.split(':')[0]!);
  expect(usedKeys.filter(({ key }) => isText(key) && !has(key))).toEqual([]);
});

interface NounStrings {
  readonly labels?: Strings;
  readonly columns?: Strings;
  readonly details?: Strings;
  readonly detailTabs?: Strings & { readonly detail?: Strings };
  readonly sorts?: Strings;
  readonly fields?: Strings;
  readonly filter?: Strings;
  readonly commands?: Readonly<Record<string, { readonly params?: Strings }>>;
  readonly pages?: Readonly<Record<string, { readonly details?: Strings }>>;
}
type Strings = Readonly<Record<string, unknown>>;

/** Compares without case, because `fields` contains labels in lowercase. */
const equalText = (label: unknown, text: unknown): boolean =>
  typeof text === 'string' && String(label).toLowerCase() === text.toLowerCase();

test("no plan message says that a command can't be undone", () => {
  const strings = Object.entries(resources.en as Readonly<Record<string, { readonly plan?: Strings }>>);
  const repeating = strings.flatMap(([noun, { plan = {} }]) =>
    Object.entries(plan)
      .filter(([, text]) => /(?:cannot|can't|not) (?:be )?undon?e?/i.test(String(text)))
      .map(([key]) => `${noun}:plan.${key}`),
  );
  expect(repeating).toEqual([]);
});

test.each(Object.entries(resources.en as Readonly<Record<string, NounStrings>>))(
  '%s does not repeat a label',
  (noun, { labels = {}, columns, details, detailTabs, sorts, fields, filter, commands = {}, pages = {} }) => {
    const params = Object.values(commands).map((item) => item.params);
    const pageDetails = Object.values(pages).map((item) => item.details);
    const sections = [
      columns,
      details,
      detailTabs,
      detailTabs?.detail,
      sorts,
      fields,
      filter,
      ...params,
      ...pageDetails,
    ];
    const repeated = sections.flatMap((section = {}) =>
      Object.entries(section).flatMap(([name, text]) => (equalText(labels[name], text) ? [name] : [])),
    );
    expect(repeated).toEqual([]);
    // The names of the noun itself are `one` and `many`.
    expect(Object.keys(labels)).not.toContain(noun);
    expect(Object.keys(labels)).not.toContain(`${noun}s`);
  },
);
