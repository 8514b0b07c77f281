import { array, assert, constantFrom, oneof, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';

import { parseCsv } from './csv-reader.ts';
import { csvLine, csvName, csvRecord, tsvText, withoutApostrophe } from './csv.ts';

/** Text with the characters that matter to CSV and to spreadsheets. */
const hostileText = oneof(
  string({ unit: 'grapheme' }),
  array(constantFrom(...`=+-@'"',;\t\n\r 1aé`), { maxLength: 6 }).map((chars) => chars.join('')),
);
const rowsOfText = array(array(hostileText, { minLength: 1, maxLength: 4 }), { maxLength: 4 });
/** The reader omits empty lines, and all line breaks are equal to it. */
const readable = (rows: readonly (readonly string[])[]): readonly (readonly string[])[] =>
  rows.filter((row) => row.some((cell) => cell !== '')).map((row) => row.map((cell) => cell.replace(/\r\n?/g, '\n')));

describe('CSV', () => {
  test('reads back as the same cells', () => {
    assert(
      property(rowsOfText, (rows) => {
        const records = parseCsv(rows.map((row) => csvLine(row)).join(''));
        expect(records.map(({ cells }) => cells.map(withoutApostrophe))).toEqual(readable(rows));
      }),
      { numRuns: 1000 },
    );
  });

  test('reads back as the same cells without the protection against formulas', () => {
    assert(
      property(rowsOfText, (rows) => {
        const records = parseCsv(rows.map((row) => `${csvRecord(row)}\n`).join(''));
        expect(records.map(({ cells }) => cells)).toEqual(readable(rows));
      }),
    );
  });

  test('escapes cells that a spreadsheet would run as a formula', () => {
    assert(
      property(rowsOfText, (rows) => {
        const cells = parseCsv(rows.map((row) => csvLine(row)).join('')).flatMap((record) => record.cells);
        expect(cells.filter((cell) => /^[=@\t\r]|^[-+](?![\d.]+(e[-+]?\d+)?$)/i.test(cell))).toEqual([]);
      }),
    );
  });

  test('keeps formulas on request', () => {
    expect(csvLine(['=1+1', '-3 bar', "'=2"], { formulas: true })).toBe("=1+1,-3 bar,'=2\r\n");
  });

  test.each([
    [['=1+1', '@SUM(A1)'], "'=1+1,'@SUM(A1)"],
    [['-3.2', '+4', '1e-7'], '-3.2,+4,1e-7'],
    [['-3 bar'], "'-3 bar"],
    [['a,b', 'say "hi"'], '"a,b","say ""hi"""'],
    [['two\nlines'], '"two\nlines"'],
    [['a;b', 'c\td'], '"a;b","c\td"'],
    [["'=1", "'a"], "''=1,'a"],
    [[''], '""'],
  ])('writes %j', (cells, line) => {
    expect(csvLine(cells)).toBe(`${line}\r\n`);
  });
});

test('text for a spreadsheet has one line per row and no formulas', () => {
  expect(tsvText([['time', 'a\tb'], ['=1', 'two\r\nlines'], ['-1.5']])).toBe("time\ta b\n'=1\ttwo lines\n-1.5");
});

test('names a file after a list and a day', () => {
  expect(csvName('Pump 3/north', new Date('2026-03-11T23:00:00Z'))).toBe('Pump-3-north-2026-03-11.csv');
});
