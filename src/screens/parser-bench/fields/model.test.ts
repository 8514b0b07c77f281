import { create } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';

import { formatSimple, parseSimple } from '#commands/nouns/data/parser/simple-fields.ts';
import {
  type SimpleModemMessageBodyParser as SimpleParser,
  SimpleModemMessageBodyParserSchema as ParserSchema,
} from '#proto/gen/hiber/parser_pb.ts';

import { mapSimple } from './map.ts';
import {
  addType,
  fieldAt,
  insertField,
  keyOfPart,
  moveField,
  positionOf,
  removeField,
  removeType,
  renameType,
  setField,
  visibleTypes,
  withCode,
} from './model.ts';

const parserOf = (...inputs: string[]): SimpleParser => create(ParserSchema, parseSimple(inputs));
const placeAt = (field: number, ...types: number[]) => ({ types, field });
const renameField = (parser: SimpleParser, field: number, name: string) =>
  setField(parser, placeAt(field), { ...fieldAt(parser, placeAt(field))!, name });

test('inserts, moves, and removes fields', () => {
  const parser = parserOf('a:u1', 'b:u2');
  const inserted = insertField(parser, placeAt(1), fieldAt(parser, placeAt(1))!);
  expect(formatSimple(inserted)).toEqual(['a:u1', 'b:u2', 'b:u2']);
  expect(formatSimple(moveField(parser, placeAt(0), 1))).toEqual(['b:u2', 'a:u1']);
  expect(moveField(parser, placeAt(1), 1)).toBe(parser);
  expect(formatSimple(removeField(parser, placeAt(0)))).toEqual(['b:u2']);
});

test('sizes follow the name of the field that holds them', () => {
  expect(formatSimple(renameField(parserOf('length:u1', 'name:str(length)'), 0, 'count'))).toEqual([
    'count:u1',
    'name:str(count)',
  ]);
});

test('fields follow the name of their custom type', () => {
  const parser = parserOf('at:position/', 'position/x:s4', 'position/inner:position/');
  expect(formatSimple(renameType(parser, [0], 'place'))).toEqual(['at:place/', 'place/x:s4', 'place/inner:place/']);
});

test('adds and removes custom types', () => {
  const parser = addType(parserOf('a:u1'), 'type_1');
  expect(visibleTypes(parser, [])).toEqual(['type_1']);
  expect(removeType(parser, [0]).customTypes).toEqual([]);
});

test('keeps the byte order and the size when the type changes', () => {
  const change = (text: string, code: string) =>
    formatSimple({ fields: [withCode(parserOf(text).fields[0]!, code)], customTypes: [] });
  expect(change('a:u2le', 'f8')).toEqual(['a:f8le']);
  expect(change('a:bytes(7)', 'str')).toEqual(['a:str(7)']);
  expect(change('a:u2le', 'type:position')).toEqual(['a:position/']);
});

test('finds the field that declares a value, even in custom types', () => {
  const map = mapSimple(parserOf('Frame no:u1', 'at:position/', 'position/x:s4'));
  expect(map.field('frame_no')).toMatchObject({ part: keyOfPart(placeAt(0)), type: 'u1' });
  expect(map.field('at.x')).toMatchObject({ part: keyOfPart(placeAt(0, 0)), type: 's4' });
  expect(map.field('other')).toBeUndefined();
  expect(positionOf(keyOfPart(placeAt(3, 0, 2)))).toEqual(placeAt(3, 0, 2));
});
