import { cleanup, render, screen } from '@testing-library/react';
import { Provider } from 'jotai';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';

import { loadAllStrings } from '#src/i18n/i18n.ts';
import { overridesAtom } from '#src/keymap/bindings.ts';
import { showGadgets } from '#src/palette/testkit/show-gadgets.ts';
import { loadAll } from '#src/registry/registry.ts';
import { store } from '#src/state/store.ts';

import { KeyButton } from './KeyButton.tsx';

vi.mock('#src/registry/loaders.ts', async () => (await import('#src/palette/testkit/registry.ts')).loaders);
beforeAll(async () => {
  await Promise.all([loadAll(), loadAllStrings()]);
});
beforeEach(() => showGadgets());
afterEach(() => {
  cleanup();
  store.set(overridesAtom, {});
});

test.each([
  ['its key', ['n'], 'n'],
  ['an icon instead of keys for which it has no room', ['Control+Alt+Shift+F7 F8'], 'icon'],
  ['an icon if it has no key', [], 'icon'],
])('shows %s', (_, keys, content) => {
  store.set(overridesAtom, { 'gadget.mark': keys });
  render(
    <Provider store={store}>
      <KeyButton command="gadget.mark" label="Mark" icon={<span>icon</span>} />
    </Provider>,
  );
  expect(screen.getByRole('button', { name: /Mark/ }).lastElementChild?.textContent).toBe(content);
});
