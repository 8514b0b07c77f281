import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Context } from '#commands/model/context.ts';
import { contextAs } from '#commands/testkit/server.ts';
import { DeviceTypeService } from '#proto/gen/hiber/device_type_pb.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { device } from './entity.ts';

let server: TestServer;
let context: Context;
beforeAll(async () => {
  server = await startTestServer();
  context = await contextAs(server, 'administrator');
});
afterAll(() => server.close());

test('a looked-up device has what the catalogue says about its type', async () => {
  const [first] = await device.search(context, '', 1);
  const [found] = await device.byIds(context, [device.id(first!)]);
  expect(found?.typeInfo?.category).not.toBe('');
  expect(found?.typeInfo?.category).toBeDefined();
});

test('devices are found while the catalogue fails to load, which is reported', async () => {
  const [first] = await device.search(context, '', 1);
  const reports: unknown[] = [];
  const failure = new Error('The catalogue is down.');
  const api = ((service) => {
    if ((service as unknown) === DeviceTypeService) throw failure;
    return context.api(service);
  }) as Context['api'];
  const failingContext: Context = {
    ...context,
    api,
    host: { report: (error) => void reports.push(error) },
    loadCached: (_key, load) => load(failingContext),
  };
  const [found] = await device.byIds(failingContext, [device.id(first!)]);
  expect(found).toMatchObject({ modem: { number: first!.modem.number }, typeInfo: undefined });
  const [named] = (await device.find?.(failingContext, device.id(first!))) ?? [];
  expect(named?.modem.number).toBe(first!.modem.number);
  expect(reports).toEqual([failure, failure]);
});
