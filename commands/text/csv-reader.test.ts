import { expect, test } from 'vitest';

import { parseCsv } from './csv-reader.ts';

test('reads quotes, skips empty lines, and counts the lines of records', () => {
  expect(parseCsv('device,point\r\n\r\n"F602 6E63", "Pump ""3"",\nnorth"\nA , B\n')).toEqual([
    { line: 1, cells: ['device', 'point'] },
    { line: 3, cells: ['F602 6E63', 'Pump "3",\nnorth'] },
    { line: 5, cells: ['A', 'B'] },
  ]);
});

test.each(['\n', '\r\n', '\r'])('ends a line at %j', (end) => {
  expect(parseCsv(`a,b${end}c,"d${end}e"${end}f`)).toEqual([
    { line: 1, cells: ['a', 'b'] },
    { line: 2, cells: ['c', 'd\ne'] },
    { line: 4, cells: ['f'] },
  ]);
});

test('reports where an unclosed quotation mark starts', () => {
  expect(parseCsv('a,b\nc,"d\ne').at(-1)).toMatchObject({ line: 2, openQuoteLine: 2 });
  expect(parseCsv('a,b\n"').at(-1)).toMatchObject({ line: 2, openQuoteLine: 2 });
});

test.each(['a\tb', 'a;b', 'a,b', '\uFEFFa;b'])('finds the separator of %j', (text) => {
  expect(parseCsv(text)).toEqual([{ line: 1, cells: ['a', 'b'] }]);
});

test.each(['sep=;\n', 'SEP=;\r\n', '"sep=;"\r\n', 'sep=;;\n'])('reads the separator that %j declares', (first) => {
  expect(parseCsv(`${first}device;point\nF602 6E63;Kestrel 7, annulus A`)).toEqual([
    { line: 2, cells: ['device', 'point'] },
    { line: 3, cells: ['F602 6E63', 'Kestrel 7, annulus A'] },
  ]);
  expect(parseCsv(first)).toEqual([]);
});

test('keeps a comma in a table that is separated by tabs', () => {
  expect(parseCsv('device\tpoint\n4B7E 21D0\tKestrel 7, annulus A')[1]?.cells).toEqual([
    '4B7E 21D0',
    'Kestrel 7, annulus A',
  ]);
});

test.each([
  ['"a;b",c\n1,2', ['a;b', 'c']],
  ['"a;\nb;",c\n1,2', ['a;\nb;', 'c']],
  ['a;b,c;d', ['a', 'b,c', 'd']],
])('finds the most frequent separator outside of quotes in the first record of %j', (text, cells) => {
  expect(parseCsv(text)[0]?.cells).toEqual(cells);
});
