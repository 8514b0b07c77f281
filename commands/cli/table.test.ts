import { expect, test } from 'vitest';

import { formatTable, plainText } from './table.ts';

test('aligns columns in any script', () => {
  const text = formatTable(
    [{ head: 'Name' }, { head: 'Devices', alignRight: true }],
    [
      [{ text: '井戸 7' }, { text: '12' }],
      [{ text: 'North' }, { text: '1480' }],
      [{ text: '👩‍🔧🇳🇱e\u0301' }, { text: '3' }],
    ],
  );
  expect(text).toBe(['Name    Devices', '井戸 7       12', 'North      1480', '👩‍🔧🇳🇱e\u0301         3', ''].join('\n'));
});

test('truncates the widest column if the table is too wide', () => {
  const rows = [[{ text: 'a description that goes on and on' }, { text: 'OK' }]];
  expect(formatTable([{ head: 'Text' }, { head: 'State' }], rows, 24)).toBe(
    ['Text               State', 'a description th…  OK', ''].join('\n'),
  );
});

test('replaces control characters and line breaks in a name', () => {
  expect(plainText('ok\u001b[31m\u0007\r\nnext\u202e')).toBe('ok\ufffd[31m\ufffd next\ufffd');
});

test('truncates columns to fit a known terminal width, but not below eight characters', () => {
  const row = (...cells: string[]) => [cells.map((text) => ({ text }))];
  const heads = (...names: string[]) => names.map((head) => ({ head }));
  const longText = 'x'.repeat(12);
  expect(formatTable(heads('A', 'B'), row(longText, longText), 26)).toBe(`A             B\n${longText}  ${longText}\n`);
  expect(formatTable(heads('A', 'B'), row(longText, longText), 25)).toContain(`\n${'x'.repeat(10)}…  ${longText}\n`);
  expect(formatTable(heads('A', 'B'), row(longText, longText), 4)).toContain(
    `\n${'x'.repeat(7)}…  ${'x'.repeat(7)}…\n`,
  );
  expect(formatTable(heads('A', 'B'), row(longText, longText))).toContain(`\n${longText}  ${longText}\n`);
  expect(formatTable(heads('A'), row('井'.repeat(6)), 8)).toContain(`\n${'井'.repeat(3)}…\n`);
  expect(formatTable(heads('A', 'B'), [[{ text: 'x' }]])).toBe('A  B\nx\n');
});

test('ignores colors when computing widths, and colors only the text', () => {
  const paint = (text: string) => `<${text}>`;
  expect(
    formatTable(
      [{ head: 'Name' }, { head: 'No', alignRight: true }],
      [
        [
          { text: 'a', paint },
          { text: '7', paint },
        ],
      ],
    ),
  ).toBe('Name  No\n<a>      <7>\n');
});
