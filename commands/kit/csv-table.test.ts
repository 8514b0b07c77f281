import { expect, test } from 'vitest';

import type { Column } from '#commands/model/column.ts';
import { message } from '#commands/text/message.ts';

import { csvParts } from './csv-table.ts';

interface Row {
  readonly name?: string;
  readonly pressure?: string;
  readonly unit?: string;
  readonly at?: number;
}

const columns = [
  { id: 'name', kind: 'text', width: 1, value: ({ name }) => name },
  {
    id: 'pressure',
    kind: 'value',
    width: 1,
    value: ({ pressure, unit }) => pressure && `${pressure} ${unit}`,
    raw: ({ pressure }) => pressure,
    unit: ({ unit }) => unit ?? '',
  },
  { id: 'last', kind: 'age', width: 1, value: () => 'an hour ago', time: ({ at }) => at },
] as const satisfies readonly Column<Row>[];

async function write(shown: readonly Column<Row>[], batches: readonly (readonly Row[])[], formulas = false) {
  async function* load() {
    yield* batches;
  }
  const table = { columns: shown.map((column) => ({ ...column, head: message('x:head') })), batches: load(), formulas };
  const parts: string[] = [];
  for await (const part of csvParts(table, { translate: ({ key }) => `“${key}”` })) parts.push(part);
  return parts;
}

const at = Date.UTC(2026, 2, 11, 12);

test('has one part per batch, ids as heads, times that programs can read, and the unit of a value in its head', async () => {
  const first = [{ name: 'North' }, { name: 'a,b', pressure: '3.2', unit: 'bar', at }];
  const second = [
    { name: '=1', pressure: '4', unit: 'bar' },
    { pressure: '46.4', unit: 'psi' },
  ];
  expect(await write(columns, [first, second])).toEqual([
    'name,pressure (bar),last\r\nNorth,,an hour ago\r\n"a,b",3.2,2026-03-11T12:00:00.000Z\r\n',
    "'=1,4,an hour ago\r\n,46.4 psi,an hour ago\r\n",
  ]);
});

test('has only the heads if there are no rows, and keeps formulas on request', async () => {
  expect(await write(columns, [])).toEqual(['name,pressure,last\r\n']);
  expect((await write(columns.slice(0, 1), [[{ name: '=1' }]], true)).join('')).toBe('name\r\n=1\r\n');
});

test.each([
  ['a name of the contract', message('x:lifecycle.PENDING_REPAIR'), 'PENDING_REPAIR'],
  [
    'a list of such names',
    message('common:list', { before: message('x:a.OK'), next: message('x:a.NOT_OK') }),
    'OK,NOT_OK',
  ],
  ['another text', message('x:none.events'), '“x:none.events”'],
  ['a text with values', message('x:on.PERIOD', { period: '2d' }), '“x:on.PERIOD”'],
])('writes %s the same in every language', async (_, value, cell) => {
  const column = { id: 'a', kind: 'text', width: 1, value: () => value } as const;
  const [text = ''] = await write([column], [[{}]]);
  expect(text.split('\r\n')[1]).toBe(cell.includes(',') ? `"${cell}"` : cell);
});

test('writes counts as numbers, days without a time, and tags as a list that can be read again', async () => {
  const count = { id: 'a', kind: 'number', width: 1, value: () => message('x:perDay', { count: 24 }) } as const;
  const day = { id: 'b', kind: 'day', width: 1, value: () => '', time: () => at } as const;
  const tags = {
    id: 'c',
    kind: 'tags',
    width: 1,
    value: () => 'x',
    tags: () => [
      { id: '1', name: 'North' },
      { id: '2', name: 'a,b' },
    ],
  } as const;
  expect(await write([count, day, tags], [[{}]])).toEqual(['a,b,c\r\n24,2026-03-11,"North,""a,b"""\r\n']);
});
