import { expect, test } from 'vitest';

import { historyStep } from './history-step.ts';

const step = (key: string, init: KeyboardEventInit = {}, isApple = false, target: Element = document.body) => {
  const event = new KeyboardEvent('keydown', { key, ...init });
  Object.defineProperty(event, 'target', { value: target });
  return historyStep(event, isApple);
};

test('Alt and an arrow go back and forward, also in a field', () => {
  const field = document.createElement('input');
  expect(step('ArrowLeft', { altKey: true })).toBe(-1);
  expect(step('ArrowLeft', { altKey: true }, false, field)).toBe(-1);
  expect(step('ArrowRight', { altKey: true })).toBe(1);
  expect(step('ArrowUp', { altKey: true })).toBeUndefined();
  expect(step('ArrowLeft', { altKey: true, shiftKey: true })).toBeUndefined();
  expect(step('ArrowLeft')).toBeUndefined();
});

test('on a Mac, Command with an arrow or a bracket does, but in a field an arrow moves the cursor', () => {
  const field = document.createElement('input');
  expect(step('ArrowLeft', { metaKey: true }, true)).toBe(-1);
  expect(step(']', { metaKey: true }, true, field)).toBe(1);
  expect(step('ArrowLeft', { metaKey: true }, true, field)).toBeUndefined();
  expect(step('ArrowLeft', { altKey: true }, true)).toBeUndefined();
  expect(step('[', {}, true)).toBeUndefined();
});

test("the keyboard's own Back and Forward keys do", () => {
  expect(step('BrowserBack')).toBe(-1);
  expect(step('BrowserForward')).toBe(1);
});
