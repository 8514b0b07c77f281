import { describe, expect, it } from 'vitest';

import { command } from '#commands/model/command.ts';

import { parseKeys, typesCharacter, type Pressed } from './press.ts';
import { createResolver, type Binding } from './resolver.ts';

function bind(keys: string): Binding {
  const of = command({ id: `app.${keys.replaceAll(' ', '-')}`, effect: 'navigate', run: async () => ({}) });
  return { command: of, keys, presses: parseKeys(keys) };
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

/** A press as a layout reports it: its letter, where the key is, and what is held. */
function key(letter: string, code = '', ...held: string[]): Pressed {
  return { key: letter, code, getModifierState: (name) => held.includes(name) };
}

/** What each press came to: the keys that ran, or the kind of step. */
function press(...events: Pressed[]): string[] {
  const resolver = createResolver();
  return events
    .flatMap((event) => resolver.press(event, bindings))
    .map((step) => (step.kind === 'run' ? step.bindings.map(({ keys }) => keys).join() : step.kind));
}

describe('sequences', () => {
  it('take the longest, and never also their suffix', () => {
    expect(press(key('t'), key('s'))).toEqual(['pending', 't s']);
    expect(press(key('s'))).toEqual(['s']);
    expect(press(key('g'), key('g'))).toEqual(['pending', 'g g']);
  });

  it('run the shorter one where another key follows, and then that key', () => {
    expect(press(key('t'), key('?', 'Slash', 'Shift'))).toEqual(['pending', 't', '?']);
  });

  it('run the shorter one where nothing follows', () => {
    const resolver = createResolver();
    resolver.press(key('t'), bindings);
    expect(resolver.timeout()).toMatchObject({ kind: 'run', bindings: [{ keys: 't' }] });
    expect(resolver.isPending()).toBe(false);
  });

  it('are dropped, with the key, where they lead nowhere', () => {
    expect(press(key('g'), key('s'), key('s'))).toEqual(['pending', 'dropped', 's']);
  });

  it('are not broken by a modifier on its way down', () => {
    expect(press(key('t'), key('Shift', 'ShiftLeft', 'Shift'), key('s'))).toEqual(['pending', 'none', 't s']);
  });

  it('say how they may go on', () => {
    const [step] = createResolver().press(key('g'), bindings);
    expect(step).toMatchObject({ typed: 'g', continuations: [{ keys: 'g g' }, { keys: 'g d' }] });
  });
});

describe('layouts', () => {
  it('tell a capital from its letter, whatever caps lock says', () => {
    expect(press(key('G', 'KeyG', 'Shift'))).toEqual(['G']);
    expect(press(key('S', 'KeyS', 'CapsLock'))).toEqual(['s']);
    expect(press(key('S', 'KeyS', 'Shift'))).toEqual(['none']);
  });

  it('find ? : * [ wherever they are', () => {
    expect(press(key('?', 'Minus', 'Shift'))).toEqual(['?']); // German
    expect(press(key(':', 'Period'))).toEqual([':']); // French
    expect(press(key('*', 'Digit8', 'Shift'))).toEqual(['*']); // US: not the view 8
    expect(press(key('[', 'Digit8', 'AltGraph', 'Control', 'Alt'))).toEqual(['[']); // German on Windows
    expect(press(key('[', 'BracketLeft', 'Control'))).toEqual(['none']);
  });

  it('fall back to the place of the key where there is no Latin letter', () => {
    expect(press(key('п', 'KeyG'), key('в', 'KeyD'))).toEqual(['pending', 'g d']);
    expect(press(key('л', 'KeyK', 'Control'))).toEqual(['$mod+k']);
    expect(press(key('х', 'BracketLeft'))).toEqual(['[']);
    expect(press(key('ü', 'BracketLeft'))).toEqual(['none']);
  });

  it('take a digit that needs Shift from either side', () => {
    expect(press(key('&', 'Digit1'))).toEqual(['1']);
    expect(press(key('1', 'Digit1', 'Shift'))).toEqual(['1']);
    expect(press(key('!', 'Digit1', 'Shift'))).toEqual(['none']);
  });
});

it('knows what WCAG 2.1.4 asks to be able to turn off', () => {
  const typing = bindings.filter(({ presses }) => presses[0] && typesCharacter(presses[0])).map(({ keys }) => keys);
  expect(typing).toEqual(['s', 't', 't s', 'g g', 'g d', 'G', '?', ':', '*', '[', '1']);
});
