import { fireEvent } from '@testing-library/dom';
import { describe, expect, test, vi } from 'vitest';

import { cancelLayer, discardTyping, expectLayer, holdKeys, runWithLayer } from '#src/state/key-queue.ts';
import { store } from '#src/state/store.ts';

import { pendingKeysAtom } from './pending.ts';
import { press, handledKeys, run, setPage, singleKeys, setUpListening } from './testkit/listening.ts';

setUpListening();

describe("Firefox's quick find", () => {
  test.each(['/', "'"])('is suppressed for an unhandled %s', (key) => {
    expect(press(key)).toBe(true);
    expect(press(key, setPage('<button>b</button>'))).toBe(true);
    expect(press(key, setPage('<dialog open><button>b</button></dialog>').querySelector('button') as Element)).toBe(
      true,
    );
    expect(handledKeys()).toEqual([]);
  });

  test.each(['<dialog open><button>b</button></dialog>', '<div role="dialog"><button>b</button></div>'])(
    'is suppressed in %s that stops propagation, unless single keys are off',
    (html) => {
      const layer = setPage(html);
      layer.addEventListener('keydown', (event) => event.stopPropagation());
      expect(press('/', layer.querySelector('button') as Element)).toBe(true);
      singleKeys.on = false;
      expect(press('/', layer.querySelector('button') as Element)).toBe(false);
    },
  );

  test('is left alone in fields, with a modifier, or with single keys off', () => {
    expect(press('/', setPage('<input>'))).toBe(false);
    expect(press('/', setPage('<dialog open><input></dialog>').querySelector('input') as Element)).toBe(false);
    expect(press('/', document.body, { ctrlKey: true })).toBe(false);
    singleKeys.on = false;
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
  ])('does nothing while typing in %s, except Escape and chords', (html) => {
    const field = setPage(html);
    expect(press('x', field)).toBe(false);
    press('Escape', field);
    press('k', field, { ctrlKey: true });
    expect(handledKeys()).toEqual(['Escape', '$mod+k']);
  });

  test('is ignored during input method composition', () => {
    press('x', document.body, { isComposing: true });
    press('x', document.body, { keyCode: 229 });
    press('Process');
    expect(handledKeys()).toEqual([]);
  });

  test('is ignored when held unless its command repeats', () => {
    press('x', document.body, { repeat: true });
    press('j');
    press('j', document.body, { repeat: true });
    expect(handledKeys()).toEqual(['j', 'j']);
  });

  test('does nothing if the page handled it or a dialog is open', () => {
    const button = setPage('<button>Send</button>');
    button.addEventListener('keydown', (event) => event.preventDefault());
    press('x', button);
    setPage('<dialog open></dialog>');
    press('x');
    expect(handledKeys()).toEqual([]);
  });

  test('is left to a focused button if it is Enter', () => {
    expect(press('Enter', setPage('<button>Send</button>'))).toBe(false);
    press('Enter');
    expect(handledKeys()).toEqual(['Enter']);
  });

  test('is ignored if single-key shortcuts are off', () => {
    singleKeys.on = false;
    press('x');
    press('g');
    press('d');
    press('k', document.body, { ctrlKey: true });
    expect(handledKeys()).toEqual(['$mod+k']);
  });
});

describe('text typed for a prompt that never appears', () => {
  test('is discarded until a pause', () => {
    discardTyping();
    for (const key of ['x', 'g', 'd', 'Enter', 'x', 'Shift', 'x']) {
      vi.advanceTimersByTime(240);
      press(key);
    }
    expect(handledKeys()).toEqual([]);
    vi.advanceTimersByTime(1000);
    press('x');
    press('x');
    expect(handledKeys()).toEqual(['x', 'x']);
  });

  test('is discarded along with the Enter that ends it, however late', () => {
    discardTyping();
    press('x');
    vi.advanceTimersByTime(5000);
    press('Enter');
    expect(handledKeys()).toEqual([]);
    press('Enter');
    expect(handledKeys()).toEqual(['Enter']);
  });

  test('is discarded with its Enter if the prompt fails after the text was typed', () => {
    expectLayer();
    runWithLayer(() => undefined);
    discardTyping();
    cancelLayer();
    vi.advanceTimersByTime(5000);
    press('Enter');
    expect(handledKeys()).toEqual([]);
  });

  test.each([
    ['another key', () => press('j')],
    ['an arrow key', () => press('ArrowDown')],
    ['Tab', () => press('Tab')],
    ['a click', () => fireEvent.pointerDown(document.body)],
  ])('leaves Enter alone after %s', (_, interrupt) => {
    discardTyping();
    press('x');
    vi.advanceTimersByTime(5000);
    interrupt();
    run.mockClear();
    press('Enter');
    expect(handledKeys()).toEqual(['Enter']);
  });

  test('leaves Enter alone if nothing was typed', () => {
    discardTyping();
    vi.advanceTimersByTime(5000);
    press('Enter');
    expect(handledKeys()).toEqual(['Enter']);
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
    expect(handledKeys()).toEqual(expected);
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
    expect(handledKeys()).toEqual(['t s']);
  });

  test('survives a held first key but is canceled by Escape', () => {
    press('t');
    press('t', document.body, { repeat: true });
    press('Escape');
    press('s');
    expect(handledKeys()).toEqual([]);
  });

  test('runs its shorter match after a timeout and is forgotten otherwise', () => {
    press('g');
    vi.advanceTimersByTime(900);
    press('t');
    vi.advanceTimersByTime(6000);
    press('s');
    expect(handledKeys()).toEqual(['g']);
  });

  test('is canceled by a chord', () => {
    press('t');
    expect(press('k', document.body, { ctrlKey: true })).toBe(true);
    press('s');
    expect(handledKeys()).toEqual(['$mod+k']);
    press('t');
    expect(press('c', document.body, { ctrlKey: true })).toBe(false);
    expect(store.get(pendingKeysAtom)).toBeUndefined();
  });
});

describe('Escape', () => {
  test('closes a form whose fields are loading, although it has no focus yet, and drops what was typed for it', () => {
    const form = setPage('<div data-opening></div>');
    form.addEventListener('keydown', (event) => {
      if ((event as KeyboardEvent).key !== 'Escape') return;
      event.preventDefault();
      form.remove();
    });
    press('x');
    expect(press('Escape')).toBe(true);
    expect(form.isConnected).toBe(false);
    vi.runAllTimers();
    expect(handledKeys()).toEqual([]);
  });

  test("only cancels a command that hasn't had an effect yet", () => {
    const keys = holdKeys();
    press('x');
    expect(press('Escape')).toBe(true);
    expect(keys.isHeld()).toBe(false);
    vi.runAllTimers();
    expect(handledKeys()).toEqual([]);
    press('Escape');
    expect(handledKeys()).toEqual(['Escape']);
  });

  test('runs its command while a form without a handler of its own is loading', () => {
    setPage('<div data-opening></div>');
    expect(press('Escape')).toBe(true);
    expect(handledKeys()).toEqual(['Escape']);
  });
});
