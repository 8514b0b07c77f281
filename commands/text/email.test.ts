import { expect, test } from 'vitest';

import { isEmailAddress } from './email.ts';

const longAddress = (length: number) => `${'a'.repeat(length - '@example.com'.length)}@example.com`;

test.each([
  'anna@example.com',
  ' anna@example.com ',
  "o'hara+devices@mail.example.co.uk",
  'müller@bücher.example',
  '用户@例子.example',
  longAddress(254),
])('accepts the email address %s', (text) => expect(isEmailAddress(text)).toBe(true));

test.each([
  '',
  'anna',
  'anna@',
  '@example.com',
  'anna@example',
  'anna@example.',
  'anna@.com',
  'anna@example..com',
  'anna@@example.com',
  'anna vermeer@example.com',
  'anna@exam ple.com',
  'a@example.com,b@example.com',
  'a@example.com;b@example.com',
  'Anna <anna@example.com>',
  '"anna"@example.com',
  'mailto:anna@example.com',
  'anna\\@example.com',
  'an\u200Bna@example.com',
  'anna\u202E@example.com',
  'anna@example.com\r\nBcc: b@example.com',
  longAddress(255),
])('rejects the email address %j', (text) => expect(isEmailAddress(text)).toBe(false));
