import { readdirSync, readFileSync } from 'node:fs';

import { fromBinary, toJson } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema, type DescriptorProto, type FileDescriptorProto } from '@bufbuild/protobuf/wkt';
import { expect, it } from 'vitest';

import { compactFile, descriptorOf } from '#proto/compact/read.ts';
import { compactText } from '#proto/compact/write.ts';
import { file_hiber_base } from '#proto/gen/hiber/base_pb.ts';
import { file_hiber_health } from '#proto/gen/hiber/health_pb.ts';

const folder = new URL('../../proto/gen/', import.meta.url);
// Excludes gRPC's own services, which only the server uses.
const generated = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('_pb.ts') && !name.startsWith('grpc/'),
);

function descriptorIn(name: string): FileDescriptorProto {
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

it.each(generated)('keeps everything that a client reads in %s', (name) => {
  const expected = descriptorIn(name);
  expected.messageType.forEach(normalize);
  expected.enumType.forEach(normalizeEnum);
  const decoded = descriptorOf(compactText(descriptorIn(name)));
  expect(toJson(FileDescriptorProtoSchema, decoded)).toEqual(toJson(FileDescriptorProtoSchema, expected));
});

it('produces the same descriptors as the original bytes', () => {
  const decoded = compactFile(compactText(descriptorIn('hiber/health_pb.ts')), [file_hiber_base]);
  const names = (file: typeof decoded) => file.messages.map(({ typeName, fields }) => [typeName, fields.map(String)]);
  expect(names(decoded)).toEqual(names(file_hiber_health));
  expect(decoded.messages.length).toBeGreaterThan(1);
});
