import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { Combobox, type ComboboxLabels } from './fields/Combobox.tsx';
import type { ComboboxOption, LoadOptions } from './fields/use-async-options.ts';
import { Dialog } from './overlays/Dialog.tsx';
import { createToastStore } from './overlays/toast-store.ts';
import { Toasts } from './overlays/Toasts.tsx';

afterEach(cleanup);

const TAGS = ['Needs visit', 'Needs valve check', 'North field'].map((label) => ({ id: label, label }));
const labels: ComboboxLabels = {
  loading: 'Loading',
  empty: 'No tag matches',
  failed: String,
  remove: (label) => `Remove ${label}`,
};

function TagPicker({ load }: { load: LoadOptions }) {
  const [selectedOptions, setSelectedOptions] = useState<readonly ComboboxOption[]>([]);
  return (
    <Combobox
      multiple
      load={load}
      selectedOptions={selectedOptions}
      onSelected={setSelectedOptions}
      onUnfinished={() => undefined}
      labels={labels}
    />
  );
}

const search: LoadOptions = async (query) => TAGS.filter((tag) => tag.label.toLowerCase().includes(query));

describe('Combobox', () => {
  test('picks the announced option with the keyboard and removes it with Backspace', async () => {
    const user = userEvent.setup();
    render(<TagPicker load={search} />);
    const input = screen.getByRole('combobox');
    await user.type(input, 'needs');
    await screen.findByRole('option', { name: 'Needs valve check' });
    await user.keyboard('{ArrowDown}');
    const announcedOption = document.getElementById(input.getAttribute('aria-activedescendant') ?? '');
    expect(announcedOption?.textContent).toBe('Needs valve check');
    await user.keyboard('{Enter}');
    expect(screen.getByRole('button', { name: 'Remove Needs valve check' })).toBeTruthy();
    await user.keyboard('{Escape}{Backspace}');
    expect(screen.queryByRole('button', { name: 'Remove Needs valve check' })).toBeNull();
  });

  test('ignores a response to an older query', async () => {
    const resolvers = new Map<string, (options: ComboboxOption[]) => void>();
    render(<TagPicker load={(query) => new Promise((resolve) => resolvers.set(query, resolve))} />);
    const input = screen.getByRole('combobox');
    fireEvent.change(input, { target: { value: 'n' } });
    fireEvent.change(input, { target: { value: 'no' } });
    await act(async () => resolvers.get('no')?.([{ id: 'north', label: 'North field' }]));
    await act(async () => resolvers.get('n')?.([{ id: 'needs', label: 'Needs visit' }]));
    expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual(['North field']);
  });

  describe('in a form', () => {
    const onSubmit = vi.fn<() => void>();
    const holdEvents: string[] = [];
    const holdKeys = () => {
      holdEvents.push('hold');
      return { release: () => void holdEvents.push('release'), drop: () => void holdEvents.push('drop') };
    };
    let resolveOptions: (options: readonly ComboboxOption[]) => Promise<void>;
    const slow: LoadOptions = (query) =>
      new Promise((resolve) => {
        resolveOptions = (options) => act(async () => resolve(options.filter(({ label }) => label.includes(query))));
      });

    const unfinished = vi.fn<(text: string | undefined) => void>();

    function Form({ load }: { load: LoadOptions }) {
      const [selectedOptions, setSelectedOptions] = useState<readonly ComboboxOption[]>([]);
      return (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            onSubmit();
          }}
          onKeyDown={(event) => event.key === 'Enter' && event.ctrlKey && onSubmit()}
        >
          <Combobox
            multiple
            load={load}
            selectedOptions={selectedOptions}
            onSelected={setSelectedOptions}
            onUnfinished={unfinished}
            labels={labels}
            holdKeys={holdKeys}
          />
          <input aria-label="Next" />
          <button type="submit">Send</button>
        </form>
      );
    }

    beforeEach(() => {
      onSubmit.mockClear();
      unfinished.mockClear();
      holdEvents.length = 0;
    });

    test.each(['{Enter}', '{Control>}{Enter}{/Control}', '{Tab}'])(
      'picks the typed option on %s once it has loaded, without submitting',
      async (key) => {
        const user = userEvent.setup();
        render(<Form load={slow} />);
        await user.type(screen.getByRole('combobox'), 'North');
        await user.keyboard(key);
        expect(screen.queryByRole('button', { name: /^Remove/ })).toBeNull();
        expect(holdEvents).toEqual(['hold']);
        await resolveOptions(TAGS);
        expect(screen.getByRole('button', { name: 'Remove North field' })).toBeTruthy();
        expect(holdEvents).toEqual(['hold', 'release']);
        expect(onSubmit).not.toHaveBeenCalled();
        const focus = screen.getByRole(key === '{Tab}' ? 'textbox' : 'combobox');
        expect(document.activeElement).toBe(focus);
      },
    );

    test('keeps text that matches nothing and does not submit', async () => {
      const user = userEvent.setup();
      render(<Form load={slow} />);
      const input = screen.getByRole<HTMLInputElement>('combobox');
      await user.type(input, 'zzz');
      await user.keyboard('{Tab}');
      await resolveOptions(TAGS);
      expect(holdEvents.slice(0, 2)).toEqual(['hold', 'drop']);
      expect(document.activeElement).toBe(input);
      expect(input.value).toBe('zzz');
      expect(screen.getByText('No tag matches')).toBeTruthy();
      await user.keyboard('{Enter}{Control>}{Enter}{/Control}');
      expect(onSubmit).not.toHaveBeenCalled();
      await user.clear(input);
      await user.keyboard('{Escape}{Enter}');
      expect(onSubmit).toHaveBeenCalledOnce();
    });

    test('reports text as unfinished after a click elsewhere, until picked or cleared', async () => {
      const user = userEvent.setup();
      render(<Form load={search} />);
      const input = screen.getByRole<HTMLInputElement>('combobox');
      await user.type(input, 'north');
      await user.click(screen.getByRole('textbox', { name: 'Next' }));
      expect(input.value).toBe('north');
      expect(screen.queryByRole('button', { name: /^Remove/ })).toBeNull();
      expect(unfinished.mock.calls).toEqual([['north']]);
      await user.click(input);
      await user.click(await screen.findByRole('option', { name: 'North field' }));
      expect(screen.getByRole('button', { name: 'Remove North field' })).toBeTruthy();
      expect(input.value).toBe('');
      await user.type(input, 'needs');
      await user.click(screen.getByRole('textbox', { name: 'Next' }));
      await user.clear(input);
      expect(unfinished.mock.calls).toEqual([['north'], ['needs'], [undefined]]);
    });

    test('clears the text on Escape without reporting it as unfinished', async () => {
      const user = userEvent.setup();
      render(<Form load={search} />);
      const input = screen.getByRole<HTMLInputElement>('combobox');
      await user.type(input, 'north');
      await user.keyboard('{Escape}');
      await user.click(screen.getByRole('textbox', { name: 'Next' }));
      expect(input.value).toBe('');
      expect(unfinished).not.toHaveBeenCalled();
    });

    test('picks a single option no matter how often Enter is pressed', async () => {
      const user = userEvent.setup();
      render(<Form load={search} />);
      await user.type(screen.getByRole('combobox'), 'north');
      await screen.findByRole('option', { name: 'North field' });
      await user.keyboard('{Enter}');
      await screen.findByRole('option', { name: 'Needs visit' });
      await user.keyboard('{Enter}');
      expect(screen.getAllByRole('button', { name: /^Remove/ })).toHaveLength(1);
      expect(onSubmit).not.toHaveBeenCalled();
      await user.keyboard('{ArrowUp}{Enter}');
      expect(screen.queryByRole('button', { name: /^Remove/ })).toBeNull();
    });
  });

  test('reports that nothing matches', async () => {
    render(<TagPicker load={search} />);
    fireEvent.change(screen.getByRole('combobox'), { target: { value: 'zzz' } });
    expect(await screen.findByText('No tag matches')).toBeTruthy();
  });
});

test('restores focus when a dialog closes', async () => {
  const user = userEvent.setup();
  function Page() {
    const [open, setOpen] = useState(false);
    return (
      <>
        <button type="button" onClick={() => setOpen(true)}>
          Delete
        </button>
        <Dialog open={open} onCancel={() => setOpen(false)} title="Delete 3 tags">
          <input aria-label="Type 3" />
        </Dialog>
      </>
    );
  }
  render(<Page />);
  await user.click(screen.getByRole('button', { name: 'Delete' }));
  const dialog = screen.getByRole('dialog', { name: 'Delete 3 tags' });
  screen.getByLabelText('Type 3').focus();
  act(() => {
    dialog.dispatchEvent(new Event('cancel', { cancelable: true }));
  });
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(document.activeElement?.textContent).toBe('Delete');
});

test.each([
  ['neutral', 'polite'],
  ['error', 'assertive'],
] as const)('announces a toast with the tone “%s” as %s, with its action', async (tone, urgency) => {
  const store = createToastStore();
  render(<Toasts store={store} container={document.body} label="Notifications" closeLabel="Close" />);
  act(
    () => void store.push({ title: 'Tag assigned', detail: 'to 3 devices', tone, action: { label: 'Undo', run() {} } }),
  );
  const status = await screen.findByRole('status');
  await waitFor(() => expect(status.textContent).toMatch(/Tag assigned.*to 3 devices.*Undo/));
  expect(status.textContent).not.toContain('Close');
  expect(status.getAttribute('aria-live')).toBe(urgency);
});

test('has no key of its own, because its keys would not be listed and could not be changed', async () => {
  const store = createToastStore();
  render(<Toasts store={store} container={document.body} label="Notifications" closeLabel="Close" />);
  act(() => void store.push({ title: 'Tag assigned' }));
  expect((await screen.findByRole('region')).getAttribute('aria-label')).toBe('Notifications');
  await userEvent.keyboard('{F8}');
  expect(document.activeElement).toBe(document.body);
});

test('shows an error that repeats only once, with the latest on top', () => {
  const store = createToastStore();
  const texts = () => store.list().map(({ title, detail = '' }) => title + detail);
  store.push({ title: 'No connection', tone: 'error' });
  const [first] = store.list();
  store.push({ title: 'No connection', detail: ' to the printer', tone: 'error' });
  store.push({ title: 'Tag assigned' });
  store.push({ title: 'No connection', tone: 'error' });
  expect(texts()).toEqual(['No connection', 'Tag assigned', 'No connection to the printer']);
  expect(store.list()[0]?.id).not.toBe(first?.id);
});

test('keeps an error whose action is not offered by the later one', () => {
  const store = createToastStore();
  const action = { label: 'Try again', run: () => undefined };
  store.push({ title: 'No connection', tone: 'error', action });
  store.push({ title: 'No connection', tone: 'error', action: { ...action, run: () => undefined } });
  expect(store.list()).toHaveLength(2);
});

test('shows the newest toast first, limits how many appear, and runs their actions', async () => {
  const store = createToastStore();
  const undo = vi.fn<() => void>();
  render(<Toasts store={store} container={document.body} label="Notifications" closeLabel="Close" />);
  act(() => {
    for (const title of ['one', 'two', 'three', 'four']) store.push({ title });
    store.push({ title: 'Tag assigned', action: { label: 'Undo', run: undo } });
  });
  expect(store.list().map((toast) => toast.title)).toEqual(['Tag assigned', 'four', 'three', 'two']);
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
  expect(undo).toHaveBeenCalledOnce();
  expect(store.list().map((toast) => toast.title)).not.toContain('Tag assigned');
});

describe('a toast that waits for the user', () => {
  const waiting = (onDismiss: () => void, run = (): void => undefined) => {
    const store = createToastStore();
    render(<Toasts store={store} container={document.body} label="Notifications" closeLabel="Close" />);
    act(
      () =>
        void store.push({ title: 'Interrupted', duration: Infinity, action: { label: 'Continue', run }, onDismiss }),
    );
    return { titles: () => store.list().map(({ title }) => title), store };
  };

  test('outlasts newer ones, and Escape elsewhere', async () => {
    const onDismiss = vi.fn<() => void>();
    const { titles, store } = waiting(onDismiss);
    act(() => {
      for (const title of ['one', 'two', 'three', 'four']) store.push({ title });
    });
    expect(titles()).toEqual(['four', 'three', 'two', 'Interrupted']);
    for (let count = 0; count < 4; count++) await userEvent.keyboard('{Escape}');
    expect(titles()).toEqual(['Interrupted']);
    expect(onDismiss).not.toHaveBeenCalled();
  });

  test('is dismissed with its button, or with Escape inside it', async () => {
    const onDismiss = vi.fn<() => void>();
    const { titles, store } = waiting(onDismiss);
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect([titles(), onDismiss.mock.calls.length]).toEqual([[], 1]);
    act(() => void store.push({ title: 'Again', duration: Infinity, onDismiss }));
    act(() => screen.getByRole('button', { name: 'Close' }).focus());
    await userEvent.keyboard('{Escape}');
    expect([titles(), onDismiss.mock.calls.length]).toEqual([[], 2]);
  });

  test('is closed but not dismissed by its action', async () => {
    const [onDismiss, run] = [vi.fn<() => void>(), vi.fn<() => void>()];
    const { titles } = waiting(onDismiss, run);
    await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
    expect([titles(), run.mock.calls.length, onDismiss.mock.calls.length]).toEqual([[], 1, 0]);
  });
});
