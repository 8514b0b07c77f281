import { describe, expect, test } from 'vitest';

import type { AnyEntity } from '#commands/model/entity.ts';
import type { RowLines, RowStream } from '#commands/model/host.ts';
import type { Change, Plan } from '#commands/model/plan.ts';
import { createRegistry } from '#commands/registry/registry.ts';
import { gadget } from '#commands/testkit/gadget.ts';
import { message } from '#commands/text/message.ts';
import { formatMoment, type WriteMoment } from '#commands/text/moment.ts';

import { Printer } from './printer.ts';
import { testIo } from './testkit/io.ts';
import { translateKey } from './testkit/plain.ts';
import { sampleChange as change, samplePlan as plan } from './testkit/plan.ts';

const heardAt = Date.parse('2026-03-11T12:00:00Z');
/** Columns of every kind. */
const columns = [
  { id: 'name', kind: 'text', value: ({ name }: { name: string }) => name },
  { id: 'count', kind: 'number', value: () => '7' },
  { id: 'state', kind: 'text', value: () => message('gadget:state'), level: () => 'error', when: true },
  { id: 'heard', kind: 'time', value: () => 'long ago', time: () => heardAt },
  {
    id: 'age',
    kind: 'age',
    value: () => 'never',
    time: ({ id }: { id: string }) => (id === 'a' ? Date.now() - 90_000 : undefined),
  },
];
const gadgetWithColumns = { ...gadget, columns } as unknown as AnyEntity;
const items = [
  { id: 'a', name: 'North' },
  { id: 'b', name: 'South' },
];
const moment: WriteMoment = (time) => `at ${time}`;
type IoOptions = Parameters<typeof testIo>[0];
const createPrinter = (options: IoOptions = {}, entity: AnyEntity = gadgetWithColumns) => {
  const io = testIo(options);
  return { io, printer: new Printer(io, createRegistry([{ entity, commands: [] }]), translateKey) };
};
const printList = (listing: object, options?: IoOptions, entity?: AnyEntity, writeMoment?: WriteMoment) => {
  const { io, printer } = createPrinter(options, entity);
  printer.list({ entity: 'gadget', items, total: items.length, ...listing }, writeMoment);
  return {
    rows: io
      .stdout()
      .split('\n')
      .map((line) => line.split(/ {2,}/)),
    stderr: io.stderr(),
    text: io.stdout(),
  };
};

test('keeps the line breaks in a message but replaces control characters', () => {
  const io = testIo({});
  const printer = new Printer(io, createRegistry([]), () => 'Created “a\u001b[2J\u009b31m\u202eb”\nand more');
  printer.note(message('gadget:state'));
  printer.error('No tag “a\u001b[2Jb”');
  expect(io.stderr()).toBe('Created “a\ufffd[2J\ufffd31m\ufffdb”\nand more\nNo tag “a\ufffd[2Jb”\n');
});

test('replaces control characters in all parts of a plan', () => {
  const unsafe = '\u001b[31mred\u202e';
  const repeated = Array.from({ length: 30 }, (_, index) => ({
    ...change,
    label: `Dial ${index}`,
    before: unsafe,
    after: 'b',
  }));
  const changesOf = (changes: readonly Change[]): string => {
    const lines: string[] = [];
    const { printer } = createPrinter();
    printer.plan({ ...plan, changes, sample: `${unsafe}\nnext` }, organization, (text) => lines.push(text));
    return lines.join('');
  };
  for (const changes of [repeated, repeated.slice(0, 2)]) {
    expect(changesOf(changes)).toContain('\ufffd[31mred\ufffd');
    expect(changesOf(changes)).toContain('\ufffd[31mred\ufffd\nnext\n');
    expect(changesOf(changes)).not.toContain('\u001b');
    expect(changesOf(changes)).not.toContain('\u202e');
  }
});

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

const organization = { id: 'acme', name: 'Acme', features: new Set<string>(), awayFromHome: false };

test('a plan shows its organization, up to 20 changes, its notes, and whether it can be undone', () => {
  const text = (partial: Partial<Plan>, awayFromHome = false) => {
    const output: string[] = [];
    createPrinter().printer.plan({ ...plan, ...partial }, { ...organization, awayFromHome }, (value) =>
      output.push(value),
    );
    return output.join('').split('\n');
  };
  const [first, head, row, note, last] = text({});
  expect(first).toBe('x:sum core:cli.plan.in name=Acme id=acme');
  expect(head?.split(/ {2,}/)).toEqual(['item', 'field', 'before', 'after'].map((id) => `core:cli.plan.${id}`));
  expect(row?.split(/ {2,}/)).toEqual(['North', 'core:fieldLabel field=x:field', 'core:cli.plan.empty', 'on']);
  expect([note, last]).toEqual(['x:n', 'core:cli.plan.reversible']);
  expect(text({ staged: true })).toContain('common:plan.staged first=1 second=10 percent=5');
  expect(text({}, true)[0]).toBe('x:sum core:cli.plan.acting name=Acme id=acme');
  expect(text({ personal: true })[0]).toBe('x:sum');
  expect(text({ changes: [], notes: [], reversible: false }).slice(1)).toEqual(['core:cli.plan.irreversible', '']);
  expect(text({ changes: Array.from({ length: 20 }, () => change) }).join()).not.toContain('plan.more');
  const differentChanges = Array.from({ length: 22 }, (_, index) => ({
    ...change,
    before: `${index}`,
    after: undefined,
  }));
  const manyLines = text({ changes: differentChanges, notes: undefined });
  expect([manyLines.length, manyLines.at(-3)]).toEqual([25, 'core:cli.plan.more count=2']);
  expect(manyLines[2]?.split(/ {2,}/).slice(2)).toEqual(['0', 'core:cli.plan.empty']);
});

test('lists the changed lines of a text, each in its own row', () => {
  const output: string[] = [];
  const lines = {
    shown: [
      { line: 5, part: 'raw', before: 'type: u2', after: 'type: u4' },
      { line: 7, after: '# on' },
    ],
    moreCount: 4,
  };
  const changes = [{ ...change, added: ['type: u4', '# on'], removed: ['type: u2'], lines }];
  createPrinter().printer.plan({ ...plan, changes, notes: [] }, organization, (text) => output.push(text));
  const field = 'core:fieldLabel field=x:field';
  expect(
    output
      .join('')
      .split('\n')
      .slice(2, 5)
      .map((row) => row.split(/ {2,}/)),
  ).toEqual([
    ['North', `${field}, core:changedLineOf line=5 part=raw`, 'type: u2', 'type: u4'],
    ['North', `${field}, core:changedLine line=7`, 'core:cli.plan.empty', '# on'],
    ['North', `${field}, core:cli.plan.more count=4`, 'core:cli.plan.empty', 'core:cli.plan.empty'],
  ]);
});

test('groups many similar changes by value, with a count for each', () => {
  const output: string[] = [];
  const repeat = (count: number, overrides: Partial<Change>) =>
    Array.from({ length: count }, () => ({ ...change, ...overrides }));
  const values = [...repeat(15, { before: 'off' }), ...repeat(7, { after: undefined, before: message('x:idle') })];
  const lists = repeat(22, {
    field: message('x:tags'),
    before: undefined,
    after: undefined,
    added: ['a', 'b'],
    removed: ['c'],
  });
  const bulkPlan = { ...plan, changes: [...values, ...lists], notes: [] };
  createPrinter().printer.plan(bulkPlan, organization, (text) => output.push(text));
  expect(output.join('').split('\n').slice(1, -2)).toEqual([
    'core:fieldLabel field=x:field: core:count count=15 off → on · core:count count=7 x:idle → core:cli.plan.empty',
    'core:fieldLabel field=x:tags: core:count count=22 − c + a, + b',
  ]);
  // Changes to a few items are listed individually.
  const shortOutput: string[] = [];
  createPrinter().printer.plan({ ...bulkPlan, changes: lists.slice(0, 1) }, organization, (text) =>
    shortOutput.push(text),
  );
  expect(shortOutput.join('').split('\n')[2]?.split(/ {2,}/)).toEqual([
    'North',
    'core:fieldLabel field=x:tags',
    '− c',
    '+ a, + b',
  ]);
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
