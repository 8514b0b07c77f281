import { Code, ConnectError } from '@connectrpc/connect';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';

import { gadget } from '#commands/testkit/gadget.ts';

import { lost, reached } from '#src/net/reach.ts';
import { awaitsLayer } from '#src/state/arrival.ts';
import { formAtom } from '#src/state/layers.ts';
import { store } from '#src/state/store.ts';
import { announced, field, isOpen, open, options, slowSearch, showPalette } from './testkit/palette.tsx';
import { ran } from './testkit/registry.ts';

vi.mock('#commands/nouns/all.ts', async () => ({ registry: (await import('./testkit/registry.ts')).registry }));

showPalette();

it('is left by Escape alone, and keeps what was typed', async () => {
  const user = userEvent.setup();
  open();
  await user.keyboard('mark');
  const field = screen.getByRole<HTMLInputElement>('combobox');
  await user.keyboard('{Control>}k{/Control}');
  fireEvent.pointerDown(screen.getByRole('dialog'));
  fireEvent.click(screen.getByRole('dialog'));
  expect([isOpen(), field.value]).toEqual([true, 'mark']);
  await user.keyboard('{Escape}');
  expect(isOpen()).toBe(false);
});

describe('the search', () => {
  it('begins with what fits the selection, and says why something cannot be done', () => {
    open();
    expect(options().slice(0, 3)).toEqual(['Mark gadgets', 'Scrap gadgets', 'Describe gadget']);
    const paint = screen.getByRole('option', { name: /Paint gadgets/ });
    expect(paint.getAttribute('aria-disabled')).toBe('true');
    expect(paint.textContent).toContain('There is no paint');
  });

  it('runs the row that it announces', async () => {
    const user = userEvent.setup();
    open();
    await user.keyboard('bee');
    await waitFor(() => expect(announced()).toBe('Beep'));
    await user.keyboard('{Enter}');
    await waitFor(() => expect(ran.map(({ id }) => id)).toEqual(['gadget.beep']));
    expect(isOpen()).toBe(false);
    open();
    await user.keyboard('>');
    expect(options()).toContain('Beep');
  });

  it('says what the announced command does', async () => {
    const user = userEvent.setup();
    open();
    await user.keyboard('bee');
    await waitFor(() => expect(announced()).toBe('Beep'));
    expect(screen.getByText('Make a noise.')).toBeTruthy();
    await user.keyboard('{Escape}');
    open({ invocation: { id: 'gadget.build', args: {} } });
    expect(screen.getByText('Make a gadget.')).toBeTruthy();
  });

  it('adds what is found late below, and leaves the announced row where it is', async () => {
    const user = userEvent.setup();
    open();
    await user.keyboard('pump');
    await screen.findByRole('option', { name: /North pump/ });
    await waitFor(() => expect(announced()).toBe('North pump'));
    await user.keyboard('{ArrowDown}');
    const before = announced();
    await user.keyboard('{ArrowUp}');
    expect(options()).toContain('South pump');
    expect(before).toBe('South pump');
  });

  it('queues an Enter that comes before the answer, and takes what is first then', async () => {
    const user = userEvent.setup();
    const answer = slowSearch();
    open();
    await user.keyboard('bee{Enter}');
    expect(announced()).toBe('');
    expect(ran).toEqual([]);
    answer();
    await waitFor(() => expect(ran.map(({ id }) => id)).toEqual(['gadget.beep']));
    expect(isOpen()).toBe(false);
  });

  it('says that the server is away instead of finding nothing, and looks again when it is back', async () => {
    const user = userEvent.setup();
    const away = vi.spyOn(gadget, 'search').mockRejectedValue(new ConnectError('away', Code.Unavailable));
    lost();
    open();
    await user.keyboard('pump');
    expect(await screen.findByText(/^Cannot reach .+\.$/)).toBeTruthy();
    expect(screen.queryByText('Nothing matches')).toBeNull();
    away.mockRestore();
    act(() => reached());
    await waitFor(() => expect(announced()).toBe('North pump'));
  });

  it('says that the server is away where a plan cannot be made', async () => {
    const user = userEvent.setup();
    vi.spyOn(gadget, 'list').mockRejectedValue(new ConnectError('away', Code.Unavailable));
    open();
    await user.keyboard('gadget mark state:ERROR ok');
    expect((await screen.findByRole('alert')).textContent).toMatch(/^Cannot reach .+\.$/);
  });

  it('keeps what is typed after an Enter that waits for where that leads, and drops it when that is nowhere', async () => {
    const user = userEvent.setup();
    const answer = slowSearch();
    open();
    await user.keyboard('mark{Enter}err');
    expect(field().value).toBe('mark');
    answer();
    await waitFor(() => expect(field().value).toBe('err'));
    await waitFor(() => expect(announced()).toBe('ERROR'));
    const find = slowSearch();
    open();
    await user.keyboard('zzzzzz{Enter}err');
    find();
    await screen.findByText('Nothing matches');
    await waitFor(() => expect(awaitsLayer()).toBe(false));
    expect(field().value).toBe('zzzzzz');
  });

  it('answers the same however fast it is typed', async () => {
    const user = userEvent.setup();
    open();
    await user.paste('pump');
    await waitFor(() => expect(announced()).toBe('North pump'));
    const pasted = options();
    await user.keyboard('{Escape}');
    open();
    for (const letter of 'pump') {
      await user.keyboard(letter);
      await waitFor(() => expect(announced()).not.toBe(''));
    }
    await waitFor(() => expect(options()).toEqual(pasted));
  });

  it('shows why a typed line cannot run where it stands, and loses nothing', async () => {
    const user = userEvent.setup();
    open();
    await user.keyboard('npx quarterdeck gadget describe state:OK --colour plaid');
    expect((await screen.findByRole('alert')).textContent).toBe('There is no plaid paint');
    await user.keyboard('{Enter}');
    expect(isOpen()).toBe(true);
    expect((await screen.findByRole('alert')).textContent).toBe('There is no plaid paint');
    expect(screen.getByText('gadget describe state:OK --colour plaid')).toBeTruthy();
    expect(ran).toEqual([]);
  });

  it('shows the plan of a typed line while it is typed, and runs that', async () => {
    const user = userEvent.setup();
    open();
    await user.keyboard('gadget mark state:ERROR ok');
    expect(await screen.findByText('Mark 2 gadgets OK')).toBeTruthy();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(ran).toHaveLength(1));
    expect(isOpen()).toBe(false);
  });

  it('counts while the plan of a typed line is made', async () => {
    const user = userEvent.setup();
    vi.spyOn(gadget, 'list').mockImplementation((context) => {
      context.progress({ done: 500, total: 21_822 });
      return new Promise(() => undefined);
    });
    open();
    await user.keyboard('gadget mark state:ERROR ok');
    expect(await screen.findByText('500 of 21,822')).toBeTruthy();
  });

  it('says at once how many a typed line may change, before each was looked up', async () => {
    const user = userEvent.setup();
    vi.spyOn(gadget, 'list').mockImplementation(async (_context, _compiled, { size }) =>
      size === 1 ? { items: [], total: 21_822 } : new Promise(() => undefined),
    );
    open();
    await user.keyboard('gadget mark state:ERROR ok');
    expect((await screen.findByText(/^Mark gadgets: up to/)).textContent).toContain('21822');
    expect(screen.queryByText('run')).toBeNull();
  });

  it('searches for no text that is longer than a search may be, and says so', async () => {
    const user = userEvent.setup();
    const asked = vi.spyOn(gadget, 'search');
    open();
    await user.paste('Beep '.repeat(150));
    expect(await screen.findByText(/^This is too long to search for/)).toBeTruthy();
    expect([options(), asked.mock.calls]).toEqual([[], []]);
  });

  it('offers no line to run that would change nothing', async () => {
    const user = userEvent.setup();
    open();
    await user.keyboard('gadget mark state:ERROR error');
    expect(await screen.findByText('Mark 0 gadgets ERROR')).toBeTruthy();
    expect(screen.getByRole('option').getAttribute('aria-disabled')).toBe('true');
    expect(screen.getByRole('option').textContent).toContain('Nothing to change');
    expect(screen.queryByText('run')).toBeNull();
    await user.keyboard('{Enter}');
    expect([ran, isOpen()]).toEqual([[], true]);
  });

  it('shows each of several pasted lines with its plan, and runs them as far as they go', async () => {
    const user = userEvent.setup();
    open();
    await user.paste('npx quarterdeck gadget mark state:OK warning\nnpx quarterdeck gadget mark state:OK purple');
    expect(await screen.findByText('Mark 1 gadgets WARNING')).toBeTruthy();
    expect(screen.getByRole('alert').textContent).toContain('purple');
    await user.keyboard('{Enter}');
    await waitFor(() => expect(ran).toHaveLength(1));
    expect(screen.getByRole<HTMLTextAreaElement>('textbox').value).toBe('gadget mark state:OK purple');
  });

  it('shows several pasted items, and what can be done to them', async () => {
    const user = userEvent.setup();
    open();
    await user.paste('AAAA BBBB\nCCCC DDDD\nFFFF 0000');
    const row = await screen.findByRole('option', { name: /Mark gadgets: 2 gadgets/ });
    await user.click(row);
    expect(await screen.findByText('2 gadgets')).toBeTruthy();
  });

  it('shows help for ? and narrows by a prefix', async () => {
    const user = userEvent.setup();
    open();
    await user.keyboard('?');
    expect(options()).toHaveLength(5);
    await user.keyboard('{Enter}');
    expect(screen.getByRole<HTMLInputElement>('combobox').value).toBe('>');
  });

  it('does what its hints say when they are clicked, as their keys do, and keeps the field focused', async () => {
    const user = userEvent.setup();
    open();
    await user.click(screen.getByRole('button', { name: / help$/ }));
    expect([options().length, screen.getByRole<HTMLInputElement>('combobox').value]).toEqual([5, '?']);
    expect(document.activeElement).toBe(screen.getByRole('combobox'));
    await user.click(screen.getByRole('button', { name: / choose$/ }));
    expect(screen.getByRole<HTMLInputElement>('combobox').value).toBe('>');
    await user.keyboard('mark');
    await user.click(screen.getByRole('button', { name: / as form$/ }));
    expect([isOpen(), store.get(formAtom)?.id]).toEqual([false, 'gadget.mark']);
    open();
    await user.click(screen.getByRole('button', { name: / close$/ }));
    expect(isOpen()).toBe(false);
  });

  it('queues a click on a hint that comes before the answer', async () => {
    const user = userEvent.setup();
    const answer = slowSearch();
    open();
    await user.keyboard('bee');
    await user.click(screen.getByRole('button', { name: / choose$/ }));
    expect(ran).toEqual([]);
    answer();
    await waitFor(() => expect(ran.map(({ id }) => id)).toEqual(['gadget.beep']));
  });

  it('gives focus back when Escape closes it', async () => {
    const user = userEvent.setup();
    const button = document.createElement('button');
    document.body.append(button);
    button.focus();
    open();
    expect(document.activeElement).toBe(screen.getByRole('combobox'));
    await user.keyboard('{Escape}');
    expect(isOpen()).toBe(false);
    expect(document.activeElement).toBe(button);
    button.remove();
  });
});
