import type { MessageInitShape } from '@bufbuild/protobuf';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { DeviceService } from '#proto/gen/hiber/device_pb.ts';
import { FieldService } from '#proto/gen/hiber/field_service_pb.ts';
import { ModemMessageBodyParserService } from '#proto/gen/hiber/parser_pb.ts';
import { TestingService } from '#proto/gen/hiber/testing_pb.ts';
import {
  type ValueContext,
  type ValueSelectionSchema,
  ValueService,
  ValueTransformation,
} from '#proto/gen/hiber/value_service_pb.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

const DEFINITION = `
meta: { id: lock, encoding: ASCII }
seq:
  - { id: code, type: u1 }
  - { id: owner, type: str, size: 2 }
`;

let t: TestServer;
let number: string;
let parser: string;
beforeAll(async () => {
  t = await startTestServer();
  const { devices } = await t
    .as('administrator')
    .client(DeviceService)
    .list({ pagination: { size: 1 } });
  number = devices[0]?.number ?? '';
  const parsers = t.as('administrator').client(ModemMessageBodyParserService);
  const { identifier } = await parsers.upload({
    name: 'Lock',
    contentKsy: DEFINITION,
    dataFields: [
      { field: 'code', details: { case: 'numeric', value: {} } },
      { field: 'owner', encrypted: true },
    ],
  });
  parser = identifier;
  await parsers.assign({ assignParsers: { identifiers: [parser] }, toModems: { modems: { include: [number] } } });
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
const plain = (contexts: readonly ValueContext[]) =>
  contexts.map(({ valueType }) => {
    const held = valueType.case === 'value' ? valueType.value.value : undefined;
    return held?.case === 'numeric' ? held.value.value : held?.value;
  });

test('values of an encrypted field are sealed in the database, and those before stay as they are', async () => {
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
  expect(plain((await values().list({ selection: selection('code') })).values)).toEqual([1, 2]);
  expect(plain((await values().list({ selection: selection('owner') })).values)).toEqual(['AA', 'AB']);
  expect(plain((await values().latest({ selection: selection('owner') })).values)).toEqual(['AB']);
  const { values: deltas } = await values().list({
    selection: selection('code'),
    transformFields: { code: ValueTransformation.DELTA },
  });
  expect(deltas).toMatchObject([{ valueType: { value: { delta: { value: { value: { value: 1 } } } } } }]);
});

test('the database cannot compare them: no peaks, no extremes, and no filter by value', async () => {
  await push(3, 9);
  await push(4, 3);
  await push(5, 4);
  const reduced = await values().downsampled({
    selection: selection('code', { timeRange: { start: { textual: '2026-11-02' } } }),
    points: 3,
    determineMinimumAndMaximumValues: true,
  });
  expect(plain(reduced.downsampledValues)).toEqual([2, 9, 3, 4]);
  expect([...reduced.lowest, ...reduced.highest]).toEqual([]);
  const all = await values().downsampled({ selection: selection('code'), points: 4 });
  expect(plain(all.downsampledValues)).toEqual([1, 4]);
  for (const filter of [{ include: ['AB'] }, { exclude: ['AB'] }]) {
    const filterEnumValues = [{ field: 'owner', ...filter }];
    expect((await values().list({ selection: selection('owner', { filterEnumValues }) })).values).toEqual([]);
  }
});
