import { beforeEach, expect, test, vi } from 'vitest';

import { bufferEarlyKeys, takeEarlyKeys } from './early-keys.ts';

const root = document.createElement('div');
const press = (key: string, init: KeyboardEventInit = {}): boolean =>
  window.dispatchEvent(new KeyboardEvent('keydown', { key, cancelable: true, ...init }));
const takenKeys = (): string => takeEarlyKeys().reduce((text, { key }) => `${text}${key} `, '');
/** Mutation observers run after the current task. */
const runObservers = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

beforeEach(() => {
  takeEarlyKeys();
  root.replaceChildren();
  bufferEarlyKeys(root);
});

test('buffers keys pressed on a blank page until the console takes them', () => {
  expect(['/', 'p', 'Enter'].map((key) => press(key))).toEqual([false, false, false]);
  press('k', { ctrlKey: true });
  root.append(document.createElement('main'));
  expect(takenKeys()).toBe('/ p Enter k ');
  expect(press('x')).toBe(true);
  expect(takenKeys()).toBe('');
});

test("hides buffered keys from the console's listeners, even those that are already registered", () => {
  const onKeyDown = vi.fn<() => void>();
  window.addEventListener('keydown', onKeyDown, { capture: true });
  press('p');
  expect(onKeyDown).not.toHaveBeenCalled();
  takeEarlyKeys();
  press('p');
  expect(onKeyDown).toHaveBeenCalledOnce();
  window.removeEventListener('keydown', onKeyDown, { capture: true });
});

test("leaves the browser's keys alone", () => {
  for (const init of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }]) expect(press('r', init)).toBe(true);
  expect([press('F5'), press('Shift'), press('r', { repeat: true })]).toEqual([true, true, true]);
  expect(takenKeys()).toBe('');
});

test('drops the keys on Escape, and when another screen appears', async () => {
  press('p');
  expect(press('Escape')).toBe(true);
  press('j');
  root.append(document.createComment('a boundary without content'));
  await runObservers();
  expect(takenKeys()).toBe('j ');

  bufferEarlyKeys(root);
  press('p');
  root.append(document.createElement('form'));
  await runObservers();
  expect(press('Tab')).toBe(true);
  expect(takenKeys()).toBe('');
});
