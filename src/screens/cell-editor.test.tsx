import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Provider } from 'jotai';
import { useEffect, useState } from 'react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';

import type { AnyEntity } from '#commands/model/entity.ts';
import { gadget, gadgets, type Gadget } from '#commands/testkit/gadget.ts';
import { i18n } from '#src/i18n/i18n.ts';
import { runLog } from '#src/palette/testkit/registry.ts';
import { showGadgets } from '#src/palette/testkit/show-gadgets.ts';
import { loadAll } from '#src/registry/registry.ts';
import { store } from '#src/state/store.ts';
import { toasts } from '#src/state/toasts.ts';
import { createTableModel } from '#src/table/table-model.ts';
import { createArraySource } from '#src/table/testkit/array-source.ts';

import { CellEditor } from './CellEditor.tsx';
import type { EditedCell } from './edited-cell.ts';

vi.mock('#src/registry/loaders.ts', async () => (await import('#src/palette/testkit/registry.ts')).loaders);
beforeAll(loadAll);

const entity: AnyEntity = {
  ...(gadget as AnyEntity),
  columns: [
    { id: 'name', kind: 'text', width: 160, value: (item) => (item as Gadget).name, edit: 'gadget.describe' },
    { id: 'weight', kind: 'text', width: 80, value: () => '3 kg' },
    { id: 'state', kind: 'text', width: 80, value: (item) => (item as Gadget).state, edit: 'gadget.mark' },
    { id: 'color', kind: 'text', width: 80, value: () => 'red', edit: 'gadget.describe' },
    { id: 'hidden', kind: 'text', width: 80, value: () => '', edit: 'gadget.mark' },
  ],
};

const model = createTableModel<unknown>({
  source: createArraySource<unknown>(gadgets),
  rowId: (row) => (row as Gadget).id,
});

const SHOWN = ['name', 'weight', 'state', 'color'];

/** The column being edited. Undefined once the editor has closed. */
let column: string | undefined;

function Row({ start }: { readonly start: EditedCell }) {
  const [cell, setCell] = useState<EditedCell | undefined>(start);
  useEffect(() => {
    column = cell?.column;
  });
  return (
    <>
      <button type="button">Before</button>
      {cell && <CellEditor entity={entity} model={model} columns={SHOWN} cell={cell} onCell={setCell} />}
    </>
  );
}

async function edit(start: string) {
  render(
    <Provider store={store}>
      <Row start={{ id: 'AAAA BBBB', column: start }} />
    </Provider>,
  );
  await screen.findByRole('group');
  await waitFor(() => expect(document.activeElement?.matches('input, select')).toBe(true));
  return userEvent.setup();
}

beforeEach(() => {
  showGadgets({ active: 'AAAA BBBB' });
  i18n.addResourceBundle(
    'en',
    'gadget',
    { columns: { name: 'Name', weight: 'Weight', state: 'State', color: 'Color' } },
    true,
  );
  model.activate(0);
});
afterEach(() => {
  cleanup();
  for (const { id } of toasts.list()) toasts.close(id);
});

test('names the column and the item, and selects the text', async () => {
  await edit('name');
  screen.getByRole('group', { name: 'Edit name of North pump' });
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: /^Name/ });
  expect(field.value.slice(field.selectionStart ?? -1, field.selectionEnd ?? -1)).toBe('North pump');
});

test('Tab moves between editable cells and saves nothing without input, even if the command would', async () => {
  const user = await edit('name');
  await user.tab();
  await waitFor(() => expect(column).toBe('state'));
  await screen.findByRole('combobox', { name: /^State/ });
  await waitFor(() => expect(document.activeElement?.tagName).toBe('SELECT'));
  await user.tab({ shift: true });
  await waitFor(() => expect(column).toBe('name'));
  await waitFor(() => expect(document.activeElement?.tagName).toBe('INPUT'));
  await user.tab({ shift: true });
  await waitFor(() => expect(column).toBeUndefined());
  expect(runLog).toEqual([]);
});

test('Tab saves input and moves on, and Escape then closes the editor instead of moving again', async () => {
  const user = await edit('name');
  await user.keyboard('North pump 2');
  await user.tab();
  await waitFor(() => expect(column).toBe('state'));
  expect(runLog).toEqual([{ id: 'gadget.describe', args: { name: 'North pump 2' } }]);
  await waitFor(() => expect(document.activeElement?.tagName).toBe('SELECT'));
  await user.keyboard('{Escape}');
  await waitFor(() => expect(column).toBeUndefined());
  expect(runLog).toHaveLength(1);
});

test('Enter saves a choice and closes the editor', async () => {
  const user = await edit('state');
  await user.selectOptions(screen.getByRole('combobox', { name: /^State/ }), 'WARNING');
  await user.keyboard('{Enter}');
  await waitFor(() => expect(column).toBeUndefined());
  expect(runLog).toMatchObject([{ id: 'gadget.mark', args: { ids: ['AAAA BBBB'], state: 'WARNING' } }]);
});

test('Tab keeps invalid input, in its cell', async () => {
  const user = await edit('color');
  await user.keyboard('plaid');
  await user.tab();
  await waitFor(() => expect(screen.getByRole('textbox').getAttribute('aria-invalid')).toBe('true'));
  expect([column, runLog]).toEqual(['color', []]);
  await user.keyboard('{Escape}');
  expect(column).toBeUndefined();
});

test('closes when the user moves to another row, and offers the input', async () => {
  const user = await edit('name');
  await user.keyboard('North pump 2');
  act(() => model.activate(0));
  expect(column).toBe('name');
  act(() => model.activate(1));
  expect(column).toBeUndefined();
  await waitFor(() => expect(toasts.list().map(({ title }) => title)).toEqual(['Not saved yet']));
});
