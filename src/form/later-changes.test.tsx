import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Provider } from 'jotai';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';

import { gadget, gadgets } from '#commands/testkit/gadget.ts';
import { runLog } from '#src/palette/testkit/registry.ts';
import { showGadgets } from '#src/palette/testkit/show-gadgets.ts';
import { loadAll } from '#src/registry/registry.ts';
import { store } from '#src/state/store.ts';

import { CommandForm } from './CommandForm.tsx';

vi.mock('#src/registry/loaders.ts', async () => (await import('#src/palette/testkit/registry.ts')).loaders);
beforeAll(loadAll);

const [first] = gadgets;

/** The organization of the gadgets. */
const owner = { id: 'north', name: 'North' };
beforeAll(() => void Object.assign(gadget, { belongsTo: () => ({ ...owner }) }));

/** Renames the gadget in another console. */
const renameElsewhere = (name: string): void => void Object.assign(first!, { name });

beforeEach(async () => {
  runLog.length = 0;
  showGadgets();
  render(
    <Provider store={store}>
      <CommandForm
        invocation={{ id: 'gadget.describe', args: { gadgets: { ids: ['AAAA BBBB'] } } }}
        onClose={() => undefined}
      />
    </Provider>,
  );
  await screen.findByRole('button', { name: /Close/ });
});
afterEach(() => {
  cleanup();
  renameElsewhere('North pump');
  Object.assign(owner, { id: 'north', name: 'North' });
});

/** Replaces the text of a field. */
async function enter(label: RegExp, text: string): Promise<void> {
  const field = screen.getByRole('textbox', { name: label });
  await userEvent.clear(field);
  await userEvent.type(field, text);
}

const submit = () => userEvent.keyboard('{Control>}{Enter}{/Control}');

test('a value that was changed elsewhere is shown before it is overwritten', async () => {
  await enter(/^Name/, 'Mine');
  renameElsewhere('Theirs');
  await submit();
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('Changed to “Theirs”'));
  expect(runLog).toEqual([]);
  await submit();
  await waitFor(() => expect(runLog).toEqual([{ id: 'gadget.describe', args: { name: 'Mine' } }]));
});

test('a value that was changed twice is shown twice', async () => {
  await enter(/^Name/, 'Mine');
  renameElsewhere('Theirs');
  await submit();
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('Changed to “Theirs”'));
  renameElsewhere('');
  await submit();
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('Cleared since'));
  expect(runLog).toEqual([]);
});

test('changes elsewhere to other fields, or to the entered value, are no problem', async () => {
  await enter(/^Color/, 'blue');
  renameElsewhere('Theirs');
  await submit();
  await waitFor(() => expect(runLog).toEqual([{ id: 'gadget.describe', args: { color: 'blue' } }]));
  await enter(/^Name/, 'Same');
  renameElsewhere('Same');
  await submit();
  await waitFor(() => expect(runLog).toHaveLength(2));
});

test('an item that was moved to another organization is not changed there unseen', async () => {
  await enter(/^Name/, 'Mine');
  Object.assign(owner, { id: 'south', name: 'South' });
  await submit();
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('“North pump” was moved to South'));
  expect(runLog).toEqual([]);
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: /^Name/ }).value).toBe('Mine');
  await submit();
  await waitFor(() => expect(runLog).toEqual([{ id: 'gadget.describe', args: { name: 'Mine' } }]));
});
