import { expect, test } from 'vitest';

import type { Term } from '#commands/model/filter.ts';
import { testContext } from '#commands/testkit/context.ts';

import { addTerm, containsKey, isTrue, intersectValues, singleValue, cachedLoader, valuesOf } from './filter-keys.ts';

const term = (values: readonly string[], negated = false): Term => ({ key: 'kind', test: { values }, negated });

test("reads a term's values unless the term is a comparison", () => {
  expect(valuesOf(term(['a', 'b']))).toEqual(['a', 'b']);
  expect(valuesOf({ key: 'kind', test: { above: '3' }, negated: false })).toEqual([]);
  expect([term(['true']), term(['false']), term(['true'], true), term(['false'], true)].map(isTrue)).toEqual([
    true,
    false,
    false,
    true,
  ]);
});

test('rejects a term with no value or several values if the key requires exactly one', () => {
  expect(singleValue(term(['a']))).toBe('a');
  const rejection = { userMessage: { key: 'common:filter.oneValue', values: { key: 'kind' } } };
  expect(() => singleValue(term([]))).toThrow(expect.objectContaining(rejection));
  expect(() => singleValue(term(['a', 'b']))).toThrow(expect.objectContaining(rejection));
});

test('intersects the values of two terms and reports an empty result', () => {
  expect(intersectValues([], ['a', 'b'], 'kind')).toEqual(['a', 'b']);
  expect(intersectValues(['b', 'c'], ['a', 'b'], 'kind')).toEqual(['b']);
  expect(() => intersectValues(['c'], ['a', 'b'], 'kind')).toThrow(expect.objectContaining({ key: 'kind' }));
});

test('allows one include list and any number of exclude lists', () => {
  const filter = { include: [] as string[], exclude: [] as string[] };
  addTerm(filter, ['x'], term(['x'], true));
  addTerm(filter, ['a'], term(['a']));
  addTerm(filter, ['y'], term(['y'], true));
  expect(filter).toEqual({ include: ['a'], exclude: ['x', 'y'] });
  expect(() => addTerm(filter, ['c'], term(['c']))).toThrow(
    expect.objectContaining({ userMessage: { key: 'common:filter.twice', values: { key: 'kind' } } }),
  );
  expect(filter.include).toEqual(['a']);
});

test('builds text keys', () => {
  const values: string[] = [];
  const key = containsKey<string[]>((selection, value) => selection.push(value));
  expect(key).toMatchObject({ kind: 'text', contains: true });
  void key.apply(values, term(['needle']), testContext());
  expect(values).toEqual(['needle']);
});

test('caches reference data under its name', async () => {
  const keys: string[] = [];
  const load = cachedLoader('models', async () => ['PT-1']);
  const cached: ReturnType<typeof testContext>['loadCached'] = (key, from) => {
    keys.push(key);
    return from(testContext());
  };
  expect(await load(testContext({ loadCached: cached }))).toEqual(['PT-1']);
  expect(keys).toEqual(['models']);
});
