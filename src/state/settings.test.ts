import { createStore } from 'jotai';
import { afterEach, expect, test, vi } from 'vitest';

import { DEFAULT_SETTINGS } from './settings.ts';

afterEach(() => window.localStorage.clear());

async function loadSettings(stored: string): Promise<unknown> {
  window.localStorage.setItem('quarterdeck-settings', stored);
  vi.resetModules();
  const { settingsAtom } = await import('./settings.ts');
  return createStore().get(settingsAtom);
}

test.each(['not json', 'null', '12', '[]', '{"theme":null}', '{"singleKeys":"yes"}'])(
  'uses the defaults if %s is stored',
  async (stored) => {
    expect(await loadSettings(stored)).toEqual(DEFAULT_SETTINGS);
  },
);

test('keeps known settings from an older version and drops unknown ones', async () => {
  expect(await loadSettings('{"theme":"dark","grid":true}')).toEqual({ ...DEFAULT_SETTINGS, theme: 'dark' });
});
