import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { AssignmentService } from '#proto/gen/hiber/assignment_pb.ts';
import { DeviceService } from '#proto/gen/hiber/device_pb.ts';
import { EventService } from '#proto/gen/hiber/event_service_pb.ts';
import { FieldService } from '#proto/gen/hiber/field_service_pb.ts';
import { MessageService } from '#proto/gen/hiber/message_pb.ts';
import { ModemService } from '#proto/gen/hiber/modem_pb.ts';
import { ModemMessageBodyParserService } from '#proto/gen/hiber/parser_pb.ts';
import { OrganizationPermission } from '#proto/gen/hiber/permission_pb.ts';
import { ProcessPointService } from '#proto/gen/hiber/process_point_service_pb.ts';
import { TestingService } from '#proto/gen/hiber/testing_pb.ts';
import { TokenService } from '#proto/gen/hiber/token_pb.ts';
import { ValueService } from '#proto/gen/hiber/value_service_pb.ts';
import { ParserTraceService } from '#proto/gen/quarterdeck/parser/v1/parser_trace_service_pb.ts';
import { findFirstNumber, uploadParser } from '#server/testkit/devices.ts';
import { createIdToken, startTestServer, type TestServer } from '#server/testkit/server.ts';
import { addTenants } from '#server/testkit/tenants.ts';

const SECRET = 'Zq7x';
const HEX = Buffer.from(SECRET).toString('hex').toUpperCase();
const { MODEM_MESSAGES, MODEM_VALUES, PROCESS_POINTS_VALUES } = OrganizationPermission;

type Caller = ReturnType<TestServer['with']>;

let t: TestServer;
let number: string;
let point: string;
let messageId: bigint;
let parserIdentifier: string;
/** May do everything except read messages and values. */
let blind: Caller;
let reader: Caller;
/** The administrator of another organization. */
let outsider: Caller;

beforeAll(async () => {
  t = await startTestServer();
  number = await findFirstNumber(t);
  const administrator = t.as('administrator');
  parserIdentifier = await uploadParser(t, number, {
    name: 'Safe',
    contentKsy: 'meta: { id: safe, encoding: ASCII }\nseq: [{ id: pin, type: str, size: 4 }]',
    dataFields: [{ field: 'pin', encrypted: true }],
    metadataFields: { messageMetadataFields: ['pin'], modemMetadataFields: ['pin'] },
  });
  const { created } = await administrator.client(ProcessPointService).create({ create: [{ name: 'Vault' }] });
  point = created[0]!.identifier;
  await administrator.client(AssignmentService).assign({
    assign: { case: 'assignModems', value: { modems: { include: [number] } } },
    to: { case: 'toProcessPoints', value: { identifiers: [point] } },
    overrideTime: { textual: '2026-01-01' },
  });
  await administrator.client(TestingService).pushModemMessages({
    messages: [{ modemNumber: number, content: Buffer.from(SECRET), time: { textual: 'now' } }],
  });
  const { messages } = await administrator
    .client(MessageService)
    .list({ selection: { modemSelection: { modems: { include: [number] } } }, pagination: { size: 1 } });
  messageId = messages[0]!.messageId;
  const { token } = await administrator.client(TokenService).create({
    name: 'Blind',
    organizationPermissions: { includeAll: true, exclude: [MODEM_MESSAGES, MODEM_VALUES, PROCESS_POINTS_VALUES] },
  });
  blind = t.with(token);
  reader = administrator;
  const { beta } = await addTenants(t.app.db, t.app.now());
  outsider = t.with(createIdToken(beta.member('administrator')));
});
afterAll(() => t.close());

const modems = () => ({ modems: { include: [number] } });
const ofDevice = () => ({ ownerSelection: { case: 'devices' as const, value: modems() } });
const ofPoint = () => ({ ownerSelection: { case: 'processPoints' as const, value: { identifiers: [point] } } });
const data = () => ({ case: 'modemMessageId' as const, value: messageId });
const parser = () => ({ case: 'identifier' as const, value: parserIdentifier });

type Call = (caller: Caller, organization?: string) => Promise<unknown>;

/** The calls that return the value to those who may read it. */
const readingCalls: Record<string, Call> = {
  'ValueService.List of a device': (caller, organization = '') =>
    caller.client(ValueService).list({ organization, selection: ofDevice() }),
  'ValueService.List of a process point': (caller, organization = '') =>
    caller.client(ValueService).list({ organization, selection: ofPoint() }),
  'ValueService.Latest of a device': (caller, organization = '') =>
    caller.client(ValueService).latest({ organization, selection: ofDevice() }),
  'ValueService.Latest of a process point': (caller, organization = '') =>
    caller.client(ValueService).latest({ organization, selection: ofPoint() }),
  'ValueService.Downsampled of a device': (caller, organization = '') =>
    caller.client(ValueService).downsampled({
      organization,
      selection: { ...ofDevice(), dataSelection: { case: 'field', value: { fields: ['pin'] } } },
      points: 4,
    }),
  'MessageService.List': (caller, organization = '') =>
    caller.client(MessageService).list({ organization, selection: { modemSelection: modems() } }),
  'ModemService.Messages': (caller, organization = '') =>
    caller.client(ModemService).messages({
      organization,
      selection: { modemSelection: modems(), timeRange: { start: { textual: '-1h' }, end: { textual: 'now' } } },
    }),
  'ModemMessageBodyParserService.Test': (caller, organization = '') =>
    caller.client(ModemMessageBodyParserService).test({ organization, parser: parser(), data: data() }),
  'ModemMessageBodyParserService.Retry': (caller, organization = '') =>
    caller.client(ModemMessageBodyParserService).retry({ organization, modemMessageIds: [messageId] }),
  'ParserTraceService.Trace': (caller, organization = '') =>
    caller.client(ParserTraceService).trace({ organization, parser: parser(), data: data() }),
};

/** The calls that return what surrounds the value, but never the value itself. */
const otherCalls: Record<string, Call> = {
  'DeviceService.List': (caller, organization = '') =>
    caller.client(DeviceService).list({ organization, selection: modems() }),
  'ModemService.List': (caller, organization = '') =>
    caller.client(ModemService).list({ organization, selection: modems() }),
  'ProcessPointService.List': (caller, organization = '') =>
    caller.client(ProcessPointService).list({ organization, selection: { identifiers: [point] } }),
  'FieldService.ForModem': (caller, organization = '') =>
    caller.client(FieldService).forModem({ organization, modemSelection: modems() }),
  'FieldService.List': (caller, organization = '') => caller.client(FieldService).list({ organization }),
};

/** Returns all that a caller gets to see, also of a rejection. */
const seenBy = (call: Call, caller: Caller, organization?: string): Promise<string> =>
  call(caller, organization).then((response) => JSON.stringify(response, toReadable), String);

function toReadable(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  return value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value;
}

describe.each(Object.entries(readingCalls))('%s', (_name, call) => {
  test('returns an encrypted value to those who may read it, and to nobody else', async () => {
    expect(await seenBy(call, reader)).toContain(SECRET);
    for (const seen of [
      await seenBy(call, blind),
      await seenBy(call, outsider),
      await seenBy(call, outsider, 'northwind'),
    ]) {
      expect(seen).not.toContain(SECRET);
      expect(seen).not.toContain(HEX);
    }
  });
});

test.each(Object.entries(otherCalls))('%s returns no encrypted value to anyone', async (_name, call) => {
  const seen = await seenBy(call, reader);
  expect(seen.length).toBeGreaterThan(100);
  for (const text of [withoutBodies(seen), await seenBy(call, blind)]) {
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain(HEX);
  }
});

/** Leaves out the last bytes of devices, which are not a field, for those who may read messages. */
const withoutBodies = (seen: string): string => seen.replaceAll(/"lastMessageBody":\{[^}]*\}/gu, '');

test.each(['viewer', 'operator', 'developer', 'administrator'] as const)(
  'events show a %s at most the bytes that the device sent',
  async (kind) => {
    const list = (caller: Caller) =>
      caller
        .client(EventService)
        .list({ selection: { modems: { include: [number] } }, unbundledEvents: true, pagination: { size: 50 } });
    const { unbundledEvents } = await list(t.as(kind));
    const events = unbundledEvents.flatMap((page) => page.unbundledEvents.map(({ event }) => event));
    expect(events.length).toBeGreaterThan(0);
    const isBody = (key: string): boolean => key === 'body' || key === 'bodyBytes';
    for (const { value } of events) {
      const seen = JSON.stringify(value, (key, part: unknown) => (isBody(key) ? '' : toReadable(key, part)));
      expect(seen).not.toContain(SECRET);
    }
    expect(await seenBy(list, blind)).not.toContain(SECRET);
  },
);
