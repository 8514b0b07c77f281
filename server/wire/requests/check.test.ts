import {
  create,
  type DescField,
  type DescMessage,
  type DescMethod,
  type JsonObject,
  ScalarType,
} from '@bufbuild/protobuf';
import { reflect, type ReflectMessage } from '@bufbuild/protobuf/reflect';
import { Code, ConnectError, createConnectRouter } from '@connectrpc/connect';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { ListModemsRequestSchema } from '#proto/gen/hiber/modem_pb.ts';
import { PushModemMessagesRequestSchema } from '#proto/gen/hiber/testing_pb.ts';
import { policyOf } from '#server/http/rpc/policy-of.ts';
import { createRoutes } from '#server/http/rpc/routes.ts';
import { rpcName } from '#server/policies/rpcs.ts';
import { methods } from '#server/testkit/policies/rpcs.ts';
import { fieldPaths, keyOf, pathText, requestWith } from '#server/testkit/request-fields.ts';
import { captureError, startTestServer, type TestServer, transportFor } from '#server/testkit/server.ts';

import { requireSupported } from './check.ts';
import { exceptionalFields, fieldKey, limitOf, MAX_ENTRIES, searchFields } from './limits.ts';

let t: TestServer;
let registeredMethods: ReadonlySet<DescMethod>;
beforeAll(async () => {
  t = await startTestServer();
  const router = createConnectRouter();
  createRoutes(t.app, new AbortController().signal)(router);
  registeredMethods = new Set(router.handlers.map(({ method }) => method));
});
afterAll(() => t.close());

const isServed = (method: DescMethod): boolean => registeredMethods.has(method);

type Fill = (message: ReflectMessage, field: DescField) => void;

function errorMessage(schema: DescMessage, fill: Fill, path: readonly DescField[]): string {
  try {
    requireSupported(schema, requestWith(schema, path, fill));
    return 'accepted';
  } catch (error) {
    return error instanceof ConnectError && error.code === Code.InvalidArgument ? error.rawMessage : String(error);
  }
}

type Excessive = readonly [description: string, fill: Fill, expectedText: string];

/** Returns values that a field of this type may not contain, with part of the error message for each. */
function excessiveValues(field: DescField): Excessive[] {
  const set =
    (value: unknown): Fill =>
    (message) =>
      message.set(field, value);
  const add =
    (...items: unknown[]): Fill =>
    (message) => {
      if (field.fieldKind === 'list') for (const item of items) message.get(field).add(item);
    };
  const setEntries =
    (entries: readonly [string | number, unknown][]): Fill =>
    (message) => {
      if (field.fieldKind === 'map') for (const [key, value] of entries) message.get(field).set(key, value);
    };
  switch (field.fieldKind) {
    case 'scalar':
      return scalarExcesses(field.scalar, field).map(([description, value, expectedText]): Excessive => [
        description,
        set(value),
        expectedText,
      ]);
    case 'enum':
      // Only free-form JSON has a NullValue. It is checked as JSON, where it has no number.
      if (field.enum.typeName === 'google.protobuf.NullValue') return [];
      return [['a value that the contract does not define', set(987_654), 'is 987654']];
    case 'list': {
      const validValue =
        field.listKind === 'message'
          ? createEmpty(field.message)
          : field.listKind === 'enum'
            ? 0
            : createZero(field.scalar);
      const count = limitOf(field).items + 1;
      const inner = field.listKind === 'scalar' ? scalarExcesses(field.scalar, field) : [];
      return [
        ['too many items', add(...Array.from({ length: count }, () => validValue)), `lists ${count} items`],
        ...(field.listKind === 'enum' ? [['an unknown item', add(987_654), '[0]" is 987654'] as const] : []),
        ...inner.map(
          ([description, value, expectedText]) => [`an item with ${description}`, add(value), expectedText] as const,
        ),
      ];
    }
    case 'map': {
      const validValue =
        field.mapKind === 'message'
          ? createEmpty(field.message)
          : field.mapKind === 'enum'
            ? 0
            : createZero(field.scalar);
      const entries = Array.from({ length: MAX_ENTRIES + 1 }, (_, index): [string | number, unknown] => [
        field.mapKey === ScalarType.STRING ? `key ${index}` : index,
        validValue,
      ]);
      const inner = field.mapKind === 'scalar' ? scalarExcesses(field.scalar, field) : [];
      return [
        ['too many entries', setEntries(entries), `has ${entries.length} entries`],
        ...(field.mapKey === ScalarType.STRING
          ? ([
              ['a long key', setEntries([['k'.repeat(5000), validValue]]), 'has 5000 characters'],
              ['a key with NUL', setEntries([['a\0b', validValue]]), 'NUL character'],
            ] as const)
          : []),
        ...inner.map(
          ([description, value, expectedText]) =>
            [`an entry with ${description}`, setEntries([[keyOf(field), value]]), expectedText] as const,
        ),
      ];
    }
    case 'message':
      return timeExcesses(field.message).map(([description, value, expectedText]): Excessive => [
        description,
        set(value),
        expectedText,
      ]);
  }
}

type Excess = [description: string, value: unknown, expectedText: string];

function scalarExcesses(type: ScalarType, field: DescField): Excess[] {
  const { characters, bytes, words } = limitOf(field);
  switch (type) {
    case ScalarType.STRING:
      return [
        ['a long string', 'x'.repeat(characters + 1), `has ${characters + 1} characters`],
        ['NUL', 'a\0b', 'NUL character'],
        ['half a surrogate pair', 'a\ud800b', 'surrogate'],
        ...(words === undefined ? [] : [['many words', 'w '.repeat(words + 1), `has ${words + 1} words`] as Excess]),
      ];
    case ScalarType.BYTES:
      return [['many bytes', new Uint8Array(bytes + 1), `has ${bytes + 1} bytes`]];
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
      return [
        ['a large number', 2n ** 53n, 'is 9007199254740992'],
        ['the largest number', 2n ** 63n - 1n, 'is 9223372036854775807'],
        ['the smallest number', -(2n ** 63n), 'is -9223372036854775808'],
      ];
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return [['the largest number', 2n ** 64n - 1n, 'is 18446744073709551615']];
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
      return [
        ['NaN', Number.NaN, 'is NaN'],
        ['infinity', Number.POSITIVE_INFINITY, 'is Infinity'],
      ];
    default:
      return [];
  }
}

function timeExcesses(schema: DescMessage): Excess[] {
  const withSeconds = (seconds: bigint, nanos = 0) => {
    const time = reflect(schema, create(schema), false);
    const [secondsField, nanosField] = schema.fields;
    if (secondsField) time.set(secondsField, seconds);
    if (nanosField) time.set(nanosField, nanos);
    return time;
  };
  switch (schema.typeName) {
    case 'google.protobuf.Timestamp':
      return [
        ['the year 10000', withSeconds(253_402_300_800n), 'between the years 1 and 9999'],
        ['the year 0', withSeconds(-62_135_596_801n), 'between the years 1 and 9999'],
        ['a time beyond all dates', withSeconds(8_640_000_000_001n), 'between the years 1 and 9999'],
        ['negative nanoseconds', withSeconds(0n, -1), 'nanos'],
        ['more than a second of nanoseconds', withSeconds(0n, 1_000_000_000), 'nanos'],
      ];
    case 'google.protobuf.Duration':
      return [
        ['a long duration', withSeconds(315_576_000_001n), '10,000 years'],
        ['nanoseconds of the opposite sign', withSeconds(1n, -1), 'nanos'],
      ];
    default:
      return [];
  }
}

const createEmpty = (schema: DescMessage): ReflectMessage => reflect(schema, create(schema), false);

function createZero(type: ScalarType): unknown {
  if (type === ScalarType.STRING) return '';
  if (type === ScalarType.BYTES) return new Uint8Array();
  if (type === ScalarType.BOOL) return false;
  const wideTypes: readonly ScalarType[] = [ScalarType.INT64, ScalarType.UINT64, ScalarType.SINT64, ScalarType.FIXED64];
  return wideTypes.includes(type) ? 0n : 0;
}

describe('every field of every request', () => {
  test('is limited by its type, and the error names the field', () => {
    let caseCount = 0;
    const violations = methods.flatMap((method) =>
      fieldPaths(method.input).flatMap((path) => {
        const field = path.at(-1);
        if (field === undefined) return [];
        return excessiveValues(field).flatMap(([description, fill, expectedText]) => {
          caseCount += 1;
          const message = errorMessage(method.input, fill, path);
          const isCorrect = message.includes(expectedText) && message.includes(field.name) && message.length < 1500;
          return isCorrect ? [] : [`${rpcName(method)} ${pathText(path)}: ${description}: ${message.slice(0, 200)}`];
        });
      }),
    );
    expect(violations).toEqual([]);
    expect(caseCount).toBeGreaterThan(15_000);
  });
});

describe('a whole request', () => {
  test('has a maximum depth', () => {
    const nestedObject = (depth: number): JsonObject => (depth === 0 ? {} : { a: nestedObject(depth - 1) });
    const request = (depth: number) =>
      create(PushModemMessagesRequestSchema, { messages: [{ metadata: nestedObject(depth) }] });
    expect(() => requireSupported(PushModemMessagesRequestSchema, request(200))).toThrow(/nested 101 levels deep/);
    expect(() => requireSupported(PushModemMessagesRequestSchema, request(20))).not.toThrow();
  });

  test('has a maximum number of items, including nested lists', () => {
    const value = Array.from({ length: 1000 }, (_, index) => `version ${index}`);
    const includeAnd = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`name ${index}`, { value }]));
    const selection = { peripheralSelection: { case: 'peripherals' as const, value: { includeAnd } } };
    const request = create(ListModemsRequestSchema, { selection });
    const expectedText =
      /"selection\.peripherals\.include_and\[name \d+\]\.value" brings the request to \d+ items in total/;
    expect(() => requireSupported(ListModemsRequestSchema, request)).toThrow(expectedText);
  });

  test.each(['viewer', 'nobody'] as const)(
    'from %s is rejected before it reaches its service if it exceeds a limit',
    async (caller) => {
      const transport = transportFor(t.app, caller === 'nobody' ? undefined : t.as(caller).bearer);
      for (const method of methods) {
        const path = fieldPaths(method.input).find(
          (fieldPath) => excessiveValues(fieldPath.at(-1) as DescField).length > 0,
        );
        const [excess] = path === undefined ? [] : excessiveValues(path.at(-1) as DescField);
        if (path === undefined || excess === undefined || !isServed(method)) continue;
        const [, fill] = excess;
        const error = await captureError(transport, method, requestWith(method.input, path, fill));
        const reachesService = caller === 'viewer' || policyOf(method).audience === 'everyone';
        expect(error?.code, rpcName(method)).toBe(reachesService ? Code.InvalidArgument : Code.Unauthenticated);
        expect(error?.rawMessage, rpcName(method)).toContain(reachesService ? path[0]?.name : 'Sign in');
      }
    },
  );
});

/** Fields that sound like searches but aren't: full names, stored strings, and formatted times. */
const nonSearchFields = new Set([
  'google.protobuf.Value.string_value',
  'hiber.Area.textual',
  'hiber.Date.textual',
  'hiber.Duration.textual',
  'hiber.Location.textual',
  'hiber.Shape.textual',
  'hiber.Timestamp.textual',
  // A device number, and a field that only sounds like a search.
  'hiber.device.note.DeviceNoteSelection.device',
  'hiber.modem.message.bodyparser.SimpleModemMessageBodyParser.default_text_encoding',
]);

describe('searches', () => {
  const fields = new Map(
    methods.flatMap((method) => fieldPaths(method.input).flat()).map((field) => [fieldKey(field), field] as const),
  );
  const isText = (field: DescField) =>
    (field.fieldKind === 'scalar' || (field.fieldKind === 'list' && field.listKind === 'scalar')) &&
    field.scalar === ScalarType.STRING;

  test('include every string in a selection, except those listed otherwise', () => {
    const candidates = [...fields].filter(
      ([, field]) =>
        isText(field) &&
        (/search|text|query/.test(field.name) ||
          (field.parent.typeName.endsWith('Selection') && field.fieldKind === 'scalar')),
    );
    const unknown = candidates.map(([key]) => key).filter((key) => !searchFields.has(key) && !nonSearchFields.has(key));
    expect(unknown).toEqual([]);
    expect([...searchFields, ...nonSearchFields].filter((key) => !fields.has(key))).toEqual([]);
  });

  test('are limited to 500 characters, 20 words, and 20 per list', () => {
    for (const key of searchFields) {
      expect(limitOf(fields.get(key) as DescField), key).toMatchObject({
        characters: 500,
        words: 20,
        items: expect.any(Number),
      });
    }
    expect(limitOf(fields.get('hiber.tag.TagSelection.search') as DescField).items).toBe(20);
  });

  test('and the other exceptions are fields in the contract', () => {
    expect(exceptionalFields.filter((key) => !fields.has(key))).toEqual([]);
  });
});
