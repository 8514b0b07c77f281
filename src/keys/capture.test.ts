import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** Records a keystroke on a platform: the character, the physical key, and the held modifiers. */
async function record(platform: string, key: string, code: string, ...modifiers: string[]) {
  vi.stubGlobal('navigator', { platform });
  const { toKeystroke } = await import('./capture.ts');
  const { matchesPosition, matchesPress, parseKeys } = await import('#src/keymap/press.ts');
  const event = { key, code, getModifierState: (name: string) => modifiers.includes(name) };
  const keys = toKeystroke(event);
  const [press] =
    keys === undefined ? [] : parseKeys(keys.replace('$mod', platform === 'MacIntel' ? 'Meta' : 'Control'));
  return { keys, matches: press !== undefined && (matchesPress(event, press) || matchesPosition(event, press)) };
}

test.each([
  ['a letter', 'Win32', 'b', 'KeyB', [], 'b'],
  ['a letter with Caps Lock', 'Win32', 'B', 'KeyB', ['CapsLock'], 'b'],
  ['a capital', 'Win32', 'B', 'KeyB', ['Shift'], 'Shift+B'],
  ['a chord', 'Win32', 'b', 'KeyB', ['Control'], '$mod+b'],
  ['a chord on a Mac', 'MacIntel', 'b', 'KeyB', ['Meta'], '$mod+b'],
  ['Space', 'Win32', ' ', 'Space', [], 'Space'],
  ['a symbol that needs Shift', 'Win32', '?', 'Slash', ['Shift'], '?'],
  ['a symbol with Control', 'Win32', '.', 'Period', ['Control'], '$mod+.'],
  ['a symbol with AltGr (German)', 'Win32', '[', 'Digit8', ['AltGraph', 'Control', 'Alt'], '['],
  ['a symbol with Option (German, on a Mac)', 'MacIntel', '[', 'Digit5', ['Alt'], '['],
  ['a Cyrillic letter', 'Win32', 'ф', 'KeyA', [], 'a'],
  ['a Cyrillic capital', 'Win32', 'Ф', 'KeyA', ['Shift'], 'Shift+A'],
  ['a chord with a Cyrillic letter', 'Win32', 'и', 'KeyB', ['Control'], '$mod+b'],
  ['a Cyrillic letter on the key of a bracket', 'Win32', 'х', 'BracketLeft', [], '['],
])('records %s as keys that the same keystroke matches', async (_, platform, key, code, modifiers, keys) => {
  expect(await record(platform, key, code, ...modifiers)).toEqual({ keys, matches: true });
});

test('records nothing while only a modifier is held', async () => {
  expect((await record('Win32', 'Shift', 'ShiftLeft', 'Shift')).keys).toBeUndefined();
});
