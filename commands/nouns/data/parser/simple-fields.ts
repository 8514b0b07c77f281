import { create, type MessageInitShape } from '@bufbuild/protobuf';

import { message, type Message } from '#commands/text/message.ts';
import { reduceName } from '#commands/text/reduce-name.ts';
import {
  type SimpleModemMessageBodyParser as SimpleParser,
  SimpleModemMessageBodyParser_Endian as Endian,
  type SimpleModemMessageBodyParser_DelimitedSize as DelimitedSize,
  type SimpleModemMessageBodyParser_DelimitedSizeSchema as DelimitedSizeSchema,
  type SimpleModemMessageBodyParser_Field as SimpleField,
  SimpleModemMessageBodyParser_FieldSchema as FieldSchema,
  SimpleModemMessageBodyParserSchema as ParserSchema,
} from '#proto/gen/hiber/parser_pb.ts';

// The fields of simple parsers as text: `level:u2be`, `temperature:s2`, `ratio:f4`, `raw:bytes(4)`, `name:str(8)`,
// `rest:bytes`, `start:=cafe`. The types are named like those of Kaitai Struct.
//
// A size can be an earlier field (`name:str(length)`). A string can have an encoding (`name:str(8 ascii)`), and bytes
// and strings can end at a byte (`name:str(8 until 00)`, or `name:str(- until 00)` without a limit).
//
// The fields of a custom type have its name in front: `position/latitude:s4`. A field of that type is `at:position/`,
// and `position/:le ascii` is the type's own byte order and encoding. A note follows `#`: `level:u2 # in millimeters`.

type NewField = MessageInitShape<typeof FieldSchema>;
type NewSize = MessageInitShape<typeof DelimitedSizeSchema>;

/** What an entry describes: a field of a type, or the type itself. The outermost type has no path. */
interface Entry {
  readonly types: readonly string[];
  readonly field?: NewField;
  readonly defaults?: { readonly endian: Endian; readonly encoding: string; readonly documentation: string };
}

const ENTRY = /^((?:[^:/#]+\/)*)([^:/#]*):([^#]*?)(?:\s*#\s*([\s\S]*))?$/;
const NUMBER = /^([usf])([1248])(le|be)?$/;
const SIZED = /^(bytes|str)(?:\((.*)\))?$/;
const MAGIC = /^=((?:[0-9a-f]{2})+)$/i;
const DEFAULTS = /^(le|be)?\s*([\w.-]*)$/;
const TYPE_NAME = /^([^/]+)\/$/;

/** A size that is not limited, and one that only a terminator limits. */
const REST = '*';
const NO_SIZE = '-';

const ENDIANS: Readonly<Record<string, Endian>> = { le: Endian.LITTLE_ENDIAN, be: Endian.BIG_ENDIAN };

const suffixOf = (endian: Endian): string => Object.keys(ENDIANS).find((suffix) => ENDIANS[suffix] === endian) ?? '';

const hasLetter = (name: string): boolean => /[a-z]/i.test(name);

/** Reads hexadecimal digits. */
const parseHex = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Reads a size, an encoding, and a terminator. Undefined if they are invalid. */
function parseSize(text: string): { readonly size: NewSize; readonly encoding: string } | undefined {
  const words = text.split(/[\s,]+/).filter(Boolean);
  // A field can be named `until`, so only a byte after the word makes it a terminator.
  const isTerminated = words.at(-2) === 'until' && /^[0-9a-f]{2}$/i.test(words.at(-1)!);
  const end = isTerminated ? words.at(-1) : undefined;
  const [size = isTerminated ? NO_SIZE : REST, encoding = '', ...otherWords] = isTerminated
    ? words.slice(0, -2)
    : words;
  if (otherWords.length > 0) return undefined;
  const terminator = parseHex(end ?? '');
  if (size === NO_SIZE) return { size: { terminator }, encoding };
  if (size === REST) return { size: { size: { case: 'endOfStream', value: true }, terminator }, encoding };
  return /^\d+$/.test(size)
    ? { size: { size: { case: 'sizeBytes', value: Number(size) }, terminator }, encoding }
    : { size: { size: { case: 'fieldName', value: size }, terminator }, encoding };
}

function typeOf(text: string): NewField['type'] | undefined {
  const [, kind, size, order] = NUMBER.exec(text) ?? [];
  if (kind !== undefined) {
    const [sizeBytes, endian] = [Number(size), ENDIANS[order ?? ''] ?? Endian.DEFAULT];
    if (kind !== 'f') return { case: 'integer', value: { sizeBytes, signed: kind === 's', endian } };
    return sizeBytes >= 4 ? { case: 'float', value: { sizeBytes, endian } } : undefined;
  }
  const [, sized, sizeText = ''] = SIZED.exec(text) ?? [];
  if (sized !== undefined) {
    const { size, encoding } = parseSize(sizeText) ?? {};
    if (size === undefined || encoding === undefined) return undefined;
    if (sized === 'str') return { case: 'string', value: { size, encoding } };
    return encoding === '' ? { case: 'bytes', value: { size } } : undefined;
  }
  const [, customType] = TYPE_NAME.exec(text) ?? [];
  if (customType !== undefined) return { case: 'customType', value: customType.trim() };
  const [, hex] = MAGIC.exec(text) ?? [];
  return hex === undefined ? undefined : { case: 'magic', value: parseHex(hex) };
}

/** Parses one entry. Returns undefined if it is invalid. */
function parseEntry(text: string): Entry | undefined {
  const [, path = '', name, type = '', documentation = ''] = ENTRY.exec(text.trim()) ?? [];
  const types = path
    .split('/')
    .filter(Boolean)
    .map((part) => part.trim());
  if (name === undefined || !types.every(hasLetter)) return undefined;
  if (name.trim() === '') {
    const [, order = '', encoding = ''] = DEFAULTS.exec(type.trim()) ?? [];
    if (types.length === 0 || !DEFAULTS.test(type.trim())) return undefined;
    return { types, defaults: { endian: ENDIANS[order] ?? Endian.DEFAULT, encoding, documentation } };
  }
  const parsedType = typeOf(type.trim());
  if (!hasLetter(name) || parsedType === undefined) return undefined;
  return { types, field: { name: name.trim(), type: parsedType, documentation } };
}

/** Parses fields and custom types. Leaves out invalid entries. */
export function parseSimple(inputs: readonly string[]): Pick<SimpleParser, 'fields' | 'customTypes'> {
  const outermost = create(ParserSchema);
  for (const text of inputs) {
    const entry = parseEntry(text);
    if (!entry) continue;
    const type = entry.types.reduce((outerType, name) => {
      const knownType = outerType.customTypes.find((candidate) => candidate.name === name);
      if (knownType) return knownType;
      const newType = create(ParserSchema, { name });
      outerType.customTypes.push(newType);
      return newType;
    }, outermost);
    if (entry.field) type.fields.push(create(FieldSchema, entry.field));
    else if (entry.defaults) {
      type.defaultEndian = entry.defaults.endian;
      type.defaultTextEncoding = entry.defaults.encoding;
      type.documentation = entry.defaults.documentation;
    }
  }
  const { fields, customTypes } = outermost;
  return { fields, customTypes };
}

/** Returns a message about the first invalid text. */
export function textProblem(inputs: readonly string[]): Message | undefined {
  const invalidText = inputs.find((text) => parseEntry(text) === undefined);
  return invalidText === undefined ? undefined : message('parser:validation.simpleField', { field: invalidText });
}

/** Replaces the characters that separate the parts of an entry. The server reduces names in the same way. */
const nameText = (name: string): string => name.replaceAll(/[:/#]+/g, '_').trim();

const notePart = (documentation: string): string => {
  const note = documentation.replaceAll(/\s+/g, ' ').trim();
  return note === '' ? '' : ` # ${note}`;
};

function sizeText({ size, terminator = new Uint8Array() }: Partial<DelimitedSize>, encoding: string): string {
  const limit =
    size?.case === 'sizeBytes'
      ? `${size.value}`
      : size?.case === 'fieldName'
        ? reduceName(size.value)
        : size?.case === 'endOfStream'
          ? REST
          : NO_SIZE;
  const end = terminator.length > 0 ? ` until ${toHex(terminator)}` : '';
  const text = `${limit}${encoding === '' ? '' : ` ${encoding}`}${end}`;
  return text === REST ? '' : `(${text})`;
}

/** Formats the type of a field, such as `u2be`. */
export function typeText({ type }: SimpleField): string {
  switch (type.case) {
    case 'integer':
      return `${type.value.signed ? 's' : 'u'}${type.value.sizeBytes}${suffixOf(type.value.endian)}`;
    case 'float':
      return `f${type.value.sizeBytes}${suffixOf(type.value.endian)}`;
    case 'bytes':
      return `bytes${sizeText(type.value.size ?? {}, '')}`;
    case 'string':
      return `str${sizeText(type.value.size ?? {}, type.value.encoding.trim())}`;
    case 'magic':
      return `=${toHex(type.value)}`;
    case 'customType':
      return `${nameText(type.value)}/`;
    default:
      return '';
  }
}

const fieldText = (field: SimpleField): string =>
  `${nameText(field.name)}:${typeText(field)}${notePart(field.documentation)}`;

/** Formats the fields and the custom types of a simple parser. */
export function formatSimple({ fields, customTypes }: Pick<SimpleParser, 'fields' | 'customTypes'>): string[] {
  return [
    ...fields.map(fieldText),
    ...customTypes.flatMap((type) => {
      const prefix = `${nameText(type.name)}/`;
      const defaults = [suffixOf(type.defaultEndian), type.defaultTextEncoding.trim()].filter(Boolean).join(' ');
      const note = notePart(type.documentation);
      const isDeclared = defaults !== '' || note !== '' || type.fields.length + type.customTypes.length === 0;
      return [
        ...(isDeclared ? [`${prefix}:${defaults}${note}`] : []),
        ...formatSimple(type).map((text) => prefix + text),
      ];
    }),
  ];
}
