import { act, cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Provider } from 'jotai';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { overridesAtom } from '#src/keymap/bindings.ts';
import { showGadgets } from '#src/palette/testkit/show-gadgets.ts';
import { contextNow } from '#src/run/context.ts';
import { store } from '#src/state/store.ts';

import { useBenchKeys } from './use-bench-keys.ts';

vi.mock('#src/registry/loaders.ts', async () => {
  const { noun: bench } = await import('#commands/nouns/console/parser-bench/noun.ts');
  const { noun: view } = await import('#commands/nouns/console/view/noun.ts');
  const { gadget } = await import('#commands/testkit/gadget.ts');
  const { loadersFor } = await import('#src/registry/testkit/loaders.ts');
  return loadersFor({ gadget: { entity: gadget, commands: [] }, 'parser-bench': bench, view });
});

let log: string[] = [];
const host = {
  save: () => log.push('save'),
  plan: () => log.push('plan'),
  focusPane: (direction: number) => log.push(`pane ${direction}`),
  goToProblem: () => log.push('problem'),
  goToDifference: (direction: number) => log.push(`difference ${direction}`),
  showNextVerdict: () => log.push('verdict'),
  loadMessage: () => log.push('load'),
  moveField: (direction: number) => log.push(`field ${direction}`),
  duplicateField: () => log.push('duplicate'),
  removeField: () => log.push('remove'),
};

function Bench({ isShown }: { readonly isShown: boolean }) {
  const onKeys = useBenchKeys({ host, isShown, onStep: (direction) => log.push(`message ${direction}`) });
  return (
    <div onKeyDownCapture={onKeys}>
      <input aria-label="Definition" />
      <div tabIndex={0} role="grid" aria-label="Messages" />
    </div>
  );
}

const bench = (isShown = true) => (
  <Provider store={store}>
    <Bench isShown={isShown} />
  </Provider>
);

beforeEach(() => {
  log = [];
  showGadgets();
  store.set(overridesAtom, {});
});
afterEach(cleanup);

test('handles the keys of the bench, but not characters typed in a text field', async () => {
  const user = userEvent.setup();
  render(bench());
  screen.getByRole('textbox').focus();
  await user.keyboard('ni[[{F6}{Shift>}{F6}{/Shift}{F8}{Control>}{Enter}{/Control}{Alt>}{Enter}{/Alt}');
  expect(log).toEqual(['pane 1', 'pane -1', 'problem', 'save', 'plan']);
  expect(screen.getByRole<HTMLInputElement>('textbox').value).toContain('ni');
  log = [];
  screen.getByRole('grid').focus();
  await user.keyboard('n{Shift>}N{/Shift}si]');
  expect(log).toEqual(['difference 1', 'difference -1', 'verdict', 'load', 'message 1']);
});

test('uses changed keys', async () => {
  const user = userEvent.setup();
  render(bench());
  act(() => store.set(overridesAtom, { 'parser-bench.next-error': ['F9'], 'view.next-item': ['v'] }));
  screen.getByRole('grid').focus();
  await user.keyboard('{F8}{F9}]v');
  expect(log).toEqual(['problem', 'message 1']);
});

test('exposes the bench to commands only while it is shown', () => {
  const { rerender } = render(bench());
  contextNow().host.bench?.save();
  expect(log).toEqual(['save']);
  rerender(bench(false));
  expect(contextNow().host.bench).toBeUndefined();
});
