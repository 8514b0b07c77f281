import type { MessageInitShape } from '@bufbuild/protobuf';
import { Code } from '@connectrpc/connect';
import { eq, gte } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { DeviceFirmwareService } from '#proto/gen/hiber/device_firmware_pb.ts';
import type { DeviceSelectionSchema } from '#proto/gen/hiber/device_pb.ts';
import { device } from '#server/db/schema/device.ts';
import { event } from '#server/db/schema/event.ts';
import { createIdToken, startTestServer, type TestServer } from '#server/testkit/server.ts';
import { addTenants } from '#server/testkit/tenants.ts';

import { firmware } from './schema.ts';

let t: TestServer;
let numbers: string[];
beforeAll(async () => {
  t = await startTestServer();
  const rows = await t.app.db.orm.select().from(device).where(eq(device.organization, 'northwind'));
  const visible = rows.filter(({ lifecycle }) => lifecycle === 1);
  numbers = visible.filter(({ requiredFirmware }) => requiredFirmware !== null).map(({ number }) => number);
});
afterAll(() => t.close());

test('several devices of the demo require a firmware', () => {
  expect(numbers.length).toBeGreaterThan(1);
});

const service = () => t.as('administrator').client(DeviceFirmwareService);
const byDevice = (value: string) => service().get({ selection: { case: 'device', value } });
const requirementOf = async (number: string) =>
  (await t.app.db.orm.select().from(device).where(eq(device.number, number)))[0]?.requiredFirmware;

test('Get returns the required firmware of a device, and firmware by its identifier', async () => {
  const { firmware: required } = await byDevice(numbers[0]!);
  expect(required).toMatchObject({ version: { version: '1.9.0' }, supportedDeviceTypes: ['pressure-lora-2'] });
  expect(Buffer.from(required!.data).subarray(0, 11).toString()).toBe('QDFW 1.9.0\n');
  const { firmware: named } = await service().get({ selection: { case: 'identifier', value: required!.identifier } });
  expect(named).toEqual(required);
});

test('the nearest organization above provides firmware, and no other does', async () => {
  const { alpha, beta } = await addTenants(t.app.db, t.app.now());
  const row = { name: 'Pump', version: '1', mediaType: 'application/octet-stream', data: Buffer.from('alpha') };
  await t.app.db.orm.insert(firmware).values({ organization: 'alpha', identifier: 'pump', ...row });
  const get = (tenant: typeof alpha, organization: string) =>
    t
      .with(createIdToken(tenant.member('administrator')))
      .client(DeviceFirmwareService)
      .get({ organization, selection: { case: 'identifier', value: 'pump' } });
  const content = async () => Buffer.from((await get(alpha, alpha.child)).firmware!.data).toString();
  expect(await content()).toBe('alpha');
  await t.app.db.orm
    .insert(firmware)
    .values({ organization: alpha.child, identifier: 'pump', ...row, data: Buffer.from('child') });
  expect(await content()).toBe('child');
  await expect(get(beta, 'beta')).rejects.toMatchObject({ code: Code.NotFound });
});

test.each([
  ['nothing', { case: undefined }, Code.InvalidArgument, 'Name a firmware, or a device that requires one.'],
  ['an unknown firmware', { case: 'identifier', value: 'x' }, Code.NotFound, 'northwind has no firmware "x".'],
  ['an unknown device', { case: 'device', value: 'FFFF FFFF' }, Code.NotFound, 'northwind has no device FFFF FFFF.'],
] as const)('Get rejects %s', async (_, selection, code, rawMessage) => {
  await expect(service().get({ selection })).rejects.toMatchObject({ code, rawMessage });
});

test('ClearDeviceFirmwareRequirement clears it once, with an event per changed device', async () => {
  const [first, second] = numbers as [string, string];
  const since = t.app.now();
  const clear = () => service().clearDeviceFirmwareRequirement({ devices: { modems: { include: [first] } } });
  await clear();
  expect([await requirementOf(first), await requirementOf(second)]).toEqual([null, expect.any(String)]);
  await expect(byDevice(first)).rejects.toMatchObject({
    code: Code.FailedPrecondition,
    rawMessage: `Device ${first} requires no firmware.`,
  });
  await clear();
  const recorded = await t.app.db.orm.select().from(event).where(gte(event.time, since));
  expect(recorded.map(({ description }) => description)).toEqual([
    expect.stringContaining('was updated: required firmware cleared.'),
  ]);
});

test('ClearDeviceFirmwareRequirement rejects an empty selection and unknown devices', async () => {
  const clear = (devices?: MessageInitShape<typeof DeviceSelectionSchema>) =>
    service().clearDeviceFirmwareRequirement({ devices });
  await expect(clear()).rejects.toMatchObject({ code: Code.InvalidArgument });
  await expect(clear({ modems: { include: ['FFFF FFFF'] } })).rejects.toMatchObject({ code: Code.NotFound });
});
