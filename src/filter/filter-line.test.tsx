import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Provider } from 'jotai';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { gadget } from '#commands/testing/gadget';

import { standAtGadgets } from '../palette/testing/stand.ts';
import { store } from '../state/store.ts';
import { FilterLine } from './FilterLine.tsx';

vi.mock('#commands/all', async () => ({ registry: (await import('../palette/testing/registry.ts')).registry }));

const committed = vi.fn<(text: string) => void>();

function Screen({ text: first }: { text: string }) {
  const [text, setText] = useState(first);
  return (
    <Provider store={store}>
      <FilterLine
        entity={gadget}
        text={text}
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
});
