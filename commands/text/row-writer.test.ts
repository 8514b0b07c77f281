import { array, assert, boolean, constantFrom, double, oneof, property, record, string } from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { CsvDialect } from './csv.ts';
import { type RowFormat, rowWriter } from './row-writer.ts';

/** Reads CSV in a dialect, one character at a time. */
function parse(text: string, { separator, quote, escape, newline }: CsvDialect): string[][] {
  const rows: string[][] = [];
  let [row, cell, isQuoted, index] = [[] as string[], '', false, 0];
  const takes = (mark: string) => {
    const found = text.startsWith(mark, index);
    if (found) index += mark.length;
    return found;
  };
  while (index < text.length) {
    if (isQuoted) {
      const next = text[index + 1];
      if (text[index] === escape && (next === quote || (escape !== quote && next === escape))) {
        cell += next;
        index += 2;
      } else if (takes(quote)) isQuoted = false;
      else cell += text[index++]!;
    } else if (takes(quote)) isQuoted = true;
    else if (takes(separator)) {
      row.push(cell);
      cell = '';
    } else if (takes(newline)) {
      rows.push([...row, cell]);
      [row, cell] = [[], ''];
    } else cell += text[index++]!;
  }
  return rows;
}

function write(format: RowFormat, rows: readonly unknown[]): string {
  const { start, row, end } = rowWriter(format);
  return [start, ...rows.map((item, index) => row(item, index)), end].join('');
}

const hostile = oneof(
  string({ unit: 'grapheme' }),
  string({ unit: constantFrom('"', "'", '\\', ';', '\t', '\r', '\n', '\u2028', '\u2029', '=', '-', '5') }),
);
const dialects = record<CsvDialect>({
  separator: constantFrom(',', ';', '\t', '|'),
  quote: constantFrom('"', "'"),
  escape: constantFrom('"', "'", '\\'),
  newline: constantFrom('\n', '\r\n', '\r'),
  neutralizesFormulas: boolean(),
});
const rowsOf = array(record({ a: hostile, b: oneof(hostile, double({ noNaN: true, noDefaultInfinity: true })) }), {
  maxLength: 5,
});
const columns = [
  { name: 'a', path: '$.a' },
  { name: 'b', path: "$['b']" },
];
const isFormula = (cell: string) => /^'*[=+\-@\t\r\n]/.test(cell) && !/^[-+]?\d+(\.\d+)?(e[-+]?\d+)?$/i.test(cell);

describe('CSV', () => {
  test('parses back to the same cells in any dialect', () => {
    assert(
      property(rowsOf, dialects, (rows, dialect) => {
        const text = write({ type: 'csv', columns, dialect }, rows);
        const expected = rows.map(({ a, b }) =>
          [a, typeof b === 'string' ? b : JSON.stringify(b)].map((cell) =>
            dialect.neutralizesFormulas && isFormula(cell) ? `'${cell}` : cell,
          ),
        );
        expect(parse(text, dialect)).toEqual([['a', 'b'], ...expected]);
      }),
    );
  });

  test('writes numbers as they are, lists and objects as JSON, and nothing for what is absent', () => {
    const dialect = { separator: ',', quote: '"', escape: '"', newline: '\n', neutralizesFormulas: true };
    const row = { a: -1.5, b: [{ c: 1 }], 'd e': null, f: true };
    const parts = ['$.a', '$.b', "$['d e']", '$.x.y', '$.b[0].c', '$.f'].map((path) => ({ name: path, path }));
    const [, line] = write({ type: 'csv', columns: parts, dialect }, [row]).split('\n');
    expect(line).toBe('-1.5,"[{""c"":1}]",,,1,true');
  });
});

describe('JSON', () => {
  test.each([true, false])('parses back to the same rows (compact: %s)', (compact) => {
    assert(
      property(rowsOf, (rows) => {
        const text = write({ type: 'json', fields: [], compact }, rows);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(rows)));
        expect(compact).toBe(text.split('\n').length === 2);
      }),
    );
  });

  test('reduces rows to the chosen fields, in order, with null for what is absent', () => {
    const fields = [
      { name: '__proto__', path: '$.b' },
      { name: 'missing', path: '$.c' },
    ];
    expect(write({ type: 'json', fields, compact: true }, [{ a: 1, b: 2 }])).toBe('[{"__proto__":2,"missing":null}]\n');
  });
});
