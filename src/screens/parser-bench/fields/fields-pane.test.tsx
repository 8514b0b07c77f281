import { create } from '@bufbuild/protobuf';
import { act, cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Provider } from 'jotai';
import { useState } from 'react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';

import { formatSimple, parseSimple } from '#commands/nouns/data/parser/simple-fields.ts';
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
/** The fields after each change, as text. */
let log: (readonly string[])[] = [];

function Pane() {
  const [parser, setParser] = useState(() => create(ParserSchema, parseSimple(fields)));
  return (
    <FieldsPane
      ref={null}
      parser={parser}
      saved={parser}
      readOnly={false}
      problems={[]}
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
