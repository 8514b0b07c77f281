import { Code, ConnectError } from '@connectrpc/connect';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Provider } from 'jotai';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { lost, reached } from '#src/net/reach.ts';
import { standAtGadgets } from '#src/palette/testkit/stand.ts';
import { store } from '#src/state/store.ts';
import { InstantForm } from './InstantForm.tsx';

const ran: unknown[] = [];
let tone = 'LOW';
let away = false;

vi.mock('#commands/nouns/all.ts', async () => {
  const { command } = await import('#commands/model/command.ts');
  const { p, required } = await import('#commands/model/params.ts');
  const { createRegistry } = await import('#commands/registry/registry.ts');
  const tune = command({
    id: 'gadget.tune',
    effect: 'navigate',
    params: { tone: required(p.choice(['LOW', 'MIDDLE', 'HIGH'])) },
    positional: ['tone'],
    initial: async () => {
      if (away) throw new ConnectError('away', Code.Unavailable);
      return { values: { tone } };
    },
    run: async (_context, { tone: chosen }) => {
      ran.push(chosen);
      tone = chosen;
      return {};
    },
  });
  return { registry: createRegistry([{ commands: [tune] }]) };
});

beforeEach(() => {
  standAtGadgets();
  ran.length = 0;
  tone = 'LOW';
  away = false;
});
afterEach(cleanup);

it('saves a choice once it rests, without a button, and keeps the focus', async () => {
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
  // As a list is walked by its letters: the one that is passed is not saved.
  await user.selectOptions(list, 'MIDDLE');
  await user.selectOptions(list, 'HIGH');
  await waitFor(() => expect(ran).toEqual(['HIGH']));
  expect(document.activeElement).toBe(list);
  await waitFor(() => expect(list.value).toBe('HIGH'));
});

it('saves what was chosen when the screen is left at once', async () => {
  const { unmount } = render(
    <Provider store={store}>
      <InstantForm command="gadget.tune" args={{}} version={1} />
    </Provider>,
  );
  await userEvent.selectOptions(await screen.findByRole('combobox'), 'MIDDLE');
  unmount();
  await waitFor(() => expect(ran).toEqual(['MIDDLE']));
});

it('says that the server is away, and begins when it is back', async () => {
  away = true;
  render(
    <Provider store={store}>
      <InstantForm command="gadget.tune" args={{}} version={1} />
    </Provider>,
  );
  expect((await screen.findByRole('alert')).textContent).toMatch(/Cannot reach .+\./);
  lost();
  away = false;
  act(() => reached());
  expect((await screen.findByRole<HTMLSelectElement>('combobox')).value).toBe('LOW');
});
