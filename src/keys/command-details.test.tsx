import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Provider } from 'jotai';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';

import { loadAllStrings } from '#src/i18n/i18n.ts';
import { overridesAtom } from '#src/keymap/bindings.ts';
import { loadAll, registry } from '#src/registry/registry.ts';
import { store } from '#src/state/store.ts';

import { CommandDetails } from './CommandDetails.tsx';

beforeAll(async () => {
  await Promise.all([loadAll(), loadAllStrings()]);
});
afterEach(() => {
  cleanup();
  store.set(overridesAtom, {});
});

test('copies the example with the keys of the command that copies, also after they change', async () => {
  const user = userEvent.setup();
  const write = vi.spyOn(navigator.clipboard, 'write').mockResolvedValue();
  const ignore = (): void => undefined;
  render(
    <Provider store={store}>
      <CommandDetails
        command={registry().command('tag.create')!}
        registry={registry()}
        reason={undefined}
        onRun={ignore}
        onRebind={ignore}
        onBack={ignore}
      />
    </Provider>,
  );
  const button = screen.getByRole('button', { name: 'Copy' });
  expect(button.getAttribute('aria-keyshortcuts')).toBe('y');
  act(() => store.set(overridesAtom, { 'view.copy': ['F6'] }));
  expect(button.getAttribute('aria-keyshortcuts')).toBe('F6');
  await user.keyboard('y');
  expect(write).not.toHaveBeenCalled();
  await user.keyboard('{F6}');
  await waitFor(() => expect(write).toHaveBeenCalledOnce());
});
