import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen, within } from '@testing-library/react';
import { Provider } from 'jotai';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { showAt } from '#src/address/testkit/show-at.tsx';
import { queryClient } from '#src/data/query-client.ts';
import { showGadgets } from '#src/palette/testkit/show-gadgets.ts';
import { isOfflineAtom, outageAtom, streamAtom } from '#src/state/connection.ts';
import { store } from '#src/state/store.ts';
import { userSessionAtom } from '#src/state/user-session.ts';

import { HealthCounts } from './HealthCounts.tsx';
import { StatusLine } from './StatusLine.tsx';
import { UnreachableBanner } from './UnreachableBanner.tsx';

vi.mock('#src/registry/loaders.ts', async () => {
  const { listCommand } = await import('#commands/kit/standard.ts');
  const { gadget, gadgets } = await import('#commands/testkit/gadget.ts');
  const { loadersFor } = await import('#src/registry/testkit/loaders.ts');
  const device: typeof gadget = {
    ...gadget,
    name: 'device',
    filter: { health: gadget.filter['state']! },
    list: async (_context, { selection: { states = [] } }) => ({
      items: [],
      total: gadgets.filter(({ state }) => states.includes(state)).length,
    }),
  };
  return loadersFor({ device: { entity: device, commands: [listCommand(device)] } });
});

beforeEach(() => showGadgets());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  store.set(outageAtom, undefined);
  store.set(isOfflineAtom, false);
  store.set(streamAtom, 'connecting');
});

test('warns while the server is unreachable, and counts down to the next attempt', () => {
  vi.useFakeTimers();
  const { container } = render(
    <Provider store={store}>
      <UnreachableBanner />
    </Provider>,
  );
  expect(container.textContent).toBe('');
  act(() => store.set(outageAtom, { nextAttempt: Date.now() + 3000 }));
  expect(screen.getByRole('alert').textContent).toMatch(/^Can't reach \S+\.$/);
  expect(screen.queryByText('Next try in 3 s')).not.toBeNull();
  act(() => void vi.advanceTimersByTime(2000));
  expect(screen.queryByText('Next try in 1 s')).not.toBeNull();
  act(() => store.set(outageAtom, { nextAttempt: undefined }));
  expect(screen.queryByText('Trying now…')).not.toBeNull();
  act(() => store.set(outageAtom, undefined));
  expect(container.textContent).toBe('');
});

test('shows in the status line whether the connection is live, reconnecting, or offline', async () => {
  const session = store.get(userSessionAtom)!;
  showAt('/gadgets', () => <StatusLine session={session} />);
  const mark = await screen.findByRole('status');
  act(() => store.set(streamAtom, 'live'));
  expect(mark.textContent).toBe('live');
  act(() => store.set(outageAtom, { nextAttempt: undefined }));
  expect(mark.textContent).toBe('reconnecting');
  act(() => store.set(isOfflineAtom, true));
  expect(mark.textContent).toBe('offline');
});

test('keeps the health counts while the server is unreachable, dimmed and labeled as outdated', async () => {
  render(
    <Provider store={store}>
      <QueryClientProvider client={queryClient}>
        <HealthCounts organization="northwind" />
      </QueryClientProvider>
    </Provider>,
  );
  const counts = screen.getByRole('group');
  await within(counts).findAllByRole('button');
  const DIMMED = /(^| )opacity-\d/;
  const state = () => [
    counts.getAttribute('aria-label'),
    within(counts)
      .getAllByRole('button')
      .map(({ textContent }) => textContent),
    DIMMED.test(counts.className),
  ];
  expect(state()).toEqual(['Devices by health', ['2', '0', '1'], false]);
  act(() => store.set(outageAtom, { nextAttempt: undefined }));
  expect(state()).toEqual(['Devices by health, before the connection was lost', ['2', '0', '1'], true]);
});
