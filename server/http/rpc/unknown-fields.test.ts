import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { create, type DescMessage, type MessageShape, type UnknownField } from '@bufbuild/protobuf';
import { WireType } from '@bufbuild/protobuf/wire';
import { Code } from '@connectrpc/connect';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { EventService, EventSelectionSchema, EventStreamRequestSchema } from '#proto/gen/hiber/event_service_pb.ts';
import {
  ListModemsRequestSchema,
  ModemSelection_Peripherals_OneOfValuesSchema,
  ModemSelectionSchema,
  ModemService,
  UpdateModemTagsRequestSchema,
} from '#proto/gen/hiber/modem_pb.ts';
import { TagService } from '#proto/gen/hiber/tag_pb.ts';
import { CreateUserRequestSchema, CreateUsersRequestSchema, UserService } from '#proto/gen/hiber/user_pb.ts';
import { listen, type Listener } from '#server/http/connection/listener.ts';
import { createHandler } from '#server/http/handler.ts';
import { captureError, startTestServer, type TestServer, transportFor } from '#server/testkit/server.ts';

const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-unknown-'));
const stopController = new AbortController();
let t: TestServer;
let server: Listener;

beforeAll(async () => {
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Console</title>');
  t = await startTestServer();
  const handler = createHandler(t.app, {
    consoleFolder: folder,
    identityPort: undefined,
    shutdown: stopController.signal,
  });
  server = await listen(handler, '127.0.0.1', 0);
});

afterAll(async () => {
  stopController.abort();
  await server.close();
  await t.close();
  rmSync(folder, { recursive: true });
});

/** The varint field 1999, which only a newer contract could define. */
const newerFields: UnknownField[] = [{ no: 1999, wireType: WireType.Varint, data: Uint8Array.of(1) }];
const withUnknownField = <T extends DescMessage>(schema: T): MessageShape<T> =>
  Object.assign(create(schema), { $unknown: newerFields });
const transport = () => transportFor(t.app, t.as('administrator').bearer);

describe('an unknown field', () => {
  test('is rejected anywhere in a request, and the error names the message and the field number', async () => {
    const selection = withUnknownField(ModemSelectionSchema);
    const values = withUnknownField(ModemSelection_Peripherals_OneOfValuesSchema);
    const inMap = create(ModemSelectionSchema, {
      peripheralSelection: { case: 'peripherals', value: { includeAnd: { probe: values } } },
    });
    const inList = create(CreateUsersRequestSchema, {
      users: [{ email: 'new@example.com' }, withUnknownField(CreateUserRequestSchema)],
    });
    const stream = create(EventStreamRequestSchema, { selection: withUnknownField(EventSelectionSchema) });
    const requests = [
      [ModemService.method.list, withUnknownField(ListModemsRequestSchema), 'hiber.modem.ListModemsRequest'],
      [
        ModemService.method.updateTags,
        create(UpdateModemTagsRequestSchema, { selection }),
        'hiber.modem.ModemSelection',
      ],
      [
        ModemService.method.updateTags,
        create(UpdateModemTagsRequestSchema, { selection: inMap }),
        'hiber.modem.ModemSelection.Peripherals.OneOfValues',
      ],
      [UserService.method.createUsers, inList, 'hiber.user.CreateUserRequest'],
      [EventService.method.stream, stream, 'hiber.event.EventSelection'],
    ] as const;
    for (const [method, request, messageName] of requests) {
      const error = await captureError(transport(), method, request);
      expect(error?.code, messageName).toBe(Code.InvalidArgument);
      expect(error?.rawMessage).toContain(`${messageName} has no field 1999 `);
    }
  });

  test('is rejected in JSON with an error that names it', async () => {
    const devices = t.as('administrator').client(ModemService);
    const tags = t.as('administrator').client(TagService);
    const { tags: before } = await tags.list({ modemCount: true });
    const { modems } = await devices.list({ pagination: { size: 1 } });
    const body = {
      selection: { modems: { include: [modems[0]?.number] }, onlyAlive: true },
      tags: { newTagsToAdd: [{ name: 'Planted' }] },
    };
    const response = await fetch(`http://127.0.0.1:${server.port}/hiber.modem.ModemService/UpdateTags`, {
      method: 'POST',
      headers: { authorization: `Bearer ${t.as('administrator').bearer}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(400);
    const error = (await response.json()) as { code: string; message: string };
    expect(error.code).toBe('invalid_argument');
    expect(error.message).toContain('hiber.modem.ModemSelection');
    expect(error.message).toContain('"onlyAlive" is unknown');
    expect((await tags.list({ modemCount: true })).tags).toHaveLength(before.length);
  });

  test('is the only reason for the error: without it, the request succeeds', async () => {
    const request = create(ListModemsRequestSchema, { selection: { freeTextSearch: 'probe' } });
    expect(await captureError(transport(), ModemService.method.list, request)).toBeUndefined();
  });
});
