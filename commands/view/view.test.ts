import { expect, test } from 'vitest';

import { registry } from '../all.ts';
import { availability } from '../core/availability.ts';
import type { Context } from '../core/context.ts';
import type { HostCapabilities, TableHost } from '../core/host.ts';
import { printLine } from '../core/line.ts';
import { prepare, run } from '../core/run.ts';
import { testContext } from '../testing/context.ts';

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
