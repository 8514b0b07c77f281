import { act, render, screen } from '@testing-library/react';
import type { ComponentType } from 'react';
import { expect, test, vi } from 'vitest';

import { listenForKeys } from '#src/keys/listen.ts';
import { keepTyping, openFailedLayer } from '#src/state/kept-typing.ts';
import {
  isDiscarded,
  isLayerPending,
  onLayerShown,
  runOrEnqueue,
  runWithLayer,
  type Task,
} from '#src/state/key-queue.ts';
import { paletteAtom } from '#src/state/layers.ts';
import { store } from '#src/state/store.ts';
import { lazyPart, useFailedParts } from '#src/ui/lazy-part.tsx';

import { OverlaysError } from './OverlaysError.tsx';

const palette = () => store.get(paletteAtom).open;
const open = () => act(async () => store.set(paletteAtom, { open: true, start: undefined }));

test('discards the keys typed for a palette that failed to load, and loads it again', async () => {
  const load = vi.fn<() => Promise<ComponentType<object>>>().mockRejectedValue(new TypeError('Failed to fetch'));
  const Overlays = lazyPart(load, { Failed: OverlaysError });
  const Count = () => <p>{useFailedParts().length} failed</p>;
  const enter = vi.fn<() => void>();
  await open();
  runWithLayer(enter);
  render([<Overlays key="overlays" />, <Count key="count" />]);
  await screen.findByText('1 failed');
  expect([palette(), isLayerPending()]).toEqual([false, false]);
  // Keys that the user still types for the palette must not run commands.
  expect(isDiscarded('x')).toBe(true);

  await open();
  expect(load).toHaveBeenCalledTimes(2);
  expect(palette()).toBe(false);

  load.mockResolvedValue(() => <p>palette</p>);
  await open();
  await screen.findByText('palette');
  expect(palette()).toBe(true);
  expect(screen.queryByText('0 failed')).not.toBeNull();
  expect(enter).not.toHaveBeenCalled();
  store.set(paletteAtom, { open: false });
});

test('opens the palette again with the text typed for it, but not Enter, when the user tries again', async () => {
  const load = vi.fn<() => Promise<ComponentType<object>>>().mockRejectedValue(new TypeError('Failed to fetch'));
  const Overlays = lazyPart(load, { Failed: OverlaysError });
  const Retry = () =>
    useFailedParts().map((retry, index) => (
      <button key={index} onClick={retry}>
        Try again
      </button>
    ));
  const typed: string[] = [];
  const stop = listenForKeys({ bindings: () => [], singleKeys: () => true, run: () => undefined });
  const type = (key: string): Task => Object.assign(() => void typed.push(key), { isEnter: key === 'Enter' });
  await act(async () => store.set(paletteAtom, { open: true, start: { prefix: '>' } }));
  runWithLayer(type('a'));
  runOrEnqueue(type('b'));
  render([<Overlays key="overlays" />, <Retry key="retry" />]);
  const tryAgain = await screen.findByRole('button');
  keepTyping(type('c'));
  keepTyping(type('Enter'));
  expect(palette()).toBe(false);

  load.mockResolvedValue(() => <p>loaded palette</p>);
  await act(async () => tryAgain.click());
  await screen.findByText('loaded palette');
  expect(store.get(paletteAtom)).toEqual({ open: true, start: { prefix: '>' } });
  expect(typed).toEqual([]);
  act(onLayerShown);
  await vi.waitFor(() => expect(typed).toEqual(['a', 'b', 'c']));
  expect(openFailedLayer()).toBe(false);
  stop();
  store.set(paletteAtom, { open: false });
});
