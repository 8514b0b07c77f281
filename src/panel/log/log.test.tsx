import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Provider } from 'jotai';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';

import type { DetailTab } from '#commands/model/entity.ts';
import type { LogEntry } from '#commands/model/log-entry.ts';
import { p } from '#commands/model/params.ts';
import { message } from '#commands/text/message.ts';
import { queryClient } from '#src/data/query-client.ts';
import { runLog } from '#src/palette/testkit/registry.ts';
import { showGadgets } from '#src/palette/testkit/show-gadgets.ts';
import { DetailTabList } from '#src/panel/DetailTabList.tsx';
import { loadAll } from '#src/registry/registry.ts';
import { expandedRowAtom } from '#src/state/focus.ts';
import { store } from '#src/state/store.ts';

vi.mock('#src/registry/loaders.ts', async () => {
  const { gadget } = await import('#commands/testkit/gadget.ts');
  const { mark } = await import('#src/palette/testkit/registry.ts');
  const { loadersFor } = await import('#src/registry/testkit/loaders.ts');
  return loadersFor({
    gadget: {
      entity: gadget,
      commands: [mark, { ...mark, id: 'gadget.guard', verb: 'guard', features: ['GUARD'] }],
    },
  });
});
beforeAll(loadAll);

const time = new Date(2026, 2, 11, 13, 27, 5).getTime();
const edit = { id: 'gadget.mark', args: { gadgets: { ids: ['AAAA BBBB'] }, state: 'ERROR' } };
const entry = (text: string, fields: Partial<LogEntry> = {}): LogEntry => ({
  name: message('gadget:one'),
  author: 'Anna',
  time,
  text,
  earlierTexts: [],
  parts: [],
  files: [],
  edit,
  ...fields,
});

let entries: readonly LogEntry[] = [];
const log: DetailTab<unknown> = {
  id: 'log',
  columns: [],
  limit: 100,
  pages: true,
  filters: { sort: { label: message('gadget:one'), param: p.choice(['newest', 'oldest']) as never, sorts: true } },
  load: async () => entries.map((_entry, index) => index),
  key: String,
  entry: (row) => entries[row as number]!,
  add: () => edit,
  addsMore: true,
};

beforeEach(() => {
  showGadgets();
  queryClient.clear();
  runLog.length = 0;
});
afterEach(cleanup);

async function show(newEntries: readonly LogEntry[], tab = log): Promise<void> {
  entries = newEntries;
  render(
    <Provider store={store}>
      <QueryClientProvider client={queryClient}>
        <DetailTabList title="Notes" queryKey={['log', 'A']} tab={tab} item="A" />
      </QueryClientProvider>
    </Provider>,
  );
  await waitFor(() =>
    expect(screen.queryByRole('list', { name: 'Notes' }) ?? screen.queryByText('No notes yet')).not.toBeNull(),
  );
}

const list = (): HTMLElement => screen.getByRole('list', { name: 'Notes' });

test('shows a heading once for the entries of a guide, and once for each step', async () => {
  await show([
    entry('before'),
    entry('one', { group: 'Guide', section: 'Step 1' }),
    entry('also one', { group: 'Guide', section: 'Step 1' }),
    entry('two', { group: 'Guide', section: 'Step 2' }),
    entry('after'),
    entry('again', { group: 'Guide', section: 'Step 2' }),
  ]);
  const headings = within(list()).getAllByRole('heading');
  expect(headings.map(({ textContent }) => textContent)).toEqual(['Guide', 'Step 1', 'Step 2', 'Guide', 'Step 2']);
});

test('shows text as text, with links only to websites', async () => {
  await show([entry('<b>bold</b> javascript:alert(1)\nhttps://example.com/x.')]);
  expect(list().querySelector('b')).toBeNull();
  expect(list().textContent).toContain('<b>bold</b> javascript:alert(1)\nhttps://example.com/x.');
  const links = within(list()).getAllByRole('link');
  expect(links.map((link) => link.getAttribute('href'))).toEqual(['https://example.com/x']);
  expect(links[0]?.getAttribute('rel')).toBe('noreferrer');
});

test("shows the author, and the time in the user's format with its age", async () => {
  await show([entry('x', { parts: [{ label: message('gadget:one'), text: 'plate.jpg' }] })]);
  const [row] = within(list()).getAllByRole('group');
  expect(row?.textContent).toMatch(/^Anna 11 Mar 2026, 13:27.* · .+x.*plate\.jpg/);
});

test('shows the files of an entry by name, as links to those that exist', async () => {
  const open = { ...edit, args: { ...edit.args, state: 'OK' } };
  await show([entry('x', { files: [{ name: 'plate.jpg', open }, { name: 'lost.jpg' }] })]);
  const files = within(screen.getByRole('list', { name: 'Files' }));
  expect(files.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['plate.jpg', 'lost.jpg']);
  expect(files.queryByRole('button', { name: 'lost.jpg' })).toBeNull();
  await userEvent.setup().click(files.getByRole('button', { name: 'plate.jpg' }));
  await waitFor(() => expect(runLog).toMatchObject([{ args: { state: 'OK' } }]));
});

test('shows the earlier texts on demand, and closing the topmost layer hides them', async () => {
  const user = userEvent.setup();
  await show([entry('third', { editedAt: time, earlierTexts: ['first', 'second'] }), entry('never edited')]);
  expect(screen.queryByText('first')).toBeNull();
  const toggle = within(list()).getByRole('button', { name: /^Edited 11 Mar 2026, .+2 earlier texts$/ });
  await user.click(toggle);
  const earlier = within(screen.getByRole('list', { name: /^Edited/ })).getAllByRole('listitem');
  expect(earlier.map(({ textContent }) => textContent)).toEqual(['first', 'second']);
  store.get(expandedRowAtom)?.close();
  await waitFor(() => expect(screen.queryByText('first')).toBeNull());
  expect(document.activeElement).toBe(toggle);
});

test('moves between entries with the arrow keys, and edits one', async () => {
  const user = userEvent.setup();
  await show([entry('one'), entry('two')]);
  const [first, second] = within(list()).getAllByRole('group');
  first?.focus();
  await user.keyboard('{ArrowDown}');
  expect(document.activeElement).toBe(second);
  await user.keyboard('{Tab}');
  expect(document.activeElement?.textContent).toBe('Edit');
  await user.keyboard('{ArrowUp}');
  expect(document.activeElement).toBe(first);
  await user.keyboard('{Tab}{Enter}');
  await waitFor(() => expect(runLog).toMatchObject([{ args: { ids: ['AAAA BBBB'], state: 'ERROR' } }]));
});

test('shows the reason instead of the buttons if the command is not available', async () => {
  const forbidden = { ...edit, id: 'gadget.guard' };
  const tab = { ...log, add: () => forbidden };
  await show([entry('x', { edit: forbidden })], tab);
  expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull();
  expect(screen.getByText(/feature/)).toBeTruthy();
  cleanup();
  queryClient.clear();
  await show([], tab);
  expect(screen.getByText('No notes yet')).toBeTruthy();
  expect(screen.getByText(/feature/)).toBeTruthy();
});
