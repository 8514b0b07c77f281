import { Code, ConnectError } from '@connectrpc/connect';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Provider } from 'jotai';
import { useMemo, useState } from 'react';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import type { Context } from '#commands/model/context.ts';
import { parseFilter } from '#commands/query/parse.ts';
import { gadget } from '#commands/testkit/gadget.ts';
import { reportUnreachable, reportReachable } from '#src/net/reach.ts';
import { showGadgets } from '#src/palette/testkit/show-gadgets.ts';
import { loadAll } from '#src/registry/registry.ts';
import { isQueued } from '#src/state/key-queue.ts';
import { store } from '#src/state/store.ts';

import { FilterLine, loadFilterLine } from './FilterLine.tsx';

vi.mock('#src/registry/loaders.ts', async () => (await import('#src/palette/testkit/registry.ts')).loaders);
beforeAll(async () => {
  await Promise.all([loadAll(), loadFilterLine()]);
});

const onFilter = vi.fn<(text: string) => void>();

function Screen({ text: initialText }: { text: string }) {
  const [text, setText] = useState(initialText);
  const filter = useMemo(() => parseFilter(text, gadget), [text]);
  return (
    <Provider store={store}>
      <FilterLine
        filter={filter}
        onText={(next) => {
          onFilter(next);
          setText(next);
        }}
        total={214}
      />
    </Provider>
  );
}

function openLine(text = ''): HTMLInputElement {
  render(<Screen text={text} />);
  const field = screen.getByRole<HTMLInputElement>('combobox', { name: 'Filter Gadgets' });
  field.focus();
  return field;
}

const lastFilter = () => onFilter.mock.lastCall?.[0];

beforeEach(() => {
  onFilter.mockClear();
  window.localStorage.clear();
  window.sessionStorage.clear();
  showGadgets();
});
afterEach(cleanup);

describe('the filter line', () => {
  test('completes keys and then values with counts', async () => {
    const user = userEvent.setup();
    const field = openLine();
    await user.keyboard('sta');
    expect((await screen.findByRole('option', { name: /state/ })).textContent).toContain('Its health');
    await user.keyboard('{Tab}');
    expect(field.value).toBe('state:');
    expect((await screen.findByRole('option', { name: /ERROR/ })).textContent).toContain('2');
    await user.keyboard('{Tab}{Enter}');
    await waitFor(() => expect(lastFilter()).toBe('state:ERROR'));
  });

  test('reports an invalid filter and does not apply it', async () => {
    const user = userEvent.setup();
    const field = openLine('state:ERROR');
    await user.keyboard('helth:OK ');
    expect((await screen.findByRole('alert')).textContent).not.toBe('');
    expect(field.getAttribute('aria-invalid')).toBe('true');
    await user.keyboard('{Enter}');
    expect(onFilter).not.toHaveBeenCalled();
  });

  test('moves through chips with the arrow keys and edits a chip with Backspace', async () => {
    const user = userEvent.setup();
    const field = openLine('state:ERROR volts>3');
    await user.keyboard('{ArrowLeft}{ArrowLeft}');
    expect(document.getElementById(field.getAttribute('aria-activedescendant') ?? '')?.textContent).toBe('state:ERROR');
    await user.keyboard('{Backspace}');
    expect(field.value).toBe('state:ERROR');
    await user.keyboard('{Backspace}{Backspace}{Backspace}{Backspace}{Backspace}OK{Enter}');
    await waitFor(() => expect(lastFilter()).toBe('state:OK volts>3'));
  });

  test('restores the filter on Escape and recalls earlier filters in an empty line', async () => {
    const user = userEvent.setup();
    const field = openLine();
    await user.keyboard('pump{Enter}');
    await waitFor(() => expect(lastFilter()).toBe('pump'));
    field.focus();
    await user.keyboard('x{Escape}');
    expect(lastFilter()).toBe('pump');
    cleanup();
    onFilter.mockClear();
    openLine();
    await user.keyboard('{ArrowUp}{Enter}');
    await waitFor(() => expect(lastFilter()).toBe('pump'));
  });

  test('selects everything with Ctrl+A to copy, clear, or replace it', async () => {
    const user = userEvent.setup();
    const field = openLine('state:ERROR volts>3');
    await user.keyboard('{Control>}a{/Control}');
    const setData = vi.fn<(type: string, text: string) => void>();
    fireEvent.copy(field, { clipboardData: { setData } });
    expect(setData).toHaveBeenCalledWith('text/plain', 'state:ERROR volts>3');
    await user.keyboard('{Backspace}{Enter}');
    await waitFor(() => expect(lastFilter()).toBe(''));
    cleanup();
    openLine('state:ERROR volts>3');
    await user.keyboard('{Control>}a{/Control}pump{Enter}');
    await waitFor(() => expect(lastFilter()).toBe('pump'));
  });

  test('removes a whole term with Ctrl+Backspace', async () => {
    const user = userEvent.setup();
    openLine('state:ERROR volts>3');
    await user.keyboard('{Control>}{Backspace}{/Control}{Enter}');
    await waitFor(() => expect(lastFilter()).toBe('state:ERROR'));
  });

  test('has a button that clears it', async () => {
    const user = userEvent.setup();
    openLine('state:ERROR');
    await user.click(screen.getByRole('button', { name: 'Clear the filter' }));
    expect(lastFilter()).toBe('');
    expect(screen.queryByRole('button', { name: 'Clear the filter' })).toBeNull();
  });

  test('suggests a correction and applies it with Tab', async () => {
    const user = userEvent.setup();
    const field = openLine('pump');
    await user.keyboard('statee:OK{Enter}');
    expect((await screen.findByRole('alert')).textContent).toContain("“statee” isn't a filter");
    expect((await screen.findAllByRole('option'))[0]?.textContent).toBe('state:OKdid you mean');
    await user.keyboard('{Tab}');
    expect(field.value).toBe('');
    await user.keyboard('{Enter}');
    await waitFor(() => expect(lastFilter()).toBe('state:OK pump'));
  });

  test('reports an incomplete term on Enter', async () => {
    const user = userEvent.setup();
    openLine();
    await user.keyboard('state:');
    await screen.findByRole('option', { name: /ERROR/ });
    expect(screen.queryByRole('alert')).toBeNull();
    await user.keyboard('{Enter}');
    expect((await screen.findByRole('alert')).textContent).toContain('needs a value');
    expect(onFilter).not.toHaveBeenCalled();
  });

  test('reports no problem while completions are loading', async () => {
    const field = openLine();
    fireEvent.change(field, { target: { value: 'state:' } });
    expect(screen.queryByRole('option', { name: /ERROR/ })).toBeNull();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(await screen.findByRole('option', { name: /ERROR/ })).toBeDefined();
  });

  test('keeps reporting a problem while typing continues', async () => {
    const field = openLine();
    fireEvent.change(field, { target: { value: 'helth:' } });
    await screen.findByRole('alert');
    fireEvent.change(field, { target: { value: 'helth:O' } });
    expect(screen.getByRole('alert').textContent).toContain('helth');
  });

  test('suggests corrections for values loaded from the server', async () => {
    const user = userEvent.setup();
    openLine();
    await user.keyboard('firmware:1.4.9{Enter}');
    expect((await screen.findByRole('alert')).textContent).toContain('Unknown value “1.4.9”');
    await user.keyboard('{Tab}{Enter}');
    await waitFor(() => expect(lastFilter()).toBe('firmware:1.4.0'));
  });

  test('holds keys typed after Enter for the rows until the filter is applied', async () => {
    const user = userEvent.setup();
    const names = vi.spyOn(
      gadget.filter['firmware'] as { allValues: (context: Context) => Promise<readonly string[]> },
      'allValues',
    );
    let answer = (_names: readonly string[]): void => undefined;
    names.mockReturnValue(new Promise((resolve) => (answer = resolve)));
    const field = openLine();
    await user.keyboard('firmware:2.0{Enter}');
    expect([isQueued(), document.activeElement]).toEqual([true, field]);
    answer(['2.0']);
    await waitFor(() => expect(lastFilter()).toBe('firmware:2.0'));
    await waitFor(() => expect([isQueued(), document.activeElement]).toEqual([false, document.body]));
    names.mockRestore();
  });

  test('closes its suggestions on a click elsewhere, even if names are still being looked up', async () => {
    const user = userEvent.setup();
    const answers: (() => void)[] = [];
    vi.spyOn(gadget.filter['firmware']!, 'apply').mockImplementation(
      () => new Promise<void>((resolve) => void answers.push(resolve)),
    );
    openLine();
    await user.keyboard('firmware:2.0 ');
    await screen.findByRole('option', { name: /state/ });
    await user.click(document.body);
    expect([screen.queryByRole('listbox'), lastFilter()]).toEqual([null, undefined]);
    act(() => {
      for (const answer of answers) answer();
    });
    await waitFor(() => expect(lastFilter()).toBe('firmware:2.0'));
  });

  test('retries after the server is reachable again', async () => {
    const user = userEvent.setup();
    const names = vi.spyOn(
      gadget.filter['firmware'] as { allValues: (context: Context) => Promise<readonly string[]> },
      'allValues',
    );
    names.mockRejectedValue(new ConnectError('unavailable', Code.Unavailable));
    openLine();
    await user.keyboard('firmware:2.0{Enter}');
    expect((await screen.findByRole('alert')).textContent).toMatch(/Can't reach .+\./);
    reportUnreachable();
    names.mockRestore();
    act(() => reportReachable());
    await waitFor(() => expect(lastFilter()).toBe('firmware:2.0'));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('accepts a term typed with spaces', async () => {
    const user = userEvent.setup();
    openLine();
    await user.keyboard('volts > 3 NOT state:OK {Enter}');
    await waitFor(() => expect(lastFilter()).toBe('-state:OK volts>3'));
  });
});
