import { readdirSync, readFileSync } from 'node:fs';

import { create, fromBinary, toJson, type DescFile } from '@bufbuild/protobuf';
import {
  file_google_protobuf_struct,
  FileDescriptorProtoSchema,
  type DescriptorProto,
  type FileDescriptorProto,
} from '@bufbuild/protobuf/wkt';
import { expect, test } from 'vitest';

import { compactFile, parseDescriptor } from '#proto/compact/read.ts';
import { compactText } from '#proto/compact/write.ts';
import { file_hiber_base } from '#proto/gen/hiber/base_pb.ts';
import { file_hiber_health } from '#proto/gen/hiber/health_pb.ts';

const folder = new URL('../../proto/gen/', import.meta.url);
// Excludes gRPC's own services, which only the server uses.
const generated = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('_pb.ts') && !name.startsWith('grpc/'),
);

function readDescriptor(name: string): FileDescriptorProto {
  const [, base64 = ''] = /fileDesc\("([^"]+)"/.exec(readFileSync(new URL(name, folder), 'utf8')) ?? [];
  return fromBinary(FileDescriptorProtoSchema, Buffer.from(base64, 'base64'));
}

/** Removes the parts that the compact text omits, and adds the JSON names that the generated code fills in. */
function normalize(proto: DescriptorProto): void {
  proto.oneofDecl = proto.oneofDecl.slice(
    0,
    proto.oneofDecl.length - proto.field.filter((fieldDescriptorProto) => fieldDescriptorProto.proto3Optional).length,
  );
  Object.assign(proto, { reservedRange: [], reservedName: [] });
  for (const field of proto.field) {
    delete field.options;
    field.jsonName = field.name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    if (field.proto3Optional) Reflect.deleteProperty(field, 'oneofIndex');
  }
  proto.nestedType.forEach(normalize);
  proto.enumType.forEach(normalizeEnum);
}

function normalizeEnum(proto: FileDescriptorProto['enumType'][number]): void {
  Object.assign(proto, { reservedRange: [], reservedName: [] });
  for (const value of proto.value) delete value.options;
}

test.each(generated)('keeps everything that a client reads in %s', (name) => {
  const expected = readDescriptor(name);
  expected.messageType.forEach(normalize);
  expected.enumType.forEach(normalizeEnum);
  const { $typeName: _, ...decoded } = parseDescriptor(compactText(readDescriptor(name)));
  expect(toJson(FileDescriptorProtoSchema, create(FileDescriptorProtoSchema, decoded))).toEqual(
    toJson(FileDescriptorProtoSchema, expected),
  );
});

/** Returns the fields of all messages, with the properties that encoding reads. */
const fieldsOf = ({ messages }: DescFile) =>
  messages.flatMap(({ typeName, fields }) =>
    fields.map((field) => ({
      typeName,
      ...field,
      proto: undefined,
      parent: undefined,
      deprecated: undefined,
      getDefaultValue: undefined,
      toString: undefined,
      oneof: field.oneof?.localName,
      message: field.message?.typeName,
      enum: field.enum?.values.map(({ localName, number }) => [localName, number]),
    })),
  );

test.each([
  ['the contract', file_hiber_health, [file_hiber_base]],
  ['the library, with a map and a oneof', file_google_protobuf_struct, []],
])('produces the same descriptors as the original bytes, for a file from %s', (_, original, imports) => {
  const decoded = compactFile(compactText(original.proto), imports);
  expect(fieldsOf(decoded)).toEqual(fieldsOf(original));
  expect(fieldsOf(decoded).length).toBeGreaterThan(1);
});
