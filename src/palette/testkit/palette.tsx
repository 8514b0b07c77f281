import { act, cleanup, render, screen } from '@testing-library/react';
import { Provider } from 'jotai';
import { afterEach, beforeEach, vi } from 'vitest';

import { command } from '#commands/model/command.ts';
import type { PaletteStart } from '#commands/model/host.ts';
import { gadget, type Gadget } from '#commands/testkit/gadget.ts';

import { listenForKeys } from '#src/keys/listen.ts';
import { writeRangesAsBrowsers } from '#src/keys/testkit/range-text.ts';
import { parseKeys } from '#src/keymap/press.ts';
import { paletteAtom } from '#src/state/layers.ts';
import { store } from '#src/state/store.ts';
import { Palette } from '../Palette.tsx';
import { standAtGadgets } from './stand.ts';

// The palette over gadgets, two of which are selected. A test mocks the registry with `./registry.ts` before.

/** The selection. */
export const TWO = { target: { query: 'state:ERROR' }, count: 2 } as const;

export function open(start?: PaletteStart): void {
  act(() => store.set(paletteAtom, { open: true, start }));
}

/** The row that a screen reader announces. */
export function announced(): string {
  const id = screen.getByRole('combobox').getAttribute('aria-activedescendant') ?? '';
  return document.getElementById(id)?.querySelector('[data-label]')?.textContent ?? '';
}

/** What the list offers. */
export const options = () =>
  screen.queryAllByRole('option').map((option) => option.querySelector('[data-label]')?.textContent);

/** Searches for gadgets find nothing until they are told to. */
export function slowSearch(): () => void {
  let answer = (): void => undefined;
  const found = new Promise<readonly Gadget[]>((resolve) => (answer = () => resolve([])));
  vi.spyOn(gadget, 'search').mockReturnValue(found);
  return () => answer();
}

export const field = () => screen.getByRole<HTMLInputElement>('combobox');
export const isOpen = () => screen.queryByRole('combobox') !== null;

const palette = command({ id: 'app.palette', effect: 'navigate', run: async () => ({}) });

/** Shows the palette, closed, before each test of a file. */
export function showPalette(): void {
  let stopKeys: () => void;
  beforeEach(() => {
    writeRangesAsBrowsers();
    stopKeys = listenForKeys({
      bindings: () => [{ command: palette, keys: '$mod+k', presses: parseKeys('$mod+k') }],
      singleKeys: () => true,
      run: () => open(),
    });
    standAtGadgets(TWO);
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
