import { afterEach, expect, test, vi } from 'vitest';

import { browserStorage, tabStorage } from './browser-storage.ts';

afterEach(() => {
  vi.restoreAllMocks();
  window.localStorage.clear();
  window.sessionStorage.clear();
});

const throwDomException = (name: string) => () => {
  throw new DOMException('no', name);
};

test('stores values for all tabs or for only one tab', () => {
  browserStorage.set('a', '1');
  tabStorage.set('b', '2');
  expect([window.localStorage.getItem('a'), window.sessionStorage.getItem('b')]).toEqual(['1', '2']);
  expect([browserStorage.get('a'), tabStorage.get('a'), browserStorage.get('b')]).toEqual(['1', undefined, undefined]);
  browserStorage.remove('a');
  expect([browserStorage.get('a'), window.localStorage.getItem('a')]).toEqual([undefined, null]);
});

test('falls back to memory if storage is blocked', () => {
  vi.spyOn(window, 'localStorage', 'get').mockImplementation(throwDomException('SecurityError'));
  browserStorage.set('a', '1');
  expect(browserStorage.get('a')).toBe('1');
  browserStorage.remove('a');
  expect(browserStorage.get('a')).toBeUndefined();
});

test('keeps a new value in memory if storage is full and stores the next one that fits', () => {
  browserStorage.set('a', 'old');
  const { localStorage } = window;
  const fullStorage = {
    getItem: (key: string) => localStorage.getItem(key),
    setItem: throwDomException('QuotaExceededError'),
  };
  const area = vi.spyOn(window, 'localStorage', 'get').mockReturnValue(fullStorage as unknown as Storage);
  browserStorage.set('a', 'new');
  expect([browserStorage.get('a'), localStorage.getItem('a')]).toEqual(['new', 'old']);
  area.mockRestore();
  browserStorage.set('a', 'newest');
  expect([browserStorage.get('a'), window.localStorage.getItem('a')]).toEqual(['newest', 'newest']);
});

test('rethrows other errors', () => {
  vi.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
    throw new TypeError('A bug.');
  });
  expect(() => browserStorage.get('a')).toThrow(TypeError);
});
