import { expect, test } from 'vitest';

import * as resources from '#commands/cli/strings.ts';
import { message } from '#commands/text/message.ts';

import { createTranslator, hasText, labelKey, languageOf, translateWith } from './i18n.ts';

test('resolves nested messages, groups digits, and picks the plural', async () => {
  const translate = translateWith(await createTranslator('en', resources));
  const items = (count: number) => message('device:count', { count });
  expect(translate(message('tag:plan.assign', { tag: 'Needs visit', items: items(1214) }))).toBe(
    'Assign “Needs visit” to 1,214 devices',
  );
  expect(translate(message('tag:plan.assign', { tag: '<b>', items: items(1) }))).toBe('Assign “<b>” to 1 device');
});

test('does not expand placeholders in user input', async () => {
  const translate = translateWith(await createTranslator('en', resources));
  expect(translate(message('tag:plan.create', { name: '$t(screen:device.title) {{x}}' }))).toBe(
    'Create the tag “$t(screen:device.title) {{x}}”',
  );
});

test('replaces control characters in values', async () => {
  const translate = translateWith(await createTranslator('en', resources));
  expect(translate(message('tag:plan.create', { name: 'a\u202eb\u200bc\nd – ü' }))).toBe(
    'Create the tag “a\ufffdb\ufffdc\nd – ü”',
  );
});

test('isolates right-to-left names from the sentence around them, including in nested messages', async () => {
  const translate = translateWith(await createTranslator('en', resources, { isolates: true }));
  const plan = message('tag:plan.assign', { tag: 'שלום 5', items: message('device:count', { count: 2 }) });
  expect(translate(plan)).toBe('Assign “\u2068שלום 5\u2069” to 2 devices');
  expect(translate(message('tag:plan.create', { name: translate(plan) }))).toBe(
    'Create the tag “Assign “\u2068שלום 5\u2069” to 2 devices”',
  );
  expect(translate(message('tag:plan.create', { name: 'a\u2068b\u202ec\u2069d\u2069' }))).toBe(
    'Create the tag “a\u2068b\ufffdc\u2069d\ufffd”',
  );
  const translateInTerminal = translateWith(await createTranslator('en', resources));
  expect(translateInTerminal(message('tag:plan.create', { name: 'שלום\u2068b\u2069' }))).toBe(
    'Create the tag “שלום\ufffdb\ufffd”',
  );
});

test('lowercases a heading within a sentence but not an abbreviation', async () => {
  const translate = translateWith(await createTranslator('en', resources));
  const question = (title: string) => translate(message('core:cli.missing.which', { title }));
  expect(['Tag', 'URL', 'A'].map((title) => question(title).split('?')[0])).toEqual([
    'Which tag',
    'Which URL',
    'Which a',
  ]);
});

test('replaces permission constants in server messages and leaves other text unchanged', async () => {
  const translate = translateWith(await createTranslator('en', resources));
  const translateServerError = (text: string): string => translate(message('core:error.server', { text }));
  expect(translateServerError('You need the MODEMS_UPDATE permission in northwind.')).toBe(
    'You need the “Change device names, tags, and peripherals” permission in northwind.',
  );
  expect(translateServerError('Missing permission MODEMS_UPDATE.')).toBe(
    'Missing permission “Change device names, tags, and peripherals”.',
  );
  expect(translateServerError('No permission LIKE_THIS, and no device MODEMS_UPDATE $t(core:missing) {{x}}')).toBe(
    'No permission LIKE_THIS, and no device MODEMS_UPDATE $t(core:missing) {{x}}',
  );
});

test('finds the label that all uses of an attribute share', () => {
  const keys = [
    'tag:columns.type',
    'tag:commands.create.params.type',
    'me:pages.general.details.units',
    'tag:plan.type',
  ];
  expect(keys.map(labelKey)).toEqual(['tag:labels.type', 'tag:labels.type', 'me:labels.units', 'tag:plan.type']);
});

test('has Dutch screen names and falls back to English', async () => {
  const translate = translateWith(await createTranslator('nl-NL', resources));
  expect([translate(message('screen:device.title')), translate(message('device:columns.number'))]).toEqual([
    'Apparaten',
    'Number',
  ]);
  expect([languageOf('nl_NL.UTF-8'), languageOf('de'), languageOf(undefined)]).toEqual(['nl', 'en', 'en']);
});

test('shares one label per attribute, with overrides for single uses', async () => {
  const strings = {
    thing: { one: 'thing', many: 'things', labels: { url: 'URL', owner: 'Owner' }, details: { owner: 'Belongs to' } },
    common: { labels: { sort: 'Sort by' } },
  };
  const instance = await createTranslator('en', { en: strings });
  const translate = translateWith(instance);
  const textAt = (path: string): string => translate(message(`thing:${path}`));
  const paths = ['columns.owner', 'details.owner', 'commands.set-owner.params.owner', 'pages.info.details.owner'];
  expect(paths.map(textAt)).toEqual(['Owner', 'Belongs to', 'Owner', 'Owner']);
  expect([textAt('fields.owner'), textAt('fields.url'), textAt('commands.list.params.sort')]).toEqual([
    'owner',
    'URL',
    'Sort by',
  ]);
  const nouns = ['commands.open.params.thing', 'commands.edit.params.things', 'fields.thing'];
  expect(nouns.map(textAt)).toEqual(['Thing', 'Things', 'thing']);
  expect(['columns.url', 'columns.gone', 'url'].map((path) => hasText(instance, `thing:${path}`))).toEqual([
    true,
    false,
    false,
  ]);
});

test.each([
  ['user', 'a'],
  ['organization', 'an'],
  ['access-request', 'an'],
  ['device', 'a'],
])('adds the article for %s', async (noun, article) => {
  const translate = translateWith(await createTranslator('en', resources));
  const entity = message(`${noun}:one`);
  expect(translate(message('core:selection.none', { entity }))).toBe(`Select ${article} ${translate(entity)} first.`);
});
