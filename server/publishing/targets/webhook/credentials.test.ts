import { expect, test } from 'vitest';

import { createSealer } from '#server/base/secrets.ts';

import { blankHeaders, openHeaders, sealHeaders, storedHeader } from './headers.ts';
import { maskedUrl } from './masked-url.ts';
import { redact, secretsOfUrl } from './redact.ts';

const secrets = createSealer(Buffer.alloc(32, 7));

const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;

test.each([
  ['the value', 'hunter22', 'got hunter22.', 'got (hidden).'],
  ['every occurrence', 'hunter22', 'hunter22 hunter22', '(hidden) (hidden)'],
  ['a word of the value, ignoring the case of the scheme', 'Bearer abcd', 'bearer abcd', 'bearer (hidden)'],
  ['words between semicolons and commas', 'abcd;efgh,ijkl', 'efgh ijkl abcd', '(hidden) (hidden) (hidden)'],
  ['assigned values', 'session=abcd; x=efgh', 'abcd efgh', '(hidden) (hidden)'],
  ['a quoted value', 'key="abcd"', 'abcd', '(hidden)'],
  ['the longest match first', 'Bearer abcd=abcdefgh', 'abcd=abcdefgh', '(hidden)'],
  ['Basic credentials as a pair', basic('north:pump7'), 'north:pump7', '(hidden)'],
  ['user name and password of Basic credentials', basic('north:pump7'), 'pump7 of north', '(hidden) of (hidden)'],
  ['the value escaped in JSON', 'ab"cd', String.raw`{"t":"ab\"cd"}`, '{"t":"(hidden)"}'],
  ['the value encoded in a URL', 'ab/cd', '?t=ab%2Fcd', '?t=(hidden)'],
  ['the value in base64', 'abcde', Buffer.from('abcde').toString('base64'), '(hidden)='],
  ['the value in base64url', '??>>ab', Buffer.from('??>>ab').toString('base64url'), '(hidden)'],
  ['the value escaped in HTML', 'a&b<c>"d', 'a&amp;b&lt;c&gt;&quot;d', '(hidden)'],
  ['a four-letter value', 'abcd', 'abcd', '(hidden)'],
  ['no three-letter value', 'abc', 'abc', 'abc'],
  ['no scheme names', 'Bearer Basic Digest ApiKey', 'bearer basic digest apikey', 'bearer basic digest apikey'],
  ['no scheme name as the whole value', 'Token', 'Token', 'Token'],
  ['a whole multi-word value', 'hunter two', 'hunter two', '(hidden)'],
])('hides %s', (_, secret, text, expected) => {
  expect(redact(text, [secret])).toBe(expected);
});

test('hides all secrets at once, longer ones first', () => {
  expect(redact('abcdefgh abcd', ['abcd', 'abcdefgh'])).toBe('(hidden) (hidden)');
  expect(redact('nothing here', [])).toBe('nothing here');
});

test('lists the parts of a URL that may be credentials', () => {
  expect(secretsOfUrl('https://a.example/hooks/T00000000000PATH/short?token=abc&x=d')).toEqual([
    'token=abc&x=d',
    'abc',
    'd',
    'T00000000000PATH',
  ]);
  expect(secretsOfUrl('https://a.example/123456789012345')).toEqual(['']);
  expect(secretsOfUrl('nonsense')).toEqual([]);
});

test.each([
  ['https://a.example', 'https://a.example/'],
  ['https://a.example:8443/', 'https://a.example:8443/'],
  ['https://a.example/hook', 'https://a.example/…'],
  ['https://a.example/?token=x', 'https://a.example/…'],
  ['https://a.example/#x', 'https://a.example/…'],
  ['nonsense', ''],
])('masks %s as %s', (url, expected) => {
  expect(maskedUrl(url)).toBe(expected);
});

test('seals, opens, and blanks header values, and finds them ignoring case', () => {
  const sealed = sealHeaders(secrets, { A: 'one', B: 'two' });
  expect(Object.values(sealed).filter((value) => ['one', 'two'].includes(value))).toEqual([]);
  expect(openHeaders(secrets, sealed)).toEqual({ A: 'one', B: 'two' });
  expect(blankHeaders(sealed)).toEqual({ A: '', B: '' });
  expect([storedHeader({ 'X-Key': 'v' }, 'x-kEY'), storedHeader({ 'X-Key': 'v' }, 'x')]).toEqual(['v', undefined]);
});
