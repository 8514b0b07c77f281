import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampMs, TimestampSchema } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { DeviceService } from '#proto/gen/hiber/device_pb.ts';
import { EventService } from '#proto/gen/hiber/event_service_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import type { FieldSchema } from '#proto/gen/hiber/field_pb.ts';
import { MessageService } from '#proto/gen/hiber/message_pb.ts';
import { ModemMessageBodyParserService } from '#proto/gen/hiber/parser_pb.ts';
import { TagService } from '#proto/gen/hiber/tag_pb.ts';
import { TestingService } from '#proto/gen/hiber/testing_pb.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

let t: TestServer;
let numbers: string[];
beforeAll(async () => {
  t = await startTestServer();
  const { devices } = await t
    .as('administrator')
    .client(DeviceService)
    .list({ pagination: { size: 20 } });
  numbers = devices.map(({ number }) => number);
});
afterAll(() => t.close());

const parsers = () => t.as('administrator').client(ModemMessageBodyParserService);
const modems = (...include: string[]) => ({ modems: { include } });

const SENSOR = `
meta:
  id: sensor
  endian: be
seq:
  - { id: level, type: u2 }
  - { id: age, type: u1 }
  - { id: status, type: u1, enum: status }
enums:
  status: { 0: ok, 1: low }
`;
const FIELDS: MessageInitShape<typeof FieldSchema>[] = [
  { field: 'level', details: { case: 'numeric', value: { unit: { unit: { case: 'pressure', value: 0 } } } } },
  { field: 'status', details: { case: 'enum', value: { values: [{ value: 'ok' }, { value: 'low' }] } } },
];

let count = 0;
/** Uploads a parser and assigns it to a device. */
async function assignParser(number: string, contentKsy = SENSOR, more: object = { dataFields: FIELDS }) {
  const parser = await parsers().upload({ name: `Parser ${(count += 1)}`, contentKsy, ...more });
  await parsers().assign({ assignParsers: { identifiers: [parser.identifier] }, toModems: modems(number) });
  return parser;
}

async function push(number: string, hex: string, more: object = {}) {
  const content = Buffer.from(hex, 'hex');
  await t
    .as('administrator')
    .client(TestingService)
    .pushModemMessages({ messages: [{ modemNumber: number, content, ...more }] });
  const { messages } = await t
    .as('administrator')
    .client(MessageService)
    .list({ selection: { modemSelection: modems(number) }, pagination: { size: 1 } });
  return messages[0];
}

const listValues = async (number: string) => {
  const { rows } = await t.app.db.pool.query<{
    field: string;
    numeric: number | null;
    text: string | null;
    time: Date;
  }>('select field, "numeric", text, time from value where number = $1 order by time, field', [number]);
  return rows;
};

async function listEvents(type: EventType, number: string) {
  const { unbundledEvents } = await t
    .as('administrator')
    .client(EventService)
    .list({ selection: { events: { include: [type] }, modems: { include: [number] } }, unbundledEvents: true });
  return unbundledEvents.flatMap((page) => page.unbundledEvents);
}

describe('a message', () => {
  test('gets a result, values, and events from an assigned parser', async () => {
    const [number = ''] = numbers;
    const parser = await assignParser(number);
    const message = await push(number, '00640501');
    expect(message).toMatchObject({
      bodyParsedSuccessfully: true,
      bodyFields: { level: 100, age: 5, status: 'low' },
      bodyParsed: [{ parserIdentifier: parser.identifier, parserName: parser.name }],
    });
    expect(await listValues(number)).toMatchObject([
      { field: 'level', numeric: 100 },
      { field: 'status', text: 'low' },
    ]);
    const [parsed] = await listEvents(EventType.MESSAGE_BODY_PARSED, number);
    expect(parsed?.event.value).toMatchObject({ parsedMessage: { level: 100 }, parserName: parser.name });
    const [received] = await listEvents(EventType.MESSAGE_RECEIVED, number);
    expect(received?.event.value).toMatchObject({
      message: { bodyParsedSuccessfully: true, bodyFields: { level: 100 } },
    });
  });

  test("stores the reason and the byte if it can't be parsed, and raises an event", async () => {
    const [, number = ''] = numbers;
    await assignParser(number);
    const message = await push(number, '0064');
    expect(message).toMatchObject({
      bodyParsedSuccessfully: false,
      bodyParsed: [{ parsed: { case: 'error', value: 'Field age at byte 2: 1 byte needed, 0 left.' } }],
    });
    const { rows } = await t.app.db.pool.query('select parsed from message where id = $1', [message?.messageId]);
    expect(rows).toMatchObject([{ parsed: [{ offset: 2 }] }]);
    const [event] = await listEvents(EventType.MESSAGE_CANNOT_BE_PARSED, number);
    expect(event?.event.value).toMatchObject({ reason: expect.stringContaining('Field age at byte 2') });
    expect(await listValues(number)).toEqual([]);
  });

  test('is parsed by every parser of the device and its tags, and succeeds if one of them does', async () => {
    const [, , number = ''] = numbers;
    await assignParser(number, 'meta: { id: strict }\nseq:\n  - { id: magic, contents: [9] }\n', {});
    const parser = await parsers().upload({ name: 'By tag', contentKsy: SENSOR, dataFields: FIELDS });
    const tag = await t
      .as('administrator')
      .client(TagService)
      .create({ create: { name: 'Parsed', type: 'site' } });
    await t.app.db.pool.query("insert into device_tag (organization, number, tag) values ('northwind', $1, $2)", [
      number,
      tag.id,
    ]);
    await t.app.db.pool.query(
      "insert into parser_tag (organization, tag, parser, owner, since) values ('northwind', $1, $2, 'northwind', now())",
      [tag.id, parser.identifier],
    );
    const message = await push(number, '00070000');
    expect(message?.bodyParsed.map(({ parsed }) => parsed.case).toSorted()).toEqual(['error', 'result']);
    expect(message?.bodyParsedSuccessfully).toBe(true);
    expect(await listEvents(EventType.MESSAGE_CANNOT_BE_PARSED, number)).toEqual([]);
    expect(await listValues(number)).toMatchObject([{ numeric: 7 }, { text: 'ok' }]);
  });

  test('is skipped by a parser whose required metadata is missing', async () => {
    const [, , , number = ''] = numbers;
    const metadataFields = { requireMessageMetadata: { fPort: { kind: { case: 'numberValue', value: 2 } } } };
    await assignParser(number, SENSOR, { dataFields: FIELDS, metadataFields });
    expect((await push(number, '00010000'))?.bodyParsed).toEqual([]);
    expect(await listEvents(EventType.MESSAGE_CANNOT_BE_PARSED, number)).toEqual([]);
    expect((await push(number, '00010000', { metadata: { fPort: 2 } }))?.bodyParsedSuccessfully).toBe(true);
  });

  test('provides the location, the metadata, and the time of the measurement', async () => {
    const [, , , , number = ''] = numbers;
    const contentKsy =
      'meta: { id: tracker, endian: be }\nseq:\n  - { id: lat, type: f4 }\n  - { id: lon, type: f4 }\n  - { id: age, type: u2 }\n';
    const metadataFields = {
      locationFields: { latitude: 'lat', longitude: 'lon' },
      messageMetadataFields: ['age'],
      modemMetadataFields: ['age'],
      measuredAtField: { case: 'measuredAtOffsetField', value: 'age' },
    };
    await assignParser(number, contentKsy, {
      dataFields: [{ field: 'age', details: { case: 'numeric', value: {} } }],
      metadataFields,
    });
    const message = await push(number, '42500000400000000E10');
    const sentAt = timestampMs(message?.sentAt?.timestamp ?? create(TimestampSchema));
    expect(message).toMatchObject({ location: { latitude: 52, longitude: 2 }, metadata: { age: 3600 } });
    expect(await listValues(number)).toMatchObject([{ field: 'age', time: new Date(sentAt - 3_600_000) }]);
    const { devices } = await t
      .as('administrator')
      .client(DeviceService)
      .list({ selection: { modems: { include: [number] } } });
    expect(devices[0]).toMatchObject({ metadata: { age: 3600 }, location: { latitude: 52 } });
  });

  test('is invalid if it was measured more than a day after it was received', async () => {
    const [, , , , , , , , , number = ''] = numbers;
    const contentKsy =
      'meta: { id: clock, endian: be }\nseq:\n  - { id: clock, type: u4 }\n  - { id: level, type: u1 }\n';
    await assignParser(number, contentKsy, {
      dataFields: [{ field: 'level', details: { case: 'numeric', value: {} } }],
      metadataFields: { measuredAtField: { case: 'measuredAtTimeField', value: 'clock' } },
    });
    const pushAt = (time: Date, level: string) =>
      push(
        number,
        Math.floor(time.getTime() / 1000)
          .toString(16)
          .padStart(8, '0') + level,
      );
    const wrongTime = new Date('2038-01-19T00:00:00Z');
    expect((await pushAt(wrongTime, '01'))?.bodyParsed).toMatchObject([
      {
        parsed: {
          case: 'error',
          value:
            'The measured-at field clock gives 2038-01-19T00:00:00.000Z, more than a day after the message was received. ' +
            "Correct the device's clock, or the measured-at field of the parser.",
        },
      },
    ]);
    expect(await listValues(number)).toEqual([]);
    // A clock that is an hour ahead is only inaccurate.
    await pushAt(new Date(Date.now() + 3_600_000), '02');
    await pushAt(new Date('2020-01-01'), '03');
    expect(await listValues(number)).toMatchObject([{ numeric: 3, time: new Date('2020-01-01') }, { numeric: 2 }]);
  });

  test('is invalid if the value of a numeric field is not a number', async () => {
    const [, , , , , number = ''] = numbers;
    const contentKsy = 'meta: { id: text, encoding: ascii }\nseq:\n  - { id: level, type: str, size: 2 }\n';
    await assignParser(number, contentKsy, {
      dataFields: [{ field: 'level', details: { case: 'numeric', value: {} } }],
    });
    expect((await push(number, '6162'))?.bodyParsed).toMatchObject([
      { parsed: { value: 'The field level is "ab", which isn\'t a number.' } },
    ]);
    expect((await push(number, '3432'))?.bodyParsedSuccessfully).toBe(true);
    expect(await listValues(number)).toMatchObject([{ numeric: 42 }]);
  });

  test('does not wait for the slow parser of another device', async () => {
    const [, , , , , , , slow = '', other = ''] = numbers;
    const endless = `meta: { id: endless }
seq:
  - { id: x, type: e, repeat: until, repeat-until: false }
types: { e: { seq: [] } }
`;
    await assignParser(slow, endless, {});
    expect((await push(slow, '01'))?.bodyParsed).toMatchObject([
      { parsed: { value: expect.stringContaining('parsing took longer than 50 ms') } },
    ]);
    const { parse } = t.app.parsing;
    let finish = () => undefined as void;
    const otherStored = new Promise<void>((resolve) => (finish = resolve));
    const spy = vi.spyOn(t.app.parsing, 'parse').mockImplementation(async (...args) => {
      await otherStored;
      return parse(...args);
    });
    const pendingPush = push(slow, '02');
    await push(other, '03');
    finish();
    expect((await pendingPush)?.bodyParsed).toHaveLength(1);
    spy.mockRestore();
  });

  test('does not replace the newest value if it arrives late', async () => {
    const [, , , , , , number = ''] = numbers;
    await assignParser(number);
    await push(number, '00020000', { time: { textual: '2026-11-02' } });
    await push(number, '00010000', { time: { textual: '2026-11-01' } });
    const { rows } = await t.app.db.pool.query(
      `select "numeric" from latest_value where number = $1 and field = 'level'`,
      [number],
    );
    expect(rows).toEqual([{ numeric: 2 }]);
  });
});
