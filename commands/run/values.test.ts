import { expect, test } from 'vitest';

import type { ArgValue } from '#commands/model/arg-value.ts';
import { fileValue } from '#commands/model/files.ts';
import type { Param } from '#commands/model/kinds.ts';
import { p } from '#commands/model/params.ts';
import { testContext } from '#commands/testkit/context.ts';
import { gadget } from '#commands/testkit/gadget.ts';
import { message } from '#commands/text/message.ts';

import { checkValue } from './values.ts';

const problem = (param: Param, value: ArgValue) => checkValue(param, value, testContext());

test('limits the length of text, to 1000 characters by default', () => {
  const max = (limit: number, length: number) => ({ key: 'core:validation.maxLength', values: { max: limit, length } });
  expect(problem(p.text(), 'x'.repeat(1000))).toBeUndefined();
  expect(problem(p.text(), 'x'.repeat(1001))).toEqual(max(1000, 1001));
  expect(problem(p.text({ maxLength: 3 }), ' abc ')).toBeUndefined();
  expect(problem(p.text({ maxLength: 3 }), 'abcd')).toEqual(max(3, 4));
  expect(problem(p.secret({ maxLength: 3 }), 'abcd')).toEqual(max(3, 4));
  expect(problem(p.words({ maxLength: 3 }), ['a', 'abcd'])).toEqual(max(3, 4));
  expect(problem(p.pairs({ maxLength: 3 }), { a: 'abcd' })).toEqual(max(3, 4));
  expect(problem(p.pairs({ maxLength: 3 }), { abcde: 'a' })).toEqual(max(3, 5));
  for (const name of ['__proto__', '', ' '])
    expect(problem(p.pairs(), Object.fromEntries([[name, 'a']]))).toEqual({
      key: 'core:validation.pairName',
      values: { name },
    });
});

test('allows line breaks only in multiline text', () => {
  for (const text of ['a\nb', 'a\r\nb', 'a\tb', 'a\u0000b', 'a\u001b[31m', 'a\u2028b', 'a\u0085b']) {
    expect(problem(p.text(), text), JSON.stringify(text)).toEqual({ key: 'core:validation.oneLine' });
    expect(problem(p.text({ multiline: true }), text)).toBeUndefined();
  }
  expect(problem(p.text(), ' naïve 井 👩‍👩‍👧\n')).toBeUndefined();
});

test('rejects blank text unless a blank clears the field', () => {
  const required = { key: 'core:validation.required' };
  expect([' ', '\u00a0\t', '\n'].map((blankText) => problem(p.text(), blankText))).toEqual([
    required,
    required,
    required,
  ]);
  expect([problem(p.text(), ''), problem(p.text({ clears: true }), ' '), problem(p.secret(), ' ')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('checks the minimum length only of nonempty text', () => {
  const param = p.text({ minLength: 3 });
  expect(problem(param, 'ab')).toEqual({ key: 'core:validation.minLength', values: { min: 3, length: 2 } });
  expect(problem(param, 'a')?.values).toEqual({ min: 3, length: 1 });
  expect(problem(param, 'abc')).toBeUndefined();
  expect(problem(param, '')).toBeUndefined();
});

test('accepts only safe integers as whole numbers', () => {
  const param = p.number({ integer: true });
  const key = (value: number) => problem(param, value)?.key;
  expect([key(2 ** 53), key(-(2 ** 53)), key(1.5)]).toEqual([
    'core:validation.tooLarge',
    'core:validation.tooSmall',
    'core:validation.integer',
  ]);
  expect([key(2 ** 53 - 1), key(1 - 2 ** 53)]).toEqual([undefined, undefined]);
});

test('reports the bound and the value in the message', () => {
  expect(problem(p.number({ min: 1 }), 0)).toEqual({ key: 'core:validation.min', values: { value: 0, min: 1 } });
  // The message has durations in the format that users type.
  const maxProblem = { key: 'core:validation.max', values: { value: '1m1s', max: '1m' } };
  expect(problem(p.duration({ max: 60 }), 61)).toEqual(maxProblem);
});

test("rejects dates that don't exist and ranges that end before they start", () => {
  expect(problem(p.time(), '2026-02-30')).toEqual({ key: 'core:validation.time', values: { value: '2026-02-30' } });
  expect(problem(p.time(), '2026-02-28')).toBeUndefined();
  const range = p.range();
  expect(problem(range, { start: '2026-02-01', end: 'soon' })?.values).toEqual({ value: 'soon' });
  expect(problem(range, { start: '2026-02-02', end: '2026-02-01' })).toEqual({
    key: 'running:values.order',
    values: { from: '2026-02-02', to: '2026-02-01' },
  });
  for (const [start, end] of [
    ['2026-02-01', '2026-02-01'],
    ['-10h', 'now'],
    ['-10h', '2020-01-01'],
    ['last month', 'last month'],
    ['2026-02-01 10:00', '2026-02-01 10:00'],
  ] as const)
    expect(problem(range, { start, end })).toBeUndefined();
});

test('checks the bounds of a time and of both ends of a range', () => {
  // It is noon on 11 March 2026.
  const boundProblem = (key: string, value: string, limit: string) => ({
    key: `core:validation.${key}`,
    values: { value, [key]: limit },
  });
  const time = p.time({ min: '2026-03-10', max: 'now' });
  expect(['2026-03-10', 'today', 'now', '-1d'].map((value) => problem(time, value))).toEqual(Array(4).fill(undefined));
  expect(problem(p.time({ min: '2026-03-10 10:00' }), '2026-03-10 10:00')).toBeUndefined();
  expect(problem(time, '2026-03-09 23:59')).toEqual(boundProblem('min', '2026-03-09 23:59', '2026-03-10'));
  expect(problem(time, 'tomorrow')).toEqual(boundProblem('max', 'tomorrow', 'now'));
  const boundedRange = p.range({ min: '2026-03-10', max: '2026-03-20' });
  expect(problem(boundedRange, { start: '2026-03-10', end: '2026-03-20' })).toBeUndefined();
  expect(problem(boundedRange, { start: '2026-03-09', end: '2026-03-12' })).toEqual(
    boundProblem('min', '2026-03-09', '2026-03-10'),
  );
  expect(problem(boundedRange, { start: '2026-03-12', end: '2026-03-21' })).toEqual(
    boundProblem('max', '2026-03-21', '2026-03-20'),
  );
});

test('rejects invalid numbers and durations and checks bounds', () => {
  expect(problem(p.number(), NaN)).toEqual({ key: 'core:validation.numeric' });
  expect(problem(p.duration(), Infinity)).toEqual({ key: 'core:validation.duration' });
  expect(problem(p.duration({ min: 60 }), 59)).toEqual({
    key: 'core:validation.min',
    values: { value: '59s', min: '1m' },
  });
  expect(problem(p.duration({ min: 60, max: 60 }), 60)).toBeUndefined();
  expect([problem(p.number({ min: 1, max: 3 }), 1), problem(p.number({ min: 1, max: 3 }), 3)]).toEqual([
    undefined,
    undefined,
  ]);
  expect(problem(p.number({ max: 3 }), 4)).toEqual({ key: 'core:validation.max', values: { value: 4, max: 3 } });
  expect(problem(p.number(), 1.5)).toBeUndefined();
});

test('accepts only the options of a choice', () => {
  const rejected = { key: 'core:validation.option', values: { value: 'C', options: 'A, B' } };
  expect(problem(p.choice(['A', 'B']), 'A')).toBeUndefined();
  expect(problem(p.choice(['A', 'B']), 'C')).toEqual(rejected);
  expect(problem(p.choices(['A', 'B']), ['A', 'B'])).toBeUndefined();
  expect(problem(p.choices(['A', 'B']), ['A', 'C'])).toEqual(rejected);
});

test("checks the type and size of a file's content but not of a file reference", () => {
  const param = p.file({ accept: ['image/png', 'image/gif'], maxBytes: 2048 });
  const file = (length: number, mediaType = 'image/png') =>
    fileValue({ name: 'logo.png', mediaType, bytes: new Uint8Array(length) });
  expect([problem(param, file(2048)), problem(param, '@logo.png')]).toEqual([undefined, undefined]);
  expect(problem(param, file(2049))).toEqual({
    key: 'core:validation.fileSize',
    values: { name: 'logo.png', max: 2, unit: 'KB' },
  });
  expect(problem(param, file(1, 'image/webp'))).toEqual({
    key: 'core:validation.fileType',
    values: { name: 'logo.png', types: '.png, .gif' },
  });
  const hostileName = fileValue({ name: 'a\n\u001b[31mb.csv', mediaType: 'text/csv', bytes: new Uint8Array(1) });
  expect(problem(param, hostileName)).toMatchObject({ values: { name: 'a [31mb.csv' } });
});

test('limits given ids, but not filter matches', () => {
  const param = { ...p.many(() => gadget), atMost: 2 } as unknown as Param;
  expect(problem(param, { ids: ['1', '2'] })).toBeUndefined();
  expect(problem(param, { ids: ['1', '2', '3'] })).toEqual({ key: 'core:validation.atMost', values: { max: 2 } });
  expect(problem(param, { query: 'state:OK' })).toBeUndefined();
});

test("checks first whether a param is blocked and runs the param's own check last", () => {
  const ownProblem = () => message('core:own');
  expect(problem(p.text({ check: ownProblem }), 'x')).toEqual({ key: 'core:own' });
  expect(problem(p.text({ check: ownProblem, maxLength: 1 }), 'xy')?.key).toBe('core:validation.maxLength');
  expect(problem(p.text({ blockedReason: () => message('core:blocked'), maxLength: 1 }), 'xy')).toEqual({
    key: 'core:blocked',
  });
});

test("starts weeks in times and ranges on the user's first day", () => {
  const problemKey = (param: Param, value: ArgValue, firstDayOfWeek: string) =>
    checkValue(param, value, testContext({ preferences: { firstDayOfWeek } }))?.key;
  const time = p.time({ max: '2026-03-08' });
  expect([problemKey(time, 'this week', 'MONDAY'), problemKey(time, 'this week', 'SUNDAY')]).toEqual([
    'core:validation.max',
    undefined,
  ]);
  const range = p.range({ min: '2026-03-09' });
  const week = { start: 'this week', end: 'this week' };
  expect([problemKey(range, week, 'MONDAY'), problemKey(range, week, 'SUNDAY')]).toEqual([
    undefined,
    'core:validation.min',
  ]);
});

test('checks only the bounds that a range has', () => {
  expect(problem(p.range({ min: '2026-03-10' }), { start: '2026-03-10', end: '2030-01-01' })).toBeUndefined();
  expect(problem(p.range({ max: '2026-03-10' }), { start: '2020-01-01', end: '2026-03-10' })).toBeUndefined();
  expect(problem(p.range(), { start: 'soon', end: '2026-03-10' })?.values).toEqual({ value: 'soon' });
});
