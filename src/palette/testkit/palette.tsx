import { act, cleanup, render, screen } from '@testing-library/react';
import { Provider } from 'jotai';
import { afterEach, beforeEach, vi } from 'vitest';

import { command } from '#commands/model/command.ts';
import type { PaletteStart } from '#commands/model/host.ts';
import { gadget, type Gadget } from '#commands/testkit/gadget.ts';
import { parseKeys } from '#src/keymap/press.ts';
import { listenForKeys } from '#src/keys/listen.ts';
import { mockSetRangeText } from '#src/keys/testkit/range-text.ts';
import { paletteAtom } from '#src/state/layers.ts';
import { store } from '#src/state/store.ts';

import { Palette } from '../Palette.tsx';
import { showGadgets } from './show-gadgets.ts';

// Renders the palette over a table of gadgets, two of them selected. Tests must first mock the registry with
// `./registry.ts`.

export const TWO_SELECTED = { target: { query: 'state:ERROR' }, count: 2 } as const;

export function open(start?: PaletteStart): void {
  act(() => store.set(paletteAtom, { open: true, start }));
}

/** Returns the row that a screen reader announces. */
export function announcedRow(): string {
  const id = screen.getByRole('combobox').getAttribute('aria-activedescendant') ?? '';
  return document.getElementById(id)?.querySelector('[data-label]')?.textContent ?? '';
}

/** Returns the labels of the listed options. */
export const options = () =>
  screen.queryAllByRole('option').map((option) => option.querySelector('[data-label]')?.textContent);

/** Makes gadget searches wait until the returned function is called, and then find nothing. */
export function blockSearch(): () => void {
  let finishSearch = (): void => undefined;
  const result = new Promise<readonly Gadget[]>((resolve) => (finishSearch = () => resolve([])));
  vi.spyOn(gadget, 'search').mockReturnValue(result);
  return () => finishSearch();
}

export const field = () => screen.getByRole<HTMLInputElement>('combobox');
export const isOpen = () => screen.queryByRole('combobox') !== null;

const palette = command({ id: 'app.palette', effect: 'navigate', run: async () => ({}) });

/** Renders the closed palette before each test. */
export function showPalette(): void {
  let stopKeys: () => void;
  beforeEach(() => {
    mockSetRangeText();
    stopKeys = listenForKeys({
      bindings: () => [{ command: palette, keys: '$mod+k', presses: parseKeys('$mod+k') }],
      singleKeys: () => true,
      run: () => open(),
    });
    showGadgets(TWO_SELECTED);
    render(
      <Provider store={store}>
        <Palette />
      </Provider>,
    );
  });
  afterEach(() => {
    cleanup();
    stopKeys();
  });
}
