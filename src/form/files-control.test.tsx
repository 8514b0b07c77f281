import { cleanup, createEvent, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Provider } from 'jotai';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';

import { command } from '#commands/model/command.ts';
import { fileContent } from '#commands/model/files.ts';
import { p, required } from '#commands/model/params.ts';
import { createIndex } from '#commands/registry/directory.ts';
import { message } from '#commands/text/message.ts';
import { showGadgets } from '#src/palette/testkit/show-gadgets.ts';
import { loadAll } from '#src/registry/registry.ts';
import { contextNow } from '#src/run/context.ts';
import { store } from '#src/state/store.ts';

import { draftOf } from './draft.ts';
import { FormFields } from './FormFields.tsx';

vi.mock('#src/registry/loaders.ts', async () => (await import('#src/palette/testkit/registry.ts')).loaders);
beforeAll(loadAll);

let isBlocked = false;
const write = command({
  id: 'app.x',
  effect: 'navigate',
  params: {
    text: required(p.text({ multiline: true })),
    files: p.files({
      accept: ['*/*'],
      maxBytes: 1024,
      atMost: 3,
      blockedReason: () => (isBlocked ? message('core:unavailable.support') : undefined),
    }),
  },
  run: async () => ({}),
});

let drafted: readonly string[] | undefined;

function show(): void {
  const context = { ...contextNow(), signal: new AbortController().signal };
  render(
    <Provider store={store}>
      <FormFields
        command={write}
        context={context}
        start={draftOf(write, {}, { values: {} }, {}, context)}
        registry={createIndex({ commands: [write], entities: [], pages: [] })}
        focus="field"
        onDraft={({ values }) => {
          drafted = values['files']?.value as readonly string[] | undefined;
        }}
        onClose={() => undefined}
      />
    </Provider>,
  );
}

beforeEach(() => {
  isBlocked = false;
  drafted = undefined;
  showGadgets();
});
afterEach(cleanup);

const picture = (name: string, size = 7): File => new File(['x'.repeat(size)], name, { type: 'image/png' });
const text = (): HTMLElement => screen.getByRole('textbox');
const chosenNames = (): readonly (string | null | undefined)[] =>
  within(screen.getByRole('list', { name: 'Chosen files' }))
    .getAllByRole('listitem')
    .map((item) => item.querySelector('.truncate')?.textContent);

function paste(files: readonly File[], types: readonly string[] = ['Files']): Event {
  const event = createEvent.paste(text(), { clipboardData: { files, types } });
  fireEvent(text(), event);
  return event;
}

test('takes several files, one after the other, by picker, paste, and drop', async () => {
  show();
  const input = document.querySelector<HTMLInputElement>('input[type=file]')!;
  expect(input.multiple).toBe(true);
  await userEvent.setup({ applyAccept: false }).upload(input, [picture('a.png'), picture('b.png')]);
  await waitFor(() => expect(chosenNames()).toEqual(['a.png', 'b.png']));
  fireEvent.drop(document.body, { dataTransfer: { files: [picture('c.png')], types: ['Files'] } });
  await waitFor(() => expect(chosenNames()).toEqual(['a.png', 'b.png', 'c.png']));
  expect(drafted?.map((value) => fileContent(value)?.bytes.length)).toEqual([7, 7, 7]);
  expect(document.querySelectorAll('li img')).toHaveLength(3);
});

test('takes a picture that is pasted while typing, but leaves text to the field', async () => {
  show();
  expect(paste([picture('a.png')], ['text/plain', 'Files']).defaultPrevented).toBe(false);
  expect(screen.queryByRole('list', { name: 'Chosen files' })).toBeNull();
  expect(paste([picture('a.png')]).defaultPrevented).toBe(true);
  await waitFor(() => expect(chosenNames()).toEqual(['a.png']));
});

test('removes a chosen file, and keeps the focus in the field', async () => {
  show();
  paste([picture('a.png'), picture('b.png')]);
  await waitFor(() => expect(chosenNames()).toEqual(['a.png', 'b.png']));
  await userEvent.setup().click(screen.getByRole('button', { name: 'Remove a.png' }));
  expect(chosenNames()).toEqual(['b.png']);
  expect(document.activeElement?.textContent).toBe('Add files');
});

test('says which file is too large, and keeps the others', async () => {
  show();
  paste([picture('a.png')]);
  await waitFor(() => expect(chosenNames()).toEqual(['a.png']));
  paste([picture('huge.png', 1025)]);
  await waitFor(() => expect(screen.getByText(/huge\.png is too large/)).toBeTruthy());
  expect(chosenNames()).toEqual(['a.png']);
});

test('takes no files without the permission', () => {
  isBlocked = true;
  show();
  expect(paste([picture('a.png')]).defaultPrevented).toBe(false);
  expect(screen.queryByRole('list', { name: 'Chosen files' })).toBeNull();
});
