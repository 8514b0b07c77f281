import { expect, test } from 'vitest';

import { printLine } from '#commands/line/line.ts';
import type { Context } from '#commands/model/context.ts';
import type { HostCapabilities } from '#commands/model/host.ts';
import type { PanelHost, TableHost } from '#commands/model/screen-hosts.ts';
import { registry } from '#commands/nouns/all.ts';
import { availability } from '#commands/run/availability.ts';
import { prepare, run } from '#commands/run/run.ts';
import { testContext } from '#commands/testkit/context.ts';
import { message } from '#commands/text/message.ts';

const noop = (): void => undefined;

/** Creates a fake table that records its filters in `filters`, and its columns in `shown`. */
function table(filter: string, filters: string[], shown: Readonly<Record<string, boolean>>[]): TableHost {
  return {
    move: noop,
    page: noop,
    moveToEdge: noop,
    toggleActiveRow: noop,
    selectAll: noop,
    clearSelection: noop,
    select: noop,
    editFilter: noop,
    setFilter: (text) => void filters.push(text),
    filterText: () => filter,
    columns: () => ['number', 'name'],
    showColumns: (change) => void shown.push(change),
    entityName: () => 'device',
    activeRowId: () => undefined,
    pinActiveRow: noop,
    editCell: async () => undefined,
    editedColumn: () => undefined,
  };
}

function contextWith(filter: string, focus: Partial<Context['focus']> = {}) {
  const copied: string[] = [];
  const filters: string[] = [];
  const shown: Readonly<Record<string, boolean>>[] = [];
  const host: Partial<HostCapabilities> = {
    table: table(filter, filters, shown),
    clipboard: { write: async (text) => copied.push(await text) > 0 },
    link: { current: () => 'https://console.example.com/devices' },
    line: { print: async (invocation) => printLine(invocation, registry) },
    history: {
      undo: async () => undefined,
      repeat: async () => undefined,
      last: () => ({ id: 'tag.assign', args: { devices: { query: 'health:ERROR' }, tag: 'Needs visit' } }),
    },
  };
  return { copied, filters, shown, context: testContext({ host, focus: { entity: 'device', ...focus } }) };
}

async function press(id: string, context: Context, args = {}): Promise<void> {
  await run(await prepare(registry.command(id)!, args, context), context);
}

test('a number key shows the saved view with that number, and is unavailable if there is none', async () => {
  const { filters, context } = contextWith('');
  await press('view.saved-2', context);
  expect(filters).toEqual(['health:ERROR sort:-last']);
  expect(availability(registry.command('view.saved-9')!, context)).toMatchObject({ ok: false });
});

test('shows a hidden column, hides a visible one, and keeps the one that names the rows', async () => {
  const { shown, context } = contextWith('');
  await press('view.toggle-column', context, { column: 'pressure' });
  await press('view.toggle-column', context, { column: 'name' });
  expect(shown).toEqual([{ pressure: true }, { name: false }]);
  await expect(press('view.toggle-column', context, { column: 'number' })).rejects.toMatchObject({ param: 'column' });
});

test('0 clears the filter', async () => {
  const { filters, context } = contextWith('health:ERROR');
  expect(registry.command('view.clear-filter')?.keys).toEqual(['0']);
  await press('view.clear-filter', context);
  expect(filters).toEqual(['']);
});

test('sorting keeps the filter and rejects an unknown sort', async () => {
  const { filters, context } = contextWith('health:ERROR sort:name');
  await press('view.sort', context, { by: ['-inactivity', 'number'] });
  expect(filters).toEqual(['health:ERROR sort:-last,number']);
  await press('view.sort', context, { by: ['-last'] });
  expect(filters.at(-1)).toBe('health:ERROR sort:-last');
  await expect(press('view.sort', context, { by: ['color'] })).rejects.toMatchObject({ param: 'by' });
});

test('a column heading cycles through ascending, descending, and no order', async () => {
  const filterAfter = async (filter: string): Promise<string | undefined> => {
    const { filters, context } = contextWith(filter);
    await press('view.cycle-sort', context, { by: 'number' });
    return filters[0];
  };
  expect(await filterAfter('health:ERROR')).toBe('health:ERROR sort:number');
  expect(await filterAfter('health:ERROR sort:number')).toBe('health:ERROR sort:-number');
  expect(await filterAfter('health:ERROR sort:-number')).toBe('health:ERROR');
  const { filters, context } = contextWith('');
  await expect(press('view.cycle-sort', context, { by: 'color' })).rejects.toMatchObject({ param: 'by' });
  expect(filters).toEqual([]);
});

test('shows an existing panel tab and rejects an unknown tab', async () => {
  const { context } = contextWith('');
  const shownTabs: string[] = [];
  const tabs = ['overview', 'messages'].map((id) => ({ id, title: message(id) }));
  const panel = { tabs: () => tabs, showTab: (id: string) => void shownTabs.push(id) } as unknown as PanelHost;
  const withPanel = { ...context, host: { ...context.host, panel } };
  await press('view.show-tab', withPanel, { tab: 'messages' });
  expect(shownTabs).toEqual(['messages']);
  await expect(press('view.show-tab', withPanel, { tab: 'calls' })).rejects.toMatchObject({ param: 'tab' });
  const withoutTabs = { ...context, host: { ...context.host, panel: { ...panel, tabs: () => [] } } };
  expect(availability(registry.command('view.show-tab')!, withoutTabs)).toMatchObject({ ok: false });
});

test('opens the active row in the panel, and full screen if the panel already shows it', async () => {
  const { context } = contextWith('');
  const calls: string[] = [];
  let openId: string | undefined;
  const panel = {
    open: (_entity: string, id: string) => {
      openId = id;
      calls.push(`open ${id}`);
    },
    shows: (entity: string, id: string) => entity === 'device' && id === openId,
    isItemOpen: () => openId !== undefined,
    isFullScreen: () => calls.at(-1) === 'full true',
    setFullScreen: (value: boolean) => void calls.push(`full ${value}`),
  } as unknown as PanelHost;
  const tableWithRow = { ...context.host.table!, activeRowId: () => 'AAAA BBBB' };
  const withPanel = { ...context, host: { ...context.host, table: tableWithRow, panel } };
  expect(availability(registry.command('view.full-screen')!, withPanel)).toMatchObject({ ok: false });
  await press('view.open', withPanel);
  await press('view.open', withPanel);
  await press('view.full-screen', withPanel);
  await press('view.full-screen', withPanel);
  expect(calls).toEqual(['open AAAA BBBB', 'full true', 'full false', 'full true']);
});

test('copies the current list as a line, the last change as a command, and the link', async () => {
  const { copied, context } = contextWith('health:ERROR');
  await press('view.copy', context, { as: 'line' });
  await press('view.copy', context, { as: 'command' });
  await press('view.copy', context, { as: 'link' });
  expect(copied).toEqual([
    'devices health:ERROR',
    "tag assign health:ERROR --tag 'Needs visit'",
    'https://console.example.com/devices',
  ]);
});

test('copies selected rows as a filter that lists exactly those rows', async () => {
  const { copied, context } = contextWith('', { target: { ids: ['AAAA BBBB', 'CCCC DDDD'] } });
  await press('view.copy', context, { as: 'line' });
  expect(copied).toEqual([`devices 'number:"AAAA BBBB","CCCC DDDD"'`]);
});
