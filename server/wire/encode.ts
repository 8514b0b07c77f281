import {
  type DescField,
  type DescMessage,
  type JsonObject,
  type JsonValue,
  type Message,
  type MessageShape,
  ScalarType,
} from '@bufbuild/protobuf';
import { BinaryWriter } from '@bufbuild/protobuf/wire';

import { ByteWriter } from './byte-writer.ts';

type Fields = Readonly<Record<string, unknown>>;
/** Writes a message, or a value without its tag. */
type Write<T = unknown> = (out: ByteWriter, value: T) => void;

const VARINT = 0;
const BIT64 = 1;
const LENGTH_DELIMITED = 2;
const BIT32 = 5;

const writers = new WeakMap<DescMessage, Write<Fields>>();

/** Reused by every call: encoding is synchronous. */
const output = new ByteWriter();

/**
 * Encodes a message as `toBinary` does, byte by byte, in a fifth of its time and with hardly any garbage: it derives a
 * function per field from the schema, once, instead of interpreting the schema for each value.
 */
export function encode<Desc extends DescMessage>(schema: Desc, message: MessageShape<Desc>): Uint8Array {
  output.clear();
  writerOf(schema)(output, message as unknown as Fields);
  return output.finish();
}

/** Returns the writer of a message. A message may contain itself, so its fields are compiled when first used. */
function writerOf(schema: DescMessage): Write<Fields> {
  const existing = writers.get(schema);
  if (existing !== undefined) return existing;
  let fields: Write<Fields>[] | undefined;
  const write: Write<Fields> = (out, message) => {
    fields ??= schema.fields.toSorted((a, b) => a.number - b.number).map(fieldWriter);
    for (const writeField of fields) writeField(out, message);
    const unknown = (message as unknown as Message).$unknown;
    if (unknown !== undefined) writeUnknown(out, unknown);
  };
  writers.set(schema, write);
  return write;
}

function writeUnknown(out: ByteWriter, unknown: NonNullable<Message['$unknown']>): void {
  const writer = new BinaryWriter();
  for (const { no, wireType, data } of unknown) writer.tag(no, wireType).raw(data);
  out.bytes(writer.finish());
}

function fieldWriter(field: DescField): Write<Fields> {
  const name = field.localName;
  const writeSet = setFieldWriter(field);
  if (field.oneof !== undefined) {
    const group = field.oneof.localName;
    return (out, message) => {
      const oneof = message[group] as { case: string | undefined; value: unknown };
      if (oneof.case === name) writeSet(out, oneof.value);
    };
  }
  if (field.fieldKind === 'list' || field.fieldKind === 'map' || field.presence !== IMPLICIT) {
    return (out, message) => {
      const value = message[name];
      if (value !== undefined) writeSet(out, value);
    };
  }
  const zero = field.fieldKind === 'scalar' ? isZeroOf(field.scalar) : (value: unknown) => value === 0;
  return (out, message) => {
    const value = message[name];
    if (!zero(value)) writeSet(out, value);
  };
}

/** FieldPresence.IMPLICIT: the zero value is not written. */
const IMPLICIT = 2;

function isZeroOf(type: ScalarType): (value: unknown) => boolean {
  switch (type) {
    case ScalarType.BOOL:
      return (value) => value === false;
    case ScalarType.STRING:
      return (value) => value === '';
    case ScalarType.BYTES:
      return (value) => (value as Uint8Array).byteLength === 0;
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
      // Negative zero has its own bits.
      return (value) => Object.is(value, 0);
    default:
      // Wide numbers are bigints, and may be given as numbers.
      return (value) => value === 0 || value === 0n;
  }
}

/** Returns the writer of a field that is set, with its tags. */
function setFieldWriter(field: DescField): Write {
  switch (field.fieldKind) {
    case 'message':
      return tagged(field.number, LENGTH_DELIMITED, messageWriter(field, field.message));
    case 'list': {
      const write = field.listKind === 'message' ? messageWriter(field, field.message) : scalarWriter(field);
      const writeItem = field.packed ? undefined : tagged(field.number, wireTypeOf(field), write);
      if (writeItem !== undefined) {
        return (out, list) => {
          for (const item of list as unknown[]) writeItem(out, item);
        };
      }
      const writeAll = tagged(
        field.number,
        LENGTH_DELIMITED,
        delimited<unknown[]>((out, list) => {
          for (const item of list) write(out, item);
        }),
      );
      return (out, list) => {
        if ((list as unknown[]).length > 0) writeAll(out, list as unknown[]);
      };
    }
    case 'map': {
      const key = keyReader(field.mapKey);
      const writeKey = tagged(1, wireTypeOfScalar(field.mapKey), scalarTypeWriter(field.mapKey));
      const writeValue = tagged(
        2,
        field.mapKind === 'message' ? LENGTH_DELIMITED : wireTypeOf(field),
        field.mapKind === 'message' ? messageWriter(field, field.message) : scalarWriter(field),
      );
      const writeEntry = tagged(
        field.number,
        LENGTH_DELIMITED,
        delimited<[string, unknown]>((out, [name, value]) => {
          writeKey(out, key(name));
          writeValue(out, value);
        }),
      );
      return (out, map) => {
        for (const entry of Object.entries(map as object)) writeEntry(out, entry);
      };
    }
    default:
      return tagged(field.number, wireTypeOf(field), scalarWriter(field));
  }
}

function tagged<T>(number: number, wireType: number, write: Write<T>): Write<T> {
  const tag = ((number << 3) | wireType) >>> 0;
  return (out, value) => {
    out.varint(tag);
    write(out, value);
  };
}

/** Precedes what `write` writes with its length. */
const delimited =
  <T>(write: Write<T>): Write<T> =>
  (out, value) => {
    const start = out.open();
    write(out, value);
    out.close(start);
  };

function messageWriter(field: DescField, schema: DescMessage): Write {
  // A Struct is a plain object in a field, except inside a Value.
  if (schema.typeName === 'google.protobuf.Struct' && field.parent.typeName !== 'google.protobuf.Value') {
    return delimited(writeStruct) as Write;
  }
  return delimited(writerOf(schema)) as Write;
}

const scalarOf = (field: DescField): ScalarType => field.scalar ?? ScalarType.INT32;
const wireTypeOf = (field: DescField): number =>
  field.message === undefined ? wireTypeOfScalar(scalarOf(field)) : LENGTH_DELIMITED;
const scalarWriter = (field: DescField): Write => scalarTypeWriter(scalarOf(field));

function wireTypeOfScalar(type: ScalarType): number {
  switch (type) {
    case ScalarType.BYTES:
    case ScalarType.STRING:
      return LENGTH_DELIMITED;
    case ScalarType.DOUBLE:
    case ScalarType.FIXED64:
    case ScalarType.SFIXED64:
      return BIT64;
    case ScalarType.FIXED32:
    case ScalarType.SFIXED32:
    case ScalarType.FLOAT:
      return BIT32;
    default:
      return VARINT;
  }
}

function scalarTypeWriter(type: ScalarType): Write {
  switch (type) {
    case ScalarType.STRING:
      return (out, value) => out.text(value as string);
    case ScalarType.BOOL:
      return (out, value) => out.varint(value === true ? 1 : 0);
    case ScalarType.BYTES:
      return (out, value) => {
        out.varint((value as Uint8Array).byteLength);
        out.bytes(value as Uint8Array);
      };
    case ScalarType.DOUBLE:
      return (out, value) => out.double(value as number);
    case ScalarType.INT32:
      return (out, value) => out.int32(requireInteger(value, -0x8000_0000, 0x7fff_ffff));
    case ScalarType.UINT32:
      return (out, value) => out.varint(requireInteger(value, 0, 0xffff_ffff));
    case ScalarType.INT64:
    case ScalarType.UINT64:
      return (out, value) =>
        typeof value === 'bigint' && BigInt.asIntN(64, value) === value && (value >= 0n || type === ScalarType.INT64)
          ? out.wide(value)
          : out.rare((writer) =>
              type === ScalarType.INT64 ? writer.int64(value as bigint) : writer.uint64(value as bigint),
            );
    default:
      return (out, value) => out.rare((writer) => writeRare(writer, type, value as never));
  }
}

/** Numbers outside of their type would be written as others. */
function requireInteger(value: unknown, min: number, max: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
  throw new Error(`cannot encode ${String(value)}: it is not an integer from ${min} to ${max}`);
}

function writeRare(writer: BinaryWriter, type: ScalarType, value: never): BinaryWriter {
  switch (type) {
    case ScalarType.FLOAT:
      return writer.float(value);
    case ScalarType.FIXED32:
      return writer.fixed32(value);
    case ScalarType.SFIXED32:
      return writer.sfixed32(value);
    case ScalarType.SINT32:
      return writer.sint32(value);
    case ScalarType.FIXED64:
      return writer.fixed64(value);
    case ScalarType.SFIXED64:
      return writer.sfixed64(value);
    case ScalarType.SINT64:
      return writer.sint64(value);
    default:
      throw new Error(`cannot encode the scalar type ${type}`);
  }
}

/** Keys are strings in JavaScript, whatever their type. */
function keyReader(type: ScalarType): (key: string) => unknown {
  switch (type) {
    case ScalarType.STRING:
      return (key) => key;
    case ScalarType.BOOL:
      return (key) => key === 'true';
    case ScalarType.INT64:
    case ScalarType.UINT64:
    case ScalarType.SINT64:
    case ScalarType.FIXED64:
    case ScalarType.SFIXED64:
      return BigInt;
    default:
      return Number;
  }
}

/** google.protobuf.Struct: a map from names to values, as field 1. */
const writeStruct: Write<JsonObject> = (out, struct) => {
  for (const entry of Object.entries(struct)) writeStructEntry(out, entry);
};

const writeStructKey = tagged(1, LENGTH_DELIMITED, (out, key: string) => out.text(key));
const writeStructValue = tagged(2, LENGTH_DELIMITED, delimited(writeJson));
const writeStructEntry = tagged(
  1,
  LENGTH_DELIMITED,
  delimited<[string, JsonValue]>((out, [key, value]) => {
    writeStructKey(out, key);
    writeStructValue(out, value);
  }),
);

const writeNull = tagged(1, VARINT, (out) => out.varint(0));
const writeNumber = tagged(2, BIT64, (out, value: number) => out.double(value));
const writeString = tagged(3, LENGTH_DELIMITED, (out, value: string) => out.text(value));
const writeBoolean = tagged(4, VARINT, (out, value: boolean) => out.varint(value ? 1 : 0));
const writeObject = tagged(5, LENGTH_DELIMITED, delimited(writeStruct));
const writeItem = tagged(1, LENGTH_DELIMITED, delimited(writeJson));
const writeArray = tagged(
  6,
  LENGTH_DELIMITED,
  delimited<readonly JsonValue[]>((out, list) => {
    for (const item of list) writeItem(out, item);
  }),
);

/** google.protobuf.Value. */
function writeJson(out: ByteWriter, value: JsonValue): void {
  if (typeof value === 'number') writeNumber(out, value);
  else if (typeof value === 'string') writeString(out, value);
  else if (typeof value === 'boolean') writeBoolean(out, value);
  else if (Array.isArray(value)) writeArray(out, value);
  else if (value === null) writeNull(out, value);
  else writeObject(out, value);
}
