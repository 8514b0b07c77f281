import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { Provider } from 'jotai';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { parseFilter } from '#commands/query/parse.ts';
import { gadget } from '#commands/testkit/gadget.ts';
import { queryClient } from '#src/data/query-client.ts';
import { loadAllStrings } from '#src/i18n/i18n.ts';
import { showGadgets } from '#src/palette/testkit/show-gadgets.ts';
import { loadAll } from '#src/registry/registry.ts';
import { store } from '#src/state/store.ts';

import { NoMatch } from './NoMatch.tsx';

beforeAll(async () => {
  await Promise.all([loadAll(), loadAllStrings()]);
});
beforeEach(() => showGadgets());
afterEach(() => {
  cleanup();
  queryClient.clear();
});

test('adds suggestions below everything else, where they move nothing', async () => {
  let resolve: ((values: readonly string[]) => void) | undefined;
  const promise = new Promise<readonly string[]>((fulfill) => {
    resolve = fulfill;
  });
  const tag = { ...gadget.filter['tag']!, allValues: () => promise };
  const entity = { ...gadget, name: 'device', filter: { tag } };
  render(
    <Provider store={store}>
      <QueryClientProvider client={queryClient}>
        <NoMatch organization="northwind" filter={parseFilter('Fortis', entity)} />
      </QueryClientProvider>
    </Provider>,
  );
  const message = await screen.findByRole('status');
  const textBefore = message.textContent;
  expect(textBefore).toContain('Clear the filter');
  resolve?.(['Forties']);
  const suggestion = await screen.findByRole('button', { name: 'tag:Forties' });
  expect(message.textContent).toBe(`${textBefore}Did you mean to filter by a value?tag:Forties`);
  // Outside the flow.
  expect(suggestion.closest('.absolute')).not.toBeNull();
});
