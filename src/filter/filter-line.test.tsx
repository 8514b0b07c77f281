import { Code, ConnectError } from '@connectrpc/connect';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Provider } from 'jotai';
import { useMemo, useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { Context } from '#commands/model/context.ts';
import { parseFilter } from '#commands/query/parse.ts';
import { gadget } from '#commands/testkit/gadget.ts';

import { standAtGadgets } from '#src/palette/testkit/stand.ts';
import { lost, reached } from '#src/net/reach.ts';
import { store } from '#src/state/store.ts';
import { FilterLine } from './FilterLine.tsx';

vi.mock('#commands/nouns/all.ts', async () => ({
  registry: (await import('#src/palette/testkit/registry.ts')).registry,
}));

const committed = vi.fn<(text: string) => void>();

function Screen({ text: first }: { text: string }) {
  const [text, setText] = useState(first);
  const filter = useMemo(() => parseFilter(text, gadget), [text]);
  return (
    <Provider store={store}>
      <FilterLine
        filter={filter}
        onText={(next) => {
          committed(next);
          setText(next);
        }}
        total={214}
      />
    </Provider>
  );
}

function open(text = ''): HTMLInputElement {
  render(<Screen text={text} />);
  const field = screen.getByRole<HTMLInputElement>('combobox', { name: 'Filter Gadgets' });
  field.focus();
  return field;
}

const last = () => committed.mock.lastCall?.[0];

beforeEach(() => {
  committed.mockClear();
  window.localStorage.clear();
  window.sessionStorage.clear();
  standAtGadgets();
});
afterEach(cleanup);

describe('the filter line', () => {
  it('completes keys, then values with their counts', async () => {
    const user = userEvent.setup();
    const field = open();
    await user.keyboard('sta');
    expect((await screen.findByRole('option', { name: /state/ })).textContent).toContain('Its health');
    await user.keyboard('{Tab}');
    expect(field.value).toBe('state:');
    expect((await screen.findByRole('option', { name: /ERROR/ })).textContent).toContain('2');
    await user.keyboard('{Tab}{Enter}');
    await waitFor(() => expect(last()).toBe('state:ERROR'));
  });

  it('keeps the rows of the last good filter while something is wrong, and says what', async () => {
    const user = userEvent.setup();
    const field = open('state:ERROR');
    await user.keyboard('helth:OK ');
    expect((await screen.findByRole('alert')).textContent).not.toBe('');
    expect(field.getAttribute('aria-invalid')).toBe('true');
    await user.keyboard('{Enter}');
    expect(committed).not.toHaveBeenCalled();
  });

  it('lets the arrows walk the chips, and Backspace edit one as text', async () => {
    const user = userEvent.setup();
    const field = open('state:ERROR volts>3');
    await user.keyboard('{ArrowLeft}{ArrowLeft}');
    expect(document.getElementById(field.getAttribute('aria-activedescendant') ?? '')?.textContent).toBe('state:ERROR');
    await user.keyboard('{Backspace}');
    expect(field.value).toBe('state:ERROR');
    await user.keyboard('{Backspace}{Backspace}{Backspace}{Backspace}{Backspace}OK{Enter}');
    await waitFor(() => expect(last()).toBe('state:OK volts>3'));
  });

  it('goes back to what it was on Escape, and recalls earlier filters from an empty line', async () => {
    const user = userEvent.setup();
    const field = open();
    await user.keyboard('pump{Enter}');
    await waitFor(() => expect(last()).toBe('pump'));
    field.focus();
    await user.keyboard('x{Escape}');
    expect(last()).toBe('pump');
    cleanup();
    committed.mockClear();
    open();
    await user.keyboard('{ArrowUp}{Enter}');
    await waitFor(() => expect(last()).toBe('pump'));
  });

  it('selects all of it with Ctrl+A: Backspace clears, a letter replaces, copying takes the text', async () => {
    const user = userEvent.setup();
    const field = open('state:ERROR volts>3');
    await user.keyboard('{Control>}a{/Control}');
    const setData = vi.fn<(type: string, text: string) => void>();
    fireEvent.copy(field, { clipboardData: { setData } });
    expect(setData).toHaveBeenCalledWith('text/plain', 'state:ERROR volts>3');
    await user.keyboard('{Backspace}{Enter}');
    await waitFor(() => expect(last()).toBe(''));
    cleanup();
    open('state:ERROR volts>3');
    await user.keyboard('{Control>}a{/Control}pump{Enter}');
    await waitFor(() => expect(last()).toBe('pump'));
  });

  it('removes a whole term with Ctrl+Backspace', async () => {
    const user = userEvent.setup();
    open('state:ERROR volts>3');
    await user.keyboard('{Control>}{Backspace}{/Control}{Enter}');
    await waitFor(() => expect(last()).toBe('state:ERROR'));
  });

  it('is cleared by its button', async () => {
    const user = userEvent.setup();
    open('state:ERROR');
    await user.click(screen.getByRole('button', { name: 'Clear the filter' }));
    expect(last()).toBe('');
    expect(screen.queryByRole('button', { name: 'Clear the filter' })).toBeNull();
  });

  it('says what was probably meant, and takes it with Tab', async () => {
    const user = userEvent.setup();
    const field = open('pump');
    await user.keyboard('statee:OK{Enter}');
    expect((await screen.findByRole('alert')).textContent).toContain('There is no filter “statee”');
    expect((await screen.findAllByRole('option'))[0]?.textContent).toBe('state:OKdid you mean');
    await user.keyboard('{Tab}');
    expect(field.value).toBe('');
    await user.keyboard('{Enter}');
    await waitFor(() => expect(last()).toBe('state:OK pump'));
  });

  it('says on Enter what an unfinished term lacks', async () => {
    const user = userEvent.setup();
    open();
    await user.keyboard('state:');
    await screen.findByRole('option', { name: /ERROR/ });
    expect(screen.queryByRole('alert')).toBeNull();
    await user.keyboard('{Enter}');
    expect((await screen.findByRole('alert')).textContent).toContain('needs a value');
    expect(committed).not.toHaveBeenCalled();
  });

  it('says nothing against a term while what completes it is looked up', async () => {
    const field = open();
    fireEvent.change(field, { target: { value: 'state:' } });
    expect(screen.queryByRole('option', { name: /ERROR/ })).toBeNull();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(await screen.findByRole('option', { name: /ERROR/ })).toBeDefined();
  });

  it('goes on saying what is wrong while more is typed', async () => {
    const field = open();
    fireEvent.change(field, { target: { value: 'helth:' } });
    await screen.findByRole('alert');
    fireEvent.change(field, { target: { value: 'helth:O' } });
    expect(screen.getByRole('alert').textContent).toContain('helth');
  });

  it('offers what was meant by names that are looked up, too', async () => {
    const user = userEvent.setup();
    open();
    await user.keyboard('firmware:1.4.9{Enter}');
    expect((await screen.findByRole('alert')).textContent).toContain('no “1.4.9”');
    await user.keyboard('{Tab}{Enter}');
    await waitFor(() => expect(last()).toBe('firmware:1.4.0'));
  });

  it('tries again what the server was away for, as soon as it is back', async () => {
    const user = userEvent.setup();
    const names = vi.spyOn(
      gadget.filter['firmware'] as { every: (context: Context) => Promise<readonly string[]> },
      'every',
    );
    names.mockRejectedValue(new ConnectError('away', Code.Unavailable));
    open();
    await user.keyboard('firmware:2.0{Enter}');
    expect((await screen.findByRole('alert')).textContent).toMatch(/Cannot reach .+\./);
    lost();
    names.mockRestore();
    act(() => reached());
    await waitFor(() => expect(last()).toBe('firmware:2.0'));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('reads terms that are typed apart as one', async () => {
    const user = userEvent.setup();
    open();
    await user.keyboard('volts > 3 NOT state:OK {Enter}');
    await waitFor(() => expect(last()).toBe('-state:OK volts>3'));
  });
});
