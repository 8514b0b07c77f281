import stringWidth from 'string-width';
import { expect, test } from 'vitest';

import { markedLine } from './marked-line.ts';

/** Marks `problem` in the line. */
const mark = (line: string, problem: string, columns?: number): readonly string[] => {
  const from = line.indexOf(problem);
  return markedLine(line, from, from + problem.length, columns).split('\n');
};

test('marks the columns of wide, combining, joined, and invisible characters', () => {
  expect(mark('devices 漢字 x', '漢字')).toEqual(['devices 漢字 x', '        ^^^^', '']);
  expect(mark('devices 漢字 wrong', 'wrong')[1]).toBe('             ^^^^^');
  expect(mark('devices cafe\u0301 wrong', 'cafe\u0301')[1]).toBe('        ^^^^');
  expect(mark('devices cafe\u0301 wrong', 'wrong')[1]).toBe('             ^^^^^');
  expect(mark('devices 👩‍👩‍👧 wrong', 'wrong')[1]).toBe('           ^^^^^');
  expect(mark('devices \u202e\u001b[2J wrong', 'wrong')).toEqual([
    'devices \ufffd\ufffd[2J wrong',
    '              ^^^^^',
    '',
  ]);
  expect(mark('devices a  b', 'b')).toEqual(['devices a  b', '           ^', '']);
});

test('shortens a long line to the width of the terminal, on either side of the problem', () => {
  const line = `devices ${'漢'.repeat(40)} wrong ${'x'.repeat(60)}`;
  for (const columns of [20, 40, 41, undefined]) {
    const [shown = '', marks = ''] = mark(line, 'wrong', columns);
    expect(stringWidth(shown)).toBeLessThanOrEqual(columns ?? 200);
    const column = marks.indexOf('^');
    expect(marks.slice(column)).toBe('^^^^^');
    expect(stringWidth(shown.slice(0, shown.indexOf('wrong')))).toBe(column);
  }
  expect(mark(line, 'wrong', 40)[0]).toMatch(/^…漢+ wrong x+…$/);
  const [tail = '', marks = ''] = mark('a '.concat('y'.repeat(90)), 'y'.repeat(90), 40);
  expect([tail.length, marks.length]).toEqual([40, 40]);
});

test('shows no line that is empty, wholly wrong, or of several lines', () => {
  expect([markedLine('', 0, 1), markedLine('a', 0, 0), markedLine('a\nb', 0, 1)]).toEqual(['', '', '']);
});
