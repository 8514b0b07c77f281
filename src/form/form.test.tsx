import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Provider } from 'jotai';
import { useState } from 'react';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import type { Ability } from '#commands/model/ability.ts';
import { command } from '#commands/model/command.ts';
import type { Args } from '#commands/model/invocation.ts';
import { p } from '#commands/model/params.ts';
import { tune } from '#commands/testkit/gadget.ts';
import { overridesAtom } from '#src/keymap/bindings.ts';
import { parseKeys } from '#src/keymap/press.ts';
import { listenForKeys } from '#src/keys/listen.ts';
import { runLog } from '#src/palette/testkit/registry.ts';
import { showGadgets } from '#src/palette/testkit/show-gadgets.ts';
import { usePanel } from '#src/panel/Panel.tsx';
import { loadAll } from '#src/registry/registry.ts';
import { contextNow } from '#src/run/context.ts';
import { onScreenShown, onRowsShown, isLayerPending, expectScreen, runWithRows } from '#src/state/key-queue.ts';
import { formAtom } from '#src/state/layers.ts';
import { store } from '#src/state/store.ts';

import { CommandForm } from './CommandForm.tsx';
import { draftOf, enteredArgs, problemsOf } from './draft.ts';
import { ParamFields } from './ParamFields.tsx';
import { useParamForm, type ParamForm } from './use-param-form.ts';

vi.mock('#src/registry/loaders.ts', async () => (await import('#src/palette/testkit/registry.ts')).loaders);
beforeAll(loadAll);

const onClose = vi.fn<() => void>();

async function openCommandForm(id: string, args: Args = {}): Promise<void> {
  render(
    <Provider store={store}>
      <CommandForm invocation={{ id, args }} onClose={onClose} />
    </Provider>,
  );
  await screen.findByRole('button', { name: /Close/ });
}

beforeEach(() => {
  onClose.mockClear();
  showGadgets({ target: { query: 'state:ERROR' }, count: 2 });
});
afterEach(cleanup);

describe('a command form', () => {
  test.each([
    [['AAAA BBBB'], 'Describe gadget'],
    [['AAAA BBBB', 'CCCC DDDD'], 'Describe gadgets'],
  ])('has a title in the singular or plural, depending on its items: %j', async (ids, title) => {
    await openCommandForm('gadget.describe', { gadgets: { ids } });
    expect(screen.getByRole('heading', { name: title })).toBeTruthy();
    expect(screen.getByRole('button', { name: new RegExp(`^${title}(?!s)`) })).toBeTruthy();
  });

  test('starts with the given values and shows their problems immediately', async () => {
    await openCommandForm('gadget.build', { name: 'plaid' });
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: /^Name/ }).value).toBe('plaid');
    expect(screen.getByRole('alert').textContent).toBe('There is no plaid paint');
  });

  test('accepts keys typed before its fields are rendered', async () => {
    const stop = listenForKeys({ bindings: () => [], singleKeys: () => true, run: () => undefined });
    void openCommandForm('gadget.build');
    expect(screen.queryByRole('textbox')).toBeNull();
    for (const key of 'plum') fireEvent.keyDown(document.body, { key });
    const name = await screen.findByRole<HTMLInputElement>('textbox', { name: /^Name/ });
    await waitFor(() => expect(name.value).toBe('plum'));
    stop();
  });

  test('accepts keys typed before its code is loaded', async () => {
    const run = vi.fn<() => void>();
    const x = command({ id: 'app.x', effect: 'navigate', run: async () => ({}) });
    const stop = listenForKeys({
      bindings: () => [{ command: x, keys: 'p', presses: parseKeys('p') }],
      singleKeys: () => true,
      run,
    });
    const Panel = () => usePanel({ top: undefined, tab: undefined });
    render(<Provider store={store}>{<Panel />}</Provider>);
    act(() => store.set(formAtom, { id: 'gadget.build', args: {} }));
    expect(screen.queryByRole('group')).toBeNull();
    for (const key of 'plum') fireEvent.keyDown(document.body, { key });
    const name = await screen.findByRole<HTMLInputElement>('textbox', { name: /^Name/ });
    await waitFor(() => expect(name.value).toBe('plum'));
    expect(run).not.toHaveBeenCalled();
    act(() => store.set(formAtom, undefined));
    stop();
  });

  test('accepts keys typed right after the key that opens it', async () => {
    const openForm = command({ id: 'app.e', effect: 'navigate', run: async () => ({}) });
    const otherCommand = command({ id: 'app.p', effect: 'navigate', run: async () => ({}) });
    const run = vi.fn<(id: string) => void>();
    const stop = listenForKeys({
      bindings: () => [
        { command: openForm, keys: 'e', presses: parseKeys('e') },
        { command: otherCommand, keys: 'p', presses: parseKeys('p') },
      ],
      singleKeys: () => true,
      run: ([binding]) => {
        if (binding?.command === openForm) runWithRows(() => store.set(formAtom, { id: 'gadget.build', args: {} }));
        else run(binding?.command.id ?? '');
      },
    });
    const Panel = () => usePanel({ top: undefined, tab: undefined });
    render(<Provider store={store}>{<Panel />}</Provider>);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    expectScreen();
    for (const key of 'eplum') fireEvent.keyDown(document.body, { key });
    // Notifies the queue before React renders.
    for (const notify of [onScreenShown, onRowsShown]) {
      notify();
      vi.advanceTimersByTime(50);
    }
    vi.useRealTimers();
    const name = await screen.findByRole<HTMLInputElement>('textbox', { name: /^Name/ });
    await waitFor(() => expect(name.value).toBe('plum'));
    expect(run).not.toHaveBeenCalled();
    act(() => store.set(formAtom, undefined));
    stop();
  });

  test('discards typed keys if it closes before rendering', () => {
    const stop = listenForKeys({ bindings: () => [], singleKeys: () => true, run: () => undefined });
    void openCommandForm('gadget.build').catch(() => undefined);
    fireEvent.keyDown(document.body, { key: 'p' });
    expect(isLayerPending()).toBe(true);
    cleanup();
    expect(isLayerPending()).toBe(false);
    stop();
  });

  test('marks required fields, reports the first missing one, and focuses it', async () => {
    const user = userEvent.setup();
    await openCommandForm('gadget.mark');
    expect(await screen.findByText('2 selected')).toBeTruthy();
    const state = screen.getByRole('combobox', { name: /^State/ });
    expect(state.getAttribute('aria-required')).toBe('true');
    await user.click(screen.getByRole('button', { name: /^Mark gadgets/ }));
    expect(screen.getByRole('alert').textContent).not.toBe('');
    await waitFor(() => expect(document.activeElement).toBe(state));
    expect(runLog).toEqual([]);
  });

  test('shows the plan and the command line before a bulk change runs', async () => {
    const user = userEvent.setup();
    await openCommandForm('gadget.mark');
    await user.selectOptions(screen.getByRole('combobox', { name: /^State/ }), 'OK');
    await user.type(screen.getByRole('textbox', { name: /^Note/ }), 'seen{Enter}');
    expect(await screen.findByText('Mark 2 gadgets OK')).toBeTruthy();
    expect(screen.getByText('gadget mark state:ERROR OK --note seen')).toBeTruthy();
    expect(runLog).toEqual([]);
    await user.click(screen.getByRole('button', { name: /^Run/ }));
    await waitFor(() => expect(runLog).toMatchObject([{ args: { state: 'OK', note: 'seen' } }]));
    expect(onClose).toHaveBeenCalledOnce();
  });

  test('discards a plan that was made for earlier values', async () => {
    const user = userEvent.setup();
    await openCommandForm('gadget.mark');
    await user.selectOptions(screen.getByRole('combobox', { name: /^State/ }), 'OK');
    const note = screen.getByRole<HTMLInputElement>('textbox', { name: /^Note/ });
    const button = screen.getByRole<HTMLButtonElement>('button', { name: /^Mark/ });
    act(() => {
      fireEvent.submit(note.form!);
      fireEvent.change(note, { target: { value: 'changed' } });
    });
    expect(button.disabled).toBe(true);
    await waitFor(() => expect(button.disabled).toBe(false));
    expect(screen.queryByText('Mark 2 gadgets OK')).toBeNull();
    await user.type(note, '{Enter}');
    expect(await screen.findByText('Mark 2 gadgets OK')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: /^Run/ }));
    await waitFor(() => expect(runLog).toMatchObject([{ args: { state: 'OK', note: 'changed' } }]));
  });

  test("starts with the items' values, shows differing values as Various, and sends only changes", async () => {
    const user = userEvent.setup();
    await openCommandForm('gadget.describe', { gadgets: { ids: ['AAAA BBBB', 'CCCC DDDD'] } });
    const name = screen.getByRole<HTMLInputElement>('textbox', { name: /^Name/ });
    expect([name.value, name.placeholder]).toEqual(['', 'Various']);
    const color = screen.getByRole<HTMLInputElement>('textbox', { name: /^Color/ });
    expect(color.value).toBe('red');
    await user.keyboard('{Control>}{Enter}{/Control}');
    expect(screen.getByRole('alert').textContent).toBe('No changes yet');
    await user.clear(color);
    await user.type(color, 'blue{Enter}');
    await screen.findByText('Describe 2 gadgets');
    await user.click(screen.getByRole('button', { name: /^Run/ }));
    await waitFor(() => expect(runLog).toEqual([{ id: 'gadget.describe', args: { color: 'blue' } }]));
  });

  test('keeps entered values after the change is rejected and shows the error next to the field', async () => {
    const user = userEvent.setup();
    await openCommandForm('gadget.describe', { gadgets: { ids: ['AAAA BBBB'] } });
    const color = screen.getByRole<HTMLInputElement>('textbox', { name: /^Color/ });
    await user.clear(color);
    await user.type(color, 'plaid{Enter}');
    expect((await screen.findByRole('alert')).textContent).toBe('There is no plaid paint');
    expect(color.value).toBe('plaid');
    expect(color.getAttribute('aria-invalid')).toBe('true');
    expect(onClose).not.toHaveBeenCalled();
  });

  test('is submitted by its key, which can be changed', async () => {
    const user = userEvent.setup();
    store.set(overridesAtom, { 'app.submit-form': ['F9', 'q'] });
    await openCommandForm('gadget.build', { name: 'pump' });
    expect(screen.getByRole('button', { name: /^Build/ }).getAttribute('aria-keyshortcuts')).toBe('F9');
    await user.click(screen.getByRole('textbox', { name: /^Name/ }));
    // A character is typed into a field, whatever it is bound to.
    await user.keyboard('{Control>}{Enter}{/Control}q');
    expect(onClose).not.toHaveBeenCalled();
    await user.keyboard('{F9}');
    store.set(overridesAtom, {});
    await waitFor(() => expect(runLog).toMatchObject([{ args: { name: 'pumpq' } }]));
  });

  test('passes later keys to the next screen, or drops them if the form stays', async () => {
    const onPress = vi.fn<() => void>();
    const x = command({ id: 'app.x', effect: 'navigate', run: async () => ({}) });
    const stop = listenForKeys({
      bindings: () => [{ command: x, keys: 'x', presses: parseKeys('x') }],
      singleKeys: () => true,
      run: onPress,
    });
    onClose.mockImplementation(cleanup);
    const user = userEvent.setup();
    await openCommandForm('gadget.build', { name: 'pump' });
    const name = () => screen.getByRole<HTMLInputElement>('textbox', { name: /^Name/ });
    await user.click(name());
    await user.keyboard('{Control>}{Enter}{/Control}x');
    await waitFor(() => expect(onPress).toHaveBeenCalledOnce());
    expect(onClose).toHaveBeenCalledOnce();

    await openCommandForm('gadget.describe', { gadgets: { ids: ['AAAA BBBB', 'CCCC DDDD'] } });
    const color = screen.getByRole<HTMLInputElement>('textbox', { name: /^Color/ });
    await user.type(color, 'blue');
    fireEvent.submit(color.form as HTMLFormElement);
    for (const key of ['x', 'Enter']) fireEvent.keyDown(color, { key });
    await screen.findByText('Describe 2 gadgets');
    await waitFor(() => expect(isLayerPending()).toBe(false));
    expect([color.value, onPress.mock.calls.length, runLog.length]).toEqual(['redblue', 1, 1]);
    onClose.mockReset();
    stop();
  });

  test('is invalid while a picker contains text that was not chosen', async () => {
    const user = userEvent.setup();
    const chooseWords = command({
      id: 'app.x',
      effect: 'navigate',
      params: { words: p.words() },
      run: async () => ({}),
    });
    const context = { ...contextNow(), signal: new AbortController().signal };
    const problems = ({ values, args }: ParamForm) => Object.keys(problemsOf(chooseWords, values, args, context));
    const forms: ParamForm[] = [];
    function Fields() {
      const [start] = useState(() => draftOf(chooseWords, {}, { values: {} }, {}, context));
      const form = useParamForm({ command: chooseWords, context, start });
      forms.push(form);
      return <ParamFields names={['words']} form={form} />;
    }
    render(<Fields />);
    await user.type(screen.getByRole('combobox'), 'north');
    expect(problems(forms.at(-1)!)).toEqual([]);
    await user.click(document.body);
    expect(screen.getByRole('alert').textContent).toBe("“north” isn't chosen yet. Choose from the list, or clear it.");
    expect(problems(forms.at(-1)!)).toEqual(['words']);
    await user.click(screen.getByRole('combobox'));
    await user.click(await screen.findByRole('option', { name: 'north' }));
    expect(screen.queryByRole('alert')).toBeNull();
    expect(enteredArgs(forms.at(-1)!.draft)).toEqual({ words: ['north'] });
    expect(problems(forms.at(-1)!)).toEqual([]);
  });

  test('says next to a field for a time or a period that typed times are in UTC, or local in a chart', () => {
    const plan = command({
      id: 'app.x',
      effect: 'navigate',
      params: { start: p.time(), period: p.range(), shown: p.range({ local: true }), name: p.text() },
      run: async () => ({}),
    });
    const context = { ...contextNow(), signal: new AbortController().signal };
    function Fields() {
      const [start] = useState(() => draftOf(plan, {}, { values: {} }, {}, context));
      const form = useParamForm({ command: plan, context, start });
      return <ParamFields names={['start', 'period', 'shown', 'name']} form={form} />;
    }
    render(<Fields />);
    expect(screen.getAllByText('In UTC, unless you add an offset such as +02:00')).toHaveLength(2);
    expect(screen.getAllByText(/^In your time zone, \w/)).toHaveLength(1);
  });

  test('offers only the options that the user may choose, and the current one', () => {
    const context = { ...contextNow(), signal: new AbortController().signal };
    const customer = { ...context, actor: { ...context.actor, abilities: new Set<Ability>() } };
    function Fields({ values }: { readonly values: Args }) {
      const [start] = useState(() => draftOf(tune, {}, { values }, {}, customer));
      return <ParamFields names={['mode']} form={useParamForm({ command: tune, context: customer, start })} />;
    }
    const optionsShown = (values: Args) => {
      render(<Fields values={values} />);
      const labels = screen.getAllByRole<HTMLOptionElement>('option').map(({ value }) => value);
      cleanup();
      return labels;
    };
    expect(optionsShown({ mode: 'INSTALLED' })).toEqual(['PENDING_MAINTENANCE', 'INSTALLED']);
    expect(optionsShown({ mode: 'DECOMMISSIONED' })).toEqual(['PENDING_MAINTENANCE', 'INSTALLED', 'DECOMMISSIONED']);
  });

  test.each(['{Control>}{Enter}{/Control}', '{Enter}'])(
    'shows a no-match error next to the field when %s is pressed',
    async (keys) => {
      const user = userEvent.setup();
      const chooseWords = command({
        id: 'app.x',
        effect: 'navigate',
        params: { words: p.choices(['north', 'south']) },
        run: async () => ({}),
      });
      const context = { ...contextNow(), signal: new AbortController().signal };
      function Fields() {
        const [start] = useState(() => draftOf(chooseWords, {}, { values: {} }, {}, context));
        return <ParamFields names={['words']} form={useParamForm({ command: chooseWords, context, start })} />;
      }
      render(<Fields />);
      await user.type(screen.getByRole('combobox'), 'zzz');
      expect(screen.queryByRole('alert')).toBeNull();
      await user.keyboard(keys);
      await waitFor(() => expect(screen.getByRole('alert').textContent).toContain("“zzz” isn't chosen yet"));
      await user.keyboard('{Backspace}');
      expect(screen.queryByRole('alert')).toBeNull();
    },
  );

  test('restores focus when Escape closes it', async () => {
    const user = userEvent.setup();
    const button = document.createElement('button');
    document.body.append(button);
    button.focus();
    await openCommandForm('gadget.mark');
    await user.click(screen.getByRole('textbox', { name: /^Note/ }));
    await user.keyboard('{Escape}');
    expect(onClose).toHaveBeenCalledOnce();
    act(() => cleanup());
    expect(document.activeElement).toBe(button);
    button.remove();
  });
});
