import type { MessageInitShape } from '@bufbuild/protobuf';

import { message, type Message } from '#commands/text/message.ts';
import {
  SimpleModemMessageBodyParser_Endian as Endian,
  type SimpleModemMessageBodyParser_Field as SimpleField,
  type SimpleModemMessageBodyParser_FieldSchema,
} from '#proto/gen/hiber/parser_pb.ts';

// The fields of simple parsers as text: `level:u2be`, `temperature:s2`, `ratio:f4`, `raw:bytes(4)`, `name:str(8)`,
// `rest:bytes`, `start:=cafe`. The types are named like those of Kaitai Struct.

type NewField = MessageInitShape<typeof SimpleModemMessageBodyParser_FieldSchema>;

const FIELD = /^([A-Za-z][\w ]*?)\s*:\s*(.+)$/;
const NUMBER = /^([usf])([1248])(le|be)?$/;
const SIZED = /^(bytes|str)(?:\((\w+)(?:,\s*([\w-]+))?\))?$/;
const MAGIC = /^=((?:[0-9a-f]{2})+)$/i;

const ENDIANS: Readonly<Record<string, Endian>> = { le: Endian.LITTLE_ENDIAN, be: Endian.BIG_ENDIAN };

const suffixOf = (endian: Endian): string => Object.keys(ENDIANS).find((suffix) => ENDIANS[suffix] === endian) ?? '';

/** Reads a size: a number of bytes, an earlier field, or nothing for the rest of the message. */
function sizeOf(text: string | undefined) {
  if (text === undefined) return { size: { case: 'endOfStream' as const, value: true } };
  return /^\d+$/.test(text)
    ? { size: { case: 'sizeBytes' as const, value: Number(text) } }
    : { size: { case: 'fieldName' as const, value: text } };
}

function typeOf(text: string): NewField['type'] | undefined {
  const [, kind, size, order] = NUMBER.exec(text) ?? [];
  if (kind !== undefined) {
    const [sizeBytes, endian] = [Number(size), ENDIANS[order ?? ''] ?? Endian.DEFAULT];
    if (kind !== 'f') return { case: 'integer', value: { sizeBytes, signed: kind === 's', endian } };
    return sizeBytes >= 4 ? { case: 'float', value: { sizeBytes, endian } } : undefined;
  }
  const [, sized, length, encoding = ''] = SIZED.exec(text) ?? [];
  if (sized === 'bytes') return { case: 'bytes', value: { size: sizeOf(length) } };
  if (sized === 'str') return { case: 'string', value: { size: sizeOf(length), encoding } };
  const [, hex] = MAGIC.exec(text) ?? [];
  if (hex === undefined) return undefined;
  return { case: 'magic', value: Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16)) };
}

/** Reads a field; undefined if it is invalid. */
function parseField(text: string): NewField | undefined {
  const [, name, type = ''] = FIELD.exec(text.trim()) ?? [];
  const parsedType = typeOf(type.trim());
  return name === undefined || parsedType === undefined ? undefined : { name, type: parsedType };
}

export const parseFields = (texts: readonly string[]): NewField[] => texts.flatMap((text) => parseField(text) ?? []);

/** Returns a message about the first invalid field. */
export function fieldProblem(texts: readonly string[]): Message | undefined {
  const invalid = texts.find((text) => parseField(text) === undefined);
  return invalid === undefined ? undefined : message('parser:validation.simpleField', { field: invalid });
}

const sizeText = (
  size: { readonly size: { readonly case?: string | undefined; readonly value?: unknown } } | undefined,
) => (size?.size.case === 'sizeBytes' || size?.size.case === 'fieldName' ? String(size.size.value) : undefined);

/** Formats a field. Undefined if it has a type that the text cannot express, such as a custom type. */
export function formatField({ name, type }: SimpleField): string | undefined {
  switch (type.case) {
    case 'integer':
      return `${name}:${type.value.signed ? 's' : 'u'}${type.value.sizeBytes}${suffixOf(type.value.endian)}`;
    case 'float':
      return `${name}:f${type.value.sizeBytes}${suffixOf(type.value.endian)}`;
    case 'bytes': {
      const size = sizeText(type.value.size);
      return `${name}:bytes${size === undefined ? '' : `(${size})`}`;
    }
    case 'string': {
      const parts = [sizeText(type.value.size), type.value.encoding].filter(Boolean).join(',');
      return `${name}:str${parts === '' ? '' : `(${parts})`}`;
    }
    case 'magic':
      return `${name}:=${Array.from(type.value, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
    default:
      return undefined;
  }
}
