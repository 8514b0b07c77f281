import { fireEvent } from '@testing-library/dom';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { command } from '#commands/model/command.ts';

import { arrive, leave } from '#src/state/arrival.ts';
import { store } from '#src/state/store.ts';
import { listenForKeys } from './listen.ts';
import { pendingKeysAtom } from './pending.ts';
import { parseKeys } from '#src/keymap/press.ts';
import type { Binding } from '#src/keymap/resolver.ts';

function bind(keys: string, repeats = false): Binding {
  const of = command({ id: `app.${keys.replaceAll(' ', '-')}`, effect: 'navigate', repeats, run: async () => ({}) });
  return { command: of, keys, presses: parseKeys(keys) };
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
const ran = vi.fn<(keys: string) => void>();
let singleKeys = true;
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  ran.mockClear();
  singleKeys = true;
  stop = listenForKeys({
    bindings: () => bindings,
    singleKeys: () => singleKeys,
    run: (found) => ran(found.map(({ keys }) => keys).join()),
  });
});

afterEach(() => {
  stop();
  vi.useRealTimers();
  document.body.replaceChildren();
});

/** Presses a key on an element; true when something took it. */
function press(key: string, on: Element = document.body, more: KeyboardEventInit = {}): boolean {
  return !fireEvent.keyDown(on, { key, ...more });
}

function put(html: string): Element {
  document.body.innerHTML = html;
  return document.body.firstElementChild as Element;
}

const done = () => ran.mock.calls.map(([keys]) => keys);

describe("Firefox's search of the page", () => {
  it.each(['/', "'"])('does not open by %s where nobody takes it', (key) => {
    expect(press(key)).toBe(true);
    expect(press(key, put('<button>b</button>'))).toBe(true);
    expect(press(key, put('<dialog open><button>b</button></dialog>').querySelector('button') as Element)).toBe(true);
    expect(done()).toEqual([]);
  });

  it.each(['<dialog open><button>b</button></dialog>', '<div role="dialog"><button>b</button></div>'])(
    'does not open in %s, which keeps its keys from the screen',
    (html) => {
      const layer = put(html);
      layer.addEventListener('keydown', (event) => event.stopPropagation());
      expect(press('/', layer.querySelector('button') as Element)).toBe(true);
      singleKeys = false;
      expect(press('/', layer.querySelector('button') as Element)).toBe(false);
    },
  );

  it('leaves the keys to fields, to chords, and to those who turned single keys off', () => {
    expect(press('/', put('<input>'))).toBe(false);
    expect(press('/', put('<dialog open><input></dialog>').querySelector('input') as Element)).toBe(false);
    expect(press('/', document.body, { ctrlKey: true })).toBe(false);
    singleKeys = false;
    expect(press('/')).toBe(false);
  });
});

describe('a key does nothing', () => {
  it.each([
    '<input>',
    '<textarea></textarea>',
    '<select></select>',
    '<div contenteditable="true"></div>',
    '<input role="combobox">',
  ])('while typing in %s, but Escape and chords do', (html) => {
    const field = put(html);
    expect(press('x', field)).toBe(false);
    press('Escape', field);
    press('k', field, { ctrlKey: true });
    expect(done()).toEqual(['Escape', '$mod+k']);
  });

  it('while an input method composes', () => {
    press('x', document.body, { isComposing: true });
    press('x', document.body, { keyCode: 229 });
    press('Process');
    expect(done()).toEqual([]);
  });

  it('when it is held, unless it may act again', () => {
    press('x', document.body, { repeat: true });
    press('j');
    press('j', document.body, { repeat: true });
    expect(done()).toEqual(['j', 'j']);
  });

  it('when something on the page took it, or a dialog lies over the page', () => {
    const button = put('<button>Send</button>');
    button.addEventListener('keydown', (event) => event.preventDefault());
    press('x', button);
    put('<dialog open></dialog>');
    press('x');
    expect(done()).toEqual([]);
  });

  it('where Enter presses a button', () => {
    expect(press('Enter', put('<button>Send</button>'))).toBe(false);
    press('Enter');
    expect(done()).toEqual(['Enter']);
  });

  it('when shortcuts of one character are turned off', () => {
    singleKeys = false;
    press('x');
    press('g');
    press('d');
    press('k', document.body, { ctrlKey: true });
    expect(done()).toEqual(['$mod+k']);
  });
});

describe('a key that is pressed while a screen is on its way', () => {
  it('waits for the screen, in its turn, and means what it means there', () => {
    leave();
    press('j');
    press('x');
    expect(done()).toEqual([]);
    const later = bind('x');
    bindings.unshift(later);
    arrive();
    vi.runAllTimers();
    bindings.shift();
    expect(done()).toEqual(['j', 'x,x']);
    press('j');
    expect(done()).toEqual(['j', 'x,x', 'j']);
  });

  it('is typed into the field that the key before it led to', () => {
    const field = put('<input value="at ">') as HTMLInputElement;
    const typed = vi.fn<() => void>();
    field.addEventListener('input', typed);
    ran.mockImplementationOnce(() => field.focus());
    leave();
    for (const key of ['x', 'j', 'x', 'q', 'Backspace', 'Enter']) press(key);
    expect(field.value).toBe('at ');
    arrive();
    vi.runAllTimers();
    expect(field.value).toBe('at jx');
    expect(typed).toHaveBeenCalledTimes(4);
    expect(done()).toEqual(['x']);
  });

  it('lets nothing that is typed meanwhile overtake what waits', () => {
    const field = put('<input>') as HTMLInputElement;
    const took = vi.fn<(key: string) => void>();
    field.addEventListener('keydown', ({ key }) => took(key));
    ran.mockImplementationOnce(() => field.focus());
    leave();
    for (const key of ['x', 'a', 'b']) press(key);
    arrive();
    vi.advanceTimersToNextTimer();
    expect([document.activeElement, field.value]).toEqual([field, '']);
    for (const key of ['c', 'Enter']) expect(press(key, field)).toBe(true);
    // Copying is the browser's.
    expect(press('c', field, { ctrlKey: true })).toBe(false);
    vi.runAllTimers();
    expect(field.value).toBe('abc');
    expect(took.mock.calls.flat()).toEqual(['c', 'a', 'b', 'c', 'Enter']);
    expect(press('d', field)).toBe(false);
  });

  it('keeps the turn of a chord that the console knows', () => {
    const field = put('<input value="health:OK ">') as HTMLInputElement;
    field.setSelectionRange(10, 10);
    ran.mockImplementationOnce(() => field.focus());
    leave();
    for (const key of ['x', 'a', 'b']) press(key);
    arrive();
    vi.advanceTimersToNextTimer();
    for (const key of ['Backspace', 'a']) expect(press(key, field, { ctrlKey: true })).toBe(true);
    press('z', field);
    // What is typed goes in at once.
    vi.advanceTimersToNextTimer();
    expect(field.value).toBe('health:OK ');
    vi.runAllTimers();
    expect(field.value).toBe('z');
    expect(done()).toEqual(['x']);
  });

  it('sends the form of the field that the key before it led to', () => {
    const field = put('<form><input></form>').querySelector('input') as HTMLInputElement;
    const sent = vi.fn<(event: Event) => void>((event) => event.preventDefault());
    field.form?.addEventListener('submit', sent);
    ran.mockImplementationOnce(() => field.focus());
    leave();
    for (const key of ['x', 'a', 'Enter']) press(key);
    arrive();
    vi.runAllTimers();
    expect([field.value, sent.mock.calls.length]).toEqual(['a', 1]);
  });

  it('presses the button that the key before it led to, once', () => {
    const button = put('<button>Send</button>') as HTMLElement;
    const pressed = vi.fn<() => void>();
    button.addEventListener('click', pressed);
    ran.mockImplementationOnce(() => button.focus());
    leave();
    press('x');
    press('Enter');
    arrive();
    vi.runAllTimers();
    expect(pressed).toHaveBeenCalledOnce();
    expect(done()).toEqual(['x']);
  });

  it('goes on with Tab from where the key before it led, and around at the end', () => {
    const form = put('<form><input value="a"><input value="b"></form>');
    const [first, second] = [...form.querySelectorAll('input')];
    ran.mockImplementationOnce(() => first?.focus());
    leave();
    for (const key of ['x', 'c', 'Tab', 'd', 'Tab', 'e']) press(key);
    press('Tab', document.body, { shiftKey: true });
    press('f');
    arrive();
    vi.runAllTimers();
    expect([first?.value, second?.value]).toEqual(['e', 'f']);
  });

  it.each([
    ['closes', false],
    ['which refuses stays', true],
  ])('asks the dialog that it is pressed in to close: one %s', (_, refuses) => {
    const dialog = put('<dialog><input></dialog>') as HTMLDialogElement;
    dialog.addEventListener('cancel', (event) => refuses && event.preventDefault());
    ran.mockImplementationOnce(() => {
      dialog.open = true;
      dialog.querySelector('input')?.focus();
    });
    leave();
    for (const key of ['x', 'Escape']) press(key);
    arrive();
    vi.runAllTimers();
    expect(dialog.open).toBe(refuses);
  });

  it('is done at once where nothing has waited', () => {
    const dialog = put('<dialog open><input></dialog>');
    leave();
    arrive();
    expect(press('Escape', dialog)).toBe(false);
  });

  it('does not wait where it is typed, is a chord, or belongs to the browser, nor for ever', () => {
    leave();
    expect(press('x', put('<input>'))).toBe(false);
    expect(press('F5')).toBe(false);
    press('k', document.body, { ctrlKey: true });
    expect(done()).toEqual(['$mod+k']);
    press('j');
    vi.advanceTimersByTime(2100);
    expect(done()).toEqual(['$mod+k', 'j']);
  });
});

describe('a sequence', () => {
  it('shows how it may go on after a short pause', () => {
    press('t');
    expect(store.get(pendingKeysAtom)).toEqual({ typed: 't', continuations: [] });
    vi.advanceTimersByTime(500);
    expect(store.get(pendingKeysAtom)?.continuations.map(({ rest }) => rest)).toEqual(['s']);
    press('s');
    expect(store.get(pendingKeysAtom)).toBeUndefined();
    expect(done()).toEqual(['t s']);
  });

  it('is not broken by holding its first key, but by Escape', () => {
    press('t');
    press('t', document.body, { repeat: true });
    press('Escape');
    press('s');
    expect(done()).toEqual([]);
  });

  it('runs what it is by itself when nothing follows, and is forgotten otherwise', () => {
    press('g');
    vi.advanceTimersByTime(900);
    press('t');
    vi.advanceTimersByTime(6000);
    press('s');
    expect(done()).toEqual(['g']);
  });

  it('is left for a chord, which no sequence has, so that the palette opens in the middle of one', () => {
    press('t');
    expect(press('k', document.body, { ctrlKey: true })).toBe(true);
    press('s');
    expect(done()).toEqual(['$mod+k']);
    press('t');
    expect(press('c', document.body, { ctrlKey: true })).toBe(false);
    expect(store.get(pendingKeysAtom)).toBeUndefined();
  });
});
