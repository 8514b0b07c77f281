import { expect, test, vi } from 'vitest';

import type { FieldValue } from '#commands/kit/value-loading.ts';

import { createLanes, createLines, leaveLabelRoom, loneIndexes, pointAt } from './chart-lanes.ts';
import { tableRows } from './point-rows.ts';

const MINUTE = 60_000;
const field = (name: string, unit: string, isNumeric = true): FieldValue => ({
  field: name,
  name,
  unit,
  isNumeric,
  isOperational: false,
  isEncrypted: false,
});
const points = (...times: readonly number[]) =>
  times.map((time) => ({ time: time * MINUTE, value: time, text: `${time}` }));
const series = [
  { field: 'pressure', unit: 'bar', points: points(0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 200, 210) },
  { field: 'tubing', unit: 'bar', points: points(5, 10) },
  { field: 'temperature', unit: '°C', points: points(0) },
  { field: 'state', unit: '', points: [{ time: 0, value: NaN, text: 'open' }] },
];
const span = { from: 0, to: 250 * MINUTE };
const fields = [
  field('pressure', 'bar'),
  field('temperature', '°C'),
  field('tubing', 'bar'),
  field('state', '', false),
];
const lines = fields.flatMap((item, index) => createLines(item, index, series, span, undefined));

test('lines with the same unit share a lane', () => {
  expect(createLanes(lines).map((lane) => [lane.unit, lane.lines.map((line) => line.field)])).toEqual([
    ['bar', ['pressure', 'tubing']],
    ['°C', ['temperature']],
  ]);
});

test('a field has a line for each kind of values, and texts have no lane', () => {
  const mixedSeries = [
    { field: 'mixed', unit: '', points: [{ time: 0, value: NaN, text: 'none' }] },
    { field: 'mixed', unit: '', points: points(1) },
    { field: 'mixed', unit: 'bar', points: points(2, 3) },
  ];
  const mixedLines = createLines(field('mixed', 'bar'), 2, mixedSeries, span, undefined);
  expect(mixedLines.map(({ unit, isNumeric }) => [unit, isNumeric])).toEqual([
    ['', false],
    ['', true],
    ['bar', true],
  ]);
  expect(new Set(mixedLines.map(({ id }) => id)).size).toBe(3);
  expect(new Set(mixedLines.map(({ color }) => color)).size).toBe(1);
  expect(createLanes(mixedLines).map(({ unit, scale }) => [unit, scale.every(Number.isFinite)])).toEqual([
    ['', true],
    ['bar', true],
  ]);
});

test('a line is silent between values that are far apart, and after its last value', () => {
  expect(lines[0]?.gaps).toEqual([
    { from: 100 * MINUTE, to: 200 * MINUTE },
    { from: 210 * MINUTE, to: 250 * MINUTE },
  ]);
});

test('a value holds until the next one, but not through a silence', () => {
  const pressure = lines[0]!;
  expect(pointAt(pressure, 15 * MINUTE)?.text).toBe('10');
  expect(pointAt(pressure, 150 * MINUTE)).toBeUndefined();
  expect(pointAt(pressure, -1)).toBeUndefined();
});

test('the copied table has a row for each time, the newest first, in a format that spreadsheets read', () => {
  vi.stubEnv('TZ', 'Europe/Amsterdam');
  const rows = tableRows(lines, { time: 'Time', zone: 'Time zone' });
  vi.unstubAllEnvs();
  expect(rows[0]).toEqual(['Time', 'Time zone', 'pressure (bar)', 'temperature (°C)', 'tubing (bar)', 'state']);
  expect(rows[1]).toEqual(['1970-01-01 04:30:00', 'UTC+01:00', '210', '', '', '']);
  expect(rows.at(-1)).toEqual(['1970-01-01 01:00:00', 'UTC+01:00', '0', '0', '', 'open']);
  expect(rows).toHaveLength(15);
});

test.each([
  [[1], [0]],
  [[], []],
  [[1, 2, 3], []],
  [
    [1, null, 2, null, 3, 4],
    [0, 2],
  ],
  // Another line has values at the undefined times, which do not interrupt this line.
  [[undefined, 1, undefined, 2, undefined], []],
  [
    [1, undefined, null, undefined, 2, undefined, null, 3, undefined, 4],
    [0, 4],
  ],
])('the values of %j that no line reaches are at %j', (values, indexes) => {
  expect(loneIndexes(values)).toEqual(indexes);
});

test('keeps the highest values below the label of a lane', () => {
  const [low, high] = leaveLabelRoom([0, 100], 118);
  expect(low).toBe(0);
  expect((high - 100) / (high - low)).toBeCloseTo(18 / 118);
  expect(leaveLabelRoom([0, 100], 0)).toEqual([0, 100]);
  expect(leaveLabelRoom([0, 100], 20)).toEqual([0, 100]);
});

test('keeps the scale of the largest values finite', () => {
  expect(leaveLabelRoom([-Number.MAX_VALUE, Number.MAX_VALUE], 100)).toEqual([-Number.MAX_VALUE, Number.MAX_VALUE]);
});
