import { afterAll, beforeAll, expect, test } from 'vitest';

import { DeviceTypeService, ListDeviceTypes_Sort as Sort } from '#proto/gen/hiber/device_type_pb.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

let t: TestServer;
beforeAll(async () => {
  t = await startTestServer();
});
afterAll(() => t.close());

const list = async (request: Parameters<ReturnType<typeof client>['list']>[0]) => {
  const { deviceTypes } = await client().list(request);
  return deviceTypes.map(({ identifier }) => identifier);
};
const client = () => t.as('viewer').client(DeviceTypeService);

test('lists device types by identifier', async () => {
  const identifiers = await list({});
  expect(identifiers).toContain('pressure-lora-2');
  expect(identifiers).toEqual(identifiers.toSorted());
});

test('searches every field and separates gateways', async () => {
  expect(await list({ selection: { search: 'LORA sensara' } })).toEqual(['level-lora-3', 'temperature-lora-1']);
  expect(await list({ selection: { onlyGateways: true } })).toEqual(['gateway-sat-4']);
  expect(await list({ selection: { excludeGateways: true } })).not.toContain('gateway-sat-4');
});

test('sorts by brand, then by identifier', async () => {
  expect((await list({ sortBy: [Sort.BRAND_DESC] })).slice(0, 2)).toEqual(['level-lora-3', 'temperature-lora-1']);
});
