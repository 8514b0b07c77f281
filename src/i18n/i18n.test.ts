import { beforeEach, expect, test, vi } from 'vitest';

import { message } from '#commands/text/message.ts';
import { settingsAtom } from '#src/state/settings.ts';
import { store } from '#src/state/store.ts';

import { formatCount, loadAllStrings, i18n, nounText, translate } from './i18n.ts';

const chooseLanguage = (language: 'en' | 'nl'): void =>
  store.set(settingsAtom, { ...store.get(settingsAtom), language });
const synonyms = (): string | undefined => nounText('nl', 'tag', 'words');
const waitForLanguage = (language: 'en' | 'nl'): Promise<boolean> => vi.waitUntil(() => i18n.language === language);

beforeEach(async () => {
  chooseLanguage('en');
  await waitForLanguage('en');
});

test.each([
  ['screen.empty', 'Devices', 'No devices yet'],
  ['screen.empty', 'Support visits', 'No support visits yet'],
  ['panel.empty', 'Emails sent', 'No emails sent yet'],
])('inserts the title into the message for an empty list: %s, titled %s', (key, title, expected) => {
  expect(i18n.t(key, { ns: 'console', title })).toBe(expected);
});

test('shows a string once loaded, even if its key was translated before', async () => {
  const name = message('gadget:name');
  expect(translate(name)).not.toBe('Mark');
  i18n.addResource('en', 'gadget', 'name', 'Mark');
  expect(translate(name)).toBe('Mark');
  i18n.addResource('nl', 'gadget', 'name', 'Merk');
  await i18n.changeLanguage('nl');
  expect(translate(name)).toBe('Merk');
  await i18n.changeLanguage('en');
  expect(translate(name)).toBe('Mark');
});

test('loads the synonyms of a language that is chosen while translations are loading', async () => {
  const loading = loadAllStrings();
  chooseLanguage('nl');
  await loading;
  await waitForLanguage('nl');
  expect(synonyms()).toContain('etiketten');
});

test('loads the synonyms before changing the language', async () => {
  await loadAllStrings();
  i18n.removeResourceBundle('nl', 'tag');
  let synonymsAtChange: string | undefined;
  i18n.on('languageChanged', () => (synonymsAtChange = synonyms()));
  chooseLanguage('nl');
  await waitForLanguage('nl');
  expect(synonymsAtChange).toContain('etiketten');
});

test('uses the language that was chosen last', async () => {
  await loadAllStrings();
  chooseLanguage('nl');
  chooseLanguage('en');
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(i18n.language).toBe('en');
});

test('formats a count in the language of the texts around it', async () => {
  expect(formatCount(2000)).toBe('2,000');
  chooseLanguage('nl');
  await waitForLanguage('nl');
  expect(formatCount(2000)).toBe('2.000');
});
