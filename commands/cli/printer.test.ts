import { describe, expect, test } from 'vitest';

import type { AnyEntity } from '#commands/model/entity.ts';
import { createRegistry } from '#commands/registry/registry.ts';
import { message } from '#commands/text/message.ts';

import { Printer } from './printer.ts';
import { testIo } from './testkit/io.ts';
import { createPrinter, gadgetWithColumns, heardAt, items, moment, printList } from './testkit/printer.ts';

test('keeps the line breaks in a message but replaces control characters', () => {
  const io = testIo({});
  const printer = new Printer(io, createRegistry([]), () => 'Created “a\u001b[2J\u009b31m\u202eb”\nand more');
  printer.note(message('gadget:state'));
  printer.error('No tag “a\u001b[2Jb”');
  expect(io.stderr()).toBe('Created “a\ufffd[2J\ufffd31m\ufffdb”\nand more\nNo tag “a\ufffd[2Jb”\n');
});

describe('a record', () => {
  test('prints its details, or else its columns, one per line, and omits empty values', () => {
    const record = { items: items.slice(0, 1), total: 1, detail: true };
    const details = [
      { id: 'name', value: () => 'one\ntwo' },
      { id: 'empty', value: () => '' },
      { id: 'seen', kind: 'time', value: () => 'x', time: () => heardAt },
    ];
    const text = (entity: object) => printList(record, {}, entity as AnyEntity, moment).text;
    expect(text({ ...gadgetWithColumns, columns: [], details })).toBe(
      [
        'gadget:details.name  one',
        `${' '.repeat('gadget:details.name  '.length)}two`,
        `gadget:details.seen  at ${heardAt}`,
        '',
      ].join('\n'),
    );
    expect(text(gadgetWithColumns)).toContain('gadget:columns.name   North\n');
    expect(printList({ detail: true }).rows).toHaveLength(4);
    expect(printList({ ...record, detail: false }).rows).toHaveLength(3);
  });

  test('also prints the columns that are not among its details', () => {
    const record = { items: items.slice(0, 1), total: 1, detail: true };
    const details = [{ id: 'name', value: () => 'North' }];
    const { text } = printList(record, {}, { ...gadgetWithColumns, details } as unknown as AnyEntity, moment);
    const headings = text.split('\n').map((line) => line.split(' ')[0]);
    // A column that is shown only if rows differ is meaningless for a single item.
    expect(headings).toEqual([
      'gadget:details.name',
      ...['count', 'heard', 'age'].map((id) => `gadget:columns.${id}`),
      '',
    ]);
  });

  test("prints a page's lines and omits empty lines", () => {
    const { io, printer } = createPrinter();
    const head = message('x:head');
    const lines = [
      { head, kind: 'text', value: 'a', time: undefined },
      { head, kind: 'text', value: undefined, time: undefined },
      { head, kind: 'time', value: 'b', time: heardAt },
      { head, kind: 'text', value: message('x:value'), time: undefined },
    ] as const;
    printer.details(lines, moment);
    printer.details([]);
    expect(io.stdout().split('\n')).toEqual(['x:head  a', `x:head  at ${heardAt}`, 'x:head  x:value', '']);
  });

  test('shows both the age and the time', () => {
    const details = [{ id: 'last', kind: 'age', value: () => 'x', time: () => Date.now() - 90_000 }];
    const record = { items: items.slice(0, 1), total: 1, detail: true };
    const { text } = printList(
      record,
      {},
      { ...gadgetWithColumns, columns: [], details } as unknown as AnyEntity,
      () => 'then',
    );
    expect(text).toBe('gadget:details.last  1 m (then)\n');
  });

  test('wraps values in an aligned column on a terminal', () => {
    const { io, printer } = createPrinter({ columns: 30 });
    const value = 'one two three four five six seven';
    printer.details([{ head: message('x:head'), kind: 'text', value, time: undefined }], moment);
    expect(io.stdout()).toBe('x:head  one two three four\n        five six seven\n');
  });
});

test('lists failed items and counts skipped ones', () => {
  const failure = { code: 'command', message: message('x:why'), retryable: false };
  const results = [
    { id: 'a', label: 'North', failure },
    { id: 'b', label: 'South' },
    { id: 'c', label: 'West', skipped: true },
  ];
  const { io, printer } = createPrinter();
  printer.failures({ results });
  printer.failures({ results: results.slice(1, 2) });
  printer.failures({});
  const [head, row, skipped, ...more] = io.stderr().split('\n');
  expect(head?.split(/ {2,}/)).toEqual(['item', 'id', 'reason'].map((id) => `core:cli.failed.${id}`));
  expect(row?.split(/ {2,}/)).toEqual(['North', 'a', 'x:why']);
  expect([skipped, more]).toEqual(['core:cli.skipped count=1', ['']]);
});
