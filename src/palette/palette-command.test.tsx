import { act, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeAll, describe, expect, test, vi } from 'vitest';

import { gadget, gadgets, type Gadget } from '#commands/testkit/gadget.ts';
import { loadAll } from '#src/registry/registry.ts';
import { enterOrganization } from '#src/session/organization.ts';
import { isLayerPending } from '#src/state/key-queue.ts';
import { formAtom } from '#src/state/layers.ts';
import { store } from '#src/state/store.ts';
import { userSessionAtom } from '#src/state/user-session.ts';

import { announcedRow, field, isOpen, open, options, TWO_SELECTED, showPalette } from './testkit/palette.tsx';
import { runLog } from './testkit/registry.ts';
import { showGadgets } from './testkit/show-gadgets.ts';

vi.mock('#src/registry/loaders.ts', async () => (await import('./testkit/registry.ts')).loaders);
beforeAll(loadAll);

showPalette();

describe('a command', () => {
  test('prompts for missing arguments, shows its plan and line, and runs on Enter', async () => {
    const user = userEvent.setup();
    open({ invocation: { id: 'gadget.mark', args: {} } });
    expect(await screen.findByText('2 selected')).toBeTruthy();
    expect(options()).toEqual(['OK', 'WARNING', 'ERROR']);
    await user.keyboard('war');
    expect(await screen.findByText('Mark 2 gadgets WARNING')).toBeTruthy();
    expect(screen.getByText('gadget mark state:ERROR WARNING')).toBeTruthy();
    await user.keyboard('{Enter}');
    await waitFor(() =>
      expect(runLog).toEqual([
        { id: 'gadget.mark', args: { ids: ['CCCC DDDD', 'EEEE FFFF'], state: 'WARNING', note: undefined } },
      ]),
    );
    expect(isOpen()).toBe(false);
  });

  test('shows an example value until something is typed', async () => {
    const user = userEvent.setup();
    open({ invocation: { id: 'gadget.build', args: {} } });
    expect(await screen.findByText('Type a value, such as North pump')).toBeTruthy();
    await user.keyboard('W');
    expect(screen.queryByText(/such as/)).toBeNull();
  });

  test('says that a typed period is in UTC', async () => {
    open({ invocation: { id: 'gadget.mark', args: {} } });
    expect(await screen.findByText('2 selected')).toBeTruthy();
    expect(screen.queryByText(/UTC/)).toBeNull();
    act(() => open({ invocation: { id: 'gadget.inspect', args: {} } }));
    expect(await screen.findByText('In UTC, unless you add an offset such as +02:00')).toBeTruthy();
  });

  test("doesn't run if nothing would change", async () => {
    const user = userEvent.setup();
    open({ invocation: { id: 'gadget.mark', args: {} } });
    await user.keyboard('err');
    expect(await screen.findByText('Mark 0 gadgets ERROR')).toBeTruthy();
    expect(screen.queryByText('run')).toBeNull();
    await user.keyboard('{Enter}');
    const run = await screen.findByRole('option', { name: /Mark gadgets/ });
    expect(run.getAttribute('aria-disabled')).toBe('true');
    expect(run.textContent).toContain('Nothing to change');
    await user.keyboard('{Enter}');
    expect([runLog, isOpen()]).toEqual([[], true]);
  });

  test('shows the plan for a bulk change before a second Enter runs it', async () => {
    const user = userEvent.setup();
    open({ invocation: { id: 'gadget.mark', args: {} } });
    await user.keyboard('{Enter}');
    expect(await screen.findByText('Mark 2 gadgets OK')).toBeTruthy();
    expect(runLog).toEqual([]);
    expect(announcedRow()).toBe('Mark gadgets');
    await user.keyboard('{Enter}');
    await waitFor(() => expect(runLog).toHaveLength(1));
  });

  describe('submitted before its plan is ready', () => {
    /**
     * Presses Enter on a value for one gadget.
     *
     * @returns a function that completes the lookup of that gadget
     */
    async function submit(user: ReturnType<typeof userEvent.setup>): Promise<() => void> {
      showGadgets({ active: 'AAAA BBBB' });
      let completeLookup = (): void => undefined;
      const result = new Promise<readonly Gadget[]>((resolve) => (completeLookup = () => resolve(gadgets.slice(0, 1))));
      vi.spyOn(gadget, 'byIds').mockReturnValue(result);
      open({ invocation: { id: 'gadget.mark', args: {} } });
      await user.keyboard('err{Enter}');
      return completeLookup;
    }
    test('hides its run hint while Enter is pending', async () => {
      const user = userEvent.setup();
      const completeLookup = await submit(user);
      expect(screen.queryByText(/^(run|show the plan|choose)$/)).toBeNull();
      completeLookup();
      await waitFor(() => expect(runLog).toHaveLength(1));
    });

    test('keeps keys typed after Ctrl+K for the next search', async () => {
      const user = userEvent.setup();
      const completeLookup = await submit(user);
      await user.keyboard('{Control>}k{/Control}bex{Backspace}e{Enter}');
      expect(field().value).toBe('');
      completeLookup();
      await waitFor(() =>
        expect(runLog).toMatchObject([{ args: { ids: ['AAAA BBBB'], state: 'ERROR' } }, { id: 'gadget.beep' }]),
      );
      expect(isOpen()).toBe(false);
    });

    test("ranks the best match first regardless of the server's order", async () => {
      const user = userEvent.setup();
      const gadgetNamed = (name: string): Gadget => ({ ...gadgets[0]!, id: name, name });
      vi.spyOn(gadget, 'search').mockResolvedValue([
        gadgetNamed('Hanna'),
        gadgetNamed('Johanna Anna'),
        gadgetNamed('Anna Vermeer'),
      ]);
      open({ invocation: { id: 'gadget.open', args: {} } });
      await user.keyboard('anna');
      await waitFor(() => expect(options()).toEqual(['Anna Vermeer', 'Johanna Anna', 'Hanna']));
      await waitFor(() => expect(announcedRow()).toBe('Anna Vermeer'));
    });

    test('keeps keys typed after Enter while the value is being looked up', async () => {
      const user = userEvent.setup();
      let completeLookup = (): void => undefined;
      const result = new Promise<readonly Gadget[]>((resolve) => (completeLookup = () => resolve(gadgets)));
      vi.spyOn(gadget, 'search').mockReturnValue(result);
      open({ invocation: { id: 'gadget.open', args: {} } });
      await user.keyboard('north{Enter}{Control>}k{/Control}bee');
      expect(field().value).toBe('north');
      completeLookup();
      await waitFor(() => expect(field().value).toBe('bee'));
    });

    test('stays closed after running, and after Escape, unless reopened', async () => {
      const user = userEvent.setup();
      const completeLookup = await submit(user);
      completeLookup();
      await waitFor(() => expect(runLog).toHaveLength(1));
      expect(isOpen()).toBe(false);
      await submit(user);
      await user.keyboard('{Control>}k{/Control}be{Escape}');
      expect(isOpen()).toBe(false);
      open();
      await user.keyboard('{Control>}k{/Control}be');
      expect(field().value).toBe('be');
    });
  });

  test('ignores an Enter pressed before a plan that requires confirmation', async () => {
    const user = userEvent.setup();
    let completeLookup = (): void => undefined;
    const result = new Promise<readonly Gadget[]>((resolve) => (completeLookup = () => resolve(gadgets.slice(0, 2))));
    vi.spyOn(gadget, 'byIds').mockReturnValue(result);
    showGadgets({ target: { ids: ['AAAA BBBB', 'CCCC DDDD'] }, count: 2 });
    open({ invocation: { id: 'gadget.mark', args: {} } });
    await user.keyboard('warn{Enter}{Enter}');
    completeLookup();
    expect(await screen.findByText(/2 gadgets/)).toBeTruthy();
    await waitFor(() => expect(isLayerPending()).toBe(false));
    expect([runLog, isOpen()]).toEqual([[], true]);
  });

  test('uses text typed before the plan as its confirmation', async () => {
    const user = userEvent.setup();
    const list = gadget.list.bind(gadget);
    let completeLookup = (): void => undefined;
    const gate = new Promise<void>((resolve) => (completeLookup = resolve));
    vi.spyOn(gadget, 'list').mockImplementation(async (...args) => gate.then(() => list(...args)));
    open();
    await user.paste('gadget scrap state:ERROR');
    await waitFor(() => expect(announcedRow()).toBe('Scrap gadgets'));
    await user.keyboard('{Enter}3');
    completeLookup();
    expect(await screen.findByText('Scrap 2 gadgets')).toBeTruthy();
    await waitFor(() => expect(field().value).toBe('3'));
    await user.keyboard('{Enter}');
    expect(runLog).toEqual([]);
    await user.keyboard('{Backspace}2{Enter}');
    await waitFor(() => expect(runLog).toEqual([{ id: 'gadget.scrap', args: ['CCCC DDDD', 'EEEE FFFF'] }]));
  });

  test('runs a reversible change to one item immediately', async () => {
    showGadgets({ active: 'AAAA BBBB' });
    const user = userEvent.setup();
    open({ invocation: { id: 'gadget.mark', args: {} } });
    await user.keyboard('err{Enter}');
    await waitFor(() => expect(runLog).toMatchObject([{ args: { ids: ['AAAA BBBB'], state: 'ERROR' } }]));
  });

  test('requires typing the count for an irreversible change', async () => {
    const user = userEvent.setup();
    open({ invocation: { id: 'gadget.scrap', args: {} } });
    expect(await screen.findByText('Scrap 2 gadgets')).toBeTruthy();
    await user.keyboard('{Enter}3{Enter}');
    expect(runLog).toEqual([]);
    await user.keyboard('{Backspace}2{Enter}');
    await waitFor(() => expect(runLog).toEqual([{ id: 'gadget.scrap', args: ['CCCC DDDD', 'EEEE FFFF'] }]));
  });

  test('steps back with Backspace through values to the search', async () => {
    const user = userEvent.setup();
    open({ invocation: { id: 'gadget.mark', args: { state: 'ERROR' } } });
    await user.keyboard('{Backspace}');
    expect(screen.getByRole<HTMLInputElement>('combobox').value).toBe('ERROR');
    await user.clear(screen.getByRole('combobox'));
    await user.keyboard('{Backspace}');
    expect(screen.getByRole<HTMLInputElement>('combobox').value).toBe('state:ERROR');
    await user.clear(screen.getByRole('combobox'));
    await user.keyboard('{Backspace}');
    expect(screen.getByRole('combobox', { name: 'Search or run a command' })).toBeTruthy();
  });

  test('parses a pasted line and opens as a form on Tab', async () => {
    const user = userEvent.setup();
    open();
    await user.paste("gadget mark 'state:OK' warning --note 'to look at'");
    expect(await screen.findByText('1 gadget')).toBeTruthy();
    expect(screen.getByText('note: to look at')).toBeTruthy();
    await user.keyboard('{Tab}');
    expect(store.get(formAtom)).toEqual({
      id: 'gadget.mark',
      args: { gadgets: { query: 'state:OK' }, state: 'WARNING', note: 'to look at' },
    });
    expect(isOpen()).toBe(false);
  });

  test('keeps the typed text in the form, even if it is invalid', async () => {
    const user = userEvent.setup();
    open({ invocation: { id: 'gadget.build', args: {} } });
    await user.keyboard('plaid{Tab}');
    expect(store.get(formAtom)).toEqual({ id: 'gadget.build', args: { name: 'plaid' } });
    open({ invocation: { id: 'gadget.mark', args: {} } });
    await user.keyboard('purple{Tab}');
    expect(store.get(formAtom)).toMatchObject({ id: 'gadget.mark', typed: { state: 'purple' } });
    open({ invocation: { id: 'gadget.mark', args: {} } });
    await user.keyboard('war{Tab}');
    expect(store.get(formAtom)).toMatchObject({ id: 'gadget.mark', args: { state: 'WARNING' } });
  });

  test('reopens as a form with the typed text after the session ends', async () => {
    const me = store.get(userSessionAtom);
    const user = userEvent.setup();
    open({ invocation: { id: 'gadget.build', args: {} } });
    await screen.findByText(/such as North pump/);
    await user.keyboard('Valve');
    act(() => enterOrganization(undefined));
    expect(isOpen()).toBe(false);
    act(() => enterOrganization(me));
    expect(store.get(formAtom)).toEqual({ id: 'gadget.build', args: { name: 'Valve' } });
    store.set(formAtom, undefined);
  });

  test('goes back, copies its line, runs, and opens as a form when the user clicks its hints', async () => {
    const user = userEvent.setup();
    open({ invocation: { id: 'gadget.mark', args: {} } });
    await user.keyboard('war');
    expect(await screen.findByText('Mark 2 gadgets WARNING')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'copy line' }));
    await waitFor(async () => expect(await navigator.clipboard.readText()).toBe('gadget mark state:ERROR WARNING'));
    // Back first discards the typed value, then the arguments.
    await user.click(screen.getByRole('button', { name: 'back' }));
    expect(screen.getByRole<HTMLInputElement>('combobox').value).toBe('state:ERROR');
    await user.keyboard('{Enter}');
    await user.keyboard('war');
    await user.click(await screen.findByRole('button', { name: 'run' }));
    await waitFor(() => expect(runLog).toMatchObject([{ args: { state: 'WARNING' } }]));
    expect(isOpen()).toBe(false);
    open({ invocation: { id: 'gadget.mark', args: {} } });
    await user.keyboard('purple');
    await user.click(screen.getByRole('button', { name: 'as a form' }));
    expect(store.get(formAtom)).toMatchObject({ id: 'gadget.mark', typed: { state: 'purple' } });
  });

  test('keeps its hints out of the tab order', () => {
    open({ invocation: { id: 'gadget.mark', args: {} } });
    expect(new Set(screen.getAllByRole('button').map((button) => button.tabIndex))).toEqual(new Set([-1]));
  });

  test('offers optional arguments before running a create command', async () => {
    const user = userEvent.setup();
    open({ invocation: { id: 'gadget.build', args: {} } });
    await user.keyboard('plaid');
    expect(screen.getByRole('alert').textContent).toBe('There is no plaid paint');
    expect(options()).toEqual([]);
    await user.clear(screen.getByRole('combobox'));
    await user.keyboard('Well 8{Enter}');
    expect(options()).toEqual(['Build gadget', 'Events', 'Parent']);
    await user.keyboard('ev{Enter}mess{Enter}');
    expect(announcedRow()).toBe('Done: MESSAGE_RECEIVED');
    await user.keyboard('alarm{Enter}{Enter}');
    expect(screen.getByText("gadget build 'Well 8' --events MESSAGE_RECEIVED,ALARM_TRIGGERED")).toBeTruthy();
    expect(runLog).toEqual([]);
    await user.keyboard('{Enter}');
    await waitFor(() =>
      expect(runLog).toEqual([
        { id: 'gadget.build', args: { name: 'Well 8', events: ['MESSAGE_RECEIVED', 'ALARM_TRIGGERED'] } },
      ]),
    );
  });

  test('adds pasted lines as a list', async () => {
    const user = userEvent.setup();
    open({ invocation: { id: 'gadget.label', args: {} } });
    await waitFor(() => expect(document.activeElement).toBe(field()));
    await user.paste('north\nfar, south\r\neast\n');
    await user.keyboard('{Enter}');
    expect(announcedRow()).toBe('Done: north, far, south, east');
    await user.keyboard('{Enter}');
    await waitFor(() => expect(runLog.at(-1)?.args).toEqual(['north', 'far, south', 'east']));
  });

  test('runs a command when its last list is done, if no options are left', async () => {
    const user = userEvent.setup();
    for (const id of ['gadget.label', 'gadget.invite']) {
      open({ invocation: { id, args: {} } });
      await user.keyboard('north{Enter}south{Enter}');
      expect(announcedRow()).toBe('Done: north, south');
      expect(await screen.findByText('run')).toBeTruthy();
      await user.keyboard('{Enter}');
      await waitFor(() => expect(runLog.at(-1)).toEqual({ id, args: ['north', 'south'] }));
      expect(isOpen()).toBe(false);
    }
  });

  test('offers to create an item that does not exist', async () => {
    const user = userEvent.setup();
    open({ invocation: { id: 'gadget.build', args: { name: 'Well 8' } } });
    await user.keyboard('par{Enter}Site 2');
    expect(await screen.findByRole('option', { name: 'Create gadget “Site 2”' })).toBeTruthy();
    await user.clear(screen.getByRole('combobox'));
    await user.keyboard('Well 7');
    await screen.findByRole('option', { name: 'Well 7' });
    expect(screen.queryByRole('option', { name: /^Create/ })).toBeNull();
  });

  test('names the organization in the plan during a support session', async () => {
    showGadgets(TWO_SELECTED, true);
    open({ invocation: { id: 'gadget.mark', args: { state: 'OK' } } });
    const plan = await screen.findByRole('region', { name: 'Plan' });
    await waitFor(() => expect(within(plan).getByText('Northwind Energy')).toBeTruthy());
  });
});
