import { describe, expect, test } from 'vitest';

import { cleanLine, findInvisible, replaceInvisible } from './visible.ts';

describe('visible text is unchanged', () => {
  test.each([
    ['Latin with marks', 'Zoë Åström-Núñez'],
    ['Japanese with an ideographic space', '山田　太郎'],
    ['a variant of an ideograph', '葛\u{e0100}城'],
    ['Persian with a non-joiner', '\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645'],
    ['Bengali with a joiner', '\u09B0\u200D\u09CD\u09AF\u09BE\u09AE'],
    ['Hindi with a non-joiner after a virama', '\u0915\u094D\u200C\u0937'],
    ['Malayalam with a joiner', '\u0D28\u0D4D\u200D\u0D2E'],
    ['Mongolian with a variant', '\u1820\u180B\u1828'],
    ['Arabic with a mark', '\u0639\u0644\u064A\u200F'],
    ['Hebrew with a mark before it', 'C\u200E\u05D0'],
    ['Arabic number sign', '\u0600\u0661'],
    ['a family', '👩‍👩‍👧‍👦'],
    ['a heart in color', '❤️'],
    ['a couple with a heart', '👩‍❤️‍👩'],
    ['a skin tone and a profession', '🧑🏽‍🚀'],
    ['a rainbow flag', '🏳️‍🌈'],
    ['the flag of Scotland', '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'],
    ['the flag of a country', '🇳🇱'],
    ['a keycap', '1️⃣'],
    ['Braille letters', '\u2801\u2803'],
    ['markup', '<img src=x onerror=alert(1)>'],
  ])('%s', (_, text) => {
    expect(findInvisible(text)).toBeUndefined();
    expect(replaceInvisible(text)).toBe(text);
    expect(cleanLine(text, 200)).toBe(text);
  });
});

describe('invisible characters are detected and removed', () => {
  test.each([
    ['a control character', 'a\u0007b', 'U+0007'],
    ['a line break', 'a\nb', 'U+000A'],
    ['a C1 next-line control', 'a\u0085b', 'U+0085'],
    ['a line separator', 'a\u2028b', 'U+2028'],
    ['a paragraph separator', 'a\u2029b', 'U+2029'],
    ['a soft hyphen', 'a\u00ADb', 'U+00AD'],
    ['a grapheme joiner', 'a\u034Fb', 'U+034F'],
    ['a zero-width space', 'a\u200Bb', 'U+200B'],
    ['a non-joiner among Latin letters', 'a\u200Cb', 'U+200C'],
    ['a joiner among Latin letters', 'a\u200Db', 'U+200D'],
    ['a joiner at the end of an emoji', '👩\u200D', 'U+200D'],
    ['a second joiner in a row', '👩\u200D\u200D👩', 'U+200D'],
    ['a joiner at the end of a word', '\u0915\u200D', 'U+200D'],
    ['a mark among Latin letters', 'a\u200Fb', 'U+200F'],
    ['a second mark in a row', '\u0639\u200F\u200Fb', 'U+200F'],
    ['a second Arabic letter mark in a row', 'a\u061C\u061Cb', 'U+061C'],
    ['an override', '\u202Egnp.exe', 'U+202E'],
    ['an embedding', 'a\u202Ab', 'U+202A'],
    ['an isolate', 'a\u2067b', 'U+2067'],
    ['a word joiner', 'a\u2060b', 'U+2060'],
    ['an invisible operator', 'a\u2064b', 'U+2064'],
    ['a deprecated format character', 'a\u206Bb', 'U+206B'],
    ['a byte order mark', '\uFEFFab', 'U+FEFF'],
    ['a Hangul filler', '\u3164', 'U+3164'],
    ['a half-width Hangul filler', 'a\uFFA0', 'U+FFA0'],
    ['a Braille blank', 'a\u2800b', 'U+2800'],
    ['a selector after a letter', 'a\uFE0Fb', 'U+FE0F'],
    ['a supplementary selector after a letter', 'a\u{e0100}b', 'U+E0100'],
    ['a tag', 'a\u{e0041}b', 'U+E0041'],
    ['an unterminated flag of tags', '🏴\u{e0067}\u{e0062}x', 'U+E0067'],
    ['an annotation anchor', 'a\uFFF9b', 'U+FFF9'],
    ['a musical format character', 'a\u{1d173}b', 'U+1D173'],
    ['a noncharacter', 'a\uFFFEb', 'U+FFFE'],
    ['a lone surrogate', 'a\uD800b', 'U+D800'],
  ])('%s', (_, text, code) => {
    expect(findInvisible(text)).toBe(code);
    expect(findInvisible(replaceInvisible(text))).toBeUndefined();
    expect(replaceInvisible(text, '\ufffd')).toContain('\ufffd');
  });
});

test('collapses text to one line and truncates it between graphemes', () => {
  expect(cleanLine('  Anna\n\t Vermeer\u202E ', 200)).toBe('Anna Vermeer');
  expect(cleanLine('x'.repeat(5001), 200)).toBe('x'.repeat(200));
  expect(cleanLine(`${'x'.repeat(9)}👩‍👩‍👧`, 10)).toBe('x'.repeat(9));
  expect(cleanLine(`${'x'.repeat(9)} yz`, 10)).toBe('x'.repeat(9));
  expect(cleanLine('👩‍👩‍👧', 4)).toBe('');
});
