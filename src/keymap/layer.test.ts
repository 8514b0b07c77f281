import { fireEvent } from '@testing-library/dom';
// Loads what Tab needs beforehand, so no test waits for the disk.
import 'tabbable';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { command } from '#commands/model/command.ts';
import { listenForKeys } from '#src/keys/listen.ts';
import { onLayerShown, isLayerPending } from '#src/state/key-queue.ts';
import { helpOpenAtom, paletteAtom } from '#src/state/layers.ts';
import { store } from '#src/state/store.ts';

import { LOADING_FORM_ATTRIBUTE } from './layer.ts';
import { parseKeys } from './press.ts';

const x = command({ id: 'app.x', effect: 'navigate', run: async () => ({}) });
const run = vi.fn<() => void>();
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  stop = listenForKeys({
    bindings: () => [{ command: x, keys: 'x', presses: parseKeys('x') }],
    singleKeys: () => true,
    run,
  });
});

afterEach(() => {
  store.set(paletteAtom, { open: false });
  store.set(helpOpenAtom, false);
  vi.runAllTimers();
  stop();
  run.mockClear();
  document.body.replaceChildren();
  vi.useRealTimers();
});

function type(...keys: readonly string[]): void {
  for (const key of keys) fireEvent.keyDown(document.activeElement ?? document.body, { key });
}

/** Puts a layer on the page, with its field focused. */
function show(html: string): HTMLInputElement {
  document.body.innerHTML = html;
  const field = document.querySelector('input') as HTMLInputElement;
  field.focus();
  onLayerShown();
  vi.runAllTimers();
  return field;
}

const DIALOG = '<dialog open><input><button>b</button></dialog>';

test('replays earlier keys in the palette in order', async () => {
  const onKey = vi.fn<(key: string) => void>();
  document.addEventListener('keydown', ({ key, target }) => target instanceof HTMLInputElement && onKey(key));
  store.set(paletteAtom, { open: true, start: undefined });
  type('x', ' ', 'z', 'Backspace', 'y');
  vi.advanceTimersByTime(5000);
  type('Tab', 'Enter');
  const field = show(DIALOG);
  expect(field.value).toBe('x y');
  // Tab loads the code that finds the tab stops.
  await vi.dynamicImportSettled();
  vi.runAllTimers();
  expect(onKey.mock.calls.flat()).toEqual(['x', ' ', 'z', 'Backspace', 'y', 'Tab']);
  expect(document.activeElement).toBe(document.querySelector('button'));
  expect(run).not.toHaveBeenCalled();
});

test('closes on Escape before appearing and discards typed keys', () => {
  store.set(paletteAtom, { open: true, start: undefined });
  type('x', 'Escape');
  expect(store.get(paletteAtom)).toEqual({ open: false });
  store.set(helpOpenAtom, true);
  type('Escape');
  expect(store.get(helpOpenAtom)).toBe(false);
  vi.runAllTimers();
  expect(run).not.toHaveBeenCalled();
  type('x');
  expect(run).toHaveBeenCalledOnce();
});

test('discards keys typed for a palette that is closed without Escape', () => {
  store.set(paletteAtom, { open: true, start: undefined });
  type('x');
  expect(isLayerPending()).toBe(true);
  store.set(paletteAtom, { open: false });
  expect(isLayerPending()).toBe(false);
  vi.runAllTimers();
  expect(run).not.toHaveBeenCalled();
});

test('keeps keys typed for a loading form but not those typed into a field', () => {
  document.body.innerHTML = `<input><div ${LOADING_FORM_ATTRIBUTE}></div>`;
  type('x', 'a');
  expect(run).not.toHaveBeenCalled();
  const input = document.querySelector('input') as HTMLInputElement;
  expect(show('<form><input></form>').value).toBe('xa');
  document.body.innerHTML = `<input><div ${LOADING_FORM_ATTRIBUTE}></div>`;
  expect(fireEvent.keyDown(document.querySelector('input') as Element, { key: 'x' })).toBe(true);
  expect([input.value, isLayerPending()]).toEqual(['', false]);
});

test('lets Escape close a form that is still loading', () => {
  document.body.innerHTML = `<div ${LOADING_FORM_ATTRIBUTE}></div>`;
  type('a');
  expect(isLayerPending()).toBe(true);
  expect(fireEvent.keyDown(document.body, { key: 'Escape' })).toBe(true);
  expect(isLayerPending()).toBe(false);
});
