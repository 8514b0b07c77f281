import { expect, test } from 'vitest';

import { parseValue, printValue } from '#commands/line/line.ts';
import { checkValue } from '#commands/run/values.ts';
import { testContext } from '#commands/testkit/context.ts';

import { fileContent, fileReference, fileValue, mediaTypeOf } from './files.ts';
import { p } from './params.ts';

const logo = { name: 'our logo, 2026.png', mediaType: 'image/png', bytes: new Uint8Array([137, 80, 78, 71]) };
const param = p.file({ accept: ['image/png'], maxBytes: 4 });

test("keeps a file's content but prints only its name", () => {
  expect(fileContent(fileValue(logo))).toEqual(logo);
  expect(printValue(param, fileValue(logo))).toBe('@our logo, 2026.png');
  expect(parseValue(param, '@logo.png')).toEqual({ value: '@logo.png' });
  expect(fileContent(fileReference(fileValue(logo)))).toBeUndefined();
});

test('reads a path without @ as a file reference', () => {
  expect(parseValue(param, 'logo.png')).toEqual({ value: '@logo.png' });
  expect(parseValue(param, fileValue(logo))).toEqual({ value: fileValue(logo) });
});

test('rejects a reference without a path and files that are too large or of the wrong type', () => {
  expect(parseValue(param, '@')).toMatchObject({ problem: { key: 'core:validation.file' } });
  const largerFile = fileValue({ ...logo, bytes: new Uint8Array(5) });
  expect(checkValue(param, largerFile, testContext())).toMatchObject({ key: 'core:validation.fileSize' });
  const text = fileValue({ ...logo, mediaType: 'text/plain' });
  expect(checkValue(param, text, testContext())).toMatchObject({ key: 'core:validation.fileType' });
  expect(checkValue(param, fileValue(logo), testContext())).toBeUndefined();
  expect(mediaTypeOf('Logo.PNG')).toBe('image/png');
});
