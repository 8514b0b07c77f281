import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Provider } from 'jotai';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { command } from '#commands/model/command.ts';
import type { Args } from '#commands/model/invocation.ts';
import { p } from '#commands/model/params.ts';

import { contextNow } from '#src/run/context.ts';
import { ran } from '#src/palette/testkit/registry.ts';
import { listenForKeys } from '#src/keys/listen.ts';
import { parseKeys } from '#src/keymap/press.ts';
import { standAtGadgets } from '#src/palette/testkit/stand.ts';
import { arrive, arriveWithRows, awaitsLayer, leave, withRows } from '#src/state/arrival.ts';
import { formAtom } from '#src/state/layers.ts';
import { store } from '#src/state/store.ts';
import { usePanel } from '#src/panel/Panel.tsx';
import { CommandForm } from './CommandForm.tsx';
import { draftOf, problemsOf, type FormDraft } from './draft.ts';
import { ParamFields } from './ParamFields.tsx';

vi.mock('#commands/nouns/all.ts', async () => ({
  registry: (await import('#src/palette/testkit/registry.ts')).registry,
}));

const closed = vi.fn<() => void>();

async function open(id: string, args: Args = {}): Promise<void> {
  render(
    <Provider store={store}>
      <CommandForm invocation={{ id, args }} onClose={closed} />
    </Provider>,
  );
  await screen.findByRole('button', { name: /Close/ });
}

beforeEach(() => {
  closed.mockClear();
  standAtGadgets({ target: { query: 'state:ERROR' }, count: 2 });
});
afterEach(cleanup);

describe('a command as a form', () => {
  it.each([
    [['AAAA BBBB'], 'Describe gadget'],
    [['AAAA BBBB', 'CCCC DDDD'], 'Describe gadgets'],
  ])('is called by the number of its items: %j', async (ids, title) => {
    await open('gadget.describe', { gadgets: { ids } });
    expect(screen.getByRole('heading', { name: title })).toBeTruthy();
    expect(screen.getByRole('button', { name: new RegExp(`^${title}(?!s)`) })).toBeTruthy();
  });

  it('begins with what was typed before it opened, and says at once what is wrong with it', async () => {
    await open('gadget.build', { name: 'plaid' });
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: /^Name/ }).value).toBe('plaid');
    expect(screen.getByRole('alert').textContent).toBe('There is no plaid paint');
  });

  it('takes what was typed before its fields were there', async () => {
    const stop = listenForKeys({ bindings: () => [], singleKeys: () => true, run: () => undefined });
    void open('gadget.build');
    expect(screen.queryByRole('textbox')).toBeNull();
    for (const key of 'plum') fireEvent.keyDown(document.body, { key });
    const name = await screen.findByRole<HTMLInputElement>('textbox', { name: /^Name/ });
    await waitFor(() => expect(name.value).toBe('plum'));
    stop();
  });

  it('takes what was typed before its code was there', async () => {
    const ran = vi.fn<() => void>();
    const x = command({ id: 'app.x', effect: 'navigate', run: async () => ({}) });
    const stop = listenForKeys({
      bindings: () => [{ command: x, keys: 'p', presses: parseKeys('p') }],
      singleKeys: () => true,
      run: ran,
    });
    const Panel = () => usePanel({ top: undefined, tab: undefined });
    render(<Provider store={store}>{<Panel />}</Provider>);
    act(() => store.set(formAtom, { id: 'gadget.build', args: {} }));
    expect(screen.queryByRole('group')).toBeNull();
    for (const key of 'plum') fireEvent.keyDown(document.body, { key });
    const name = await screen.findByRole<HTMLInputElement>('textbox', { name: /^Name/ });
    await waitFor(() => expect(name.value).toBe('plum'));
    expect(ran).not.toHaveBeenCalled();
    act(() => store.set(formAtom, undefined));
    stop();
  });

  it('takes what was typed right after the key that opens it, also where both waited for the rows', async () => {
    const opens = command({ id: 'app.e', effect: 'navigate', run: async () => ({}) });
    const other = command({ id: 'app.p', effect: 'navigate', run: async () => ({}) });
    const ran = vi.fn<(id: string) => void>();
    const stop = listenForKeys({
      bindings: () => [
        { command: opens, keys: 'e', presses: parseKeys('e') },
        { command: other, keys: 'p', presses: parseKeys('p') },
      ],
      singleKeys: () => true,
      run: ([binding]) => {
        if (binding?.command === opens) withRows(() => store.set(formAtom, { id: 'gadget.build', args: {} }));
        else ran(binding?.command.id ?? '');
      },
    });
    const Panel = () => usePanel({ top: undefined, tab: undefined });
    render(<Provider store={store}>{<Panel />}</Provider>);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    leave();
    for (const key of 'eplum') fireEvent.keyDown(document.body, { key });
    // Each time before React gets round to drawing by itself.
    for (const come of [arrive, arriveWithRows]) {
      come();
      vi.advanceTimersByTime(50);
    }
    vi.useRealTimers();
    const name = await screen.findByRole<HTMLInputElement>('textbox', { name: /^Name/ });
    await waitFor(() => expect(name.value).toBe('plum'));
    expect(ran).not.toHaveBeenCalled();
    act(() => store.set(formAtom, undefined));
    stop();
  });

  it('keeps what was entered when another screen draws it', async () => {
    function Beside({ screen: name }: { readonly screen: string }) {
      return <section key={name}>{usePanel({ top: undefined, tab: undefined })}</section>;
    }
    const beside = (name: string) => (
      <Provider store={store}>
        <Beside screen={name} />
      </Provider>
    );
    store.set(formAtom, { id: 'gadget.build', args: {} });
    const { rerender } = render(beside('gadgets'));
    fireEvent.change(await screen.findByRole('textbox', { name: /^Name/ }), { target: { value: 'plum' } });
    rerender(beside('widgets'));
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: /^Name/ }).value).toBe('plum');
    act(() => store.set(formAtom, undefined));
    act(() => store.set(formAtom, { id: 'gadget.build', args: {} }));
    expect((await screen.findByRole<HTMLInputElement>('textbox', { name: /^Name/ })).value).toBe('');
    act(() => store.set(formAtom, undefined));
  });

  it('gives up what was typed for it when it is closed before', () => {
    const stop = listenForKeys({ bindings: () => [], singleKeys: () => true, run: () => undefined });
    void open('gadget.build').catch(() => undefined);
    fireEvent.keyDown(document.body, { key: 'p' });
    expect(awaitsLayer()).toBe(true);
    cleanup();
    expect(awaitsLayer()).toBe(false);
    stop();
  });

  it('marks what is required, says the first thing that is missing, and goes there', async () => {
    const user = userEvent.setup();
    await open('gadget.mark');
    expect(await screen.findByText('2 selected')).toBeTruthy();
    const state = screen.getByRole('combobox', { name: /^State/ });
    expect(state.getAttribute('aria-required')).toBe('true');
    await user.click(screen.getByRole('button', { name: /^Mark gadgets/ }));
    expect(screen.getByRole('alert').textContent).not.toBe('');
    await waitFor(() => expect(document.activeElement).toBe(state));
    expect(ran).toEqual([]);
  });

  it('shows the plan of several before it runs, and its line', async () => {
    const user = userEvent.setup();
    await open('gadget.mark');
    await user.selectOptions(screen.getByRole('combobox', { name: /^State/ }), 'OK');
    await user.type(screen.getByRole('textbox', { name: /^Note/ }), 'seen{Enter}');
    expect(await screen.findByText('Mark 2 gadgets OK')).toBeTruthy();
    expect(screen.getByText('gadget mark state:ERROR OK --note seen')).toBeTruthy();
    expect(ran).toEqual([]);
    await user.click(screen.getByRole('button', { name: /^Run/ }));
    await waitFor(() => expect(ran).toMatchObject([{ args: { state: 'OK', note: 'seen' } }]));
    expect(closed).toHaveBeenCalledOnce();
  });

  it('starts with what the items have: differing values as Various, and sends only what was changed', async () => {
    const user = userEvent.setup();
    await open('gadget.describe', { gadgets: { ids: ['AAAA BBBB', 'CCCC DDDD'] } });
    const name = screen.getByRole<HTMLInputElement>('textbox', { name: /^Name/ });
    expect([name.value, name.placeholder]).toEqual(['', 'Various']);
    const colour = screen.getByRole<HTMLInputElement>('textbox', { name: /^Colour/ });
    expect(colour.value).toBe('red');
    await user.keyboard('{Control>}{Enter}{/Control}');
    expect(screen.getByRole('alert').textContent).toBe('Nothing is changed yet');
    await user.clear(colour);
    await user.type(colour, 'blue{Enter}');
    await screen.findByText('Describe 2 gadgets');
    await user.click(screen.getByRole('button', { name: /^Run/ }));
    await waitFor(() => expect(ran).toEqual([{ id: 'gadget.describe', args: { colour: 'blue' } }]));
  });

  it('keeps what was entered when it is refused, beside the field it is about', async () => {
    const user = userEvent.setup();
    await open('gadget.describe', { gadgets: { ids: ['AAAA BBBB'] } });
    const colour = screen.getByRole<HTMLInputElement>('textbox', { name: /^Colour/ });
    await user.clear(colour);
    await user.type(colour, 'plaid{Enter}');
    expect((await screen.findByRole('alert')).textContent).toBe('There is no plaid paint');
    expect(colour.value).toBe('plaid');
    expect(colour.getAttribute('aria-invalid')).toBe('true');
    expect(closed).not.toHaveBeenCalled();
  });

  it('keeps what is pressed after it was sent for where it leads, and drops it where the form stays', async () => {
    const pressed = vi.fn<() => void>();
    const x = command({ id: 'app.x', effect: 'navigate', run: async () => ({}) });
    const stop = listenForKeys({
      bindings: () => [{ command: x, keys: 'x', presses: parseKeys('x') }],
      singleKeys: () => true,
      run: pressed,
    });
    closed.mockImplementation(cleanup);
    const user = userEvent.setup();
    await open('gadget.build', { name: 'pump' });
    const name = () => screen.getByRole<HTMLInputElement>('textbox', { name: /^Name/ });
    await user.click(name());
    await user.keyboard('{Control>}{Enter}{/Control}x');
    await waitFor(() => expect(pressed).toHaveBeenCalledOnce());
    expect(closed).toHaveBeenCalledOnce();

    await open('gadget.describe', { gadgets: { ids: ['AAAA BBBB', 'CCCC DDDD'] } });
    const colour = screen.getByRole<HTMLInputElement>('textbox', { name: /^Colour/ });
    await user.type(colour, 'blue');
    fireEvent.submit(colour.form as HTMLFormElement);
    for (const key of ['x', 'Enter']) fireEvent.keyDown(colour, { key });
    await screen.findByText('Describe 2 gadgets');
    await waitFor(() => expect(awaitsLayer()).toBe(false));
    expect([colour.value, pressed.mock.calls.length, ran.length]).toEqual(['redblue', 1, 1]);
    closed.mockReset();
    stop();
  });

  it('is not sent while a picker holds text that was not chosen', async () => {
    const user = userEvent.setup();
    const of = command({ id: 'app.x', effect: 'navigate', params: { words: p.words() }, run: async () => ({}) });
    const context = { ...contextNow(), signal: new AbortController().signal };
    const problems = (draft: FormDraft) => Object.keys(problemsOf(of, draft, context));
    const drafts: FormDraft[] = [];
    function Fields() {
      const [draft, setDraft] = useState(draftOf({}, { values: {} }));
      drafts.push(draft);
      return <ParamFields names={['words']} command={of} draft={draft} context={context} onDraft={setDraft} />;
    }
    render(<Fields />);
    await user.type(screen.getByRole('combobox'), 'north');
    expect(problems(drafts.at(-1)!)).toEqual([]);
    await user.click(document.body);
    expect(screen.getByRole('alert').textContent).toBe('“north” is not chosen yet: choose from the list, or clear it.');
    expect(problems(drafts.at(-1)!)).toEqual(['words']);
    await user.click(screen.getByRole('combobox'));
    await user.click(await screen.findByRole('option', { name: 'north' }));
    expect(screen.queryByRole('alert')).toBeNull();
    expect(drafts.at(-1)?.entered).toEqual({ words: ['north'] });
    expect(problems(drafts.at(-1)!)).toEqual([]);
  });

  it.each(['{Control>}{Enter}{/Control}', '{Enter}'])(
    'says beside the field that %s finds nothing to take',
    async (keys) => {
      const user = userEvent.setup();
      const of = command({
        id: 'app.x',
        effect: 'navigate',
        params: { words: p.choices(['north', 'south']) },
        run: async () => ({}),
      });
      const context = { ...contextNow(), signal: new AbortController().signal };
      function Fields() {
        const [draft, setDraft] = useState(draftOf({}, { values: {} }));
        return <ParamFields names={['words']} command={of} draft={draft} context={context} onDraft={setDraft} />;
      }
      render(<Fields />);
      await user.type(screen.getByRole('combobox'), 'zzz');
      expect(screen.queryByRole('alert')).toBeNull();
      await user.keyboard(keys);
      await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('“zzz” is not chosen yet'));
      await user.keyboard('{Backspace}');
      expect(screen.queryByRole('alert')).toBeNull();
    },
  );

  it('gives focus back when Escape closes it', async () => {
    const user = userEvent.setup();
    const button = document.createElement('button');
    document.body.append(button);
    button.focus();
    await open('gadget.mark');
    await user.click(screen.getByRole('textbox', { name: /^Note/ }));
    await user.keyboard('{Escape}');
    expect(closed).toHaveBeenCalledOnce();
    act(() => cleanup());
    expect(document.activeElement).toBe(button);
    button.remove();
  });
});
