import { inspect } from 'node:util';

import { create, type DescField, type DescMethod, ScalarType } from '@bufbuild/protobuf';
import { reflect, type ReflectMessage } from '@bufbuild/protobuf/reflect';
import { Code, type ConnectError, createConnectRouter } from '@connectrpc/connect';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { createLog } from '#server/base/log.ts';
import { appUser, membership } from '#server/db/schema/user.ts';
import { createRoutes } from '#server/http/rpc/routes.ts';
import { rpcName } from '#server/policies/rpcs.ts';
import { methods } from '#server/testkit/policies/rpcs.ts';
import { fieldPaths, keyOf, pathText, requestWith } from '#server/testkit/request-fields.ts';
import { createIdToken, captureError, startTestServer, type TestServer, transportFor } from '#server/testkit/server.ts';

import { fieldKey, limitOf, MAX_ENTRIES } from './limits.ts';

// Services must handle every request that passes `requireSupported`: fields of the maximum size, both ends of every
// range, and strings that are parsed. Every served rpc must either succeed or reject them with a clear message.

const logLines: string[] = [];
let t: TestServer;
let servedMethods: DescMethod[];
beforeAll(async () => {
  t = await startTestServer();
  t.app.log = createLog('json', (line) => logLines.push(line));
  const router = createConnectRouter();
  createRoutes(t.app, new AbortController().signal)(router);
  const registeredMethods = new Set(router.handlers.map(({ method }) => method));
  servedMethods = methods.filter((method) => registeredMethods.has(method));
});
afterAll(() => t.close());

/** Adds an administrator. Each rpc needs a new one because some rpcs end sessions, memberships, or accounts. */
async function addAdministrator(id: string): Promise<string> {
  const identity = { id, email: `${id}@example.com`, name: id };
  await t.app.db.orm.insert(appUser).values({ ...identity, defaultOrganization: 'northwind' });
  await t.app.db.orm.insert(membership).values({ organization: 'northwind', userId: id, roles: ['administrator'] });
  return createIdToken(identity);
}

/** Times and locations outside every valid range, and characters that are special in SQL. */
const oddStrings = [
  '-99999999999d',
  '99999999999999999999h',
  'P-999999999999999D',
  '0000-01-01',
  '0001-01-01T00:00:00+14:00',
  '9999-12-31T23:59:59-14:00',
  '+275760-09-13',
  '2022-01-01T00:00:00+99:99',
  '[1e400,0]',
  '%',
  '\\',
  "'",
];

function extremeValues(field: DescField): unknown[] {
  const { characters, words } = limitOf(field);
  if (field.fieldKind === 'message') return timeExtremes(field);
  if (field.enum !== undefined) return [field.enum.values.at(-1)?.number ?? 0];
  switch (field.scalar) {
    case ScalarType.STRING:
      return [
        'x'.repeat(Math.min(characters, 70_000)),
        Array.from({ length: words ?? 20 }, (_, index) => index).join(' '),
        ...(field.name === 'textual' ? oddStrings : [oddStrings.at(-2), oddStrings.at(-1)]),
      ];
    case ScalarType.BYTES:
      return [new Uint8Array(Math.min(limitOf(field).bytes, 70_000))];
    case ScalarType.INT64:
      return [BigInt(Number.MAX_SAFE_INTEGER), -1n];
    case ScalarType.UINT64:
      return [BigInt(Number.MAX_SAFE_INTEGER)];
    case ScalarType.DOUBLE:
      return [Number.MAX_VALUE, -Number.MAX_VALUE, Number.MIN_VALUE];
    case ScalarType.UINT32:
      return [4_294_967_295];
    case ScalarType.INT32:
      return [2_147_483_647, -2_147_483_648, 0];
    case ScalarType.BOOL:
      return [true];
    default:
      return [];
  }
}

function timeExtremes(field: DescField): unknown[] {
  if (field.fieldKind !== 'message') return [];
  const withSeconds = (seconds: bigint) => {
    const time = reflect(field.message, create(field.message), false);
    const [first] = field.message.fields;
    if (first) time.set(first, seconds);
    return time;
  };
  const { typeName } = field.message;
  if (typeName === 'google.protobuf.Timestamp') return [withSeconds(-62_135_596_800n), withSeconds(253_402_300_799n)];
  if (typeName === 'google.protobuf.Duration') return [withSeconds(315_576_000_000n), withSeconds(-315_576_000_000n)];
  return [reflect(field.message, create(field.message), false)];
}

/** Returns the maximum number of items in a list or map. */
const maxItems = (field: DescField): number => (field.fieldKind === 'map' ? MAX_ENTRIES : limitOf(field).items);

function extremeSetters(field: DescField): [description: string, set: (message: ReflectMessage) => void][] {
  const describeValue = (value: unknown) => inspect(value).slice(0, 40);
  switch (field.fieldKind) {
    case 'scalar':
    case 'enum':
    case 'message':
      return extremeValues(field).map((value) => [describeValue(value), (message) => message.set(field, value)]);
    case 'list': {
      const itemAt = (index: number) =>
        field.listKind === 'message'
          ? reflect(field.message, create(field.message), false)
          : field.listKind === 'enum'
            ? (field.enum.values[index % field.enum.values.length]?.number ?? 0)
            : field.scalar === ScalarType.STRING
              ? `item ${index}`
              : field.scalar === ScalarType.INT64 || field.scalar === ScalarType.UINT64
                ? BigInt(index)
                : index;
      return [
        [
          `${maxItems(field)} items`,
          (message) => {
            for (let index = 0; index < maxItems(field); index += 1) message.get(field).add(itemAt(index));
          },
        ],
        ...(field.listKind === 'scalar' ? extremeValues(field) : []).map(
          (value): [string, (message: ReflectMessage) => void] => [
            `an item ${describeValue(value)}`,
            (message) => message.get(field).add(value),
          ],
        ),
      ];
    }
    case 'map':
      return [
        [
          `${maxItems(field)} entries`,
          (message) => {
            for (let index = 0; index < maxItems(field); index += 1) {
              const value =
                field.mapKind === 'message' ? reflect(field.message, create(field.message), false) : 'value';
              message.get(field).set(keyOf(field, `key ${index}`), field.mapKind === 'enum' ? 0 : value);
            }
          },
        ],
      ];
  }
}

/**
 * Dozens of rpcs have selections and share the code that reads them, so one rpc per field is enough, except for times.
 */
const MAX_RPCS_PER_FIELD = 1;
const isTime = (field: DescField): boolean =>
  field.name === 'textual' || /Timestamp|Duration|Date/.test(field.toString());

/** Long enough for thousands of requests, one at a time. */
const TIMEOUT_MS = 400_000;

test(
  'handles extreme values in every field without an internal error',
  async () => {
    const defects: string[] = [];
    const callsByField = new Map<string, number>();
    let calls = 0;
    for (const [index, method] of servedMethods.entries()) {
      const transport = transportFor(t.app, await addAdministrator(`administrator-${index}`));
      for (const path of fieldPaths(method.input)) {
        const field = path.at(-1);
        if (field === undefined) continue;
        const previousCalls = callsByField.get(fieldKey(field)) ?? 0;
        callsByField.set(fieldKey(field), previousCalls + 1);
        if (previousCalls >= MAX_RPCS_PER_FIELD && !isTime(field)) continue;
        for (const [description, set] of extremeSetters(field)) {
          calls += 1;
          const error = await captureError(transport, method, requestWith(method.input, path, set));
          if (isDefect(error)) defects.push(`${rpcName(method)} ${pathText(path)}: ${description}: ${error?.message}`);
        }
      }
    }
    expect({ defects, logged: logLines }).toEqual({ defects: [], logged: [] });
    expect(calls).toBeGreaterThan(1000);
  },
  TIMEOUT_MS,
);

const isDefect = (error: ConnectError | undefined): boolean =>
  error?.code === Code.Internal || error?.code === Code.Unknown;
