import { create } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';

import {
  SimpleModemMessageBodyParser_Endian as Endian,
  SimpleModemMessageBodyParserSchema,
} from '#proto/gen/hiber/parser_pb.ts';

import { formatSimple, parseSimple, textProblem } from './simple-fields.ts';

test.each([
  ['level:u2be', 'temperature:s2', 'ratio:f4', 'wide:f8le'],
  ['rest:bytes', 'text:str', 'start:=cafe'],
  ['length:u1', 'name:str(length)', 'raw:bytes(4)', 'code:str(8 ascii)'],
  ['line:str(- until 0a)', 'name:str(8 until 00)', 'text:str(* utf-16le until 00)', 'raw:bytes(- until ff)'],
  ['level:u2 # In millimeters, above the sensor'],
  ['at:position/', 'position/:le ascii # WGS 84', 'position/latitude:s4', 'position/unit/mark:u1', 'empty/:'],
])('formats what it parses: %s', (...inputs) => {
  expect(textProblem(inputs)).toBeUndefined();
  expect(formatSimple(parseSimple(inputs))).toEqual(inputs);
});

test('reads commas for spaces, and a terminator without a size', () => {
  expect(formatSimple(parseSimple(['a:str(8,ascii)', 'b:bytes(until 00)']))).toEqual([
    'a:str(8 ascii)',
    'b:bytes(- until 00)',
  ]);
});

test('reads custom types with their own defaults', () => {
  const { fields, customTypes } = parseSimple(['at:position/', 'position/:be', 'position/latitude:s4']);
  expect(fields).toMatchObject([{ name: 'at', type: { case: 'customType', value: 'position' } }]);
  expect(customTypes).toMatchObject([
    { name: 'position', defaultEndian: Endian.BIG_ENDIAN, fields: [{ name: 'latitude' }] },
  ]);
});

test('replaces separators in names and line breaks in notes', () => {
  const parser = create(SimpleModemMessageBodyParserSchema, {
    fields: [
      {
        name: 'Flow m/s: raw',
        documentation: 'First\nsecond',
        type: { case: 'integer', value: { sizeBytes: 2, signed: false, endian: Endian.DEFAULT } },
      },
    ],
  });
  expect(formatSimple(parser)).toEqual(['Flow m_s_ raw:u2 # First second']);
});

test.each([
  ['level'],
  ['level:u3'],
  ['level:f2'],
  ['1:u1'],
  ['level:str(8 ascii x)'],
  ['level:bytes(8 ascii)'],
  ['level:bytes(8 until 0)'],
  ['level:=caf'],
  [':le'],
  ['/level:u1'],
])('rejects %s', (text) => {
  expect(textProblem(['ok:u1', text])).toMatchObject({ values: { field: text } });
});
