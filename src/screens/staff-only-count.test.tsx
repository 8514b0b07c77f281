import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Provider } from 'jotai';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';

import type { HostCapabilities } from '#commands/model/host.ts';
import type { StaffOnly } from '#commands/model/list.ts';
import { parseFilter } from '#commands/query/parse.ts';
import { gadget } from '#commands/testkit/gadget.ts';
import { queryClient } from '#src/data/query-client.ts';
import { consoleStrings } from '#src/i18n/console-strings.ts';
import { addStrings } from '#src/i18n/i18n.ts';
import { showGadgets } from '#src/palette/testkit/show-gadgets.ts';
import { loadAll } from '#src/registry/registry.ts';
import { provide } from '#src/run/context.ts';
import { store } from '#src/state/store.ts';

import { StaffOnlyCount } from './StaffOnlyCount.tsx';

vi.mock('#src/registry/loaders.ts', async () => {
  const { listCommand } = await import('#commands/kit/standard.ts');
  const { gadget: entity } = await import('#commands/testkit/gadget.ts');
  const { loadersFor } = await import('#src/registry/testkit/loaders.ts');
  return loadersFor({ gadget: { entity, commands: [listCommand(entity)] } });
});
beforeAll(async () => {
  addStrings(consoleStrings);
  await loadAll();
});

const navigate = vi.fn<HostCapabilities['navigate']>();
beforeEach(() => {
  showGadgets();
  navigate.mockClear();
  provide({ navigate });
});
afterEach(() => {
  cleanup();
  queryClient.clear();
});

/** Renders the note next to the list of gadgets that match a filter. */
function show(filter: string, staffOnly: StaffOnly | undefined): void {
  const entity = { ...gadget, staffOnly: async () => staffOnly };
  render(
    <Provider store={store}>
      <QueryClientProvider client={queryClient}>
        <StaffOnlyCount organization="northwind" filter={parseFilter(filter, entity)} />
      </QueryClientProvider>
    </Provider>,
  );
}

test("counts the rows that customers can't see, and links to these rows within the filter", async () => {
  show('state:ERROR', { count: 20, term: 'firmware:2.0' });
  await userEvent.click(await screen.findByRole('button', { name: '20 hidden from customers' }));
  await vi.waitFor(() =>
    expect(navigate).toHaveBeenCalledExactlyOnceWith({
      path: '/gadgets',
      search: { filter: 'firmware:2.0 state:ERROR' },
    }),
  );
});

test('shows nothing if customers see every row', async () => {
  show('', undefined);
  await vi.waitFor(() => expect(queryClient.isFetching()).toBe(0));
  expect(screen.queryByRole('button')).toBeNull();
});
