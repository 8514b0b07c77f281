import { beforeEach, expect, it, vi } from 'vitest';

import { settingsAtom } from '#src/state/settings.ts';
import { store } from '#src/state/store.ts';

import { allTexts, i18n, nounText } from './i18n.ts';

const choose = (language: 'en' | 'nl'): void => store.set(settingsAtom, { ...store.get(settingsAtom), language });
const synonyms = (): string | undefined => nounText('nl', 'tag', 'words');
const changedTo = (language: 'en' | 'nl'): Promise<boolean> => vi.waitUntil(() => i18n.language === language);

beforeEach(async () => {
  choose('en');
  await changedTo('en');
});

it('loads the synonyms of a language chosen while the texts are still loading', async () => {
  const loading = allTexts();
  choose('nl');
  await loading;
  await changedTo('nl');
  expect(synonyms()).toContain('etiketten');
});

it('has loaded the synonyms of a language by the time it changes to it', async () => {
  await allTexts();
  i18n.removeResourceBundle('nl', 'tag');
  let whenChanged: string | undefined;
  i18n.on('languageChanged', () => (whenChanged = synonyms()));
  choose('nl');
  await changedTo('nl');
  expect(whenChanged).toContain('etiketten');
});

it('ends in the language that was chosen last', async () => {
  await allTexts();
  choose('nl');
  choose('en');
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(i18n.language).toBe('en');
});
