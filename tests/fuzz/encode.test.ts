import { inspect } from 'node:util';

import { create, type DescMessage, type Message, toBinary } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';

import { EventSchema } from '#proto/gen/hiber/event_pb.ts';
import { Modem_PeripheralsSchema, ModemSchema } from '#proto/gen/hiber/modem_pb.ts';
import { TagSchema } from '#proto/gen/hiber/tag_pb.ts';
import { randomFor } from '#server/demo/seed/random.ts';
import { encode } from '#server/wire/encode.ts';

import { loadMethods } from './contract.ts';
import { Requests } from './values.ts';

const MESSAGES_EACH = 6;

/** Loads every message of the contract that a call contains. */
async function loadMessages(): Promise<DescMessage[]> {
  const methods = await loadMethods();
  return [...new Set([EventSchema, ...methods.flatMap(({ input, output }) => [input, output])])];
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

test('messages of every type are encoded as protobuf encodes them', async () => {
  const schemas = await loadMessages();
  expect(schemas.length).toBeGreaterThan(100);
  const random = randomFor('encode');
  const pool = { organizations: ['northwind'], numbers: ['24F0 91C7'], users: ['anna'] };
  const requests = new Requests(random, pool);
  for (const schema of schemas) {
    for (let remaining = MESSAGES_EACH; remaining > 0; remaining -= 1) {
      const message: Message = requests.make(schema);
      const isEqual = hex(encode(schema, message)) === hex(toBinary(schema, message));
      expect(isEqual, `${schema.typeName} ${inspect(message, { depth: 8 })}`).toBe(true);
    }
  }
});

test('parts with long lengths are moved to their place', () => {
  for (const length of [0, 1, 31, 32, 33, 117, 118, 127, 128, 16_373, 16_384, 2_097_152]) {
    for (const character of ['a', 'é', '漢', '🚀', '\ud800']) {
      const message = create(TagSchema, { id: 7n, label: { name: character.repeat(length), type: 'well' } });
      expect(hex(encode(TagSchema, message)) === hex(toBinary(TagSchema, message)), `${length} × ${character}`).toBe(
        true,
      );
    }
  }
});

test('free JSON and unknown fields are encoded too', () => {
  const metadata = { a: null, b: [1, 'x', { c: false }], d: {}, e: -0.5, ü: 'ü' };
  const message = create(ModemSchema, {
    number: '24F0 91C7',
    metadata,
    lastMessageId: 2n ** 64n - 1n,
    location: { latitude: -0, longitude: 0 },
  });
  message.peripherals = create(Modem_PeripheralsSchema, { peripherals: { gauge: '1.2' } });
  message.$unknown = [{ no: 4000, wireType: 2, data: new Uint8Array([1, 9]) }];
  expect(hex(encode(ModemSchema, message))).toBe(hex(toBinary(ModemSchema, message)));
});

test('a number out of range is refused', () => {
  const message = create(TagSchema, { priority: 2 ** 31 });
  expect(() => encode(TagSchema, message)).toThrow(
    'cannot encode 2147483648: it is not an integer from -2147483648 to',
  );
  expect(() => encode(TagSchema, create(TagSchema, { id: 2n ** 64n }))).toThrow('invalid int64');
});
