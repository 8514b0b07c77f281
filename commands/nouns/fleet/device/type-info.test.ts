import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Context } from '#commands/model/context.ts';
import { listAll } from '#commands/run/lookup.ts';
import { contextAs } from '#commands/testkit/server.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { device } from './entity.ts';
import type { Device } from './item.ts';

let server: TestServer;
let context: Context;
let row: Device;
beforeAll(async () => {
  server = await startTestServer();
  context = await contextAs(server, 'viewer');
  const [first] = await listAll(device, 'model:pressure-lora-2', context);
  row = first!;
});
afterAll(() => server.close());

const ATTRIBUTES = ['application', 'category', 'version'];
const EXPECTED = ['Casing, annulus, and tubing pressure', 'pressure', '2.1'];
const textsOf = (item: Device | undefined) =>
  ATTRIBUTES.map((id) => item && device.details!.find((field) => field.id === id)!.value(item));

test('the panel and lookups by number or name have the attributes of the device type', async () => {
  const { number, name } = row.modem;
  expect(textsOf((await device.byIds(context, [number]))[0])).toEqual(EXPECTED);
  expect(textsOf((await device.find(context, number))[0])).toEqual(EXPECTED);
  expect(textsOf((await device.find(context, name))[0])).toEqual(EXPECTED);
});

test('rows get the attributes only for the columns that show them', async () => {
  expect(textsOf(row)).toEqual([undefined, undefined, undefined]);
  const { load, add } = device.deferredValues!;
  const values = (await load(context, [row])).get(device.id(row));
  expect(textsOf(add(row, values))).toEqual(EXPECTED);
  expect(device.columns.filter(({ id }) => ATTRIBUTES.includes(id)).map(({ optional }) => optional)).toEqual([
    true,
    true,
    true,
  ]);
});
