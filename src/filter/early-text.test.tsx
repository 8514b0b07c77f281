import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { Provider } from 'jotai';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';

import { noFilter } from '#commands/query/no-filter.ts';
import { gadget } from '#commands/testkit/gadget.ts';
import { listenForKeys } from '#src/keys/listen.ts';
import { showGadgets } from '#src/palette/testkit/show-gadgets.ts';
import { loadAll } from '#src/registry/registry.ts';
import { isQueued } from '#src/state/key-queue.ts';
import { store } from '#src/state/store.ts';

import { FilterLine, isFilterLineLoaded } from './FilterLine.tsx';

vi.mock('#src/registry/loaders.ts', async () => (await import('#src/palette/testkit/registry.ts')).loaders);

/** The first rows are not shown yet, so the line loads only when the user moves to it. */
vi.mock('#src/state/first-screen.ts', () => ({ firstScreen: new Promise(() => undefined) }));

beforeAll(loadAll);
beforeEach(() => showGadgets());
afterEach(cleanup);

const field = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Filter Gadgets' });

/** Presses keys like a keyboard: on the element that has the focus at that time. */
const press = (keys: readonly string[]): void => {
  for (const key of keys) fireEvent.keyDown(document.activeElement ?? document.body, { key });
};

test('keeps the text typed before the line has loaded, unless the user leaves the line', async () => {
  const stop = listenForKeys({ bindings: () => [], singleKeys: () => true, run: () => undefined });
  let text = '';
  const onInput = (event: Event): void => {
    if (event instanceof InputEvent && !field().readOnly) text += event.data;
  };
  document.addEventListener('input', onInput);
  render(
    <Provider store={store}>
      <FilterLine filter={noFilter(gadget)} onText={() => undefined} total={3} />
    </Provider>,
  );
  expect(screen.getByRole('status').textContent).toBe('3 gadgets');

  act(() => field().focus());
  press(['l', 'e', 'f', 't']);
  expect(isQueued()).toBe(true);
  act(() => field().blur());
  expect(isQueued()).toBe(false);

  act(() => field().focus());
  press(['g', 'o', 'n', 'e', 'Escape']);
  expect(isQueued()).toBe(false);
  act(() => field().blur());

  act(() => field().focus());
  press(['p', 'u', 'm', 'p']);
  expect(isFilterLineLoaded()).toBe(false);
  await waitFor(() => expect(text).toBe('pump'));
  expect(document.activeElement).toBe(field());
  expect(field().readOnly).toBe(false);
  document.removeEventListener('input', onInput);
  stop();
});
