import { describe, expect, test } from 'vitest';

import type { AnyEntity } from '#commands/model/entity.ts';
import type { RowLines, RowStream } from '#commands/model/host.ts';
import { gadget } from '#commands/testkit/gadget.ts';
import { message } from '#commands/text/message.ts';
import { formatMoment } from '#commands/text/moment.ts';

import { columns, createPrinter, gadgetWithColumns, heardAt, moment, printList } from './testkit/printer.ts';

describe('a list', () => {
  test('shows ages, right-aligned numbers, and optional columns with differing values', () => {
    const { rows, text, stderr } = printList({});
    const headings = ['name', 'count', 'heard', 'age'].map((id) => `gadget:columns.${id}`);
    expect(rows[0]).toEqual(headings);
    expect(rows[1]?.[2]).toBe(formatMoment(heardAt));
    expect(rows[1]?.toSpliced(2, 1)).toEqual(['North', '7', '1 m']);
    expect(rows[2]?.slice(0, 1)).toEqual(['South']);
    expect(rows[2]?.at(-1)).toBe('never');
    const [head = '', first = ''] = text.split('\n');
    expect(first.indexOf('7')).toBe(head.indexOf('gadget:columns.count') + 'gadget:columns.count'.length - 1);
    expect(stderr).toBe('');
    const varyingColumns = {
      ...gadgetWithColumns,
      columns: columns.map((column) => ({ ...column, value: ({ id }: { id: string }) => id })),
    };
    expect(printList({}, {}, varyingColumns as unknown as AnyEntity).rows[0]).toContain('gadget:columns.state');
  });

  test('prints the count of a partial or empty list and throws if the entity is unknown', () => {
    expect(printList({ total: 9 }).stderr).toBe('core:cli.shown shown=2 count=9 entity=gadget:many\n');
    const emptyList = printList({ items: [], total: 0 });
    expect([emptyList.text, emptyList.stderr]).toEqual(['', 'core:cli.shown shown=0 count=0 entity=gadget:many\n']);
    expect(() => printList({ entity: 'gizmo' })).toThrow(RangeError);
  });

  test("shows support staff how many rows customers can't see", () => {
    const staffOnly = { count: 20, term: 'state:ERROR' };
    expect(printList({ staffOnly }).stderr).toBe('core:staffOnly count=20\n');
    expect(printList({ staffOnly: undefined }).stderr).toBe('');
  });

  test("writes times in the user's format, and the column's text for items without a time", () => {
    expect(printList({}, {}, gadgetWithColumns, moment).rows[1]).toContain(`at ${heardAt}`);
    const timeless = { ...gadgetWithColumns, columns: columns.map((column) => ({ ...column, time: () => undefined })) };
    expect(printList({}, {}, timeless as unknown as AnyEntity, moment).rows[1]).toContain('long ago');
  });

  describe('with many columns', () => {
    const column = (id: string, value: (item: { id: string; name: string }) => string, overrides: object = {}) => ({
      id,
      kind: 'text',
      value,
      ...overrides,
    });
    const wideGadget = {
      ...gadget,
      columns: [
        column('number', ({ id }) => id, { kind: 'mono' }),
        column('name', ({ name }) => name),
        column('state', () => 'Ready to install', { kind: 'status' }),
        column('tags', () => 'Needs visit, North field, Third floor', { kind: 'tags' }),
        column('model', () => 'HiLo Pressure 4', {}),
      ],
    } as unknown as AnyEntity;
    const pumps = ['Avocet 12', 'Bittern 3'].map((site, index) => ({
      id: `AAAA BBB${index}`,
      name: `Annulus A pressure, ${site}`,
    }));
    const printAt = (columns: number | undefined) => {
      const { text, stderr } = printList(
        { items: pumps, total: 2 },
        columns === undefined ? {} : { columns },
        wideGadget,
      );
      return { lines: text.trimEnd().split('\n'), stderr };
    };

    test('never truncates identifying columns on a terminal', () => {
      for (const width of [20, 60, 80, 100, 160]) {
        const { lines } = printAt(width);
        for (const [index, { id, name }] of pumps.entries()) {
          expect(lines[index + 1], `${width}`).toContain(id);
          expect(lines[index + 1], `${width}`).toContain(name);
        }
        // Columns that name a row may exceed the width.
        expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(Math.max(width, 41));
      }
    });

    test('truncates no name because of another one that starts with # or has invisible characters', () => {
      for (const name of ['#12', '\u202eevil']) {
        const list = { items: [...pumps, { id: 'AAAA BBB2', name }], total: 3 };
        const { text } = printList(list, { columns: 40 }, wideGadget);
        for (const pump of pumps) expect(text, name).toContain(`${pump.id}  ${pump.name}`);
      }
    });

    test('lists columns that do not fit, and truncates others to a readable width', () => {
      const { lines, stderr } = printAt(70);
      expect(lines[1]).toBe('AAAA BBB0  Annulus A pressure, Avocet 12  Ready to ins…  Needs visit,…');
      expect(stderr).toBe('core:cli.noRoom columns=gadget:columns.model\n');
      const narrowOutput = printAt(60);
      expect(narrowOutput.lines[1]).toMatch(/^AAAA BBB0 +Annulus A pressure, Avocet 12 +Ready to install$/);
      expect(narrowOutput.stderr).toBe('core:cli.noRoom columns=gadget:columns.tags, gadget:columns.model\n');
      // All spare width goes to the truncated column.
      const wideOutput = printAt(100);
      expect([wideOutput.lines[1]?.length, wideOutput.stderr]).toEqual([100, '']);
    });

    test('never truncates email addresses on a terminal', () => {
      const members = {
        ...wideGadget,
        columns: [...wideGadget.columns.slice(1), column('email', () => 'anna@northwind.example')],
      };
      const { text } = printList({ items: pumps, total: 2 }, { columns: 60 }, members as unknown as AnyEntity);
      expect(text).toContain('anna@northwind.example');
    });

    test("omits and truncates nothing if the output isn't a terminal", () => {
      const { lines, stderr } = printAt(undefined);
      expect(lines[1]).toContain('Needs visit, North field, Third floor  HiLo Pressure 4');
      expect(stderr).toBe('');
    });
  });

  test('is colored only on a terminal without NO_COLOR', () => {
    const states = [{ ...columns[2], when: undefined }];
    const coloredGadget = { ...gadgetWithColumns, columns: states } as unknown as AnyEntity;
    const red = '\u001b[31mgadget:state\u001b[39m';
    expect(printList({}, { columns: 80 }, coloredGadget).text).toContain(red);
    expect(printList({}, {}, coloredGadget).text).not.toContain('\u001b');
    expect(printList({}, { columns: 80, env: { NO_COLOR: '1' } }, coloredGadget).text).not.toContain('\u001b');
    const withoutLevels = {
      ...gadgetWithColumns,
      columns: [{ ...states[0], level: () => 'none' }],
    } as unknown as AnyEntity;
    expect(printList({}, { columns: 80 }, withoutLevels).text).not.toContain('\u001b');
  });
});

test('prints plain rows without headings, and a note if there are no rows', () => {
  const { io, printer } = createPrinter();
  const rowColumns = [
    { id: 'a', kind: 'text', width: 1, value: ({ a }: { a: string }) => a },
    { id: 'b', kind: 'number', width: 1, value: ({ b }: { b: string }) => b },
  ] as unknown as RowLines['columns'];
  const rows = [
    { a: 'one', b: '7' },
    { a: 'three', b: '12' },
  ];
  printer.rows({ columns: rowColumns, rows, json: undefined }, moment);
  printer.rows({ columns: rowColumns, rows: [], json: undefined }, moment);
  expect([io.stdout(), io.stderr()]).toEqual(['one     7\nthree  12\n', 'core:cli.nothing\n']);
});

describe('rows that load while they are printed', () => {
  const rowColumns = [
    { id: 'time', kind: 'time', width: 1, head: message('gadget:time'), value: () => '', time: () => heardAt },
    { id: 'value', kind: 'number', width: 1, head: message('gadget:value'), value: (row: string) => row },
  ] as unknown as RowStream['columns'];
  async function* batches() {
    yield ['1.5', '=1'];
    yield ['22.25'];
  }
  const stream = async (csv: boolean): Promise<string> => {
    const { io, printer } = createPrinter();
    await printer.stream({ columns: rowColumns, batches: batches(), json: (row) => row, csv }, moment);
    return io.stdout();
  };

  test('are a table with one head and aligned columns', async () => {
    expect(await stream(false)).toBe(
      [
        'gadget:time       gadget:value',
        'at 1773230400000           1.5',
        'at 1773230400000            =1',
        'at 1773230400000         22.25',
        '',
      ].join('\n'),
    );
  });

  test('are CSV, with times that programs can read', async () => {
    expect(await stream(true)).toBe(
      [
        'time,value',
        '2026-03-11T12:00:00.000Z,1.5',
        "2026-03-11T12:00:00.000Z,'=1",
        '2026-03-11T12:00:00.000Z,22.25',
        '',
      ].join('\r\n'),
    );
  });

  test('are CSV with all characters in a file, and without those that control a terminal', async () => {
    async function* hostileBatches() {
      yield ['\u001b[31m\u202ered\nline\u0007'];
    }
    const lastCell = async (columns: number | undefined): Promise<string | undefined> => {
      const { io, printer } = createPrinter(columns === undefined ? {} : { columns });
      await printer.stream({ columns: rowColumns, batches: hostileBatches(), json: (row) => row, csv: true }, moment);
      return io.stdout().split(',').at(-1);
    };
    expect(await lastCell(undefined)).toBe('"\u001b[31m\u202ered\nline\u0007"\r\n');
    expect(await lastCell(80)).toBe('"\ufffd[31m\ufffdred\nline\ufffd"\r\n');
  });
});
