import { expect, test, vi } from 'vitest';

test.each([
  ['what is stored', { device: { pressure: true } }, { device: { pressure: true } }],
  ['nothing if the stored value is not a choice', { device: { pressure: 'yes' } }, {}],
  ['nothing if the stored value is a list', [], {}],
])('starts with %s', async (_case, stored, expected) => {
  vi.resetModules();
  localStorage.setItem('quarterdeck-columns', JSON.stringify(stored));
  const { columnChoicesAtom } = await import('./columns.ts');
  const { createStore } = await import('jotai');
  expect(createStore().get(columnChoicesAtom)).toEqual(expected);
});
