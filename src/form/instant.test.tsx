import { Code, ConnectError } from '@connectrpc/connect';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Provider } from 'jotai';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';

import { reportUnreachable, reportReachable } from '#src/net/reach.ts';
import { showGadgets } from '#src/palette/testkit/show-gadgets.ts';
import { loadAll } from '#src/registry/registry.ts';
import { store } from '#src/state/store.ts';

import { InstantForm } from './InstantForm.tsx';

const savedTones: unknown[] = [];
let tone = 'LOW';
let isUnreachable = false;
let loading: Promise<void> | undefined;

vi.mock('#src/registry/loaders.ts', async () => {
  const { command } = await import('#commands/model/command.ts');
  const { p, required } = await import('#commands/model/params.ts');
  const { loadersFor } = await import('#src/registry/testkit/loaders.ts');
  const tune = command({
    id: 'gadget.tune',
    effect: 'navigate',
    params: { tone: required(p.choice(['LOW', 'MIDDLE', 'HIGH'])) },
    positional: ['tone'],
    initial: async () => {
      if (isUnreachable) throw new ConnectError('unavailable', Code.Unavailable);
      await loading;
      return { values: { tone } };
    },
    run: async (_context, { tone: chosenTone }) => {
      savedTones.push(chosenTone);
      tone = chosenTone;
      return {};
    },
  });
  return loadersFor({ gadget: { commands: [tune] } });
});
beforeAll(loadAll);

beforeEach(() => {
  showGadgets();
  savedTones.length = 0;
  tone = 'LOW';
  isUnreachable = false;
  loading = undefined;
});
afterEach(cleanup);

test('saves the last choice after a pause, without a button, and keeps focus', async () => {
  const user = userEvent.setup();
  render(
    <Provider store={store}>
      <InstantForm command="gadget.tune" args={{}} version={1} />
    </Provider>,
  );
  const list = await screen.findByRole<HTMLSelectElement>('combobox');
  expect(list.value).toBe('LOW');
  expect(screen.queryByRole('button')).toBeNull();
  list.focus();
  // As when the user moves through a list by letters, the value in between is not saved.
  await user.selectOptions(list, 'MIDDLE');
  await user.selectOptions(list, 'HIGH');
  await waitFor(() => expect(savedTones).toEqual(['HIGH']));
  expect(document.activeElement).toBe(list);
  await waitFor(() => expect(list.value).toBe('HIGH'));
});

test('marks no field as required, because each already has a value', async () => {
  const { container } = render(
    <Provider store={store}>
      <InstantForm command="gadget.tune" args={{}} version={1} />
    </Provider>,
  );
  expect((await screen.findByRole('combobox')).getAttribute('aria-required')).toBeNull();
  expect(container.querySelector('label')?.textContent).not.toContain('*');
});

test('saves the first choice again, while the form still reloads after the second one', async () => {
  const user = userEvent.setup();
  render(
    <Provider store={store}>
      <InstantForm command="gadget.tune" args={{}} version={1} />
    </Provider>,
  );
  const list = await screen.findByRole<HTMLSelectElement>('combobox');
  let load = (): void => undefined;
  loading = new Promise((resolve) => (load = resolve));
  for (const [index, choice] of ['HIGH', 'LOW'].entries()) {
    await user.selectOptions(list, choice);
    await user.tab();
    await waitFor(() => expect(savedTones[index]).toBe(choice));
  }
  expect(savedTones).toEqual(['HIGH', 'LOW']);
  load();
  await waitFor(() => expect(list.value).toBe('LOW'));
});

test('saves a pending choice when unmounted', async () => {
  const { unmount } = render(
    <Provider store={store}>
      <InstantForm command="gadget.tune" args={{}} version={1} />
    </Provider>,
  );
  await userEvent.selectOptions(await screen.findByRole('combobox'), 'MIDDLE');
  unmount();
  await waitFor(() => expect(savedTones).toEqual(['MIDDLE']));
});

test('reports an unreachable server and loads once it is reachable again', async () => {
  isUnreachable = true;
  render(
    <Provider store={store}>
      <InstantForm command="gadget.tune" args={{}} version={1} />
    </Provider>,
  );
  expect((await screen.findByRole('alert')).textContent).toMatch(/Can't reach .+\./);
  reportUnreachable();
  isUnreachable = false;
  act(() => reportReachable());
  expect((await screen.findByRole<HTMLSelectElement>('combobox')).value).toBe('LOW');
});
