import { describe, expect, test } from 'vitest';

import type { AnyEntity } from '#commands/model/entity.ts';
import type { RowLines } from '#commands/model/host.ts';
import { message } from '#commands/text/message.ts';
import type { WriteMoment } from '#commands/text/moment.ts';
import type { Change, Plan } from '#commands/model/plan.ts';
import { createRegistry } from '#commands/registry/registry.ts';
import { gadget, gadgets } from '#commands/testkit/gadget.ts';
import { doneJson, jsonText, listingJson, planJson } from './json.ts';
import { Printer } from './printer.ts';
import { testIo } from './testkit/io.ts';
import { gadgetRegistry, sayKey } from './testkit/plain.ts';

const at = Date.parse('2026-03-11T12:00:00Z');
/** Of every kind of column. */
const columns = [
  { id: 'name', kind: 'text', value: ({ name }: { name: string }) => name },
  { id: 'count', kind: 'number', value: () => '7' },
  { id: 'state', kind: 'text', value: () => message('gadget:state'), level: () => 'error', when: true },
  { id: 'heard', kind: 'time', value: () => 'long ago', at: () => at },
  {
    id: 'age',
    kind: 'age',
    value: () => 'never',
    at: ({ id }: { id: string }) => (id === 'a' ? Date.now() - 90_000 : undefined),
  },
];
const of = { ...gadget, columns } as unknown as AnyEntity;
const items = [
  { id: 'a', name: 'North' },
  { id: 'b', name: 'South' },
];
const moment: WriteMoment = (time) => `at ${time}`;
const printer = (given: Parameters<typeof testIo>[0] = {}, entity: AnyEntity = of) => {
  const io = testIo(given);
  return { io, printer: new Printer(io, createRegistry([{ entity, commands: [] }]), sayKey) };
};
const listed = (listing: object, given?: Parameters<typeof testIo>[0], entity?: AnyEntity, shown?: WriteMoment) => {
  const { io, printer: to } = printer(given, entity);
  to.list({ entity: 'gadget', items, total: items.length, ...listing }, shown);
  return {
    rows: io
      .stdout()
      .split('\n')
      .map((line) => line.split(/ {2,}/)),
    stderr: io.stderr(),
    text: io.stdout(),
  };
};

test('a sentence keeps its lines, and nothing of a name in it that would move the cursor or change colours', () => {
  const io = testIo({});
  const to = new Printer(io, createRegistry([]), () => 'Created “a\u001b[2J\u009b31m\u202eb”\nand more');
  to.note(message('gadget:state'));
  to.error('No tag “a\u001b[2Jb”');
  expect(io.stderr()).toBe('Created “a\ufffd[2J\ufffd31m\ufffdb”\nand more\nNo tag “a\ufffd[2Jb”\n');
});

describe('a list', () => {
  test('has columns that differ between rows where they ask for that, ages, and numbers to the right', () => {
    const { rows, text, stderr } = listed({});
    const heads = ['name', 'count', 'heard', 'age'].map((id) => `gadget:columns.${id}`);
    expect(rows[0]).toEqual(heads);
    expect(rows[1]?.[2]).toMatch(/^1\d Mar 2026, \d\d:00:00$/);
    expect(rows[1]?.toSpliced(2, 1)).toEqual(['North', '7', '1 m']);
    expect(rows[2]?.slice(0, 1)).toEqual(['South']);
    expect(rows[2]?.at(-1)).toBe('never');
    const [head = '', first = ''] = text.split('\n');
    expect(first.indexOf('7')).toBe(head.indexOf('gadget:columns.count') + 'gadget:columns.count'.length - 1);
    expect(stderr).toBe('');
    const differing = {
      ...of,
      columns: columns.map((column) => ({ ...column, value: ({ id }: { id: string }) => id })),
    };
    expect(listed({}, {}, differing as unknown as AnyEntity).rows[0]).toContain('gadget:columns.state');
  });

  test('says how many there are where not all are shown, or none, and what only staff see', () => {
    expect(listed({ total: 9 }).stderr).toBe('core:cli.shown shown=2 count=9 entity=gadget:many\n');
    const none = listed({ items: [], total: 0 });
    expect([none.text, none.stderr]).toEqual(['', 'core:cli.shown shown=0 count=0 entity=gadget:many\n']);
    expect(() => listed({ entity: 'gizmo' })).toThrow(RangeError);
  });

  test('writes times as the person prefers, and one that there is not as the server does', () => {
    expect(listed({}, {}, of, moment).rows[1]).toContain(`at ${at}`);
    const never = { ...of, columns: columns.map((column) => ({ ...column, at: () => undefined })) };
    expect(listed({}, {}, never as unknown as AnyEntity, moment).rows[1]).toContain('long ago');
  });

  describe('on a terminal', () => {
    const column = (id: string, value: (item: { id: string; name: string }) => string, more: object = {}) => ({
      id,
      kind: 'text',
      value,
      ...more,
    });
    const wide = {
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
    const shown = (columns: number | undefined) => {
      const { text, stderr } = listed({ items: pumps, total: 2 }, columns === undefined ? {} : { columns }, wide);
      return { lines: text.trimEnd().split('\n'), stderr };
    };

    test('names stand in full at any width, so that rows differ', () => {
      for (const width of [20, 60, 80, 100, 160]) {
        const { lines } = shown(width);
        for (const [at, { id, name }] of pumps.entries()) {
          expect(lines[at + 1], `${width}`).toContain(id);
          expect(lines[at + 1], `${width}`).toContain(name);
        }
        // What names a row may take more than there is.
        expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(Math.max(width, 41));
      }
    });

    test('columns that have no room are left out and named, and the others are cut no further than they can be read', () => {
      const { lines, stderr } = shown(70);
      expect(lines[1]).toBe('AAAA BBB0  Annulus A pressure, Avocet 12  Ready to ins…  Needs visit,…');
      expect(stderr).toBe('core:cli.noRoom columns=gadget:columns.model\n');
      const narrow = shown(60);
      expect(narrow.lines[1]).toMatch(/^AAAA BBB0 +Annulus A pressure, Avocet 12 +Ready to install$/);
      expect(narrow.stderr).toBe('core:cli.noRoom columns=gadget:columns.tags, gadget:columns.model\n');
      // All the room there is goes to what was cut.
      const more = shown(100);
      expect([more.lines[1]?.length, more.stderr]).toEqual([100, '']);
    });

    test('an address stands in full as well: people of one name are told apart by it', () => {
      const members = { ...wide, columns: [...wide.columns.slice(1), column('email', () => 'anna@northwind.example')] };
      const { text } = listed({ items: pumps, total: 2 }, { columns: 60 }, members as unknown as AnyEntity);
      expect(text).toContain('anna@northwind.example');
    });

    test('and elsewhere nothing is left out or cut', () => {
      const { lines, stderr } = shown(undefined);
      expect(lines[1]).toContain('Needs visit, North field, Third floor  HiLo Pressure 4');
      expect(stderr).toBe('');
    });
  });

  test('is coloured on a terminal only, and not where nobody wants colours', () => {
    const states = [{ ...columns[2], when: undefined }];
    const coloured = { ...of, columns: states } as unknown as AnyEntity;
    const red = '\u001b[31mgadget:state\u001b[39m';
    expect(listed({}, { columns: 80 }, coloured).text).toContain(red);
    expect(listed({}, {}, coloured).text).not.toContain('\u001b');
    expect(listed({}, { columns: 80, env: { NO_COLOR: '1' } }, coloured).text).not.toContain('\u001b');
    const plain = { ...of, columns: [{ ...states[0], level: () => 'none' }] } as unknown as AnyEntity;
    expect(listed({}, { columns: 80 }, plain).text).not.toContain('\u001b');
  });
});

describe('a record', () => {
  test('is its details, or its columns, a line each, without those that say nothing', () => {
    const one = { items: items.slice(0, 1), total: 1, detail: true };
    const details = [
      { id: 'name', value: () => 'one\ntwo' },
      { id: 'empty', value: () => '' },
      { id: 'seen', kind: 'time', value: () => 'x', at: () => at },
    ];
    const text = (entity: object) => listed(one, {}, entity as AnyEntity, moment).text;
    expect(text({ ...of, columns: [], details })).toBe(
      [
        'gadget:details.name  one',
        `${' '.repeat('gadget:details.name  '.length)}two`,
        `gadget:details.seen  at ${at}`,
        '',
      ].join('\n'),
    );
    expect(text(of)).toContain('gadget:columns.name   North\n');
    expect(listed({ detail: true }).rows).toHaveLength(4);
    expect(listed({ ...one, detail: false }).rows).toHaveLength(3);
  });

  test('has what only its row and its tabs have besides its details', () => {
    const one = { items: items.slice(0, 1), total: 1, detail: true };
    const details = [{ id: 'name', value: () => 'North' }];
    const { text } = listed(one, {}, { ...of, details } as unknown as AnyEntity, moment);
    const heads = text.split('\n').map((line) => line.split(' ')[0]);
    // A column that is there where rows differ says nothing of one of them.
    expect(heads).toEqual([
      'gadget:details.name',
      ...['count', 'heard', 'age'].map((id) => `gadget:columns.${id}`),
      '',
    ]);
  });

  test('of a page is its lines', () => {
    const { io, printer: to } = printer();
    const head = message('x:head');
    const lines = [
      { head, kind: 'text', value: 'a', at: undefined },
      { head, kind: 'text', value: undefined, at: undefined },
      { head, kind: 'time', value: 'b', at },
      { head, kind: 'text', value: message('x:value'), at: undefined },
    ] as const;
    to.details(lines, moment);
    to.details([]);
    expect(io.stdout().split('\n')).toEqual(['x:head  a', `x:head  at ${at}`, 'x:head  x:value', '']);
  });

  test('says how long ago something was, and when', () => {
    const details = [{ id: 'last', kind: 'age', value: () => 'x', at: () => Date.now() - 90_000 }];
    const one = { items: items.slice(0, 1), total: 1, detail: true };
    const { text } = listed(one, {}, { ...of, columns: [], details } as unknown as AnyEntity, () => 'then');
    expect(text).toBe('gadget:details.last  1 m (then)\n');
  });

  test('is wrapped under its labels on a terminal', () => {
    const { io, printer: to } = printer({ columns: 30 });
    const value = 'one two three four five six seven';
    to.details([{ head: message('x:head'), kind: 'text', value, at: undefined }], moment);
    expect(io.stdout()).toBe('x:head  one two three four\n        five six seven\n');
  });

  test('of rows that are no items has no headings, and says so where there is none', () => {
    const { io, printer: to } = printer();
    const kinds = [
      { id: 'a', kind: 'text', width: 1, value: ({ a }: { a: string }) => a },
      { id: 'b', kind: 'number', width: 1, value: ({ b }: { b: string }) => b },
    ] as unknown as RowLines['columns'];
    const rows = [
      { a: 'one', b: '7' },
      { a: 'three', b: '12' },
    ];
    to.rows({ columns: kinds, rows, json: undefined }, moment);
    to.rows({ columns: kinds, rows: [], json: undefined }, moment);
    expect([io.stdout(), io.stderr()]).toEqual(['one     7\nthree  12\n', 'core:cli.nothing\n']);
  });
});

const change = { id: 'a', label: 'North', field: message('x:field'), before: undefined, after: 'on' };
const plan: Plan = {
  summary: message('x:sum'),
  count: 1,
  changes: [change],
  reversible: true,
  notes: [message('x:n')],
};
const organization = { id: 'acme', name: 'Acme', features: new Set<string>(), impersonating: false };

test('a plan names the organization, its changes up to twenty, its notes and whether there is a way back', () => {
  const text = (partial: Partial<Plan>, impersonating = false) => {
    const text: string[] = [];
    printer().printer.plan({ ...plan, ...partial }, { ...organization, impersonating }, (value) => text.push(value));
    return text.join('').split('\n');
  };
  const [first, head, row, note, last] = text({});
  expect(first).toBe('x:sum core:cli.plan.in name=Acme id=acme');
  expect(head?.split(/ {2,}/)).toEqual(['item', 'field', 'before', 'after'].map((id) => `core:cli.plan.${id}`));
  expect(row?.split(/ {2,}/)).toEqual(['North', 'x:field', 'core:cli.plan.empty', 'on']);
  expect([note, last]).toEqual(['x:n', 'core:cli.plan.reversible']);
  expect(text({}, true)[0]).toBe('x:sum core:cli.plan.acting name=Acme id=acme');
  expect(text({ personal: true })[0]).toBe('x:sum');
  expect(text({ changes: [], notes: [], reversible: false }).slice(1)).toEqual(['core:cli.plan.irreversible', '']);
  expect(text({ changes: Array.from({ length: 20 }, () => change) }).join()).not.toContain('plan.more');
  const different = Array.from({ length: 22 }, (_, index) => ({ ...change, before: `${index}`, after: undefined }));
  const many = text({ changes: different, notes: undefined });
  expect([many.length, many.at(-3)]).toEqual([25, 'core:cli.plan.more count=2']);
  expect(many[2]?.split(/ {2,}/).slice(2)).toEqual(['0', 'core:cli.plan.empty']);
});

test('of many that change alike, a plan says how many change how', () => {
  const sentence: string[] = [];
  const times = (count: number, more: Partial<Change>) => Array.from({ length: count }, () => ({ ...change, ...more }));
  const values = [...times(15, { before: 'off' }), ...times(7, { after: undefined, before: message('x:idle') })];
  const lists = times(22, {
    field: message('x:tags'),
    before: undefined,
    after: undefined,
    added: ['a', 'b'],
    removed: ['c'],
  });
  const of = { ...plan, changes: [...values, ...lists], notes: [] };
  printer().printer.plan(of, organization, (text) => sentence.push(text));
  expect(sentence.join('').split('\n').slice(1, -2)).toEqual([
    'x:field: core:count count=15 off → on · core:count count=7 x:idle → core:cli.plan.empty',
    'x:tags: core:count count=22 − c + a, + b',
  ]);
  // Of few, item by item.
  const few: string[] = [];
  printer().printer.plan({ ...of, changes: lists.slice(0, 1) }, organization, (text) => few.push(text));
  expect(few.join('').split('\n')[2]?.split(/ {2,}/)).toEqual(['North', 'x:tags', '− c', '+ a, + b']);
});

test('what failed is listed, and what was not tried is counted', () => {
  const failure = { code: 'command', message: message('x:why'), retryable: false };
  const results = [
    { id: 'a', label: 'North', failure },
    { id: 'b', label: 'South' },
    { id: 'c', label: 'West', skipped: true },
  ];
  const { io, printer: to } = printer();
  to.failures({ results });
  to.failures({ results: results.slice(1, 2) });
  to.failures({});
  const [head, row, skipped, ...more] = io.stderr().split('\n');
  expect(head?.split(/ {2,}/)).toEqual(['item', 'id', 'reason'].map((id) => `core:cli.failed.${id}`));
  expect(row?.split(/ {2,}/)).toEqual(['North', 'a', 'x:why']);
  expect([skipped, more]).toEqual(['core:cli.skipped count=1', ['']]);
});

test('machines get plans, lists and what was done in full', () => {
  expect(jsonText({ a: 12n, b: 1 })).toBe('{\n  "a": "12",\n  "b": 1\n}\n');
  expect(listingJson({ entity: 'gadget', items: gadgets, total: 3 }, gadgetRegistry)).toEqual({
    total: 3,
    items: gadgets,
  });
  expect(listingJson({ entity: 'gizmo', items: [1], total: 1 }, gadgetRegistry)).toEqual({ total: 1, items: [1] });
  expect(planJson(plan, sayKey, 'acme')).toEqual({
    organization: 'acme',
    summary: 'x:sum',
    count: 1,
    reversible: true,
    changes: [{ ...change, field: 'x:field' }],
    notes: ['x:n'],
  });
  const texts = { ...change, before: message('x:was'), added: undefined };
  expect(planJson({ ...plan, changes: [texts] }, sayKey, 'acme')).toMatchObject({
    changes: [{ before: 'x:was', after: 'on' }],
  });
  const list = { id: 'a', label: 'North', field: message('x:field'), added: [message('x:new')] };
  expect(planJson({ ...plan, changes: [list] }, sayKey, 'acme')).toMatchObject({
    changes: [{ id: 'a', added: ['x:new'], removed: [] }],
  });
  const { notes: _, ...bare } = plan;
  expect(planJson(bare, sayKey, 'acme')).toMatchObject({ notes: [] });
  const invocation = { id: 'gadget.reset', args: {} };
  const outcome = {
    message: message('x:done'),
    data: 0,
    results: [
      { id: 'a', label: 'A', skipped: true },
      { id: 'b', label: 'B', skipped: false },
    ],
    reveal: { label: message('x:code'), value: '1' },
  };
  const done = { invocation, outcome, inverse: [invocation], organization: 'acme' };
  expect(doneJson(done, gadgetRegistry, sayKey)).toEqual({
    organization: 'acme',
    command: 'gadget reset',
    message: 'x:done',
    results: [
      { id: 'a', label: 'A', skipped: true },
      { id: 'b', label: 'B' },
    ],
    reveal: { label: 'x:code', value: '1' },
    data: 0,
    undo: ['gadget reset'],
  });
  expect(doneJson({ ...done, outcome: {}, inverse: undefined }, gadgetRegistry, sayKey)).toEqual({
    organization: 'acme',
    command: 'gadget reset',
  });
});
