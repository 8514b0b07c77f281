import { createStore } from 'jotai';
import { afterEach, expect, test, vi } from 'vitest';

import { storedAtom } from './stored-atom.ts';

afterEach(() => {
  vi.restoreAllMocks();
  window.localStorage.clear();
});

const width = (key = 'width') => storedAtom(key, 380, (stored) => (typeof stored === 'number' ? stored : 380));
const currentValue = (): number => createStore().get(width());

test('stores its value and starts with it', () => {
  createStore().set(width(), 500);
  expect(currentValue()).toBe(500);
});

test.each(['garbage{', 'null', '"wide"', '[]'])('uses the default if %s is stored', (text) => {
  window.localStorage.setItem('width', text);
  expect(currentValue()).toBe(380);
});

test('works if storage is unavailable', () => {
  const store = createStore();
  const atom = width('unstored width');
  vi.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
    throw new DOMException('no', 'QuotaExceededError');
  });
  store.set(atom, 500);
  expect(store.get(atom)).toBe(500);
});

test('follows changes to its key in other tabs', () => {
  const store = createStore();
  const atom = width();
  const stop = store.sub(atom, () => undefined);
  window.dispatchEvent(new StorageEvent('storage', { key: 'height', newValue: '100' }));
  expect(store.get(atom)).toBe(380);
  window.dispatchEvent(new StorageEvent('storage', { key: 'width', newValue: '600' }));
  expect(store.get(atom)).toBe(600);
  window.dispatchEvent(new StorageEvent('storage', { key: null, newValue: null }));
  expect(store.get(atom)).toBe(380);
  stop();
});
