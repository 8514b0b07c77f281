import { Code, ConnectError } from '@connectrpc/connect';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Provider } from 'jotai';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';

import { historyFilters } from '#commands/kit/history-filters.ts';
import type { DetailTab } from '#commands/model/entity.ts';
import type { PanelHost } from '#commands/model/screen-hosts.ts';
import type { TabPage } from '#commands/model/tab-filter.ts';
import { testContext } from '#commands/testkit/context.ts';
import { message } from '#commands/text/message.ts';
import { queryClient } from '#src/data/query-client.ts';
import { reportUnreachable, reportReachable } from '#src/net/reach.ts';
import { runLog } from '#src/palette/testkit/registry.ts';
import { showGadgets } from '#src/palette/testkit/show-gadgets.ts';
import { loadAll } from '#src/registry/registry.ts';
import { tabFilterAtom, panelHostAtom } from '#src/state/focus.ts';
import { store } from '#src/state/store.ts';

import { DetailTabList } from './DetailTabList.tsx';
import { TagLinks } from './ItemLink.tsx';

vi.mock('#src/registry/loaders.ts', async () => {
  const { gadget } = await import('#commands/testkit/gadget.ts');
  const { mark } = await import('#src/palette/testkit/registry.ts');
  const { loadersFor } = await import('#src/registry/testkit/loaders.ts');
  return loadersFor({
    gadget: { entity: gadget, commands: [mark] },
    tag: { entity: { ...gadget, name: 'tag', plural: 'tags' }, commands: [] },
  });
});
beforeAll(loadAll);

const requests: TabPage[] = [];
let isUnreachable = false;
/** Five calls, two per page. Every other call failed. */
const calls: DetailTab<unknown> = {
  id: 'calls',
  columns: [{ id: 'name', kind: 'text', width: 100, value: (row: string) => row }] as DetailTab<unknown>['columns'],
  limit: 2,
  pages: true,
  filters: historyFilters,
  load: async (_context, item, part = { page: 0, filterValues: {} }) => {
    requests.push(part);
    if (isUnreachable) throw new ConnectError('unavailable', Code.Unavailable);
    const matching = [1, 2, 3, 4, 5].filter((value) => !part.filterValues['onlyFailures'] || value % 2 === 1);
    return matching.slice(part.page * 2, part.page * 2 + 2).map((value) => `${String(item)} call ${value}`);
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

function show(tab = calls, title = 'Calls', item = 'A'): void {
  cleanup();
  render(
    <Provider store={store}>
      <QueryClientProvider client={queryClient}>
        <DetailTabList title={title} queryKey={[tab.id, item]} tab={tab} item={item} />
      </QueryClientProvider>
    </Provider>,
  );
}
afterEach(() => {
  isUnreachable = false;
  cleanup();
  queryClient.clear();
  store.set(tabFilterAtom, undefined);
});

/** A gadget in this organization, and a gadget in another organization. */
const links: DetailTab<unknown> = {
  id: 'links',
  columns: calls.columns,
  limit: 10,
  load: async (_context, item) => [`${String(item)} here`, `${String(item)} there`],
  key: (row) => row as string,
  opens: (row, item) => ({
    entity: 'gadget',
    id: `${String(item)} of ${row as string}`,
    organization: (row as string).endsWith('there') ? 'elsewhere' : testContext().organization.id,
  }),
};

test("opens a row's item, unless it belongs to another organization", async () => {
  const openOver = vi.fn<(entity: string, id: string) => void>();
  store.set(panelHostAtom, { openOver } as unknown as PanelHost);
  show(links, 'Links');
  await userEvent.click(await screen.findByRole('button', { name: 'A here' }));
  expect(openOver.mock.calls).toEqual([['gadget', 'A of A here']]);
  expect(screen.getByText('A there').closest('button')).toBeNull();
  store.set(panelHostAtom, undefined);
});

test('opens what the details of a row name', async () => {
  const openOver = vi.fn<(entity: string, id: string) => void>();
  store.set(panelHostAtom, { openOver } as unknown as PanelHost);
  const link = { entity: 'tag', id: '7', name: 'Reachable', organization: testContext().organization.id };
  const detail: typeof calls.detail = (row, item) => [
    {
      label: message('gadget:one'),
      text: row as string,
      links: [link, { ...link, id: '8', name: `Of ${String(item)}`, organization: 'x' }],
    },
  ];
  show({ ...calls, id: 'linked', detail }, 'Calls');
  await userEvent.click(await screen.findByRole('button', { name: 'A call 1' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Reachable' }));
  expect(openOver.mock.calls).toEqual([['tag', '7']]);
  expect(screen.getByText('Of A').tagName).toBe('SPAN');
  store.set(panelHostAtom, undefined);
});

test('links tags of the current organization only', () => {
  store.set(panelHostAtom, { openOver: () => undefined } as unknown as PanelHost);
  const ownOrganization = testContext().organization.id;
  render(
    <Provider store={store}>
      <TagLinks
        tags={[
          { id: '1', name: 'Unnamed place' },
          { id: '2', name: 'Own', organization: ownOrganization },
          { id: '2', name: 'Foreign', organization: 'elsewhere' },
        ]}
      />
    </Provider>,
  );
  const linkButtons = ['Unnamed place', 'Own', 'Foreign'].map(
    (name) => screen.getByText(name).closest('button') !== null,
  );
  expect(linkButtons).toEqual([true, true, false]);
  store.set(panelHostAtom, undefined);
});

const visibleCalls = (): readonly (string | null)[] =>
  screen.queryAllByRole('button', { name: /call \d/ }).map(({ textContent }) => textContent);

test('loads more pages with the arrow keys or a click', async () => {
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

test('arrow keys stop at the first and last row and do not reach the page', async () => {
  const onDocumentKeyDown = vi.fn<() => void>();
  document.addEventListener('keydown', onDocumentKeyDown);
  const user = userEvent.setup();
  const first = await screen.findByRole('button', { name: 'A call 1' });
  first.focus();
  await user.keyboard('{ArrowUp}');
  expect(document.activeElement).toBe(first);
  const showMore = screen.getByRole('button', { name: 'Show more' });
  showMore.focus();
  await user.keyboard('{ArrowDown}');
  expect(document.activeElement).toBe(showMore);
  expect(onDocumentKeyDown).not.toHaveBeenCalled();
  document.removeEventListener('keydown', onDocumentKeyDown);
});

test('starts at the first page again when filtered', async () => {
  const user = userEvent.setup();
  await user.click(await screen.findByRole('checkbox', { name: 'Only failures' }));
  await waitFor(() => expect(visibleCalls()).toEqual(['A call 1', 'A call 3']));
  expect(requests.at(-1)).toEqual({ page: 0, filterValues: { onlyFailures: true } });
  await user.click(screen.getByRole('checkbox', { name: 'Only failures' }));
  await waitFor(() => expect(visibleCalls()).toEqual(['A call 1', 'A call 2']));
});

test("shows the time of a row in the user's format", async () => {
  const time = new Date(2026, 2, 11, 13, 27, 5).getTime();
  const detail = () => [{ label: message('gadget:one'), text: '2026-03-11T13:27:05Z', time }];
  show({ ...calls, detail });
  await userEvent.click(await screen.findByRole('button', { name: 'A call 1' }));
  expect(screen.getByRole('definition').textContent).toBe('11 Mar 2026, 13:27:05');
});

test('offers the command that adds the first row, unless a filter hides the rows', async () => {
  const user = userEvent.setup();
  const emptyTab: DetailTab<unknown> = {
    ...calls,
    id: 'empty',
    load: async () => [],
    add: (item) => ({ id: 'gadget.mark', args: { gadgets: { ids: [String(item)] }, state: 'ERROR' } }),
  };
  show(emptyTab, 'Calls', 'AAAA BBBB');
  await user.click(await screen.findByRole('button', { name: /^Mark gadgets/ }));
  await waitFor(() => expect(runLog).toMatchObject([{ args: { ids: ['AAAA BBBB'], state: 'ERROR' } }]));
  await user.click(screen.getByRole('checkbox', { name: 'Only failures' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Mark gadgets/ })).toBeNull());
});

test('shows the filters of an empty log only once it is filtered', async () => {
  const entry: DetailTab<unknown>['entry'] = () => {
    throw new Error('An empty log has no entries.');
  };
  show({ ...calls, id: 'log', load: async () => [], entry }, 'Calls', 'AAAA BBBB');
  await screen.findByText('No calls yet');
  expect(screen.queryByRole('checkbox', { name: 'Only failures' })).toBeNull();
  const request = { item: 'AAAA BBBB', tab: 'log', filterValues: { onlyFailures: true }, requestNumber: 1 };
  act(() => store.set(tabFilterAtom, request));
  const box = await screen.findByRole('checkbox', { name: 'Only failures' });
  expect(box.getAttribute('aria-checked')).toBe('true');
});

test('warns that rows are missing if the server returns fewer than its total', async () => {
  const cappedMessage = message('screen:gadget.title');
  const load: typeof calls.load = async (...args) =>
    Object.assign([...(await calls.load(...args))], { capped: true as const });
  show({ ...calls, id: 'capped', cappedMessage, load }, 'Calls', 'B');
  expect((await screen.findByText('Gadgets')).getAttribute('role')).toBe('status');
});

test('can be filtered by a command', async () => {
  const user = userEvent.setup();
  await waitFor(() => expect(visibleCalls()).toHaveLength(2));
  const failuresFilter = { tab: 'calls', filterValues: { onlyFailures: true } };
  act(() => store.set(tabFilterAtom, { ...failuresFilter, item: 'B', requestNumber: 1 }));
  expect(requests).toHaveLength(1);
  act(() => store.set(tabFilterAtom, { ...failuresFilter, item: 'A', requestNumber: 2 }));
  await waitFor(() => expect(visibleCalls()).toEqual(['A call 1', 'A call 3']));
  const box = screen.getByRole('checkbox', { name: 'Only failures' });
  expect(box.getAttribute('aria-checked')).toBe('true');
  // A field that the user changes later takes precedence until a command filters the list again.
  await user.click(box);
  await waitFor(() => expect(visibleCalls()).toEqual(['A call 1', 'A call 2']));
  act(() => store.set(tabFilterAtom, { ...failuresFilter, item: 'A', requestNumber: 3 }));
  await waitFor(() => expect(visibleCalls()).toEqual(['A call 1', 'A call 3']));
});

test('reports an invalid period and recovers once it is valid', async () => {
  const user = userEvent.setup();
  await waitFor(() => expect(visibleCalls()).toHaveLength(2));
  const period = screen.getByRole('textbox', { name: 'Period' });
  await user.type(period, 'now..-2d');
  expect(screen.getByRole('alert').textContent).toMatch(/ends before it starts/);
  await user.clear(period);
  await user.type(period, '-2d..now');
  await waitFor(() => expect(requests.at(-1)?.filterValues).toEqual({ period: { start: '-2d', end: 'now' } }));
  expect(screen.queryByRole('alert')).toBeNull();
});

test('reports an unreachable server and reloads once it is back', async () => {
  queryClient.clear();
  isUnreachable = true;
  show();
  expect((await screen.findByRole('alert')).textContent).toMatch(/Can't reach .+\./);
  reportUnreachable();
  isUnreachable = false;
  act(() => reportReachable());
  await waitFor(() => expect(visibleCalls()).toEqual(['A call 1', 'A call 2']));
});

test('reports an unreachable server if the next page fails to load', async () => {
  await waitFor(() => expect(visibleCalls()).toHaveLength(2));
  isUnreachable = true;
  await userEvent.click(screen.getByRole('button', { name: 'Show more' }));
  expect((await screen.findByRole('alert')).textContent).toMatch(/^Can't reach .+\.$/);
});

test('names its columns above the rows if they have titles, and in each cell for screen readers', async () => {
  const [column] = calls.columns;
  show({ ...calls, columns: [{ ...column!, title: message('gadget:one') }] }, 'Titled', 'B');
  expect(await screen.findByRole('button', { name: /^gadget B call 1$/i })).toBeDefined();
  expect(document.querySelector('li[aria-hidden]')?.textContent).toMatch(/^gadget$/i);
  show();
  await screen.findByRole('button', { name: 'A call 1' });
  expect(document.querySelector('li[aria-hidden]')).toBeNull();
});
