import { expect, test } from 'vitest';
import { blankHeaders, openHeaders, sealHeaders, storedHeader } from './headers.ts';
import { maskedUrl } from './masked-url.ts';
import { redacted, secretsOfUrl } from './redact.ts';
import { createSealer } from '#server/base/secrets.ts';

const secrets = createSealer(Buffer.alloc(32, 7));

const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;

test.each([
  ['the value', 'hunter22', 'got hunter22.', 'got (hidden).'],
  ['every time', 'hunter22', 'hunter22 hunter22', '(hidden) (hidden)'],
  ['a word of it, whatever its scheme is called', 'Bearer abcd', 'bearer abcd', 'bearer (hidden)'],
  ['words between semicolons and commas', 'abcd;efgh,ijkl', 'efgh ijkl abcd', '(hidden) (hidden) (hidden)'],
  ['what is assigned', 'session=abcd; x=efgh', 'abcd efgh', '(hidden) (hidden)'],
  ['what stands in quotes', 'key="abcd"', 'abcd', '(hidden)'],
  ['the longest first', 'Bearer abcd=abcdefgh', 'abcd=abcdefgh', '(hidden)'],
  ['the pair of Basic credentials', basic('north:pump7'), 'north:pump7', '(hidden)'],
  ['both parts of them', basic('north:pump7'), 'pump7 of north', '(hidden) of (hidden)'],
  ['its form in JSON', 'ab"cd', String.raw`{"t":"ab\"cd"}`, '{"t":"(hidden)"}'],
  ['its form in an address', 'ab/cd', '?t=ab%2Fcd', '?t=(hidden)'],
  ['its form in base64', 'abcde', Buffer.from('abcde').toString('base64'), '(hidden)='],
  ['its form in base64url', '??>>ab', Buffer.from('??>>ab').toString('base64url'), '(hidden)'],
  ['its form in HTML', 'a&b<c>"d', 'a&amp;b&lt;c&gt;&quot;d', '(hidden)'],
  ['four letters', 'abcd', 'abcd', '(hidden)'],
  ['but not three', 'abc', 'abc', 'abc'],
  [
    'nor the name of a scheme alone',
    'Bearer Basic Digest ApiKey',
    'bearer basic digest apikey',
    'bearer basic digest apikey',
  ],
  ['nor that of a token', 'Token', 'Token', 'Token'],
  ['a whole value of several words', 'hunter two', 'hunter two', '(hidden)'],
])('hides %s', (_, secret, text, shown) => {
  expect(redacted(text, [secret])).toBe(shown);
});

test('hides the secrets of a call all at once, the longer before their parts', () => {
  expect(redacted('abcdefgh abcd', ['abcd', 'abcdefgh'])).toBe('(hidden) (hidden)');
  expect(redacted('nothing here', [])).toBe('nothing here');
});

test('what of an address may be a credential', () => {
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
])('others read %s as %s', (url, shown) => {
  expect(maskedUrl(url)).toBe(shown);
});

test('values of headers are sealed, opened and blanked by name, and found in any case', () => {
  const sealed = sealHeaders(secrets, { A: 'one', B: 'two' });
  expect(Object.values(sealed).filter((value) => ['one', 'two'].includes(value))).toEqual([]);
  expect(openHeaders(secrets, sealed)).toEqual({ A: 'one', B: 'two' });
  expect(blankHeaders(sealed)).toEqual({ A: '', B: '' });
  expect([storedHeader({ 'X-Key': 'v' }, 'x-kEY'), storedHeader({ 'X-Key': 'v' }, 'x')]).toEqual(['v', undefined]);
});
