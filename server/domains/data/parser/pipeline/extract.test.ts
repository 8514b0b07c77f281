import { expect, test } from 'vitest';

import { UnitOfMeasurement } from '#proto/gen/hiber/unit_pb.ts';
import { Value_Numeric_Type as NumericType, Value_Type as ValueType } from '#proto/gen/hiber/value_pb.ts';
import type { FieldRow } from '#server/domains/data/parser/model/fields.ts';

import { extractValues, pick } from './extract.ts';

const secrets = { seal: (text: string) => `sealed ${text.length}`, open: (text: string) => text };
const result = { place: { pin: 4660, level: 5 }, places: [{ pin: 1 }, { pin: 2 }], kind: 1 };

const declareField = (field: string, type: ValueType = ValueType.TEXT, encrypted = false): FieldRow => ({
  organization: 'acme',
  parser: 'safe',
  identifier: field,
  field,
  displayName: null,
  type,
  numericType: type === ValueType.NUMERIC ? NumericType.OTHER : null,
  unit: type === ValueType.NUMERIC ? UnitOfMeasurement.UNIT_UNKNOWN : null,
  format: null,
  enumValues: null,
  priority: 0,
  encrypted,
  optional: false,
  operational: false,
});

test.each([
  ['place.pin', 'place', true],
  ['place', 'place.level', true],
  ['place.pin', "$.place['pin']", true],
  ['places[0].pin', 'places', true],
  ['places[0].pin', "places['0']", true],
  ['places[0].pin', 'places[1]', false],
  ['place.pin', 'place.level', false],
  ['place', 'places', false],
])('with %s encrypted, seals %s: %s', (encrypted, field, isSealed) => {
  const values = extractValues([declareField(encrypted, ValueType.TEXT, true), declareField(field)], result, secrets);
  expect(values).toMatchObject([{ sealed: true }, { field }]);
  expect(typeof values === 'string' ? [] : values.map(({ sealed = false }) => sealed)).toEqual([true, isSealed]);
});

test('quotes no value that contains an encrypted one', () => {
  const fields = [declareField('place.pin', ValueType.NUMERIC, true), declareField('place', ValueType.NUMERIC)];
  expect(extractValues(fields, result, secrets)).toBe("The field place is encrypted, which isn't a number.");
  expect(extractValues([declareField('place', ValueType.NUMERIC)], result, secrets)).toContain('4660');
});

test('stops picking fields once they are as long as a whole result', () => {
  expect(pick(['kind', 'none', 'place.pin'], result)).toEqual({ kind: 1, 'place.pin': 4660 });
  expect(pick(['none'], result)).toBeUndefined();
  const text = 'x'.repeat(30_000);
  expect(Object.keys(pick(['a', 'b', 'c', 'd'], { a: text, b: text, c: text, d: 1 }) ?? {})).toEqual(['a', 'b']);
});
