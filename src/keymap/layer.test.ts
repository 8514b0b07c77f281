import { fireEvent } from '@testing-library/dom';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { command } from '#commands/model/command.ts';

import { arriveAtLayer, awaitsLayer } from '#src/state/arrival.ts';
import { helpOpenAtom, paletteAtom } from '#src/state/layers.ts';
import { store } from '#src/state/store.ts';
import { OPENING } from './layer.ts';
import { listenForKeys } from '#src/keys/listen.ts';
import { parseKeys } from './press.ts';

const x = command({ id: 'app.x', effect: 'navigate', run: async () => ({}) });
const ran = vi.fn<() => void>();
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  stop = listenForKeys({
    bindings: () => [{ command: x, keys: 'x', presses: parseKeys('x') }],
    singleKeys: () => true,
    run: ran,
  });
});

afterEach(() => {
  store.set(paletteAtom, { open: false });
  store.set(helpOpenAtom, false);
  vi.runAllTimers();
  stop();
  ran.mockClear();
  document.body.replaceChildren();
  vi.useRealTimers();
});

function type(...keys: readonly string[]): void {
  for (const key of keys) fireEvent.keyDown(document.activeElement ?? document.body, { key });
}

/** Puts what was opened on the page, with the focus in its field. */
function show(html: string): HTMLInputElement {
  document.body.innerHTML = html;
  const field = document.querySelector('input') as HTMLInputElement;
  field.focus();
  arriveAtLayer();
  vi.runAllTimers();
  return field;
}

const DIALOG = '<dialog open><input><button>b</button></dialog>';

it('presses again in the palette what was pressed before it had come, in its turn', () => {
  const took = vi.fn<(key: string) => void>();
  document.addEventListener('keydown', ({ key, target }) => target instanceof HTMLInputElement && took(key));
  store.set(paletteAtom, { open: true, start: undefined });
  type('x', ' ', 'z', 'Backspace', 'y');
  vi.advanceTimersByTime(60_000);
  type('Tab', 'Enter');
  const field = show(DIALOG);
  expect(field.value).toBe('x y');
  expect(took.mock.calls.flat()).toEqual(['x', ' ', 'z', 'Backspace', 'y', 'Tab']);
  expect(document.activeElement).toBe(document.querySelector('button'));
  expect(ran).not.toHaveBeenCalled();
});

it('leaves before it has come, with all that was typed for it', () => {
  store.set(paletteAtom, { open: true, start: undefined });
  type('x', 'Escape');
  expect(store.get(paletteAtom)).toEqual({ open: false });
  store.set(helpOpenAtom, true);
  type('Escape');
  expect(store.get(helpOpenAtom)).toBe(false);
  vi.runAllTimers();
  expect(ran).not.toHaveBeenCalled();
  type('x');
  expect(ran).toHaveBeenCalledOnce();
});

it('gives up what was typed for a palette that something else closed', () => {
  store.set(paletteAtom, { open: true, start: undefined });
  type('x');
  expect(awaitsLayer()).toBe(true);
  store.set(paletteAtom, { open: false });
  expect(awaitsLayer()).toBe(false);
  vi.runAllTimers();
  expect(ran).not.toHaveBeenCalled();
});

it('keeps what is typed for a form whose fields are not there yet, but nothing that is typed into a field', () => {
  document.body.innerHTML = `<input><div ${OPENING}></div>`;
  type('x', 'a');
  expect(ran).not.toHaveBeenCalled();
  const other = document.querySelector('input') as HTMLInputElement;
  expect(show('<form><input></form>').value).toBe('xa');
  document.body.innerHTML = `<input><div ${OPENING}></div>`;
  expect(fireEvent.keyDown(document.querySelector('input') as Element, { key: 'x' })).toBe(true);
  expect([other.value, awaitsLayer()]).toEqual(['', false]);
});

it('lets Escape close a form that is still loading', () => {
  document.body.innerHTML = `<div ${OPENING}></div>`;
  type('a');
  expect(awaitsLayer()).toBe(true);
  expect(fireEvent.keyDown(document.body, { key: 'Escape' })).toBe(true);
  expect(awaitsLayer()).toBe(false);
});
