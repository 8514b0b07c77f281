import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Provider } from 'jotai';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';

import type { AnyEntity } from '#commands/model/entity.ts';
import { gadget, gadgets, type Gadget } from '#commands/testkit/gadget.ts';
import { message } from '#commands/text/message.ts';
import { i18n } from '#src/i18n/i18n.ts';
import { runLog } from '#src/palette/testkit/registry.ts';
import { showGadgets } from '#src/palette/testkit/show-gadgets.ts';
import { loadAll } from '#src/registry/registry.ts';
import { enterOrganization } from '#src/session/organization.ts';
import { focusAtom } from '#src/state/focus.ts';
import { formAtom } from '#src/state/layers.ts';
import { store } from '#src/state/store.ts';
import { toasts } from '#src/state/toasts.ts';
import { showUnsetAtom } from '#src/state/unset.ts';
import { userSessionAtom } from '#src/state/user-session.ts';

import { Overview } from './Overview.tsx';

vi.mock('#src/registry/loaders.ts', async () => (await import('#src/palette/testkit/registry.ts')).loaders);
beforeAll(loadAll);

const gadgetWithDetails: AnyEntity = {
  ...(gadget as AnyEntity),
  details: [
    { id: 'name', kind: 'text', group: 'about', value: (item) => (item as Gadget).name, edit: 'gadget.describe' },
    { id: 'mood', kind: 'text', group: 'about', value: () => undefined, edit: 'gadget.mark', fields: ['state'] },
    { id: 'paint', kind: 'text', group: 'about', value: () => 'red', edit: 'gadget.paint' },
    { id: 'weight', kind: 'text', group: 'about', value: () => '3 kg' },
  ],
};

let rerender: (item: Gadget | undefined) => void;
const overview = (item: Gadget | undefined) => (
  <Provider store={store}>
    <Overview entity={gadgetWithDetails} item={item} />
  </Provider>
);

beforeEach(async () => {
  // Another row is active, but the editor edits the item in the panel.
  showGadgets({ active: 'CCCC DDDD' });
  const details = { name: 'Name', mood: 'Mood', paint: 'Paint', weight: 'Weight' };
  i18n.addResourceBundle('en', 'gadget', { details }, true);
  const view = render(overview(gadgets[0]));
  rerender = (item) => view.rerender(overview(item));
});
afterEach(() => {
  cleanup();
  store.set(showUnsetAtom, false);
  store.set(formAtom, undefined);
  for (const { id } of toasts.list()) toasts.close(id);
});

const editButton = (name: string): HTMLElement => screen.getByRole('button', { name: `Edit ${name}` });

test('edits a detail in place, with only its own fields', async () => {
  const user = userEvent.setup();
  await user.click(editButton('name'));
  const name = await screen.findByRole<HTMLInputElement>('textbox', { name: /^Name/ });
  expect([name.value, document.activeElement]).toEqual(['North pump', name]);
  expect(screen.getAllByRole('textbox')).toEqual([name]);
  await user.clear(name);
  await user.type(name, 'North pump 2{Enter}');
  await waitFor(() => expect(runLog).toEqual([{ id: 'gadget.describe', args: { name: 'North pump 2' } }]));
  await waitFor(() => expect(screen.queryByRole('textbox')).toBeNull());
  expect(document.activeElement).toBe(editButton('name'));
});

test('sets an unset detail of the item in the panel, not of the active row', async () => {
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: /Not set/ }));
  await user.click(editButton('mood'));
  await user.selectOptions(await screen.findByRole('combobox', { name: /^State/ }), 'WARNING');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(runLog).toMatchObject([{ id: 'gadget.mark', args: { ids: ['AAAA BBBB'], state: 'WARNING' } }]),
  );
});

test('discards changes on Escape and saves nothing if nothing changed', async () => {
  const user = userEvent.setup();
  await user.click(editButton('name'));
  await user.type(await screen.findByRole('textbox'), ' 9{Escape}');
  await waitFor(() => expect(screen.queryByRole('textbox')).toBeNull());
  expect(document.activeElement).toBe(editButton('name'));
  await user.click(editButton('name'));
  expect((await screen.findByRole<HTMLInputElement>('textbox')).value).toBe('North pump');
  await user.keyboard('{Enter}');
  await waitFor(() => expect(screen.queryByRole('textbox')).toBeNull());
  expect(screen.queryByRole('alert')).toBeNull();
  expect(runLog).toEqual([]);
});

test('offers unsaved changes as a form when another item is shown', async () => {
  const user = userEvent.setup();
  await user.click(editButton('name'));
  await user.type(await screen.findByRole('textbox'), ' 9');
  rerender(gadgets[1]);
  const unsavedToasts = () => toasts.list().filter(({ title }) => title === 'Not saved yet');
  await waitFor(() => expect(unsavedToasts()).toHaveLength(1));
  const [toast] = unsavedToasts();
  expect(toast?.detail).toBe("gadget describe 'AAAA BBBB' --name 'North pump 9'");
  toast?.action?.run();
  expect(store.get(formAtom)).toEqual({
    id: 'gadget.describe',
    args: { gadgets: { ids: ['AAAA BBBB'] }, name: 'North pump 9' },
  });
  rerender(gadgets[0]);
  await user.click(editButton('name'));
  await user.type(await screen.findByRole('textbox'), 'x{Backspace}');
  rerender(gadgets[1]);
  await waitFor(() => expect(screen.queryByRole('textbox')).toBeNull());
  expect(unsavedToasts()).toEqual([toast]);
});

test('names the item that it edits while other items are selected, and makes it the target', async () => {
  act(() => showGadgets({ target: { ids: ['CCCC DDDD', 'EEEE FFFF'] }, count: 2 }));
  const targetName = () => store.get(focusAtom)?.name;
  expect(targetName()).toEqual(message('core:target.selected', { count: 2 }));
  const user = userEvent.setup();
  await user.click(editButton('name'));
  const name = await screen.findByRole('textbox', { name: /^Name/ });
  expect(screen.getByRole('group', { name: 'Edit name' }).textContent).toContain('→ North pump');
  expect(targetName()).toEqual(message('core:target.item', { name: 'North pump' }));
  act(() => name.blur());
  expect(targetName()).toEqual(message('core:target.selected', { count: 2 }));
  await user.type(name, ' 2{Enter}');
  await waitFor(() => expect(runLog).toEqual([{ id: 'gadget.describe', args: { name: 'North pump 2' } }]));
  expect(targetName()).toEqual(message('core:target.selected', { count: 2 }));
});

test('offers to edit only details whose command is available', () => {
  expect(screen.getAllByRole('button', { name: /^Edit / })).toEqual([editButton('name')]);
});

test('reopens as a form when the same user signs in again', async () => {
  const user = userEvent.setup();
  await user.click(editButton('name'));
  await user.type(await screen.findByRole('textbox', { name: /^Name/ }), ' 2');
  const me = store.get(userSessionAtom);
  act(() => enterOrganization(undefined));
  cleanup();
  act(() => enterOrganization(me));
  expect(store.get(formAtom)).toMatchObject({
    id: 'gadget.describe',
    args: { gadgets: { ids: ['AAAA BBBB'] }, name: 'North pump 2' },
  });
  expect(toasts.list()).toEqual([]);
});
