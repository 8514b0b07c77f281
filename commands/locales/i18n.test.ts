import { expect, test } from 'vitest';

import { message } from '#commands/text/message.ts';
import { createTranslator, hasText, languageOf, translateWith } from './i18n.ts';
import * as resources from '#commands/nouns/texts.ts';

test('a message within a message is said first, and a count is grouped and has its plural', async () => {
  const say = translateWith(await createTranslator('en', resources));
  const items = (count: number) => message('device:count', { count });
  expect(say(message('tag:plan.assign', { tag: 'Needs visit', items: items(1214) }))).toBe(
    'Assign “Needs visit” to 1,214 devices',
  );
  expect(say(message('tag:plan.assign', { tag: '<b>', items: items(1) }))).toBe('Assign “<b>” to 1 device');
});

test('what a person typed is never read as a reference to another text', async () => {
  const say = translateWith(await createTranslator('en', resources));
  expect(say(message('tag:plan.create', { tag: '$t(screen:device.title) {{x}}' }))).toBe(
    'Create the tag “$t(screen:device.title) {{x}}”',
  );
});

test('a value cannot turn the sentence around it nor hide anything in it', async () => {
  const say = translateWith(await createTranslator('en', resources));
  expect(say(message('tag:plan.create', { tag: 'a\u202eb\u200bc\nd – ü' }))).toBe(
    'Create the tag “a\ufffdb\ufffdc\nd – ü”',
  );
});

test('a heading within a sentence begins with a small letter, and an abbreviation keeps its own', async () => {
  const say = translateWith(await createTranslator('en', resources));
  const asked = (title: string) => say(message('core:cli.missing.which', { title }));
  expect([asked('Tag'), asked('URL'), asked('A')].map((text) => text.split('?')[0])).toEqual([
    'Which tag',
    'Which URL',
    'Which a',
  ]);
});

test('a sentence of the server names permissions as the console does, and leaves the rest as it is', async () => {
  const say = translateWith(await createTranslator('en', resources));
  const sentence = (text: string): string => say(message('core:error.server', { text }));
  expect(sentence('This needs the permission MODEMS_UPDATE in northwind.')).toBe(
    'This needs the permission “Change devices: names, tags, peripherals” in northwind.',
  );
  expect(sentence('No permission LIKE_THIS, and no device MODEMS_UPDATE $t(core:missing) {{x}}')).toBe(
    'No permission LIKE_THIS, and no device MODEMS_UPDATE $t(core:missing) {{x}}',
  );
});

test('Dutch has the names of screens, and English for the rest', async () => {
  const say = translateWith(await createTranslator('nl-NL', resources));
  expect([say(message('screen:device.title')), say(message('device:columns.number'))]).toEqual(['Apparaten', 'Number']);
  expect([languageOf('nl_NL.UTF-8'), languageOf('de'), languageOf(undefined)]).toEqual(['nl', 'en', 'en']);
});

test('an attribute has one label, which a place may replace, and which begins small within a sentence', async () => {
  const texts = {
    thing: { labels: { url: 'URL', owner: 'Owner' }, details: { owner: 'Belongs to' } },
    common: { labels: { sort: 'Sort by' } },
  };
  const instance = await createTranslator('en', { en: texts });
  const say = translateWith(instance);
  const key = (place: string): string => say(message(`thing:${place}`));
  const places = ['columns.owner', 'details.owner', 'commands.set-owner.params.owner', 'pages.info.details.owner'];
  expect(places.map(key)).toEqual(['Owner', 'Belongs to', 'Owner', 'Owner']);
  expect([key('fields.owner'), key('fields.url'), key('commands.list.params.sort')]).toEqual([
    'owner',
    'URL',
    'Sort by',
  ]);
  expect(['columns.url', 'columns.gone', 'url'].map((place) => hasText(instance, `thing:${place}`))).toEqual([
    true,
    false,
    false,
  ]);
});
