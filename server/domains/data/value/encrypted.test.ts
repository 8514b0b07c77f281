import type { MessageInitShape } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { DeviceService } from '#proto/gen/hiber/device_pb.ts';
import { EventService } from '#proto/gen/hiber/event_service_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { FieldService } from '#proto/gen/hiber/field_service_pb.ts';
import { MessageService } from '#proto/gen/hiber/message_pb.ts';
import { ModemService } from '#proto/gen/hiber/modem_pb.ts';
import { ModemMessageBodyParserService } from '#proto/gen/hiber/parser_pb.ts';
import { TestingService } from '#proto/gen/hiber/testing_pb.ts';
import { Value_Numeric_Type } from '#proto/gen/hiber/value_pb.ts';
import {
  type ValueContext,
  type ValueSelectionSchema,
  ValueService,
  ValueTransformation,
} from '#proto/gen/hiber/value_service_pb.ts';
import { findFirstNumber, uploadParser } from '#server/testkit/devices.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

const DEFINITION = `
meta: { id: lock, encoding: ASCII }
seq:
  - { id: code, type: u1 }
  - { id: owner, type: str, size: 2 }
`;

let t: TestServer;
let number: string;
beforeAll(async () => {
  t = await startTestServer();
  number = await findFirstNumber(t);
  await uploadParser(t, number, {
    name: 'Lock',
    contentKsy: DEFINITION,
    dataFields: [
      { field: 'code', details: { case: 'numeric', value: {} } },
      { field: 'owner', encrypted: true },
    ],
  });
});
afterAll(() => t.close());

const push = (day: number, code: number) =>
  t
    .as('administrator')
    .client(TestingService)
    .pushModemMessages({
      messages: [
        {
          modemNumber: number,
          time: { textual: `2026-11-0${day}` },
          content: Uint8Array.of(code, 0x41, 0x40 + code),
        },
      ],
    });

const values = () => t.as('administrator').client(ValueService);
const selection = (field: string, more: object = {}): MessageInitShape<typeof ValueSelectionSchema> => ({
  ownerSelection: { case: 'devices', value: { modems: { include: [number] } } },
  dataSelection: { case: 'field', value: { fields: [field] } },
  timeRange: { start: { textual: '2026-11-01' }, end: { textual: '2026-11-09' } },
  ...more,
});
const toPlain = (contexts: readonly ValueContext[]) =>
  contexts.map(({ valueType }) => {
    const held = valueType.case === 'value' ? valueType.value.value : undefined;
    return held?.case === 'numeric' ? held.value.value : held?.value;
  });

test('new values of an encrypted field are sealed in the database, and earlier ones stay as they are', async () => {
  await push(1, 1);
  const { fields } = await t
    .as('administrator')
    .client(FieldService)
    .list({ selection: { search: 'code' } });
  const field = fields.find((item) => item.field === 'code');
  await t
    .as('administrator')
    .client(FieldService)
    .update({ fieldIdentifier: field?.identifier ?? '', encrypted: true });
  await push(2, 2);
  for (const table of ['value', 'latest_value']) {
    const { rows } = await t.app.db.pool.query<{ field: string; numeric: number; text: string; sealed: boolean }>(
      `select field, "numeric", text, sealed from ${table} where number = $1 order by time desc, field limit 2`,
      [number],
    );
    expect(rows, table).toMatchObject([
      { field: 'code', numeric: null, sealed: true },
      { field: 'owner', numeric: null, sealed: true },
    ]);
    expect(rows.map(({ text }) => t.app.secrets.open(text))).toEqual(['2', '"AB"']);
  }
  const { rows } = await t.app.db.pool.query(
    `select "numeric", sealed from value where number = $1 and field = 'code' order by time limit 1`,
    [number],
  );
  expect(rows).toEqual([{ numeric: 1, sealed: false }]);
});

test('people who may read values see them', async () => {
  expect(toPlain((await values().list({ selection: selection('code') })).values)).toEqual([1, 2]);
  expect(toPlain((await values().list({ selection: selection('owner') })).values)).toEqual(['AA', 'AB']);
  expect(toPlain((await values().latest({ selection: selection('owner') })).values)).toEqual(['AB']);
  const { values: deltas } = await values().list({
    selection: selection('code'),
    transformFields: { code: ValueTransformation.DELTA },
  });
  expect(deltas).toMatchObject([{ valueType: { value: { delta: { value: { value: { value: 1 } } } } } }]);
});

test("the database can't compare them, so there are no peaks, no extremes, and no filters by value", async () => {
  await push(3, 9);
  await push(4, 3);
  await push(5, 4);
  const reduced = await values().downsampled({
    selection: selection('code', { timeRange: { start: { textual: '2026-11-02' } } }),
    points: 3,
    determineMinimumAndMaximumValues: true,
  });
  expect(toPlain(reduced.downsampledValues)).toEqual([2, 9, 3, 4]);
  expect([...reduced.lowest, ...reduced.highest]).toEqual([]);
  const byType = await values().downsampled({
    selection: selection('code', {
      timeRange: { start: { textual: '2026-11-02' }, end: { textual: '2026-11-09' } },
      dataSelection: { case: 'valueType', value: { numericValueType: [Value_Numeric_Type.OTHER] } },
    }),
    determineMinimumAndMaximumValues: true,
  });
  expect(toPlain(byType.downsampledValues)).toEqual([2, 9, 3, 4]);
  expect([...byType.lowest, ...byType.highest]).toEqual([]);
  const all = await values().downsampled({ selection: selection('code'), points: 4 });
  expect(toPlain(all.downsampledValues)).toEqual([1, 4]);
  for (const filter of [{ include: ['AB'] }, { exclude: ['AB'] }]) {
    const filterEnumValues = [{ field: 'owner', ...filter }];
    expect((await values().list({ selection: selection('owner', { filterEnumValues }) })).values).toEqual([]);
  }
});

describe('the message with an encrypted field', () => {
  const definition = `
meta: { id: safe, encoding: ASCII }
seq:
  - { id: pin, type: u2be }
  - { id: kind, type: u1, valid: { max: 9 } }
  - { id: place, type: place }
types: { place: { seq: [{ id: latitude, type: u1 }, { id: longitude, type: u1 }] } }
`;
  const administrator = () => t.as('administrator');
  let device: string;
  beforeAll(async () => {
    const { devices } = await administrator()
      .client(DeviceService)
      .list({ pagination: { size: 2 } });
    device = devices[1]?.number ?? '';
    const parsers = administrator().client(ModemMessageBodyParserService);
    const { identifier } = await parsers.upload({
      name: 'Safe',
      contentKsy: definition,
      dataFields: [
        { field: 'pin', encrypted: true, details: { case: 'numeric', value: {} } },
        { field: 'kind', encrypted: true, details: { case: 'numeric', value: {} } },
        { field: 'place.latitude', encrypted: true, details: { case: 'numeric', value: {} } },
      ],
      metadataFields: {
        messageMetadataFields: ['pin', 'place'],
        modemMetadataFields: ['pin', 'place'],
        locationFields: { latitude: 'place.latitude', longitude: 'place.longitude' },
        measuredAtField: { case: 'measuredAtTimeField', value: 'pin' },
      },
    });
    await parsers.assign({ assignParsers: { identifiers: [identifier] }, toModems: { modems: { include: [device] } } });
  });

  const pushSafe = async (...content: number[]) => {
    const sentAt = `2026-11-10T00:00:${String((seconds += 1)).padStart(2, '0')}Z`;
    await administrator()
      .client(TestingService)
      .pushModemMessages({
        messages: [{ modemNumber: device, time: { textual: sentAt }, content: Uint8Array.from(content) }],
      });
    const { messages } = await administrator()
      .client(MessageService)
      .list({
        selection: {
          modemSelection: { modems: { include: [device] } },
          timeRange: { start: { textual: sentAt }, end: { textual: sentAt } },
        },
      });
    return messages[0];
  };
  let seconds = 0;

  /** Returns everything that could contain the value of `pin`. */
  const readStored = async (id: bigint | undefined) => {
    const { rows } = await t.app.db.pool.query<{ stored: string; metadata: string }>(
      `select m.parsed::text as stored, concat(m.metadata::text, d.metadata::text) as metadata
         from message m join device d using (organization, number) where m.id = $1`,
      [id],
    );
    return rows[0];
  };

  test('is sealed in the database and plain for those who may read it', async () => {
    const message = await pushSafe(0x30, 0x39, 1, 10, 20);
    const result = { pin: 12_345, kind: 1, place: { latitude: 10, longitude: 20 } };
    expect(message).toMatchObject({ bodyFields: result, bodyParsed: [{ parsed: { case: 'result', value: result } }] });
    const { messages } = await administrator()
      .client(ModemService)
      .messages({
        selection: {
          modemSelection: { modems: { include: [device] } },
          timeRange: { start: { textual: '2026-11-10' }, end: { textual: '2026-11-11' } },
        },
      });
    expect(messages[0]?.bodyFields).toEqual(result);
    const stored = await readStored(message?.messageId);
    expect(stored?.stored).toMatch(/"sealed": "v1\./);
    expect(stored?.stored).not.toContain('12345');
  });

  test('passes no encrypted values on to its metadata, location, time, or events', async () => {
    const message = await pushSafe(0x30, 0x39, 1, 10, 20);
    expect(message?.metadata).toEqual({ place: { longitude: 20 } });
    expect(message?.location).toBeUndefined();
    expect((await readStored(message?.messageId))?.metadata).not.toMatch(/12345|latitude/);
    const { unbundledEvents } = await administrator()
      .client(EventService)
      .list({
        selection: {
          events: { include: [EventType.MESSAGE_BODY_PARSED, EventType.MESSAGE_RECEIVED] },
          modems: { include: [device] },
        },
        unbundledEvents: true,
      });
    const results = unbundledEvents
      .flatMap((page) =>
        page.unbundledEvents.flatMap(({ event }) => {
          if (event.case === 'messageBodyParsed') {
            return { name: event.value.parserName, result: event.value.parsedMessage };
          }
          const bodies = event.case === 'messageReceived' ? (event.value.message?.bodyParsed ?? []) : [];
          return bodies.map(({ parserName, parsed }) => ({ name: parserName, result: parsed.value }));
        }),
      )
      .filter(({ name }) => name === 'Safe');
    expect(results.length).toBeGreaterThanOrEqual(4);
    for (const { result } of results) expect(result).toEqual({ place: { longitude: 20 } });
    const { rows } = await t.app.db.pool.query(
      `select time from value where number = $1 and field = 'pin' order by message desc limit 1`,
      [device],
    );
    expect(rows[0].time).toEqual(new Date(`2026-11-10T00:00:0${seconds}Z`));
  });

  test("quotes no value in the reason why it can't be parsed", async () => {
    const message = await pushSafe(0x30, 0x39, 77, 10, 20);
    expect(message?.bodyParsed[0]?.parsed).toEqual({
      case: 'error',
      value: "The message can't be parsed, because of the field kind at byte 2.",
    });
  });

  test('is returned by a retry with all fields', async () => {
    const message = await pushSafe(0x30, 0x39, 1, 10, 20);
    const { parsedMessages } = await administrator()
      .client(ModemMessageBodyParserService)
      .retry({ modemMessageIds: [message?.messageId ?? 0n] });
    expect(parsedMessages).toMatchObject([{ parsed: { case: 'result', value: { pin: 12_345 } } }]);
    expect((await readStored(message?.messageId))?.stored).not.toContain('12345');
  });
});
