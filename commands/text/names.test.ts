import { expect, test } from 'vitest';

import { plainName } from './names.ts';

test.each([
  ['\u202Egnp.exe\u202C', 'gnp.exe'],
  ['Anna\u2066\u2069\n Vermeer\u0007', 'Anna Vermeer'],
  ['<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
  ['\u0639\u0644\u064A\u200F', '\u0639\u0644\u064A\u200F'],
  ['\u202E\u202E', ''],
])('cleans %j to %j', (name, cleanName) => {
  expect(plainName(name)).toBe(cleanName);
});
