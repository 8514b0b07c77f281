import { expect, test } from 'vitest';

import { registry } from '#commands/nouns/all.ts';
import { availability } from '#commands/run/availability.ts';
import type { Context } from '#commands/model/context.ts';
import type { HostCapabilities, PanelHost, TableHost } from '#commands/model/host.ts';
import { printLine } from '#commands/line/line.ts';
import { message } from '#commands/text/message.ts';
import { prepare, run } from '#commands/run/run.ts';
import { testContext } from '#commands/testkit/context.ts';

const nothing = (): void => undefined;

/** A table that remembers the filters it was given. */
function table(filter: string, given: string[]): TableHost {
  return {
    move: nothing,
    page: nothing,
    edge: nothing,
    toggle: nothing,
    all: nothing,
    clear: nothing,
    select: nothing,
    editFilter: nothing,
    setFilter: (text) => void given.push(text),
    filter: () => filter,
    entity: () => 'device',
    row: () => undefined,
  };
}

function showing(filter: string, focus: Partial<Context['focus']> = {}) {
  const copied: string[] = [];
  const filters: string[] = [];
  const host: Partial<HostCapabilities> = {
    table: table(filter, filters),
    clipboard: { write: async (text) => copied.push(await text) > 0 },
    link: { current: () => 'https://console.example.com/devices' },
    line: { print: (invocation) => printLine(invocation, registry) },
    history: {
      undo: async () => undefined,
      repeat: async () => undefined,
      last: () => ({ id: 'tag.assign', args: { devices: { query: 'health:ERROR' }, tag: 'Needs visit' } }),
    },
  };
  return { copied, filters, context: testContext({ host, focus: { entity: 'device', ...focus } }) };
}

async function press(id: string, context: Context, args = {}): Promise<void> {
  await run(await prepare(registry.command(id)!, args, context), context);
}

test('a number shows that view, and says so where there is none', async () => {
  const { filters, context } = showing('');
  await press('view.saved-2', context);
  expect(filters).toEqual(['health:ERROR sort:-last']);
  expect(availability(registry.command('view.saved-9')!, context)).toMatchObject({ ok: false });
});

test('0 clears the filter', async () => {
  const { filters, context } = showing('health:ERROR');
  expect(registry.command('view.clear-filter')?.keys).toEqual(['0']);
  await press('view.clear-filter', context);
  expect(filters).toEqual(['']);
});

test('sorting keeps the filter, and names what can be sorted by', async () => {
  const { filters, context } = showing('health:ERROR sort:name');
  await press('view.sort', context, { by: ['-inactivity', 'number'] });
  expect(filters).toEqual(['health:ERROR sort:-last,number']);
  await press('view.sort', context, { by: ['-last'] });
  expect(filters.at(-1)).toBe('health:ERROR sort:-last');
  await expect(press('view.sort', context, { by: ['colour'] })).rejects.toMatchObject({ param: 'by' });
});

test('the title of a column sorts by it, then the other way round, then no longer, and keeps the filter', async () => {
  const after = async (filter: string): Promise<string | undefined> => {
    const { filters, context } = showing(filter);
    await press('view.turn-sort', context, { by: 'number' });
    return filters[0];
  };
  expect(await after('health:ERROR')).toBe('health:ERROR sort:number');
  expect(await after('health:ERROR sort:number')).toBe('health:ERROR sort:-number');
  expect(await after('health:ERROR sort:-number')).toBe('health:ERROR');
  const { filters, context } = showing('');
  await expect(press('view.turn-sort', context, { by: 'colour' })).rejects.toMatchObject({ param: 'by' });
  expect(filters).toEqual([]);
});

test('a tab of the panel is shown by its name, and only one that there is', async () => {
  const { context } = showing('');
  const shownTabs: string[] = [];
  const tabs = ['overview', 'messages'].map((id) => ({ id, title: message(id) }));
  const panel = { tabs: () => tabs, showTab: (id: string) => void shownTabs.push(id) } as unknown as PanelHost;
  const beside = { ...context, host: { ...context.host, panel } };
  await press('view.show-tab', beside, { tab: 'messages' });
  expect(shownTabs).toEqual(['messages']);
  await expect(press('view.show-tab', beside, { tab: 'calls' })).rejects.toMatchObject({ param: 'tab' });
  const alone = { ...context, host: { ...context.host, panel: { ...panel, tabs: () => [] } } };
  expect(availability(registry.command('view.show-tab')!, alone)).toMatchObject({ ok: false });
});

test('what is on the screen is copied as a line that lists it, and what was done as the line that does it', async () => {
  const { copied, context } = showing('health:ERROR');
  await press('view.copy', context, { as: 'line' });
  await press('view.copy', context, { as: 'command' });
  await press('view.copy', context, { as: 'link' });
  expect(copied).toEqual([
    'devices health:ERROR',
    "tag assign health:ERROR --tag 'Needs visit'",
    'https://console.example.com/devices',
  ]);
});

test('selected rows are copied as the filter that lists exactly these', async () => {
  const { copied, context } = showing('', { target: { ids: ['AAAA BBBB', 'CCCC DDDD'] } });
  await press('view.copy', context, { as: 'line' });
  expect(copied).toEqual([`devices 'number:"AAAA BBBB","CCCC DDDD"'`]);
});
