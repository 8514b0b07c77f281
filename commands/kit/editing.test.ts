import { describe, expect, test, vi } from 'vitest';

import type { ArgValue } from '#commands/model/arg-value.ts';
import type { Entity } from '#commands/model/entity.ts';
import type { Failure } from '#commands/model/errors.ts';
import { p } from '#commands/model/params.ts';
import type { ItemResult } from '#commands/model/result.ts';
import { gadget, type Gadget } from '#commands/testkit/gadget.ts';
import { message } from '#commands/text/message.ts';

import {
  listChanges,
  fingerprint,
  HIDDEN,
  createInitial,
  isRestorable,
  restore,
  splitUnchanged,
  valueText,
  toNewValues,
  type Field,
} from './editing.ts';

interface Pump extends Gadget {
  readonly notes?: string;
  readonly tags?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly on?: boolean;
}

const pumps = gadget as unknown as Entity<Pump>;
const pump = (id: string, overrides: Partial<Pump> = {}): Pump => ({
  id,
  name: `Pump ${id}`,
  state: 'OK',
  ...overrides,
});

const notes: Field<Pump> = { current: (item) => item.notes ?? '' };
const tags: Field<Pump> = { current: (item) => item.tags ?? [] };
const onField: Field<Pump> = { current: (item) => item.on ?? false };
const headers: Field<Pump> = { current: (item) => item.headers ?? {} };
const password: Field<Pump> = { current: () => undefined, secret: true };
/** A field that adds tags, whose argument is only part of the resulting value. */
const addedTags: Field<Pump> = {
  current: (item) => item.tags ?? [],
  after: (item, value) => [...(item.tags ?? []), ...(value as readonly string[])],
};
const state = p.choice(['OK', 'ERROR'], { label: (name) => message(`gadget:state.${name}`) });
const events = p.choices(['SENT', 'LOST'], { label: (name) => message(`gadget:event.${name}`) });

describe('the new values', () => {
  test('converts each argument with its field', () => {
    const parent: Field<Pump> = {
      current: () => '',
      fromArgument: (resolved) => (resolved as Pump | undefined)?.id,
    };
    const fields = { notes, on: onField, parent };
    expect(toNewValues(fields, { notes: '', on: false, parent: pump('A'), other: 'x' })).toEqual({
      notes: '',
      on: false,
      parent: 'A',
    });
    expect(toNewValues(fields, { notes: undefined })).toStrictEqual({});
  });
});

describe('values have equal fingerprints only if they are the same', () => {
  test.each<[string, ArgValue | undefined, ArgValue | undefined, boolean]>([
    ['lists in another order', ['a', 'b', 'c'], ['c', 'a', 'b'], true],
    ['lists with another item', ['a', 'b'], ['a', 'c'], false],
    ['maps in another order', { b: '2', a: '1', c: '3' }, { c: '3', a: '1', b: '2' }, true],
    ['maps with another value', { a: '1' }, { a: '2' }, false],
    ['the same text', 'a', 'a', true],
    ['a number and its text', 1, '1', false],
    ['undefined and an empty string', undefined, '', false],
  ])('%s', (_, value, argValue, same) => {
    expect(fingerprint(value) === fingerprint(argValue)).toBe(same);
  });
});

describe('items to change', () => {
  const items = [pump('A', { notes: 'dry' }), pump('B', { notes: 'wet' }), pump('C', { notes: 'dry', on: true })];

  test.each<[string, Readonly<Record<string, Field<Pump>>>, Record<string, ArgValue>, string[]]>([
    ['are those with at least one different field', { notes, on: onField }, { notes: 'dry', on: true }, ['A', 'B']],
    ['are none if there are no new values', { notes }, {}, []],
    ['include all whose current value is unknown', { password }, { password: 'x' }, ['A', 'B', 'C']],
    ['are determined by the resulting value, not by the argument', { addedTags }, { addedTags: [] }, []],
  ])('%s', (_, fields, newValues, ids) => {
    const result = splitUnchanged(fields, newValues, items);
    expect(result.itemsToChange.map(({ id }) => id)).toEqual(ids);
    expect(result.unchangedCount).toBe(items.length - ids.length);
  });
});

describe('a plan shows a value', () => {
  test.each<[string, Partial<Field<Pump>>, ArgValue | undefined, ReturnType<typeof valueText>]>([
    ['as undefined if it is undefined', {}, undefined, undefined],
    ['as undefined if it is empty', { text: () => 'never' }, '', undefined],
    ['as undefined if a secret is removed', { secret: true }, '', undefined],
    ['as dots if it is secret', { secret: true, text: () => 'never' }, 'hunter2', HIDDEN],
    ["with the field's own text", { text: (value) => `${value as number} s` }, 60, '60 s'],
    ['with the label of the choice', { param: state }, 'ERROR', message('gadget:state.ERROR')],
    ['unchanged if the choice has no labels', { param: p.choice(['OK']) }, 'OK', 'OK'],
    ['unchanged if it is text', { param: p.text() }, 'dry', 'dry'],
    ['as yes', {}, true, message('common:yes')],
    ['as no', {}, false, message('common:no')],
    ['as a number', {}, 12.5, '12.5'],
    ['with its pairs sorted by name', {}, { b: '2', a: '1' }, '[["a","1"],["b","2"]]'],
  ])('%s', (_, field, value, text) => {
    expect(valueText({ current: () => undefined, ...field }, value)).toEqual(text);
  });
});

describe('the changes of a plan', () => {
  const changes = (fields: Readonly<Record<string, Field<Pump>>>, newValues: Record<string, ArgValue>, items: Pump[]) =>
    listChanges(pumps, fields, newValues, items);

  test('are listed by item and field, without unchanged fields', () => {
    const items = [pump('A', { notes: 'dry' }), pump('B', { notes: 'wet', on: true })];
    const title = (name: string) => message(`gadget:fields.${name}`);
    expect(changes({ notes, on: onField }, { notes: 'wet', on: true }, items)).toEqual([
      { id: 'A', label: 'Pump A', field: title('notes'), before: 'dry', after: 'wet' },
      { id: 'A', label: 'Pump A', field: title('on'), before: message('common:no'), after: message('common:yes') },
    ]);
  });

  test('show the entries added to and removed from a list', () => {
    const item = pump('A', { tags: ['north', 'dry'] });
    expect(changes({ tags }, { tags: ['dry', 'new'] }, [item])).toMatchObject([{ added: ['new'], removed: ['north'] }]);
    expect(changes({ addedTags }, { addedTags: ['new'] }, [item])).toMatchObject([{ added: ['new'], removed: [] }]);
    expect(changes({ tags }, { tags: [] }, [item])[0]).not.toHaveProperty('before');
  });

  test.each<[string, Partial<Field<Pump>>, unknown]>([
    ['with the labels of the choices', { param: events }, message('gadget:event.LOST')],
    ["with the field's own text", { text: (value) => `#${(value as readonly string[]).join()}` }, '#LOST'],
    ['unchanged if the choices have no labels', { param: p.choices(['LOST']) }, 'LOST'],
    ['unchanged if the param is a single choice', { param: state }, 'LOST'],
    ['unchanged if the field has no text for them', { text: () => undefined }, 'LOST'],
  ])('name the items of a list %s', (_, field, added) => {
    expect(changes({ tags: { ...tags, ...field } }, { tags: ['LOST'] }, [pump('A')])).toMatchObject([
      { added: [added] },
    ]);
  });

  test('show text before and after if the old value is unknown or not a list', () => {
    const unknown: Field<Pump> = { current: () => undefined };
    expect(changes({ unknown }, { unknown: ['new'] }, [pump('A')])).toMatchObject([
      { before: undefined, after: '["new"]' },
    ]);
    const items = [pump('A', { headers: { site: 'north' } }), pump('B', { headers: { site: 'south' } })];
    expect(changes({ headers }, { headers: {} }, items)).toMatchObject([
      { before: '[["site","north"]]', after: '[]' },
      { before: '[["site","south"]]', after: '[]' },
    ]);
    const clearedField: Field<Pump> = { current: (item) => item.tags ?? [], after: () => '' };
    expect(changes({ cleared: clearedField }, { cleared: '' }, [pump('A', { tags: ['x'] })])).toMatchObject([
      { before: '["x"]', after: undefined },
    ]);
  });

  test('format each distinct value once', () => {
    const text = vi.fn<(value: ArgValue) => string>((value) => `${value as string} bar`);
    const items = ['A', 'B', 'C'].map((id) => pump(id, { notes: '2' }));
    expect(changes({ notes: { ...notes, text } }, { notes: '3' }, items)).toMatchObject(
      items.map(({ id }) => ({ id, before: '2 bar', after: '3 bar' })),
    );
    expect(text).toHaveBeenCalledTimes(2);
  });
});

describe('the initial values of a form', () => {
  test('returns the values all items share and the names of the fields that differ', () => {
    const items = [pump('A', { notes: 'dry', tags: ['a', 'b'] }), pump('B', { notes: 'wet', tags: ['b', 'a'] })];
    expect(createInitial({ notes, tags, on: onField, password }, items)).toStrictEqual({
      values: { tags: ['a', 'b'], on: false },
      various: ['notes'],
    });
    // One difference is enough.
    expect(createInitial({ notes }, [items[0]!, items[0]!, items[1]!]).various).toEqual(['notes']);
  });
});

describe('undoing an edit', () => {
  const items = [
    pump('A', { notes: 'dry', tags: ['a', 'b'] }),
    pump('B', { notes: 'dry', tags: ['b', 'a'] }),
    pump('C', { notes: 'new' }),
    pump('D', { notes: 'dry' }),
  ];
  const fields = { notes, tags };
  const newValues = { notes: 'new', tags: ['z'] };
  const edit = { id: 'gadget.edit', target: 'gadgets', newValues };
  const results = (failures: Readonly<Record<string, Failure['code']>> = {}): ItemResult[] =>
    items.map(({ id, name: label }) => {
      const code = failures[id];
      return code ? { id, label, failure: { code, message: message('x'), retryable: false } } : { id, label };
    });

  test('restores old values and groups items that had the same values', () => {
    expect(restore(pumps, fields, edit, items, { results: results() })).toEqual([
      { id: 'gadget.edit', args: { gadgets: { ids: ['A', 'B'] }, notes: 'dry', tags: ['a', 'b'] } },
      { id: 'gadget.edit', args: { gadgets: { ids: ['C'] }, tags: [] } },
      { id: 'gadget.edit', args: { gadgets: { ids: ['D'] }, notes: 'dry', tags: [] } },
    ]);
  });

  test("leaves out rejected items and adds the command's extra arguments", () => {
    const outcome = { results: results({ A: 'failed_precondition', C: 'failed_precondition', D: 'unavailable' }) };
    const extraArgs = { overwriteNotes: true };
    expect(restore(pumps, { notes }, { ...edit, newValues: { notes: 'new' }, extraArgs }, items, outcome)).toEqual([
      { id: 'gadget.edit', args: { gadgets: { ids: ['B', 'D'] }, overwriteNotes: true, notes: 'dry' } },
    ]);
  });

  test('is impossible if a changed item had an unknown or lossy value', () => {
    const lossy: Field<Pump> = { ...tags, canRestore: (item) => (item.tags ?? []).length === 0 };
    const canRestore = (values: Record<string, ArgValue>, candidates = items) =>
      isRestorable({ notes, password, tags: lossy }, values, candidates);
    expect(canRestore({ notes: 'x' })).toBe(true);
    expect(canRestore({ notes: 'x', password: 'y' })).toBe(false);
    expect(canRestore({ tags: ['x'] })).toBe(false);
    expect(canRestore({ tags: ['x'] }, items.slice(2))).toBe(true);
    const partial = results({ A: 'failed_precondition', B: 'failed_precondition' });
    const lossyEdit = { ...edit, newValues: { tags: ['z'] } };
    expect(restore(pumps, { tags: lossy }, lossyEdit, items, { results: results() })).toEqual([]);
    expect(restore(pumps, { tags: lossy }, lossyEdit, items, { results: partial })).toHaveLength(1);
  });
});
