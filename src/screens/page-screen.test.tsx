import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Provider } from 'jotai';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';

import type { HostCapabilities } from '#commands/model/host.ts';
import { general } from '#commands/nouns/self/me/pages.ts';
import { queryClient } from '#src/data/query-client.ts';
import { consoleStrings } from '#src/i18n/console-strings.ts';
import { addStrings, loadAllStrings } from '#src/i18n/i18n.ts';
import { showGadgets } from '#src/palette/testkit/show-gadgets.ts';
import { loadAll } from '#src/registry/registry.ts';
import { provide } from '#src/run/context.ts';
import { DEFAULT_SETTINGS } from '#src/state/settings.ts';
import { store } from '#src/state/store.ts';

import { PageScreen } from './PageScreen.tsx';

// The panel needs a router.
vi.mock('./PanelLayout.tsx', () => ({ PanelLayout: ({ children }: { readonly children: unknown }) => children }));
vi.mock('#src/registry/loaders.ts', async () => {
  const { noun: app } = await import('#commands/nouns/console/app/noun.ts');
  const { general: page } = await import('#commands/nouns/self/me/pages.ts');
  const { loadersFor } = await import('#src/registry/testkit/loaders.ts');
  // The other sections fetch their values from the server.
  const look = page.sections.filter(({ id }) => id === 'look');
  return loadersFor({
    me: { commands: [], pages: [{ ...page, load: async () => ({}), sections: look }] },
    app,
  });
});
beforeAll(async () => {
  addStrings(consoleStrings);
  await Promise.all([loadAllStrings(), loadAll()]);
});

const set = vi.fn<HostCapabilities['settings']['set']>();
beforeEach(() => {
  showGadgets();
  provide({ settings: { get: () => ({ ...DEFAULT_SETTINGS, density: 'compact' }), set } });
});
afterEach(() => {
  cleanup();
  queryClient.clear();
});

test('lists the settings for appearance and keys, and saves a choice immediately', async () => {
  render(
    <Provider store={store}>
      <QueryClientProvider client={queryClient}>
        <PageScreen metadata={general} />
      </QueryClientProvider>
    </Provider>,
  );
  const density = await screen.findByLabelText<HTMLSelectElement>('Density');
  expect(density.value).toBe('compact');
  for (const name of ['Theme', 'Language', 'Single-key shortcuts'])
    expect(await screen.findByLabelText(name)).toBeTruthy();
  expect(screen.queryByRole('button')).toBeNull();
  await userEvent.selectOptions(density, 'comfortable');
  await vi.waitFor(() => expect(set).toHaveBeenCalledExactlyOnceWith({ density: 'comfortable' }));
});
