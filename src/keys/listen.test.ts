import { fireEvent } from '@testing-library/dom';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { command } from '#commands/model/command.ts';
import { parseKeys } from '#src/keymap/press.ts';
import type { Binding } from '#src/keymap/resolver.ts';
import {
  cancelLayer,
  discardTyping,
  expectLayer,
  expectScreen,
  onScreenShown,
  runWithLayer,
} from '#src/state/key-queue.ts';
import { store } from '#src/state/store.ts';

import { listenForKeys } from './listen.ts';
import { pendingKeysAtom } from './pending.ts';

function bind(keys: string, repeats = false): Binding {
  const boundCommand = command({
    id: `app.${keys.replaceAll(' ', '-')}`,
    effect: 'navigate',
    repeats,
    run: async () => ({}),
  });
  return { command: boundCommand, keys, presses: parseKeys(keys) };
}

const bindings = [
  bind('x'),
  bind('j', true),
  bind('g d'),
  bind('g'),
  bind('t s'),
  bind('Escape'),
  bind('Enter'),
  bind('$mod+k'),
];
const run = vi.fn<(keys: string) => void>();
let singleKeys = true;
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  run.mockClear();
  singleKeys = true;
  stop = listenForKeys({
    bindings: () => bindings,
    singleKeys: () => singleKeys,
    run: (matches) => run(matches.map(({ keys }) => keys).join()),
  });
});

afterEach(() => {
  stop();
  vi.useRealTimers();
  document.body.replaceChildren();
});

/** Presses a key on an element. Returns true if it was handled. */
function press(key: string, target: Element = document.body, init: KeyboardEventInit = {}): boolean {
  return !fireEvent.keyDown(target, { key, ...init });
}

function setPage(html: string): Element {
  document.body.innerHTML = html;
  return document.body.firstElementChild as Element;
}

const ranKeys = () => run.mock.calls.map(([keys]) => keys);

describe("Firefox's quick find", () => {
  test.each(['/', "'"])('is suppressed for an unhandled %s', (key) => {
    expect(press(key)).toBe(true);
    expect(press(key, setPage('<button>b</button>'))).toBe(true);
    expect(press(key, setPage('<dialog open><button>b</button></dialog>').querySelector('button') as Element)).toBe(
      true,
    );
    expect(ranKeys()).toEqual([]);
  });

  test.each(['<dialog open><button>b</button></dialog>', '<div role="dialog"><button>b</button></div>'])(
    'is suppressed in %s that stops propagation, unless single keys are off',
    (html) => {
      const layer = setPage(html);
      layer.addEventListener('keydown', (event) => event.stopPropagation());
      expect(press('/', layer.querySelector('button') as Element)).toBe(true);
      singleKeys = false;
      expect(press('/', layer.querySelector('button') as Element)).toBe(false);
    },
  );

  test('is left alone in fields, with a modifier, or with single keys off', () => {
    expect(press('/', setPage('<input>'))).toBe(false);
    expect(press('/', setPage('<dialog open><input></dialog>').querySelector('input') as Element)).toBe(false);
    expect(press('/', document.body, { ctrlKey: true })).toBe(false);
    singleKeys = false;
    expect(press('/')).toBe(false);
  });
});

describe('a key', () => {
  test.each([
    '<input>',
    '<textarea></textarea>',
    '<select></select>',
    '<div contenteditable="true"></div>',
    '<input role="combobox">',
  ])('is ignored while typing in %s, except for Escape and chords', (html) => {
    const field = setPage(html);
    expect(press('x', field)).toBe(false);
    press('Escape', field);
    press('k', field, { ctrlKey: true });
    expect(ranKeys()).toEqual(['Escape', '$mod+k']);
  });

  test('is ignored during input method composition', () => {
    press('x', document.body, { isComposing: true });
    press('x', document.body, { keyCode: 229 });
    press('Process');
    expect(ranKeys()).toEqual([]);
  });

  test('is ignored when held unless its command repeats', () => {
    press('x', document.body, { repeat: true });
    press('j');
    press('j', document.body, { repeat: true });
    expect(ranKeys()).toEqual(['j', 'j']);
  });

  test('is ignored if the page handled it or a dialog is open', () => {
    const button = setPage('<button>Send</button>');
    button.addEventListener('keydown', (event) => event.preventDefault());
    press('x', button);
    setPage('<dialog open></dialog>');
    press('x');
    expect(ranKeys()).toEqual([]);
  });

  test('is left to a focused button if it is Enter', () => {
    expect(press('Enter', setPage('<button>Send</button>'))).toBe(false);
    press('Enter');
    expect(ranKeys()).toEqual(['Enter']);
  });

  test('is ignored if single-key shortcuts are off', () => {
    singleKeys = false;
    press('x');
    press('g');
    press('d');
    press('k', document.body, { ctrlKey: true });
    expect(ranKeys()).toEqual(['$mod+k']);
  });
});

describe('text typed for a prompt that never appears', () => {
  test('is discarded until a pause', () => {
    discardTyping();
    for (const key of ['x', 'g', 'd', 'Enter', 'x', 'Shift', 'x']) {
      vi.advanceTimersByTime(240);
      press(key);
    }
    expect(ranKeys()).toEqual([]);
    vi.advanceTimersByTime(500);
    press('x');
    press('x');
    expect(ranKeys()).toEqual(['x', 'x']);
  });

  test('is discarded with the Enter that ends it, no matter how late', () => {
    discardTyping();
    press('x');
    vi.advanceTimersByTime(5000);
    press('Enter');
    expect(ranKeys()).toEqual([]);
    press('Enter');
    expect(ranKeys()).toEqual(['Enter']);
  });

  test('is discarded with its Enter if the prompt fails after the text was typed', () => {
    expectLayer();
    runWithLayer(() => undefined);
    discardTyping();
    cancelLayer();
    vi.advanceTimersByTime(5000);
    press('Enter');
    expect(ranKeys()).toEqual([]);
  });

  test.each([
    ['another key', () => press('j')],
    ['an arrow key', () => press('ArrowDown')],
    ['a click', () => fireEvent.pointerDown(document.body)],
  ])('does not take Enter after %s', (_, interrupt) => {
    discardTyping();
    press('x');
    vi.advanceTimersByTime(5000);
    interrupt();
    run.mockClear();
    press('Enter');
    expect(ranKeys()).toEqual(['Enter']);
  });

  test('does not take Enter if nothing was typed', () => {
    discardTyping();
    vi.advanceTimersByTime(5000);
    press('Enter');
    expect(ranKeys()).toEqual(['Enter']);
  });

  test.each([
    ['Escape', () => press('Escape'), ['Escape', 'x']],
    ['a chord', () => press('k', document.body, { ctrlKey: true }), ['$mod+k', 'x']],
    ['typing into a field', () => press('x', setPage('<input>')), ['x']],
  ])('is no longer discarded after %s', (_, interrupt, expected) => {
    discardTyping();
    press('x');
    interrupt();
    press('x');
    expect(ranKeys()).toEqual(expected);
  });
});

describe('a key pressed while a screen is loading', () => {
  test("is replayed in order with the new screen's bindings", () => {
    expectScreen();
    press('j');
    press('x');
    expect(ranKeys()).toEqual([]);
    const newBinding = bind('x');
    bindings.unshift(newBinding);
    onScreenShown();
    vi.runAllTimers();
    bindings.shift();
    expect(ranKeys()).toEqual(['j', 'x,x']);
    press('j');
    expect(ranKeys()).toEqual(['j', 'x,x', 'j']);
  });

  test('is typed into the field the previous key focused', () => {
    const field = setPage('<input value="at ">') as HTMLInputElement;
    const onInput = vi.fn<() => void>();
    field.addEventListener('input', onInput);
    run.mockImplementationOnce(() => field.focus());
    expectScreen();
    for (const key of ['x', 'j', 'x', 'q', 'Backspace', 'Enter']) press(key);
    expect(field.value).toBe('at ');
    onScreenShown();
    vi.runAllTimers();
    expect(field.value).toBe('at jx');
    expect(onInput).toHaveBeenCalledTimes(4);
    expect(ranKeys()).toEqual(['x']);
  });

  test('is not overtaken by later typing', () => {
    const field = setPage('<input>') as HTMLInputElement;
    const onKey = vi.fn<(key: string) => void>();
    field.addEventListener('keydown', ({ key }) => onKey(key));
    run.mockImplementationOnce(() => field.focus());
    expectScreen();
    for (const key of ['x', 'a', 'b']) press(key);
    onScreenShown();
    vi.advanceTimersToNextTimer();
    expect([document.activeElement, field.value]).toEqual([field, '']);
    for (const key of ['c', 'Enter']) expect(press(key, field)).toBe(true);
    // The browser handles copying.
    expect(press('c', field, { ctrlKey: true })).toBe(false);
    vi.runAllTimers();
    expect(field.value).toBe('abc');
    expect(onKey.mock.calls.flat()).toEqual(['c', 'a', 'b', 'c', 'Enter']);
    expect(press('d', field)).toBe(false);
  });

  test('is replayed before a later chord the console handles', () => {
    const field = setPage('<input value="health:OK ">') as HTMLInputElement;
    field.setSelectionRange(10, 10);
    run.mockImplementationOnce(() => field.focus());
    expectScreen();
    for (const key of ['x', 'a', 'b']) press(key);
    onScreenShown();
    vi.advanceTimersToNextTimer();
    for (const key of ['Backspace', 'a']) expect(press(key, field, { ctrlKey: true })).toBe(true);
    press('z', field);
    // Text is typed immediately.
    vi.advanceTimersToNextTimer();
    expect(field.value).toBe('health:OK ');
    vi.runAllTimers();
    expect(field.value).toBe('z');
    expect(ranKeys()).toEqual(['x']);
  });

  test('submits the form of the field the previous key focused', () => {
    const field = setPage('<form><input></form>').querySelector('input') as HTMLInputElement;
    const onSubmit = vi.fn<(event: Event) => void>((event) => event.preventDefault());
    field.form?.addEventListener('submit', onSubmit);
    run.mockImplementationOnce(() => field.focus());
    expectScreen();
    for (const key of ['x', 'a', 'Enter']) press(key);
    onScreenShown();
    vi.runAllTimers();
    expect([field.value, onSubmit.mock.calls.length]).toEqual(['a', 1]);
  });

  test('presses the button the previous key focused only once', () => {
    const button = setPage('<button>Send</button>') as HTMLElement;
    const onClick = vi.fn<() => void>();
    button.addEventListener('click', onClick);
    run.mockImplementationOnce(() => button.focus());
    expectScreen();
    press('x');
    press('Enter');
    onScreenShown();
    vi.runAllTimers();
    expect(onClick).toHaveBeenCalledOnce();
    expect(ranKeys()).toEqual(['x']);
  });

  test('continues with Tab from the field the previous key focused, and wraps', async () => {
    const form = setPage('<form><input value="a"><input value="b"></form>');
    const [first, second] = [...form.querySelectorAll('input')];
    run.mockImplementationOnce(() => first?.focus());
    expectScreen();
    for (const key of ['x', 'c', 'Tab', 'd', 'Tab', 'e']) press(key);
    press('Tab', document.body, { shiftKey: true });
    press('f');
    onScreenShown();
    vi.runAllTimers();
    // Each Tab loads the code that finds the tab stops.
    for (let tabs = 0; tabs < 3; tabs++) {
      await vi.dynamicImportSettled();
      vi.runAllTimers();
    }
    expect([first?.value, second?.value]).toEqual(['e', 'f']);
  });

  test.each([
    ['a dialog without a cancel listener', false],
    ['a dialog that cancels closing', true],
  ])('closes the dialog the previous key opened only if the dialog allows it: %s', (_, refuses) => {
    const dialog = setPage('<dialog><input></dialog>') as HTMLDialogElement;
    dialog.addEventListener('cancel', (event) => refuses && event.preventDefault());
    run.mockImplementationOnce(() => {
      dialog.open = true;
      dialog.querySelector('input')?.focus();
    });
    expectScreen();
    for (const key of ['x', 'Escape']) press(key);
    onScreenShown();
    vi.runAllTimers();
    expect(dialog.open).toBe(refuses);
  });

  test('is not replayed if the screen appeared before it was pressed', () => {
    const dialog = setPage('<dialog open><input></dialog>');
    expectScreen();
    onScreenShown();
    expect(press('Escape', dialog)).toBe(false);
  });

  test('waits at most two seconds, but does not wait in a field, or if it is a chord or a browser key', () => {
    expectScreen();
    expect(press('x', setPage('<input>'))).toBe(false);
    expect(press('F5')).toBe(false);
    press('k', document.body, { ctrlKey: true });
    expect(ranKeys()).toEqual(['$mod+k']);
    press('j');
    vi.advanceTimersByTime(2100);
    expect(ranKeys()).toEqual(['$mod+k', 'j']);
  });
});

describe('a key sequence', () => {
  test('shows its continuations after a pause', () => {
    press('t');
    expect(store.get(pendingKeysAtom)).toEqual({ typed: 't', continuations: [] });
    vi.advanceTimersByTime(500);
    expect(store.get(pendingKeysAtom)?.continuations.map(({ remaining }) => remaining)).toEqual(['s']);
    press('s');
    expect(store.get(pendingKeysAtom)).toBeUndefined();
    expect(ranKeys()).toEqual(['t s']);
  });

  test('survives a held first key but is canceled by Escape', () => {
    press('t');
    press('t', document.body, { repeat: true });
    press('Escape');
    press('s');
    expect(ranKeys()).toEqual([]);
  });

  test('runs its shorter match after a timeout and is forgotten otherwise', () => {
    press('g');
    vi.advanceTimersByTime(900);
    press('t');
    vi.advanceTimersByTime(6000);
    press('s');
    expect(ranKeys()).toEqual(['g']);
  });

  test('is canceled by a chord', () => {
    press('t');
    expect(press('k', document.body, { ctrlKey: true })).toBe(true);
    press('s');
    expect(ranKeys()).toEqual(['$mod+k']);
    press('t');
    expect(press('c', document.body, { ctrlKey: true })).toBe(false);
    expect(store.get(pendingKeysAtom)).toBeUndefined();
  });
});
