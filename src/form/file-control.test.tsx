import { cleanup, createEvent, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { Provider } from 'jotai';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';

import { command } from '#commands/model/command.ts';
import { p, required } from '#commands/model/params.ts';
import { createIndex } from '#commands/registry/directory.ts';
import { showGadgets } from '#src/palette/testkit/show-gadgets.ts';
import { loadAll } from '#src/registry/registry.ts';
import { contextNow } from '#src/run/context.ts';
import { store } from '#src/state/store.ts';

import { draftOf } from './draft.ts';
import { FormFields } from './FormFields.tsx';

vi.mock('#src/registry/loaders.ts', async () => (await import('#src/palette/testkit/registry.ts')).loaders);
beforeAll(loadAll);

const attach = command({
  id: 'app.x',
  effect: 'navigate',
  params: { file: required(p.file({ accept: ['image/png'], maxBytes: 1024 })) },
  run: async () => ({}),
});

beforeEach(() => {
  showGadgets();
  const context = { ...contextNow(), signal: new AbortController().signal };
  const start = draftOf(attach, {}, { values: {} }, {}, context);
  render(
    <Provider store={store}>
      <FormFields
        command={attach}
        context={context}
        start={start}
        registry={createIndex({ commands: [attach], entities: [], pages: [] })}
        focus="field"
        onClose={() => undefined}
      />
    </Provider>,
  );
});
afterEach(cleanup);

const choose = (): HTMLElement => screen.getByRole('button', { name: /^File/ });
const photo = new File(['picture'], 'well.png', { type: 'image/png' });

test('a form whose first field is a file opens with the focus on the button that chooses it', () => {
  expect(document.activeElement).toBe(choose());
  expect(choose().hasAttribute('aria-required'), 'not an attribute of buttons').toBe(false);
});

test('takes a pasted file, and leaves pasted text to others', async () => {
  const paste = (files: readonly File[]): Event => {
    const event = createEvent.paste(choose(), { clipboardData: { files } });
    fireEvent(choose(), event);
    return event;
  };
  expect(paste([]).defaultPrevented).toBe(false);
  expect(screen.getByText('No file chosen')).toBeTruthy();
  expect(paste([photo]).defaultPrevented).toBe(true);
  await waitFor(() => expect(screen.getByText('well.png')).toBeTruthy());
});

test('takes a dropped file, and ignores one that misses it', async () => {
  const missed = createEvent.drop(document.body, { dataTransfer: { files: [photo], types: ['Files'] } });
  fireEvent(document.body, missed);
  expect(missed.defaultPrevented).toBe(true);
  expect(screen.getByText('No file chosen')).toBeTruthy();
  fireEvent.drop(choose(), { dataTransfer: { files: [photo], types: ['Files'] } });
  await waitFor(() => expect(screen.getByText('well.png')).toBeTruthy());
});

test('a file that replaces nothing can be removed again, and the focus stays in the field', async () => {
  fireEvent.drop(choose(), { dataTransfer: { files: [photo], types: ['Files'] } });
  await waitFor(() => expect(screen.getByText('well.png')).toBeTruthy());
  const remove = screen.getByRole('button', { name: 'Remove' });
  expect(screen.queryByRole('button', { name: 'Leave as it is' })).toBeNull();
  remove.focus();
  fireEvent.click(remove);
  await waitFor(() => expect(screen.getByText('No file chosen')).toBeTruthy());
  expect(document.activeElement).toBe(choose());
});
