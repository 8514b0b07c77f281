import { create } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';

import { FieldSchema } from '#proto/gen/hiber/field_pb.ts';

import { missingFields, resultNodes } from './result.ts';
import { lineOf, readHex } from './trial.ts';

const pressure = create(FieldSchema, {
  field: '$.sensors[0].pressure',
  displayName: 'Pressure',
  details: {
    case: 'numeric',
    value: { unit: { symbol: 'bar' }, format: { round: { case: 'roundToScale', value: 2 } } },
  },
});
const state = create(FieldSchema, {
  field: 'state',
  optional: true,
  details: { case: 'enum', value: { values: [{ value: 'open', displayName: 'Open' }] } },
});

test('a tree has the format and the unit of each declared field', () => {
  const nodes = resultNodes({ sensors: [{ pressure: 1.2345 }], state: 'open', raw: 0.1 }, [pressure, state]);
  expect(nodes.map(({ path, depth, text, unit }) => [path, depth, text, unit])).toEqual([
    ['sensors', 0, undefined, ''],
    ['sensors[0]', 1, undefined, ''],
    ['sensors[0].pressure', 2, '1.23', 'bar'],
    ['state', 0, 'Open', ''],
    ['raw', 0, '0.1', ''],
  ]);
});

test('a result without a required field is incomplete', () => {
  expect(missingFields([pressure, state], { sensors: [] })).toEqual(['$.sensors[0].pressure']);
});

test('reads hexadecimal digits in the forms that people copy', () => {
  expect(['10 0d', '0x100D', '10:0D', '10-0d', '1', 'xy', ''].map(readHex)).toEqual([
    '100D',
    '100D',
    '100D',
    '100D',
    undefined,
    undefined,
    '',
  ]);
});

test('reads the line number from an error', () => {
  expect([lineOf('Line 12: Unknown type.'), lineOf('Field level: no.')]).toEqual([12, undefined]);
});
