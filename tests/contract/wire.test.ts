import { fromBinary, ScalarType, toBinary } from '@bufbuild/protobuf';
import type { DescField } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';

import { UpdateWebhookRequestSchema } from '#proto/gen/hiber/webhook_pb.ts';

import { message, registry } from './registry.ts';
import golden from './wire.golden.json' with { type: 'json' };

// The golden file holds the wire format of the messages that every client uses: number, type, and name of each field,
// excluding obsolete fields. It is written from the contract, never from our proto files.

const typeName = (type: { message?: { typeName: string }; enum?: { typeName: string }; scalar?: ScalarType }): string =>
  type.message?.typeName ?? type.enum?.typeName ?? ScalarType[type.scalar ?? ScalarType.STRING].toLowerCase();

function describeField(field: DescField): string {
  const label = field.fieldKind === 'list' ? 'repeated ' : field.proto.proto3Optional ? 'optional ' : '';
  const type =
    field.fieldKind === 'map' ? `map<${ScalarType[field.mapKey].toLowerCase()}, ${typeName(field)}>` : typeName(field);
  return `${label}${type} ${field.name}`;
}

describe('the wire format of', () => {
  test.each(Object.entries(golden.messages))('%s', (name, fields) => {
    const actual = message(name).fields.map((field) => [String(field.number), describeField(field)]);
    expect(Object.fromEntries(actual)).toMatchObject(fields);
  });

  test.each(Object.entries(golden.enums))('%s', (name, values) => {
    const actual = registry.getEnum(name)?.values.map((value) => [String(value.number), value.name]) ?? [];
    expect(Object.fromEntries(actual)).toMatchObject(values);
  });
});

test("keeps an older client's update wrapper byte for byte", () => {
  // id 7, update { deprecated_description { updated } deprecated_active { updated, value } }
  const bytes = Uint8Array.of(0x08, 7, 0x1a, 10, 0x22, 2, 0x08, 1, 0x42, 4, 0x08, 1, 0x10, 1);
  const request = fromBinary(UpdateWebhookRequestSchema, bytes);
  expect(request.update?.deprecatedDescription).toMatchObject({ updated: true, value: '' });
  expect(request.update?.deprecatedActive).toMatchObject({ updated: true, value: true });
  expect(request.update?.active).toBeUndefined();
  expect(toBinary(UpdateWebhookRequestSchema, request)).toEqual(bytes);
});
