import { expect, test } from 'vitest';

import type { Ability } from '#commands/model/ability.ts';
import type { Context } from '#commands/model/context.ts';
import type { TableHost } from '#commands/model/screen-hosts.ts';
import { registry } from '#commands/nouns/all.ts';
import { availability } from '#commands/run/availability.ts';
import { prepare, run } from '#commands/run/run.ts';
import { testContext } from '#commands/testkit/context.ts';

const editCell = registry.command('view.edit-cell')!;

/** Creates a context with a table of devices that shows the given columns. `cells` records the cells it edits. */
function contextWith(columns: readonly string[], { last, ...overrides }: { last?: string } & Partial<Context> = {}) {
  const cells: string[] = [];
  const table: Partial<TableHost> = {
    entityName: () => 'device',
    activeRowId: () => 'AAAA BBBB',
    columns: () => columns,
    editedColumn: () => last,
    editCell: async (column) => void cells.push(column),
  };
  return { cells, context: testContext({ host: { table: table as TableHost }, ...overrides }) };
}

async function press(context: Context, args = {}): Promise<void> {
  await run(await prepare(editCell, args, context), context);
}

const without = (...missing: readonly Ability[]): Partial<Context> => {
  const { actor } = testContext();
  return { actor: { ...actor, abilities: new Set([...actor.abilities].filter((name) => !missing.includes(name))) } };
};

test('F2 edits the first visible column with an editor, and later the column edited last', async () => {
  expect(editCell.keys).toEqual(['F2']);
  const first = contextWith(['number', 'lifecycle', 'name']);
  await press(first.context);
  expect(first.cells).toEqual(['name']);
  const later = contextWith(['number', 'name', 'lifecycle'], { last: 'lifecycle' });
  await press(later.context);
  expect(later.cells).toEqual(['lifecycle']);
  const hiddenSince = contextWith(['number', 'name'], { last: 'notes' });
  await press(hiddenSince.context);
  expect(hiddenSince.cells).toEqual(['name']);
});

test('edits a named column, and names the others if that one cannot be edited', async () => {
  const { cells, context } = contextWith(['number', 'name', 'lifecycle', 'notes']);
  await press(context, { column: 'notes' });
  expect(cells).toEqual(['notes']);
  await expect(press(context, { column: 'number' })).rejects.toMatchObject({
    param: 'column',
    userMessage: { values: { column: 'number', columns: 'name, lifecycle, notes' } },
  });
});

test('leaves out columns that only support can edit', async () => {
  const { cells, context } = contextWith(['timeZone', 'notes'], without('DEVICE_TIMEZONE'));
  await press(context);
  expect(cells).toEqual(['notes']);
});

test('says why nothing can be edited', () => {
  const reasonFor = ({ context }: ReturnType<typeof contextWith>) => {
    const state = availability(editCell, context);
    return state.ok ? undefined : state.reason.message.key;
  };
  expect(reasonFor(contextWith(['number', 'model']))).toBe('view:noEditableColumn');
  expect(reasonFor(contextWith(['name'], without('EDIT_DEVICE')))).toBe('core:unavailable.ability');
  expect(reasonFor(contextWith(['timeZone'], without('DEVICE_TIMEZONE')))).toBe('core:unavailable.support');
  expect(reasonFor(contextWith(['name']))).toBeUndefined();
});

test('an unknown column is rejected with the nearest ones', async () => {
  const { context } = contextWith(['number', 'name', 'lifecycle']);
  await expect(press(context, { column: 'lifecicle' })).rejects.toMatchObject({
    userMessage: { key: 'view:notEditable', values: { column: 'lifecicle', columns: 'lifecycle' } },
  });
});
