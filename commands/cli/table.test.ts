import { expect, test } from 'vitest';

import { displayWidth, plainText, table } from './table.ts';

test('columns align whatever the script', () => {
  expect(['pump', '井戸', 'é', '👩‍🔧', '🇳🇱'].map(displayWidth)).toEqual([4, 4, 1, 2, 2]);
  const text = table(
    [{ head: 'Name' }, { head: 'Devices', right: true }],
    [
      [{ text: '井戸 7' }, { text: '12' }],
      [{ text: 'North' }, { text: '1480' }],
    ],
  );
  expect(text).toBe(['Name    Devices', '井戸 7       12', 'North      1480', ''].join('\n'));
});

test('what is too wide for the terminal is cut, the widest first', () => {
  const rows = [[{ text: 'a description that goes on and on' }, { text: 'OK' }]];
  expect(table([{ head: 'Text' }, { head: 'State' }], rows, 24)).toBe(
    ['Text               State', 'a description th…  OK', ''].join('\n'),
  );
});

test('a name cannot move the cursor, colour the screen or break the line', () => {
  expect(plainText('ok\u001b[31m\u0007\r\nnext\u202e')).toBe('ok\ufffd[31m\ufffd next\ufffd');
});
