import { Code, ConnectError } from '@connectrpc/connect';
import { QueryClientProvider } from '@tanstack/react-query';
import { renderHook, waitFor } from '@testing-library/react';
import { Provider } from 'jotai';
import type { ReactNode } from 'react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';

import { gadget } from '#commands/testkit/gadget.ts';
import { message } from '#commands/text/message.ts';
import { queryClient } from '#src/data/query-client.ts';
import { showGadgets } from '#src/palette/testkit/show-gadgets.ts';
import { loadAll } from '#src/registry/registry.ts';
import { focusAtom, visibleTargetsAtom } from '#src/state/focus.ts';
import { store } from '#src/state/store.ts';

import { usePublishPanelItem } from './use-publish-panel-item.ts';

vi.mock('#src/registry/loaders.ts', async () => (await import('#src/palette/testkit/registry.ts')).loaders);
beforeAll(loadAll);

const wrapper = ({ children }: { readonly children: ReactNode }) => (
  <QueryClientProvider client={queryClient}>
    <Provider store={store}>{children}</Provider>
  </QueryClientProvider>
);

beforeEach(() => showGadgets({ active: 'AAAA BBBB' }));
afterEach(() => queryClient.clear());

const show = (id: string) =>
  renderHook((itemId: string) => usePublishPanelItem({ entity: 'gadget', id: itemId }), { wrapper, initialProps: id });
const target = () => store.get(focusAtom)?.active;

test("makes the panel's item the target", async () => {
  show('CCCC DDDD');
  expect(target()).toBe('CCCC DDDD');
  await waitFor(() =>
    expect(store.get(visibleTargetsAtom).panel?.name).toEqual(message('core:target.item', { name: 'South pump' })),
  );
});

test.each([
  ['is missing', () => undefined],
  ["isn't found", () => vi.spyOn(gadget, 'byIds').mockRejectedValue(new ConnectError('', Code.NotFound))],
])('leaves the target to the table if the item %s', async (_, prepare) => {
  prepare();
  const { rerender } = show('FFFF 0000');
  await waitFor(() => expect(target()).toBe('AAAA BBBB'));
  rerender('EEEE FFFF');
  expect(target()).toBe('EEEE FFFF');
});
