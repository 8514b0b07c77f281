import { array, assert, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';

import { csvLine, tsvText } from './csv.ts';

/** Reads CSV as RFC 4180 defines it. */
function parseCsv(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  let row: string[] = [];
  for (let match = cell.exec(text); match; match = cell.exec(text)) {
    row.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === '\r\n') {
      rows.push(row);
      row = [];
    }
  }
  return rows;
}

const rowsOfText = array(array(string({ unit: 'grapheme' }), { minLength: 1, maxLength: 4 }), { maxLength: 4 });
const withoutApostrophe = (text: string): string => text.replace(/^'(?=[=+\-@\t\r])/, '');

describe('CSV', () => {
  test('parses back to the same cells', () => {
    assert(
      property(rowsOfText, (rows) => {
        const cells = parseCsv(rows.map(csvLine).join('')).map((row) => row.map(withoutApostrophe));
        expect(cells).toEqual(rows.map((row) => row.map(withoutApostrophe)));
      }),
    );
  });

  test('escapes cells that a spreadsheet would run as a formula', () => {
    assert(
      property(rowsOfText, (rows) => {
        const cells = parseCsv(rows.map(csvLine).join('')).flat();
        expect(cells.filter((cell) => /^[=@\t\r]|^[-+](?![\d.]+(e[-+]?\d+)?$)/i.test(cell))).toEqual([]);
      }),
    );
  });

  test.each([
    [['=1+1', '@SUM(A1)'], "'=1+1,'@SUM(A1)"],
    [['-3.2', '+4', '1e-7'], '-3.2,+4,1e-7'],
    [['-3 bar'], "'-3 bar"],
    [['a,b', 'say "hi"'], '"a,b","say ""hi"""'],
    [['two\nlines'], '"two\nlines"'],
    [[''], '""'],
  ])('writes %j', (cells, line) => {
    expect(csvLine(cells)).toBe(`${line}\r\n`);
  });
});

test('text for a spreadsheet has one line per row and no formulas', () => {
  expect(tsvText([['time', 'a\tb'], ['=1', 'two\r\nlines'], ['-1.5']])).toBe("time\ta b\n'=1\ttwo lines\n-1.5");
});
