import { describe, expect, test } from 'vitest';

import { command } from '#commands/model/command.ts';

import { parseKeys, typesCharacter, type KeyEvent } from './press.ts';
import { createResolver, type Binding } from './resolver.ts';

function bind(keys: string): Binding {
  const boundCommand = command({ id: `app.${keys.replaceAll(' ', '-')}`, effect: 'navigate', run: async () => ({}) });
  return { command: boundCommand, keys, presses: parseKeys(keys) };
}

const bindings = [
  's',
  't',
  't s',
  'g g',
  'g d',
  'G',
  '?',
  ':',
  '*',
  '[',
  '1',
  'Escape',
  '$mod+k',
  'Shift+ArrowDown',
].map(bind);

/** Creates a keystroke in some layout: the letter it types, the key position, and the held modifiers. */
function key(letter: string, code = '', ...modifiers: string[]): KeyEvent {
  return { key: letter, code, getModifierState: (name) => modifiers.includes(name) };
}

/** Returns the result of each keystroke: the keys that ran, or the kind of step. */
function press(...events: KeyEvent[]): string[] {
  const resolver = createResolver();
  return events
    .flatMap((event) => resolver.press(event, bindings))
    .map((step) => (step.kind === 'run' ? step.bindings.map(({ keys }) => keys).join() : step.kind));
}

describe('key sequences', () => {
  test('match the longest binding and not its suffix', () => {
    expect(press(key('t'), key('s'))).toEqual(['pending', 't s']);
    expect(press(key('s'))).toEqual(['s']);
    expect(press(key('g'), key('g'))).toEqual(['pending', 'g g']);
  });

  test('run the shorter match and then the key that does not continue it', () => {
    expect(press(key('t'), key('?', 'Slash', 'Shift'))).toEqual(['pending', 't', '?']);
  });

  test('run the shorter match after a timeout', () => {
    const resolver = createResolver();
    resolver.press(key('t'), bindings);
    expect(resolver.timeout()).toMatchObject({ kind: 'run', bindings: [{ keys: 't' }] });
    expect(resolver.isPending()).toBe(false);
  });

  test("are dropped together with a key that doesn't continue them", () => {
    expect(press(key('g'), key('s'), key('s'))).toEqual(['pending', 'dropped', 's']);
  });

  test('ignore a modifier pressed between keys', () => {
    expect(press(key('t'), key('Shift', 'ShiftLeft', 'Shift'), key('s'))).toEqual(['pending', 'none', 't s']);
  });

  test('list possible continuations', () => {
    const [step] = createResolver().press(key('g'), bindings);
    expect(step).toMatchObject({ typed: 'g', continuations: [{ keys: 'g g' }, { keys: 'g d' }] });
  });
});

describe('keyboard layouts', () => {
  test('distinguish a capital by Shift, ignoring Caps Lock', () => {
    expect(press(key('G', 'KeyG', 'Shift'))).toEqual(['G']);
    expect(press(key('S', 'KeyS', 'CapsLock'))).toEqual(['s']);
    expect(press(key('S', 'KeyS', 'Shift'))).toEqual(['none']);
  });

  test('find ? : * [ in any position', () => {
    expect(press(key('?', 'Minus', 'Shift'))).toEqual(['?']); // German
    expect(press(key(':', 'Period'))).toEqual([':']); // French
    expect(press(key('*', 'Digit8', 'Shift'))).toEqual(['*']); // US: not the view 8
    expect(press(key('[', 'Digit8', 'AltGraph', 'Control', 'Alt'))).toEqual(['[']); // German on Windows
    expect(press(key('[', 'BracketLeft', 'Control'))).toEqual(['none']);
  });

  test("fall back to the physical key if the layout isn't Latin", () => {
    expect(press(key('п', 'KeyG'), key('в', 'KeyD'))).toEqual(['pending', 'g d']);
    expect(press(key('л', 'KeyK', 'Control'))).toEqual(['$mod+k']);
    expect(press(key('х', 'BracketLeft'))).toEqual(['[']);
    expect(press(key('ü', 'BracketLeft'))).toEqual(['none']);
  });

  test('accept a digit with or without Shift', () => {
    expect(press(key('&', 'Digit1'))).toEqual(['1']);
    expect(press(key('1', 'Digit1', 'Shift'))).toEqual(['1']);
    expect(press(key('!', 'Digit1', 'Shift'))).toEqual(['none']);
  });
});

test('identifies character shortcuts that WCAG 2.1.4 requires an off switch for', () => {
  const typing = bindings.filter(({ presses }) => presses[0] && typesCharacter(presses[0])).map(({ keys }) => keys);
  expect(typing).toEqual(['s', 't', 't s', 'g g', 'g d', 'G', '?', ':', '*', '[', '1']);
});
