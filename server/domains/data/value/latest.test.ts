// The newest values of a field whose values were operational only some of the time.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { FieldService } from '#proto/gen/hiber/field_service_pb.ts';
import { ModemMessageBodyParserService } from '#proto/gen/hiber/parser_pb.ts';
import { TestingService } from '#proto/gen/hiber/testing_pb.ts';
import { ValueService } from '#proto/gen/hiber/value_service_pb.ts';
import { findFirstNumber, uploadParser } from '#server/testkit/devices.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

let t: TestServer;
let number: string;
let parser: string;
beforeAll(async () => {
  t = await startTestServer();
  number = await findFirstNumber(t);
  parser = await uploadParser(t, number, {
    name: 'Level',
    contentKsy: 'meta: { id: level }\nseq:\n  - { id: level, type: u1 }\n',
    dataFields: [{ field: 'level', details: { case: 'numeric', value: {} } }],
  });
  await push(1, 10);
  await push(3, 30);
  await setOperational(true);
  await push(2, 20);
  await push(4, 40);
});
afterAll(() => t.close());

const day = (date: number) => `2026-11-0${date}T00:00:00Z`;

const push = (date: number, level: number) =>
  t
    .as('administrator')
    .client(TestingService)
    .pushModemMessages({
      messages: [{ modemNumber: number, time: { textual: day(date) }, content: Uint8Array.of(level) }],
    });

async function setOperational(operational: boolean) {
  const client = t.as('administrator').client(FieldService);
  const { fields } = await client.list({
    selection: { search: parser, includeOperational: true },
  });
  await client.update({ fieldIdentifier: fields[0]!.identifier, operational });
}

async function latest(selection: object = {}): Promise<unknown[]> {
  const { values } = await t
    .as('administrator')
    .client(ValueService)
    .latest({
      selection: {
        ownerSelection: { case: 'devices', value: { modems: { include: [number] } } },
        dataSelection: { case: 'field', value: { fields: ['level'] } },
        ...selection,
      },
    });
  return values.map(({ valueType }) =>
    valueType.case === 'value' && valueType.value.value.case === 'numeric' ? valueType.value.value.value.value : null,
  );
}

test('are those that the caller selects, even if a newer one is operational', async () => {
  expect(await latest()).toEqual([30]);
  expect(await latest({ includeOperationalData: true })).toEqual([40]);
});

test('are those of a time range', async () => {
  const until = (date: number) => ({ timeRange: { end: { textual: day(date) } } });
  expect(await latest(until(2))).toEqual([10]);
  expect(await latest({ ...until(2), includeOperationalData: true })).toEqual([20]);
  expect(await latest({ ...until(4), includeOperationalData: true })).toEqual([40]);
});

test('are found again after a retry has replaced them', async () => {
  const { rows } = await t.app.db.pool.query<{ id: number }>(
    'select id from message where number = $1 and sent_at = $2',
    [number, day(3)],
  );
  await t
    .as('administrator')
    .client(ModemMessageBodyParserService)
    .retry({ modemMessageIds: rows.map(({ id }) => BigInt(id)), parserSelection: { identifiers: [parser] } });
  expect(await latest()).toEqual([10]);
  expect(await latest({ includeOperationalData: true })).toEqual([40]);
});
