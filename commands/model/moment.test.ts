import { expect, test } from 'vitest';

import { iso } from '#commands/testkit/range.ts';

import { isAge, isDay, momentRange, nextDay } from './moment.ts';

const now = new Date('2026-03-11T12:00:00Z');

test('compares ages in the opposite direction from times', () => {
  expect(iso(momentRange({ above: '2d' }, now))).toEqual(['1970-01-01T00:00:00.000Z', '2026-03-09T12:00:00.000Z']);
  expect(iso(momentRange({ below: '2d' }, now))).toEqual(['2026-03-09T12:00:00.000Z', '9999-12-31T23:59:59.000Z']);
  expect(iso(momentRange({ above: '1d', below: '2d' }, now))).toEqual([
    '2026-03-09T12:00:00.000Z',
    '2026-03-10T12:00:00.000Z',
  ]);
  expect(iso(momentRange({ above: '2026-03-01' }, now))[0]).toBe('2026-03-02T00:00:00.000Z');
  expect(iso(momentRange({ value: 'yesterday' }, now))).toEqual([
    '2026-03-10T00:00:00.000Z',
    '2026-03-10T23:59:59.999Z',
  ]);
});

test('tells days and ages from other times', () => {
  expect(['2026-01-31', '2026-01-31 20:00', '2d', 'now', 'x2026-01-31'].map(isDay)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
  expect(['2d', '1h30m', '2026-01-31', '2026-01-31 20:00', 'now', '-2d'].map(isAge)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});

test('steps by a day, but not past the years 0 and 9999', () => {
  expect([
    nextDay('2026-02-28', 1),
    nextDay('2026-03-01', -1),
    nextDay('9999-12-31', 1),
    nextDay('0000-01-01', -1),
  ]).toEqual(['2026-03-01', '2026-02-28', '9999-12-31', '0000-01-01']);
});

test.each([
  [{ value: '2d' }, '2026-03-09T12:00:00.000Z', '2026-03-11T12:00:00.000Z'],
  [{ value: '2026-03-01' }, '2026-03-01T00:00:00.000Z', '2026-03-01T23:59:59.999Z'],
  [{ below: '2026-03-01' }, '1970-01-01T00:00:00.000Z', '2026-02-28T23:59:59.999Z'],
  [{ above: '2026-03-01 10:00' }, '2026-03-01T10:00:00.000Z', '9999-12-31T23:59:59.000Z'],
  [{ below: '2026-03-01 10:00' }, '1970-01-01T00:00:00.000Z', '2026-03-01T10:00:00.000Z'],
  [{ above: '2026-03-01', below: '2026-03-02' }, '2026-03-01T00:00:00.000Z', '2026-03-02T23:59:59.999Z'],
  [{ above: 'last month', below: '1d' }, '2026-03-10T12:00:00.000Z', '9999-12-31T23:59:59.000Z'],
])('%j selects from %s to %s', (bounds, from, to) => {
  expect(iso(momentRange(bounds, now))).toEqual([from, to]);
});
