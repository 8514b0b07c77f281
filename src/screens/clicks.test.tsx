import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';

import { stringifySearch } from '#src/address/address.ts';
import { showAt } from '#src/address/testkit/show-at.tsx';
import { queryClient } from '#src/data/query-client.ts';
import { i18n } from '#src/i18n/i18n.ts';
import { showGadgets } from '#src/palette/testkit/show-gadgets.ts';
import { loadAll, registry } from '#src/registry/registry.ts';

import { EntityScreen } from './EntityScreen.tsx';

/** The commands that ran, with their arguments. The commands have no effect. */
const runs: unknown[] = [];

vi.mock('#src/registry/loaders.ts', async () => {
  const { command } = await import('#commands/model/command.ts');
  const { p, required } = await import('#commands/model/params.ts');
  const { gadget } = await import('#commands/testkit/gadget.ts');
  const { loadersFor } = await import('#src/registry/testkit/loaders.ts');
  const record = (verb: string, name?: string) =>
    command({
      id: `view.${verb}`,
      effect: 'navigate',
      params: name === undefined ? {} : { [name]: required(p.text()) },
      run: async (_context, args) => {
        runs.push([verb, args]);
        return {};
      },
    });
  const calls = { id: 'calls', columns: [], limit: 1, load: async () => [], key: String };
  return loadersFor({
    gadget: { entity: { ...gadget, detailTabs: [calls] }, commands: [] },
    view: { commands: [record('saved-1'), record('cycle-sort', 'by'), record('show-tab', 'tab'), record('download')] },
  });
});
beforeAll(loadAll);

beforeEach(() => {
  showGadgets();
  i18n.addResourceBundle('en', 'gadget', { columns: { name: 'Name' }, detailTabs: { calls: 'Calls' } }, true);
  i18n.addResourceBundle('en', 'view', { commands: { download: { title: 'Download as CSV' } } }, true);
  queryClient.clear();
});
afterEach(cleanup);

test('downloads the list from a button above it, which names the format', async () => {
  showAt('/gadgets', () => <EntityScreen entity={registry().entity('gadget')!} />);
  const button = await screen.findByRole('button', { name: 'Download as CSV' });
  expect(button.textContent).toContain('CSV');
  await userEvent.setup().click(button);
  await waitFor(() => expect(runs.at(-1)).toEqual(['download', {}]));
});

test("runs a view, column heading, or panel tab's command only when it is clicked", async () => {
  const url = `/gadgets${stringifySearch({ panel: ['gadget/CCCC DDDD'] })}`;
  const href = showAt(url, () => <EntityScreen entity={registry().entity('gadget')!} />);
  const before = href();
  const views = within(await screen.findByRole('group', { name: 'Views' }));
  const panel = within(await screen.findByRole('article', { name: 'South pump' }));
  const head = within(screen.getByRole('columnheader', { name: 'Name' }));
  const user = userEvent.setup();
  const runAfterClick = async (control: HTMLElement) => {
    const count = runs.length;
    await user.click(control);
    await waitFor(() => expect(runs.length).toBeGreaterThan(count));
    return runs.at(-1);
  };
  expect(await runAfterClick(views.getByRole('button'))).toEqual(['saved-1', {}]);
  expect(await runAfterClick(head.getByRole('button'))).toEqual(['cycle-sort', { by: 'name' }]);
  expect(await runAfterClick(panel.getByRole('tab', { name: 'Calls' }))).toEqual(['show-tab', { tab: 'calls' }]);
  expect(href()).toBe(before);
});
