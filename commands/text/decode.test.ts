import { expect, test } from 'vitest';

import { decodeText } from './decode.ts';

const utf16 = (text: string, littleEndian: boolean): Uint8Array => {
  const view = new DataView(new ArrayBuffer(text.length * 2));
  [...text].forEach((char, index) => view.setUint16(index * 2, char.charCodeAt(0), littleEndian));
  return new Uint8Array(view.buffer);
};

test.each([
  ['UTF-8', new TextEncoder().encode('Café;井')],
  ['UTF-8 with a mark', new TextEncoder().encode('\uFEFFCafé;井')],
  ['UTF-16 of Windows', utf16('\uFEFFCafé;井', true)],
  ['UTF-16 with the other byte order', utf16('\uFEFFCafé;井', false)],
])('decodes %s', (_name, bytes) => {
  expect(decodeText(bytes)).toBe('Café;井');
});

test('decodes what an older Windows program saved', () => {
  expect(decodeText(Uint8Array.of(0x43, 0x61, 0x66, 0xe9, 0x3b, 0x80))).toBe('Café;€');
});

test.each([
  ['a zip file', Uint8Array.of(0x50, 0x4b, 0x03, 0x04, 0x14, 0, 0, 0)],
  ['half of a character in UTF-16', Uint8Array.of(0xff, 0xfe, 0x41)],
])('rejects %s', (_name, bytes) => {
  expect(decodeText(bytes)).toBeUndefined();
});
