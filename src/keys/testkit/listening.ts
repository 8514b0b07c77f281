import { fireEvent } from '@testing-library/dom';
import { afterEach, beforeEach, vi } from 'vitest';

import { command } from '#commands/model/command.ts';
import { parseKeys } from '#src/keymap/press.ts';
import type { Binding } from '#src/keymap/resolver.ts';
import { listenForKeys } from '#src/keys/listen.ts';

export function bind(keys: string, repeats = false): Binding {
  const boundCommand = command({
    id: `app.${keys.replaceAll(' ', '-')}`,
    effect: 'navigate',
    repeats,
    run: async () => ({}),
  });
  return { command: boundCommand, keys, presses: parseKeys(keys) };
}

export const bindings = [
  bind('x'),
  bind('j', true),
  bind('g d'),
  bind('g'),
  bind('t s'),
  bind('Escape'),
  bind('Enter'),
  bind('$mod+k'),
];

/** Called with the keys of the matching bindings. */
export const run = vi.fn<(keys: string) => void>();
export const handledKeys = () => run.mock.calls.map(([keys]) => keys);

/** Whether single keys are shortcuts. */
export const singleKeys = { on: true };

/** Listens for {@link bindings} on an empty page during each test, with fake timers. */
export function setUpListening(): void {
  let stop: () => void;

  beforeEach(() => {
    vi.useFakeTimers();
    run.mockClear();
    singleKeys.on = true;
    stop = listenForKeys({
      bindings: () => bindings,
      singleKeys: () => singleKeys.on,
      run: (matches) => run(matches.map(({ keys }) => keys).join()),
    });
  });

  afterEach(() => {
    stop();
    vi.useRealTimers();
    document.body.replaceChildren();
  });
}

/** Presses a key on an element. Returns true if it was handled. */
export function press(key: string, target: Element = document.body, init: KeyboardEventInit = {}): boolean {
  return !fireEvent.keyDown(target, { key, ...init });
}

export function setPage(html: string): Element {
  document.body.innerHTML = html;
  return document.body.firstElementChild as Element;
}
