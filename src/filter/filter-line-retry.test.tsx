import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { Provider } from 'jotai';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';

import { noFilter } from '#commands/query/no-filter.ts';
import { gadget } from '#commands/testkit/gadget.ts';
import { listenForKeys } from '#src/keys/listen.ts';
import { showGadgets } from '#src/palette/testkit/show-gadgets.ts';
import type * as language from '#src/registry/filter-language.ts';
import { loadParser } from '#src/registry/filter-language.ts';
import { loadAll } from '#src/registry/registry.ts';
import { isQueued } from '#src/state/key-queue.ts';
import { store } from '#src/state/store.ts';

import { FilterLine } from './FilterLine.tsx';

vi.mock('#src/registry/loaders.ts', async () => (await import('#src/palette/testkit/registry.ts')).loaders);
vi.mock('#src/state/first-screen.ts', () => ({ firstScreen: new Promise(() => undefined) }));
vi.mock('#src/registry/filter-language.ts', async (importOriginal) => {
  const original = await importOriginal<typeof language>();
  return { ...original, loadParser: vi.fn<typeof original.loadParser>(original.loadParser) };
});

beforeAll(loadAll);
afterEach(cleanup);

function paste(text: string): void {
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', text);
  const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
  fireEvent(document.activeElement ?? document.body, event);
}

test('text pasted and typed after the line could not be loaded loads it again, and is kept', async () => {
  showGadgets();
  const stop = listenForKeys({ bindings: () => [], singleKeys: () => true, run: () => undefined });
  const field = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Filter Gadgets' });
  let text = '';
  document.addEventListener('input', (event) => {
    if (event instanceof InputEvent && !field().readOnly) text += event.data;
  });
  render(
    <Provider store={store}>
      <FilterLine filter={noFilter(gadget)} onText={() => undefined} total={3} />
    </Provider>,
  );
  vi.mocked(loadParser).mockRejectedValueOnce(new Error('offline'));
  act(() => field().focus());
  await waitFor(() => expect(isQueued()).toBe(false));
  paste('pu');
  for (const key of ['Shift', 'm', 'p']) fireEvent.keyDown(document.activeElement ?? document.body, { key });
  await waitFor(() => expect(text).toBe('pump'));
  expect(document.activeElement).toBe(field());
  stop();
});
