import { createStore } from 'jotai';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

beforeEach(() => vi.resetModules());
afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});

async function widthIn(windowWidth: number): Promise<number> {
  vi.stubGlobal('innerWidth', windowWidth);
  const { panelWidthAtom } = await import('./panel-width.ts');
  return createStore().get(panelWidthAtom);
}

test.each([
  [1024, 380],
  [1440, 380],
  [1920, 442],
  [2560, 589],
])('in a %d px wide window, the panel starts %d px wide', async (windowWidth, expected) => {
  expect(await widthIn(windowWidth)).toBe(expected);
});

test('keeps the width that the user chose in any window', async () => {
  localStorage.setItem('quarterdeck-panel-width', '420');
  expect(await widthIn(1920)).toBe(420);
});
