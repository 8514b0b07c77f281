import { Code, ConnectError } from '@connectrpc/connect';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Provider } from 'jotai';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';

import { historyNarrowing } from '#commands/kit/history-narrowing.ts';
import type { DetailTab } from '#commands/model/entity.ts';
import type { Part } from '#commands/model/narrowing.ts';
import { message } from '#commands/text/message.ts';
import { queryClient } from '#src/data/query-client.ts';
import { reportLost, reportReached } from '#src/net/reach.ts';
import { showGadgets } from '#src/palette/testkit/show-gadgets.ts';
import { loadAll } from '#src/registry/registry.ts';
import { narrowTabAtom } from '#src/state/focus.ts';
import { store } from '#src/state/store.ts';

import { DetailTabList } from './DetailTabList.tsx';

vi.mock('#src/registry/loaders.ts', async () => (await import('#src/palette/testkit/registry.ts')).loaders);
beforeAll(loadAll);

const requests: Part[] = [];
let isUnreachable = false;
/** Five calls, two per page. The odd ones failed. */
const calls: DetailTab<unknown> = {
  id: 'calls',
  columns: [{ id: 'name', kind: 'text', width: 100, value: (row: string) => row }] as DetailTab<unknown>['columns'],
  limit: 2,
  pages: true,
  narrow: historyNarrowing,
  load: async (_context, item, part = { page: 0, narrow: {} }) => {
    requests.push(part);
    if (isUnreachable) throw new ConnectError('away', Code.Unavailable);
    const all = [1, 2, 3, 4, 5].filter((value) => !part.narrow['onlyFailures'] || value % 2 === 1);
    return all.slice(part.page * 2, part.page * 2 + 2).map((value) => `${String(item)} call ${value}`);
  },
  key: (row) => row as string,
  detail: (row) => [{ label: message('gadget:one'), text: row as string }],
};

// Errors show immediately.
queryClient.setDefaultOptions({ queries: { retry: false } });

beforeEach(() => {
  showGadgets();
  queryClient.clear();
  requests.length = 0;
  show();
});

function show(): void {
  render(
    <Provider store={store}>
      <QueryClientProvider client={queryClient}>
        <DetailTabList title="Calls" queryKey={['calls', 'A']} tab={calls} item="A" />
      </QueryClientProvider>
    </Provider>,
  );
}
afterEach(() => {
  isUnreachable = false;
  cleanup();
  queryClient.clear();
  store.set(narrowTabAtom, undefined);
});

const visibleCalls = (): readonly (string | null)[] =>
  screen.queryAllByRole('button', { name: /call \d/ }).map(({ textContent }) => textContent);

it('loads further pages by arrow keys or a click', async () => {
  const user = userEvent.setup();
  await waitFor(() => expect(visibleCalls()).toEqual(['A call 1', 'A call 2']));
  screen.getByRole('button', { name: 'A call 2' }).focus();
  await user.keyboard('{ArrowDown}{Enter}');
  await waitFor(() => expect(visibleCalls()).toHaveLength(4));
  await user.click(screen.getByRole('button', { name: 'Show more' }));
  await waitFor(() => expect(visibleCalls()).toHaveLength(5));
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  expect(requests.map(({ page }) => page)).toEqual([0, 1, 2]);
});

it('starts over at the first page when filtered', async () => {
  const user = userEvent.setup();
  await user.click(await screen.findByRole('checkbox', { name: 'Only failures' }));
  await waitFor(() => expect(visibleCalls()).toEqual(['A call 1', 'A call 3']));
  expect(requests.at(-1)).toEqual({ page: 0, narrow: { onlyFailures: true } });
  await user.click(screen.getByRole('checkbox', { name: 'Only failures' }));
  await waitFor(() => expect(visibleCalls()).toEqual(['A call 1', 'A call 2']));
});

it('can be filtered by a command', async () => {
  const user = userEvent.setup();
  await waitFor(() => expect(visibleCalls()).toHaveLength(2));
  const only = { tab: 'calls', narrow: { onlyFailures: true } };
  act(() => store.set(narrowTabAtom, { ...only, item: 'B', round: 1 }));
  expect(requests).toHaveLength(1);
  act(() => store.set(narrowTabAtom, { ...only, item: 'A', round: 2 }));
  await waitFor(() => expect(visibleCalls()).toEqual(['A call 1', 'A call 3']));
  const box = screen.getByRole('checkbox', { name: 'Only failures' });
  expect(box.getAttribute('aria-checked')).toBe('true');
  // A field used later takes precedence, until a command narrows the list again.
  await user.click(box);
  await waitFor(() => expect(visibleCalls()).toEqual(['A call 1', 'A call 2']));
  act(() => store.set(narrowTabAtom, { ...only, item: 'A', round: 3 }));
  await waitFor(() => expect(visibleCalls()).toEqual(['A call 1', 'A call 3']));
});

it('reports an invalid period and recovers once it is valid', async () => {
  const user = userEvent.setup();
  await waitFor(() => expect(visibleCalls()).toHaveLength(2));
  const period = screen.getByRole('textbox', { name: 'Period' });
  await user.type(period, 'now..-2d');
  expect(screen.getByRole('alert').textContent).toMatch(/less than/);
  await user.clear(period);
  await user.type(period, '-2d..now');
  await waitFor(() => expect(requests.at(-1)?.narrow).toEqual({ period: { start: '-2d', end: 'now' } }));
  expect(screen.queryByRole('alert')).toBeNull();
});

it('reports an unreachable server and reloads when it is back', async () => {
  cleanup();
  queryClient.clear();
  isUnreachable = true;
  show();
  expect((await screen.findByRole('alert')).textContent).toMatch(/Cannot reach .+\./);
  reportLost();
  isUnreachable = false;
  act(() => reportReached());
  await waitFor(() => expect(visibleCalls()).toEqual(['A call 1', 'A call 2']));
});

it('reports an unreachable server if the next page fails to load', async () => {
  await waitFor(() => expect(visibleCalls()).toHaveLength(2));
  isUnreachable = true;
  await userEvent.click(screen.getByRole('button', { name: 'Show more' }));
  expect((await screen.findByRole('alert')).textContent).toMatch(/^Cannot reach .+\.$/);
});
