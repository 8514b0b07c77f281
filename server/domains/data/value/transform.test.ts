import { afterAll, beforeAll, expect, test } from 'vitest';

import { DeviceService } from '#proto/gen/hiber/device_pb.ts';
import { FieldService } from '#proto/gen/hiber/field_service_pb.ts';
import { ModemMessageBodyParserService } from '#proto/gen/hiber/parser_pb.ts';
import { TestingService } from '#proto/gen/hiber/testing_pb.ts';
import {
  Value_Numeric_Pressure_PressureUnit as PressureUnit,
  Value_Numeric_Temperature_TemperatureUnit as TemperatureUnit,
} from '#proto/gen/hiber/value_pb.ts';
import { ValueService, ValueTransformation } from '#proto/gen/hiber/value_service_pb.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

let t: TestServer;
let number: string;
let identifier: string;
const SENSOR = `
meta: { id: sensor, endian: be }
seq: [{ id: raw, type: s2 }]
instances: { level: { value: raw / 100.0 } }
`;
const day = (n: number) => `2026-11-${String(n).padStart(2, '0')}T00:00:00Z`;
const client = () => t.as('administrator').client;

/** Declares the unit of the field, as someone who corrects it does, and sends a value on a day in November. */
async function send(unit: FieldUnit, date: number, raw: number): Promise<void> {
  await client()(FieldService).updateNumericDetails({ fieldIdentifier: identifier, update: { replaceUnit: { unit } } });
  await client()(TestingService).pushModemMessages({
    messages: [{ modemNumber: number, time: { textual: day(date) }, content: new Uint8Array([raw >> 8, raw & 255]) }],
  });
}
type FieldUnit =
  | { readonly case: 'pressure'; readonly value: PressureUnit }
  | { readonly case: 'temperature'; readonly value: TemperatureUnit };
const BAR = { case: 'pressure', value: PressureUnit.BAR } as const;
const KILOPASCAL = { case: 'pressure', value: PressureUnit.K_PA } as const;
const CELSIUS = { case: 'temperature', value: TemperatureUnit.DEGREES_CELSIUS } as const;

beforeAll(async () => {
  t = await startTestServer();
  const { devices } = await client()(DeviceService).list({ pagination: { size: 1 } });
  number = devices[0]!.number;
  const { identifier: parser, dataFields } = await client()(ModemMessageBodyParserService).upload({
    name: 'Sensor',
    contentKsy: SENSOR,
    dataFields: [{ field: 'level', details: { case: 'numeric', value: { unit: { unit: BAR } } } }],
  });
  identifier = dataFields[0]!.identifier;
  await client()(ModemMessageBodyParserService).assign({
    assignParsers: { identifiers: [parser] },
    toModems: { modems: { include: [number] } },
  });
  await send(BAR, 1, 950);
  await send(BAR, 2, 1721);
  await send(KILOPASCAL, 3, 30_000);
  await send(CELSIUS, 4, 2000);
  await send(CELSIUS, 5, 2000);
});
afterAll(() => t.close());

async function transform(transformation: ValueTransformation) {
  const { values } = await client()(ValueService).list({
    selection: {
      ownerSelection: { case: 'devices', value: { modems: { include: [number] } } },
      dataSelection: { case: 'field', value: { fields: ['level'] } },
      timeRange: { start: { textual: day(1) }, end: { textual: day(6) } },
    },
    transformFields: { level: transformation },
  });
  return values.map(({ valueType }) => valueType);
}

test('a difference is exact, in the unit of the newer value, and only between values of the same type', async () => {
  const deltas = await transform(ValueTransformation.DELTA);
  const numbers = deltas.flatMap(({ case: kind, value }) =>
    kind === 'delta' && value.delta?.value.case === 'numeric' ? [value.delta.value.value] : [],
  );
  expect(numbers.map(({ value, unitSymbol }) => [value, unitSymbol])).toEqual([
    [7.71, 'bar'],
    // 17.21 bar are 1721 kPa.
    [-1421, 'kPa'],
    [0, '°C'],
  ]);
});

test('the same number in another unit is another value', async () => {
  const [durations] = await transform(ValueTransformation.DURATION);
  const spent = durations?.case === 'valueDurations' ? durations.value.durations : [];
  const texts = spent.map(({ value, duration }) => [
    value?.value.case === 'numeric' && value.value.value.textual,
    duration?.textual,
  ]);
  expect(texts).toEqual([
    ['9.5 bar', '1d'],
    ['17.21 bar', '1d'],
    ['300 kPa', '1d'],
    ['20 °C', '2d'],
  ]);
});
