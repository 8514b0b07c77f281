import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Provider } from 'jotai';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';

import { loadAllStrings } from '#src/i18n/i18n.ts';
import { bindingsFor, keysOf, overridesAtom } from '#src/keymap/bindings.ts';
import { runLog, registry } from '#src/palette/testkit/registry.ts';
import { showGadgets } from '#src/palette/testkit/show-gadgets.ts';
import { loadAll } from '#src/registry/registry.ts';
import { contextNow } from '#src/run/context.ts';
import { helpOpenAtom } from '#src/state/layers.ts';
import { settingsAtom } from '#src/state/settings.ts';
import { store } from '#src/state/store.ts';

import { CheatSheet } from './CheatSheet.tsx';

vi.mock('#src/registry/loaders.ts', async () => (await import('#src/palette/testkit/registry.ts')).loaders);
beforeAll(() => Promise.all([loadAll(), loadAllStrings()]));

beforeEach(() => {
  showGadgets({ active: 'AAAA BBBB' });
  store.set(overridesAtom, {});
  render(
    <Provider store={store}>
      <CheatSheet />
    </Provider>,
  );
  act(() => store.set(helpOpenAtom, true));
});
afterEach(() => {
  cleanup();
  store.set(helpOpenAtom, false);
  store.set(settingsAtom, (settings) => ({ ...settings, singleKeys: true }));
});

const field = () => screen.getByRole('combobox', { name: 'Search keyboard shortcuts' });

test('lists bound keys and gives the reason for unavailable commands', () => {
  const rows = screen.getAllByRole('option').map((row) => row.textContent);
  expect(rows.slice(0, 4)).toEqual(['Mark gadgetsm', 'Paint gadgetsThere is no paintp', 'Build gadgetc g', 'Beepb e']);
});

test('lists commands without keys last and can bind keys to them', async () => {
  const user = userEvent.setup();
  const rows = () => screen.getAllByRole('option').map((row) => row.textContent);
  const rest = ['Scrap gadgets', 'Describe gadget', 'Label gadgets', 'Inspect gadgets', 'Invite', 'Open gadget'];
  expect(rows().slice(4)).toEqual(rest);
  await user.type(field(), 'scrap{F2}');
  await user.keyboard('dd{Enter}');
  const { scrap } = await import('#src/palette/testkit/registry.ts');
  expect(keysOf(scrap)).toEqual(['d d']);
  expect(bindingsFor(registry, contextNow()).map(({ command, keys }) => [command.id, keys])).toContainEqual([
    'gadget.scrap',
    'd d',
  ]);
  await user.clear(field());
  expect(rows()).toContain('Scrap gadgetsd d');
});

test('ranks the best match first', async () => {
  const user = userEvent.setup();
  await user.type(field(), 'open');
  expect(screen.getAllByRole('option').map((row) => row.textContent)[0]).toBe('Open gadget');
});

test('finds and runs a command', async () => {
  const user = userEvent.setup();
  expect(document.activeElement).toBe(field());
  await user.keyboard('bee{Enter}');
  await waitFor(() => expect(runLog.map(({ id }) => id)).toEqual(['gadget.beep']));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('changes keys, runs a command, and closes when its hints are clicked', async () => {
  const user = userEvent.setup();
  await user.type(field(), 'beep');
  await user.click(screen.getByRole('button', { name: 'change keys' }));
  await user.keyboard('xz{Enter}');
  const { beep } = await import('#src/palette/testkit/registry.ts');
  expect(keysOf(beep)).toEqual(['x z']);
  await user.click(screen.getByRole('button', { name: 'close' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  act(() => store.set(helpOpenAtom, true));
  await user.type(field(), 'beep');
  await user.click(screen.getByRole('button', { name: 'run' }));
  await waitFor(() => expect(runLog.map(({ id }) => id)).toEqual(['gadget.beep']));
});

test('names the command that already uses the keys, and records different keys', async () => {
  const user = userEvent.setup();
  await user.type(field(), 'beep{F2}');
  await user.keyboard('m');
  expect(screen.getByRole('alert').textContent).toContain('m is already used by Mark gadgets.');
  await user.keyboard('{Backspace}xy{Enter}');
  const { beep } = await import('#src/palette/testkit/registry.ts');
  expect(keysOf(beep)).toEqual(['x y']);
  expect(document.activeElement).toBe(field());
});

test('names three of many commands that use the keys, and counts the others', async () => {
  const user = userEvent.setup();
  const ids = ['gadget.mark', 'gadget.scrap', 'gadget.describe', 'gadget.build'];
  act(() => store.set(overridesAtom, Object.fromEntries(ids.map((id, index) => [id, [`q ${index}`]]))));
  await user.type(field(), 'beep{F2}');
  await user.keyboard('q');
  expect(screen.getByRole('alert').textContent).toMatch(/^q is already used by Mark gadgets, .+, .+, and 1 more\./);
});

test('takes keys from another command only after a second Enter', async () => {
  const { beep, mark } = await import('#src/palette/testkit/registry.ts');
  const user = userEvent.setup();
  await user.type(field(), 'beep{F2}');
  await user.keyboard('m{Enter}');
  expect(screen.getByRole('alert').textContent).toContain('Mark gadgets will lose these keys.');
  expect([keysOf(beep), keysOf(mark)]).toEqual([['b e'], ['m']]);
  await user.keyboard('{Enter}');
  expect([keysOf(beep), keysOf(mark)]).toEqual([['m'], []]);
});

test('adds keys to those of a command, and removes each of them', async () => {
  const { beep, mark } = await import('#src/palette/testkit/registry.ts');
  const user = userEvent.setup();
  await user.type(field(), 'beep{F2}');
  await user.keyboard('xz{Shift>}{Enter}{/Shift}');
  expect(keysOf(beep)).toEqual(['b e', 'x z']);
  await user.keyboard('{F2}m{Shift>}{Enter}{/Shift}');
  expect(screen.getByRole('alert').textContent).toContain('Mark gadgets will lose these keys.');
  await user.keyboard('{Enter}');
  expect([keysOf(beep), keysOf(mark)]).toEqual([['b e', 'x z', 'm'], []]);
  await user.keyboard('{F2}');
  for (const name of ['b e', 'x z', 'm']) await user.click(screen.getByRole('button', { name: `Remove ${name}` }));
  expect(keysOf(beep)).toEqual([]);
  await user.keyboard('{Enter}');
  expect(keysOf(beep)).toEqual(['b e']);
});

test('takes default keys back from another command only after a second Enter', async () => {
  const user = userEvent.setup();
  const { beep, mark } = await import('#src/palette/testkit/registry.ts');
  act(() => store.set(overridesAtom, { 'gadget.beep': ['m'], 'gadget.mark': [] }));
  await user.type(field(), 'mark{F2}');
  expect(screen.getByRole('alert').textContent).toBe('');
  await user.keyboard('{Enter}');
  expect(screen.getByRole('alert').textContent).toContain('Beep will lose these keys.');
  expect(keysOf(mark)).toEqual([]);
  await user.keyboard('{Enter}');
  expect([keysOf(mark), keysOf(beep)]).toEqual([['m'], []]);
});

test('rejects browser keys and sequences that are too long', async () => {
  const user = userEvent.setup();
  await user.type(field(), 'beep{F2}');
  await user.keyboard('{Control>}t{/Control}{Enter}');
  expect(screen.getByRole('alert').textContent).toBe('Ctrl T is reserved by the browser. Press other keys.');
  await user.keyboard('{Backspace}zzzzz');
  expect(screen.getByRole('alert').textContent).toBe('A sequence has at most 4 keys.');
});

test('shows the description of a command, its keys, its arguments, and an example to copy', async () => {
  const user = userEvent.setup();
  const writeText = vi.spyOn(navigator.clipboard, 'write').mockResolvedValue();
  await user.type(field(), 'build{Tab}');
  expect(screen.getByRole('heading', { name: 'Build gadget' })).toBeDefined();
  expect(screen.getByText('Make a gadget.')).toBeDefined();
  expect(screen.getByText('gadget build NAME [OPTIONS]')).toBeDefined();
  expect(screen.getByRole('rowheader', { name: 'NAME' }).nextElementSibling?.textContent).toBe('Name; required');
  expect(screen.getByText("gadget build 'North pump'")).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Copy' }));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Copied' })).toBeDefined());
  expect(writeText).toHaveBeenCalledOnce();
  await user.keyboard('{Escape}');
  expect(document.activeElement).toBe(field());
});

test("changes the explained command's keys, or runs it", async () => {
  const { beep } = await import('#src/palette/testkit/registry.ts');
  const user = userEvent.setup();
  await user.type(field(), 'beep{Tab}');
  await user.keyboard('{F2}{F9}{Enter}');
  expect(keysOf(beep)).toEqual(['F9']);
  await user.keyboard('{Tab}{Enter}');
  await waitFor(() => expect(runLog.map(({ id }) => id)).toEqual(['gadget.beep']));
});

test('exposes keys to screen readers as shortcuts, not as part of a row name', () => {
  const row = screen.getByRole('option', { name: 'Mark gadgets' });
  expect(row.getAttribute('aria-keyshortcuts')).toBe('m');
  // ARIA has no notation for sequences.
  expect(screen.getByRole('option', { name: 'Build gadget' }).getAttribute('aria-description')).toBe('c g');
});

test('shows only the keys of a command that work without single-key shortcuts', async () => {
  const user = userEvent.setup();
  act(() => {
    store.set(settingsAtom, (settings) => ({ ...settings, singleKeys: false }));
    store.set(overridesAtom, { 'gadget.beep': ['b e', 'F8'] });
  });
  await user.type(field(), 'beep{Tab}');
  expect(Array.from(document.querySelectorAll('dd kbd:not([aria-hidden])'), ({ textContent }) => textContent)).toEqual([
    'F8',
  ]);
});
