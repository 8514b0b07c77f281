import { expect, test } from 'vitest';

import { p } from '#commands/model/params.ts';

import { attributes, orderFields, pickColumns, pickFields } from './attributes.ts';

interface Pump {
  readonly name: string;
  readonly owner: string;
}

const field = { param: p.text(), current: ({ name }: Pump) => name };
const filter = { kind: 'text', apply: () => undefined } as const;

const {
  columns,
  details,
  fields,
  filter: keys,
} = attributes<Pump, unknown>({
  name: { kind: 'text', value: ({ name }) => name, column: { width: 100, sort: 'name' }, field, filter },
  owner: {
    kind: 'text',
    value: ({ owner }) => owner,
    column: { width: 80, value: ({ owner }) => owner.slice(0, 1) },
    detail: 'owner',
    edit: 'pump.give',
    param: 'to',
    field,
  },
  note: { kind: 'mono', value: () => 'n', detail: { group: 'notes', fields: ['a', 'b'] } },
  hidden: { field },
});

test('shows an attribute as a column and a detail field if it declares them', () => {
  expect(columns.map(({ id, width, sort }) => [id, width, sort])).toEqual([
    ['name', 100, 'name'],
    ['owner', 80, undefined],
  ]);
  expect(details.map(({ id, group, edit, fields: params }) => [id, group, edit, params])).toEqual([
    ['owner', 'owner', 'pump.give', ['to']],
    ['note', 'notes', undefined, ['a', 'b']],
  ]);
});

test('gives columns and detail fields only their declared properties', () => {
  const value = ({ name }: Pump) => name;
  const parts = { level: () => 'ok', tags: () => [], time: () => undefined } as const;
  const links = () => [];
  const pumpAttributes = attributes<Pump, unknown>({
    full: {
      kind: 'text',
      value,
      ...parts,
      links,
      column: { width: 80 },
      detail: 'owner',
      edit: 'a.b',
      param: 'c',
      field,
    },
    bare: { kind: 'text', value, column: { width: 90 }, detail: 'owner' },
  });
  expect(pumpAttributes.columns).toStrictEqual([
    {
      id: 'full',
      kind: 'text',
      value,
      ...parts,
      width: 80,
      param: 'c',
      raw: expect.any(Function),
      fields: ['c'],
      edit: 'a.b',
    },
    { id: 'bare', kind: 'text', value, width: 90 },
  ]);
  expect(pumpAttributes.details).toStrictEqual([
    { id: 'full', kind: 'text', value, ...parts, fields: ['c'], group: 'owner', links, edit: 'a.b' },
    { id: 'bare', kind: 'text', value, group: 'owner' },
  ]);
});

test('lets a column show less than the panel', () => {
  const pump = { name: 'P-1', owner: 'Anna' };
  expect([columns[1]?.value(pump), details[0]?.value(pump)]).toEqual(['A', 'Anna']);
});

test('uses the declared name of a filter key', () => {
  const { filter: keys } = attributes<Pump, unknown>({
    owner: { kind: 'text', value: ({ owner }) => owner, filter, key: 'of' },
  });
  expect(keys).toEqual({ of: filter });
});

test('moves the named attributes to the front of a list', () => {
  const declarations = {
    name: { kind: 'text', value: ({ name }: Pump) => name, column: { width: 80 }, detail: 'identity', filter },
    size: { kind: 'text', value: () => 's', column: { width: 80 }, filter },
    owner: {
      kind: 'text',
      value: ({ owner }: Pump) => owner,
      column: { width: 80 },
      detail: 'owner',
      filter,
      key: 'of',
    },
  } as const;
  const reordered = attributes<Pump, unknown>(declarations, {
    columns: ['size'],
    details: ['owner'],
    filter: ['of', 'size'],
  });
  expect(reordered.columns.map(({ id }) => id)).toEqual(['size', 'name', 'owner']);
  expect(reordered.details.map(({ id }) => id)).toEqual(['owner', 'name']);
  expect(Object.keys(reordered.filter)).toEqual(['of', 'size', 'name']);
});

test("throws if a list's order names an attribute that the list doesn't have", () => {
  const declarations = { name: { kind: 'text', value: ({ name }: Pump) => name, column: { width: 80 } } } as const;
  expect(() => attributes<Pump, unknown>(declarations, { details: ['name'] })).toThrow('"name"');
});

test('names fields after their params, and filter keys after the attribute', () => {
  expect([Object.keys(fields), Object.keys(keys)]).toEqual([['name', 'to', 'hidden'], ['name']]);
  expect(pickFields(fields, 'to')).toEqual({ to: field });
});

test('orders the fields for a form, with the named fields first', () => {
  expect(Object.keys(orderFields(fields, 'hidden', 'to'))).toEqual(['hidden', 'to', 'name']);
});

test('selects and resizes columns for a narrower table', () => {
  const narrowColumns = pickColumns(columns, { owner: { width: 40, grow: 1 }, name: { width: 60 } });
  expect(narrowColumns).toEqual([
    { id: 'owner', kind: 'text', value: columns[1]!.value, raw: expect.any(Function), width: 40, grow: 1 },
    { id: 'name', kind: 'text', value: columns[0]!.value, raw: expect.any(Function), width: 60 },
  ]);
  expect(() => pickColumns(columns, { missing: { width: 40 } })).toThrow('"missing"');
});
