import { create } from '@bufbuild/protobuf';
import { act, cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Provider } from 'jotai';
import { useState } from 'react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';

import { formatSimple, parseSimple } from '#commands/nouns/data/parser/simple-fields.ts';
import { simpleProblems } from '#commands/nouns/data/parser/simple-problems.ts';
import { SimpleModemMessageBodyParserSchema as ParserSchema } from '#proto/gen/hiber/parser_pb.ts';
import { loadAllStrings } from '#src/i18n/i18n.ts';
import { overridesAtom } from '#src/keymap/bindings.ts';
import { showGadgets } from '#src/palette/testkit/show-gadgets.ts';
import { store } from '#src/state/store.ts';

import { FieldsPane } from './FieldsPane.tsx';

vi.mock('#src/registry/loaders.ts', async () => {
  const { noun: bench } = await import('#commands/nouns/console/parser-bench/noun.ts');
  const { gadget } = await import('#commands/testkit/gadget.ts');
  const { loadersFor } = await import('#src/registry/testkit/loaders.ts');
  return loadersFor({ gadget: { entity: gadget, commands: [] }, 'parser-bench': bench });
});

const fields = ['a:u1', 'b:u2'];
const textFields = ['name:str(4)', 'start:=10'];
/** The fields after each change, as text. */
let log: (readonly string[])[] = [];

function Pane({ texts = fields }: { readonly texts?: readonly string[] }) {
  const [parser, setParser] = useState(() => create(ParserSchema, parseSimple(texts)));
  return (
    <FieldsPane
      ref={null}
      parser={parser}
      saved={parser}
      readOnly={false}
      problems={simpleProblems(parser)}
      active={undefined}
      colorOfPart={() => undefined}
      onParser={(next) => {
        log.push(formatSimple(next));
        setParser(create(ParserSchema, next));
      }}
      onPart={() => undefined}
    />
  );
}

beforeAll(loadAllStrings);
beforeEach(() => {
  log = [];
  showGadgets();
  store.set(overridesAtom, {});
  render(
    <Provider store={store}>
      <Pane />
    </Provider>,
  );
  screen.getByDisplayValue('a').focus();
});
afterEach(cleanup);

test('has a header', () => {
  const header = screen.getByText('Details').parentElement;
  expect([...(header?.children ?? [])].map(({ textContent }) => textContent)).toEqual(['', 'Name', 'Type', 'Details']);
});

test('names the key that adds a field', () => {
  expect(screen.getByRole('button', { name: 'Add a field' }).getAttribute('aria-keyshortcuts')).toBe('Enter');
});

test('moves, duplicates, and removes the current field by key', async () => {
  const user = userEvent.setup();
  await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
  expect(log.at(-1)).toEqual(['b:u2', 'a:u1']);
  await user.keyboard('{Alt>}{ArrowUp}{Shift>}{ArrowDown}{/Shift}{/Alt}');
  expect(log.at(-1)).toEqual(['a:u1', ':u1', 'b:u2']);
  await user.keyboard('{Alt>}{Delete}{/Alt}');
  expect(log.at(-1)).toEqual(['a:u1', 'b:u2']);
});

test('uses changed keys', async () => {
  const user = userEvent.setup();
  act(() => store.set(overridesAtom, { 'parser-bench.move-field-down': ['F9'], 'parser-bench.remove-field': ['q'] }));
  await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
  expect(log).toEqual([]);
  await user.keyboard('{F9}');
  expect(log.at(-1)).toEqual(['b:u2', 'a:u1']);
  // A character is typed into a field, whatever it is bound to.
  await user.keyboard('q');
  expect(log.at(-1)).toEqual(['b:u2', 'aq:u1']);
});

test('undoes and redoes any change by key, and stays in the form', async () => {
  const user = userEvent.setup();
  await user.keyboard('x{Alt>}{Delete}{/Alt}');
  expect(log.at(-1)).toEqual(['b:u2']);
  await user.keyboard('{Control>}z{/Control}');
  expect(log.at(-1)).toEqual(['ax:u1', 'b:u2']);
  expect(document.activeElement).toBe(screen.getByDisplayValue('ax'));
  await user.keyboard('{Control>}zz{/Control}');
  expect(log.at(-1)).toEqual(['a:u1', 'b:u2']);
  await user.keyboard('{Control>}{Shift>}z{/Shift}y{/Control}');
  expect(log.at(-1)).toEqual(['b:u2']);
  // A new change ends what can be redone.
  await user.keyboard('{Enter}{Control>}zy{/Control}');
  expect(log.at(-1)).toEqual(['b:u2', ':u1']);
  await user.keyboard('{Control>}z{/Control}');
  expect(document.activeElement).toBe(screen.getByDisplayValue('b'));
});

test('keeps bytes that are not hex as a problem, instead of leaving them out', async () => {
  const user = userEvent.setup();
  cleanup();
  render(
    <Provider store={store}>
      <Pane texts={textFields} />
    </Provider>,
  );
  const end = screen.getByRole('textbox', { name: 'Ends at byte' });
  await user.type(end, 'zz{Tab}');
  expect((end as HTMLInputElement).value).toBe('zz');
  expect(screen.getByText('Enter one byte as hex, such as 00.')).toBeTruthy();
  await user.clear(end);
  await user.type(end, '00');
  expect(screen.queryByText('Enter one byte as hex, such as 00.')).toBeNull();
  expect(log.at(-1)).toEqual(['name:str(4 until 00)', 'start:=10']);
  const bytes = screen.getByRole('textbox', { name: 'Bytes as hex' });
  await user.type(bytes, '1{Tab}');
  expect((bytes as HTMLInputElement).value).toBe('101');
  expect(screen.getByText('Enter the bytes as hex, such as CAFE.')).toBeTruthy();
  // Not the row that has moved here.
  screen.getByDisplayValue('start').focus();
  await user.keyboard('{Alt>}{ArrowUp}{/Alt}');
  expect(screen.queryByDisplayValue('zz')).toBeNull();
});

test('keeps a size that is no number as a problem, instead of another size', async () => {
  const user = userEvent.setup();
  cleanup();
  render(
    <Provider store={store}>
      <Pane texts={textFields} />
    </Provider>,
  );
  const size = screen.getByRole('textbox', { name: 'Number of bytes' });
  const problem = () => screen.queryByText('Enter the number of bytes, from 0 to 2147483647.');
  for (const text of ['x', '4x', '-1', '1.5', '2147483648', ' ']) {
    await user.clear(size);
    await user.type(size, text);
    expect((size as HTMLInputElement).value).toBe(text);
    expect(problem()).not.toBeNull();
    expect(size.getAttribute('aria-invalid')).toBe('true');
  }
  await user.clear(size);
  await user.type(size, '1000000');
  expect(problem()).toBeNull();
  expect(log.at(-1)?.[0]).toBe('name:str(1000000)');
});

test("a key in a type's head changes no field", async () => {
  const user = userEvent.setup();
  cleanup();
  render(
    <Provider store={store}>
      <Pane texts={['a:u1', 'p/x:u1']} />
    </Provider>,
  );
  screen.getByDisplayValue('a').focus();
  const name = screen.getByRole('textbox', { name: 'Name of the type' });
  await user.clear(name);
  log = [];
  await user.keyboard('{Backspace}{Alt>}{Delete}{/Alt}');
  expect(log).toEqual([]);
  await user.type(name, 'q{Enter}');
  expect(log).toEqual([['a:u1', 'q/x:u1']]);
  expect(document.activeElement).toBe(screen.getByDisplayValue('x'));
});
