import { create } from '@bufbuild/protobuf';

import type { SimplePart } from '#commands/nouns/data/parser/simple-problems.ts';
import { reduceName } from '#commands/text/reduce-name.ts';
import {
  type SimpleModemMessageBodyParser as SimpleParser,
  SimpleModemMessageBodyParser_Endian as Endian,
  type SimpleModemMessageBodyParser_Field as SimpleField,
  SimpleModemMessageBodyParser_FieldSchema as FieldSchema,
  SimpleModemMessageBodyParserSchema as ParserSchema,
} from '#proto/gen/hiber/parser_pb.ts';

// Changes to a simple parser in the form. Each returns a changed copy.

/** The position of a field: its type, as indexes from the outermost type, and its index in that type. */
export interface Position {
  readonly types: readonly number[];
  readonly field: number;
}

/** Returns a text that identifies a part of a parser, such as `0.2/1`. */
export const keyOfPart = ({ types, field }: SimplePart): string => `${types.join('.')}/${field ?? ''}`;

/** Returns the position of a field by its key. Undefined for the key of a type. */
export function positionOf(key: string): Position | undefined {
  const [types = '', field = ''] = key.split('/');
  if (field === '') return undefined;
  return { types: types === '' ? [] : types.split('.').map(Number), field: Number(field) };
}

/** The codes of numbers, with their size in bytes. */
export const NUMBER_CODES = ['u1', 'u2', 'u4', 'u8', 's1', 's2', 's4', 's8', 'f4', 'f8'] as const;
export const OTHER_CODES = ['bytes', 'str', 'magic'] as const;
const CUSTOM = 'type:';

export const customCode = (name: string): string => `${CUSTOM}${name}`;

/** Returns the code of a field's type. Empty if it has none. */
export function codeOf({ type }: SimpleField): string {
  switch (type.case) {
    case 'integer':
      return `${type.value.signed ? 's' : 'u'}${type.value.sizeBytes}`;
    case 'float':
      return `f${type.value.sizeBytes}`;
    case 'string':
      return 'str';
    case 'customType':
      return customCode(type.value);
    default:
      return type.case ?? '';
  }
}

/** Returns a field with another type. Keeps its byte order or its size if the new type has one, too. */
export const withCode = (field: SimpleField, code: string): SimpleField => ({ ...field, type: typeFor(code, field) });

function typeFor(code: string, { type: old }: SimpleField): SimpleField['type'] {
  const endian = old.case === 'integer' || old.case === 'float' ? old.value.endian : Endian.DEFAULT;
  const size = old.case === 'bytes' || old.case === 'string' ? old.value.size : undefined;
  const delimited = size ?? { size: { case: 'sizeBytes' as const, value: 4 }, terminator: new Uint8Array() };
  const sizeBytes = Number(code.slice(1));
  const type = code.startsWith(CUSTOM)
    ? ({ case: 'customType', value: code.slice(CUSTOM.length) } as const)
    : code === 'bytes'
      ? ({ case: 'bytes', value: { size: delimited } } as const)
      : code === 'str'
        ? ({ case: 'string', value: { size: delimited, encoding: '' } } as const)
        : code === 'magic'
          ? ({ case: 'magic', value: new Uint8Array() } as const)
          : code.startsWith('f')
            ? ({ case: 'float', value: { sizeBytes, endian } } as const)
            : ({ case: 'integer', value: { sizeBytes, signed: code.startsWith('s'), endian } } as const);
  return create(FieldSchema, { type }).type;
}

/** A new field: one byte, without a name. */
export const newField = (): SimpleField =>
  create(FieldSchema, { type: { case: 'integer', value: { sizeBytes: 1, signed: false } } });

export const newSimple = (): SimpleParser =>
  create(ParserSchema, { fields: [newField()], defaultEndian: Endian.BIG_ENDIAN, defaultTextEncoding: 'UTF-8' });

/** Returns a type of a parser by its indexes from the outermost type. */
export function typeAt(parser: SimpleParser, types: readonly number[]): SimpleParser | undefined {
  return types.reduce<SimpleParser | undefined>((type, index) => type?.customTypes[index], parser);
}

export const fieldAt = (parser: SimpleParser, { types, field }: Position): SimpleField | undefined =>
  typeAt(parser, types)?.fields[field];

/** Changes one type of a parser. */
export function changeType(
  parser: SimpleParser,
  [index, ...inner]: readonly number[],
  change: (type: SimpleParser) => SimpleParser,
): SimpleParser {
  if (index === undefined) return change(parser);
  return {
    ...parser,
    customTypes: parser.customTypes.map((type, at) => (at === index ? changeType(type, inner, change) : type)),
  };
}

const changeFields = (
  parser: SimpleParser,
  types: readonly number[],
  change: (fields: readonly SimpleField[]) => SimpleField[],
): SimpleParser => changeType(parser, types, (type) => ({ ...type, fields: change(type.fields) }));

/** Replaces a field. Sizes that were in the field follow its new name. */
export function setField(parser: SimpleParser, { types, field: index }: Position, field: SimpleField): SimpleParser {
  return changeFields(parser, types, (fields) => {
    const [oldName, name] = [reduceName(fields[index]?.name ?? ''), field.name];
    const isRenamed = oldName !== '' && oldName !== reduceName(name) && reduceName(name) !== '';
    return fields.map((other, at) => (at === index ? field : isRenamed ? withSizeName(other, oldName, name) : other));
  });
}

function withSizeName(field: SimpleField, oldName: string, name: string): SimpleField {
  const { type } = field;
  if (type.case !== 'bytes' && type.case !== 'string') return field;
  const { size } = type.value.size ?? {};
  if (size?.case !== 'fieldName' || reduceName(size.value) !== oldName) return field;
  const delimited = { ...type.value.size!, size: { case: 'fieldName' as const, value: name } };
  return { ...field, type: { ...type, value: { ...type.value, size: delimited } } as SimpleField['type'] };
}

export const insertField = (
  parser: SimpleParser,
  { types, field: index }: Position,
  field: SimpleField,
): SimpleParser => changeFields(parser, types, (fields) => [...fields.slice(0, index), field, ...fields.slice(index)]);

export const removeField = (parser: SimpleParser, { types, field: index }: Position): SimpleParser =>
  changeFields(parser, types, (fields) => fields.filter((_, at) => at !== index));

/** Swaps a field with the one before or after it. Returns the same parser at the end of the list. */
export function moveField(parser: SimpleParser, { types, field: index }: Position, step: 1 | -1): SimpleParser {
  const count = typeAt(parser, types)?.fields.length ?? 0;
  if (index + step < 0 || index + step >= count) return parser;
  return changeFields(parser, types, (fields) => {
    const reorderedFields = [...fields];
    reorderedFields.splice(index + step, 0, ...reorderedFields.splice(index, 1));
    return reorderedFields;
  });
}

/** Adds a custom type with one field. */
export const addType = (parser: SimpleParser, name: string): SimpleParser => ({
  ...parser,
  customTypes: [...parser.customTypes, create(ParserSchema, { name, fields: [newField()] })],
});

export function removeType(parser: SimpleParser, types: readonly number[]): SimpleParser {
  const index = types.at(-1);
  return changeType(parser, types.slice(0, -1), (outerType) => ({
    ...outerType,
    customTypes: outerType.customTypes.filter((_, at) => at !== index),
  }));
}

/** Renames a custom type. Fields that have it follow. */
export function renameType(parser: SimpleParser, types: readonly number[], name: string): SimpleParser {
  const oldName = typeAt(parser, types)?.name ?? '';
  const follow = (type: SimpleParser): SimpleParser => ({
    ...type,
    fields: type.fields.map((field) =>
      field.type.case === 'customType' && field.type.value === oldName
        ? { ...field, type: { case: 'customType', value: name } }
        : field,
    ),
    customTypes: type.customTypes.map(follow),
  });
  // The type can be used where it is declared, and inside.
  return changeType(parser, types.slice(0, -1), (outerType) => ({
    ...follow(outerType),
    customTypes: outerType.customTypes.map((type, at) =>
      at === types.at(-1) ? { ...follow(type), name } : follow(type),
    ),
  }));
}

/** Returns the names of the custom types that a type sees: its own and those around it. */
export function visibleTypes(parser: SimpleParser, types: readonly number[]): readonly string[] {
  const scopes = [...Array(types.length + 1).keys()].map((length) => typeAt(parser, types.slice(0, length)));
  return [...new Set(scopes.flatMap((type) => type?.customTypes.map(({ name }) => name) ?? []))];
}

/** Returns the names of the integer fields before a field, which can hold its size. */
export const integersBefore = (parser: SimpleParser, { types, field }: Position): readonly string[] =>
  (typeAt(parser, types)?.fields ?? [])
    .slice(0, field)
    .flatMap(({ name, type }) => (type.case === 'integer' && name !== '' ? [name] : []));

/** A type with its position, for the sections of the form. */
export interface Section {
  readonly types: readonly number[];
  readonly type: SimpleParser;
}

/** Returns the outermost type and all custom types, each before those inside it. */
export function sectionsOf(type: SimpleParser, types: readonly number[] = []): readonly Section[] {
  return [{ types, type }, ...type.customTypes.flatMap((inner, index) => sectionsOf(inner, [...types, index]))];
}
