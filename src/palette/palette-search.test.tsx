import { Code, ConnectError } from '@connectrpc/connect';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeAll, describe, expect, test, vi } from 'vitest';

import { gadget } from '#commands/testkit/gadget.ts';
import { reportUnreachable, reportReachable } from '#src/net/reach.ts';
import { loadAll } from '#src/registry/registry.ts';
import { isLayerPending } from '#src/state/key-queue.ts';
import { formAtom } from '#src/state/layers.ts';
import { store } from '#src/state/store.ts';

import { announcedRow, field, isOpen, open, options, blockSearch, showPalette } from './testkit/palette.tsx';
import { runLog } from './testkit/registry.ts';

vi.mock('#src/registry/loaders.ts', async () => (await import('./testkit/registry.ts')).loaders);
beforeAll(loadAll);

showPalette();

test('closes only on Escape and keeps the typed text until then', async () => {
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

describe('the palette search', () => {
  test('lists commands for the selection first and gives the reason for unavailable ones', () => {
    open();
    expect(options().slice(0, 3)).toEqual(['Mark gadgets', 'Scrap gadgets', 'Describe gadget']);
    const paint = screen.getByRole('option', { name: /Paint gadgets/ });
    expect(paint.getAttribute('aria-disabled')).toBe('true');
    expect(paint.textContent).toContain('There is no paint');
  });

  test('runs the announced row', async () => {
    const user = userEvent.setup();
    open();
    await user.keyboard('bee');
    await waitFor(() => expect(announcedRow()).toBe('Beep'));
    await user.keyboard('{Enter}');
    await waitFor(() => expect(runLog.map(({ id }) => id)).toEqual(['gadget.beep']));
    expect(isOpen()).toBe(false);
    open();
    await user.keyboard('>');
    expect(options()).toContain('Beep');
  });

  test('describes the announced command', async () => {
    const user = userEvent.setup();
    open();
    await user.keyboard('bee');
    await waitFor(() => expect(announcedRow()).toBe('Beep'));
    expect(screen.getByText('Make a noise.')).toBeTruthy();
    await user.keyboard('{Escape}');
    open({ invocation: { id: 'gadget.build', args: {} } });
    expect(screen.getByText('Make a gadget.')).toBeTruthy();
  });

  test('announces the first result and lists the others below', async () => {
    const user = userEvent.setup();
    open();
    await user.keyboard('pump');
    await screen.findByRole('option', { name: /North pump/ });
    await waitFor(() => expect(announcedRow()).toBe('North pump'));
    await user.keyboard('{ArrowDown}');
    const before = announcedRow();
    await user.keyboard('{ArrowUp}');
    expect(options()).toContain('South pump');
    expect(before).toBe('South pump');
  });

  test('queues Enter until results arrive and then runs the first', async () => {
    const user = userEvent.setup();
    const finishSearch = blockSearch();
    open();
    await user.keyboard('bee{Enter}');
    expect(announcedRow()).toBe('');
    expect(runLog).toEqual([]);
    finishSearch();
    await waitFor(() => expect(runLog.map(({ id }) => id)).toEqual(['gadget.beep']));
    expect(isOpen()).toBe(false);
  });

  test('keeps waiting for results that are slow, and drops Enter if they take too long', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
    const finishSearch = blockSearch();
    open();
    await user.keyboard('bee{Enter}');
    await act(() => vi.advanceTimersByTimeAsync(9000));
    expect([runLog, isOpen()]).toEqual([[], true]);
    finishSearch();
    await waitFor(() => expect(runLog.map(({ id }) => id)).toEqual(['gadget.beep']));
    expect(gadget.search).toHaveBeenCalledOnce();
    blockSearch();
    open();
    await user.keyboard('bee{Enter}');
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    expect(screen.getByText(/^Loading takes too long/)).toBeTruthy();
    expect([runLog.length, isOpen(), isLayerPending()]).toEqual([1, true, false]);
    vi.useRealTimers();
  });

  test('searches again once an unreachable server is reachable', async () => {
    const user = userEvent.setup();
    const search = vi.spyOn(gadget, 'search').mockRejectedValue(new ConnectError('unavailable', Code.Unavailable));
    reportUnreachable();
    open();
    await user.keyboard('pump');
    expect(await screen.findByText(/^Can't reach .+\.$/)).toBeTruthy();
    expect(screen.queryByText('Nothing matches')).toBeNull();
    search.mockRestore();
    act(() => reportReachable());
    await waitFor(() => expect(announcedRow()).toBe('North pump'));
  });

  test("reports an unreachable server if a plan can't be created", async () => {
    const user = userEvent.setup();
    vi.spyOn(gadget, 'list').mockRejectedValue(new ConnectError('unavailable', Code.Unavailable));
    open();
    await user.keyboard('gadget mark state:ERROR ok');
    expect((await screen.findByRole('alert')).textContent).toMatch(/^Can't reach .+\.$/);
  });

  test.each([
    ["gadget build ''", 'Name: Please enter a value.'],
    ['gadget build " "', 'Name: Please enter a value.'],
  ])("reports below the line that a value can't be empty: %s", async (line, problem) => {
    open();
    await userEvent.setup().keyboard(line);
    expect((await screen.findByRole('alert')).textContent).toBe(problem);
  });

  test('suggests a correction for a mistyped verb and keeps the line on Enter', async () => {
    const user = userEvent.setup();
    open();
    await user.keyboard('gadget biuld pump{Enter}');
    await waitFor(
      () => expect(document.body.textContent).toContain("“gadget biuld” isn't a command. Did you mean gadget build?"),
      { timeout: 1500 },
    );
    expect(field().value).toBe('gadget biuld pump');
  });

  test('searches for words that only start like a verb', async () => {
    open();
    await userEvent.setup().keyboard('gadget bui pump');
    expect(await screen.findByText('Nothing matches')).toBeTruthy();
  });

  test('keeps keys typed after a pending Enter, or drops them if nothing matches', async () => {
    const user = userEvent.setup();
    const finishSearch = blockSearch();
    open();
    await user.keyboard('mark{Enter}err');
    expect(field().value).toBe('mark');
    finishSearch();
    await waitFor(() => expect(field().value).toBe('err'));
    await waitFor(() => expect(announcedRow()).toBe('ERROR'));
    const finishSecondSearch = blockSearch();
    open();
    await user.keyboard('zzzzzz{Enter}err');
    finishSecondSearch();
    await screen.findByText('Nothing matches');
    await waitFor(() => expect(isLayerPending()).toBe(false));
    expect(field().value).toBe('zzzzzz');
  });

  test('gives the same results regardless of typing speed', async () => {
    const user = userEvent.setup();
    open();
    await user.paste('pump');
    await waitFor(() => expect(announcedRow()).toBe('North pump'));
    const optionsAfterPaste = options();
    await user.keyboard('{Escape}');
    open();
    for (const letter of 'pump') {
      await user.keyboard(letter);
      await waitFor(() => expect(announcedRow()).not.toBe(''));
    }
    await waitFor(() => expect(options()).toEqual(optionsAfterPaste));
  });

  test("shows why a typed line can't run and keeps it", async () => {
    const user = userEvent.setup();
    open();
    await user.keyboard('npx quarterdeck gadget describe state:OK --color plaid');
    expect((await screen.findByRole('alert')).textContent).toBe('There is no plaid paint');
    await user.keyboard('{Enter}');
    expect(isOpen()).toBe(true);
    expect((await screen.findByRole('alert')).textContent).toBe('There is no plaid paint');
    expect(screen.getByText('gadget describe state:OK --color plaid')).toBeTruthy();
    expect(runLog).toEqual([]);
  });

  test('keeps a line with a wrong value on Enter, although its words also match a command', async () => {
    const user = userEvent.setup();
    open();
    await user.keyboard('gadget mark gad mark');
    await waitFor(() => expect(options()).toEqual(['gadget mark gad mark', 'Mark gadgets']));
    expect(announcedRow()).toBe('gadget mark gad mark');
    await user.keyboard('{Enter}');
    expect([runLog, isOpen(), field().value]).toEqual([[], true, 'gadget mark gad mark']);
  });

  test('shows the plan for a typed line and runs it', async () => {
    const user = userEvent.setup();
    open();
    await user.keyboard('gadget mark state:ERROR ok');
    expect(await screen.findByText('Mark 2 gadgets OK')).toBeTruthy();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(runLog).toHaveLength(1));
    expect(isOpen()).toBe(false);
  });

  test('shows progress while planning a typed line', async () => {
    const user = userEvent.setup();
    vi.spyOn(gadget, 'list').mockImplementation((context) => {
      context.progress({ done: 500, total: 21_822 });
      return new Promise(() => undefined);
    });
    open();
    await user.keyboard('gadget mark state:ERROR ok');
    expect(await screen.findByText('500 of 21,822')).toBeTruthy();
  });

  test('immediately shows how many items a typed line can change', async () => {
    const user = userEvent.setup();
    vi.spyOn(gadget, 'list').mockImplementation(async (_context, _compiled, { size }) =>
      size === 1 ? { items: [], total: 21_822 } : new Promise(() => undefined),
    );
    open();
    await user.keyboard('gadget mark state:ERROR ok');
    expect((await screen.findByText(/^Mark gadgets: up to/)).textContent).toContain('21822');
    expect(screen.queryByText('run')).toBeNull();
  });

  test('says so instead of searching if the query is too long', async () => {
    const user = userEvent.setup();
    const search = vi.spyOn(gadget, 'search');
    open();
    await user.paste('Beep '.repeat(150));
    expect(await screen.findByText(/^This is too long to search for/)).toBeTruthy();
    expect([options(), search.mock.calls]).toEqual([[], []]);
  });

  test('disables a typed line that would change nothing', async () => {
    const user = userEvent.setup();
    open();
    await user.keyboard('gadget mark state:ERROR error');
    expect(await screen.findByText('Mark 0 gadgets ERROR')).toBeTruthy();
    expect(screen.getByRole('option').getAttribute('aria-disabled')).toBe('true');
    expect(screen.getByRole('option').textContent).toContain('Nothing to change');
    expect(screen.queryByText('run')).toBeNull();
    await user.keyboard('{Enter}');
    expect([runLog, isOpen()]).toEqual([[], true]);
  });

  test('shows the plan for each pasted line and runs the valid ones', async () => {
    const user = userEvent.setup();
    open();
    await user.paste('npx quarterdeck gadget mark state:OK warning\nnpx quarterdeck gadget mark state:OK purple');
    expect(await screen.findByText('Mark 1 gadgets WARNING')).toBeTruthy();
    expect(screen.getByRole('alert').textContent).toContain('purple');
    await user.keyboard('{Enter}');
    await waitFor(() => expect(runLog).toHaveLength(1));
    expect(screen.getByRole<HTMLTextAreaElement>('textbox').value).toBe('gadget mark state:OK purple');
  });

  test('shows pasted items and offers commands for them', async () => {
    const user = userEvent.setup();
    open();
    await user.paste('AAAA BBBB\nCCCC DDDD\nFFFF 0000');
    const row = await screen.findByRole('option', { name: /Mark gadgets: 2 gadgets/ });
    await user.click(row);
    expect(await screen.findByText('2 gadgets')).toBeTruthy();
  });

  test('shows help for ? and inserts the chosen prefix', async () => {
    const user = userEvent.setup();
    open();
    await user.keyboard('?');
    expect(options()).toHaveLength(5);
    await user.keyboard('{Enter}');
    expect(screen.getByRole<HTMLInputElement>('combobox').value).toBe('>');
  });

  test('runs a clicked hint and keeps the field focused', async () => {
    const user = userEvent.setup();
    open();
    await user.click(screen.getByRole('button', { name: 'help' }));
    expect([options().length, screen.getByRole<HTMLInputElement>('combobox').value]).toEqual([5, '?']);
    expect(document.activeElement).toBe(screen.getByRole('combobox'));
    await user.click(screen.getByRole('button', { name: 'choose' }));
    expect(screen.getByRole<HTMLInputElement>('combobox').value).toBe('>');
    await user.keyboard('mark');
    await user.click(screen.getByRole('button', { name: 'as a form' }));
    expect([isOpen(), store.get(formAtom)?.id]).toEqual([false, 'gadget.mark']);
    open();
    await user.click(screen.getByRole('button', { name: 'close' }));
    expect(isOpen()).toBe(false);
  });

  test('queues a click on a hint until results arrive', async () => {
    const user = userEvent.setup();
    const finishSearch = blockSearch();
    open();
    await user.keyboard('bee');
    await user.click(screen.getByRole('button', { name: 'choose' }));
    expect(runLog).toEqual([]);
    finishSearch();
    await waitFor(() => expect(runLog.map(({ id }) => id)).toEqual(['gadget.beep']));
  });

  test('restores focus when Escape closes it', async () => {
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
