import { fireEvent } from '@testing-library/dom';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { command } from '#commands/core/command';

import { helpOpenAtom, paletteAtom } from '../state/layers.ts';
import { store } from '../state/store.ts';
import { listenForKeys } from './listen.ts';
import { parseKeys } from './press.ts';

const x = command({ id: 'app.x', effect: 'navigate', run: async () => ({}) });
const ran = vi.fn<() => void>();
let stop: () => void;

beforeEach(() => {
  stop = listenForKeys({
    bindings: () => [{ command: x, keys: 'x', presses: parseKeys('x') }],
    singleKeys: () => true,
    run: ran,
  });
});

afterEach(() => {
  stop();
  ran.mockClear();
  store.set(paletteAtom, { open: false });
  store.set(helpOpenAtom, false);
});

function type(...keys: readonly string[]): void {
  for (const key of keys) fireEvent.keyDown(document.body, { key });
}

it('keeps what is typed before the palette has come for it', () => {
  store.set(paletteAtom, { open: true, start: { prefix: '> ' } });
  type('x', ' ', 'y');
  expect(store.get(paletteAtom)).toEqual({ open: true, start: { prefix: '> ' }, ahead: 'x y' });
  expect(ran).not.toHaveBeenCalled();
});

it('keeps it for a command that is to be filled in as well, but no Enter', () => {
  const start = { invocation: { id: 'app.x', args: {} } };
  store.set(paletteAtom, { open: true, start });
  type('x', 'z', 'Backspace', 'y', 'Enter');
  expect(store.get(paletteAtom)).toEqual({ open: true, start, ahead: 'xy' });
  expect(ran).not.toHaveBeenCalled();
});

it('leaves before it has come', () => {
  store.set(paletteAtom, { open: true, start: undefined });
  type('x', 'Escape');
  expect(store.get(paletteAtom)).toEqual({ open: false });
  store.set(helpOpenAtom, true);
  type('x', 'Escape');
  expect(store.get(helpOpenAtom)).toBe(false);
  type('x');
  expect(ran).toHaveBeenCalledOnce();
});
