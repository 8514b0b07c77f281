import { Code } from '@connectrpc/connect';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { DeviceService } from '#proto/gen/hiber/device_pb.ts';
import { TokenService } from '#proto/gen/hiber/token_pb.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

let t: TestServer;
let numbers: string[];
let hiddenNumber: string;
beforeAll(async () => {
  t = await startTestServer();
  const numbersWhere = async (condition: string) =>
    (
      await t.app.db.pool.query<{ number: string }>(
        `select number from device where organization = 'northwind' and ${condition} order by number`,
      )
    ).rows.map(({ number }) => number);
  numbers = (await numbersWhere('lifecycle = 1')).slice(0, 3);
  hiddenNumber = (await numbersWhere('lifecycle = 4'))[0]!;
  const setSettings = (number: string, settings: object, organization = 'northwind') =>
    t.app.db.pool.query('update device set settings = $1 where organization = $2 and number = $3', [
      JSON.stringify(settings),
      organization,
      number,
    ]);
  await setSettings(numbers[0]!, { interval: '003C', mode: '' });
  await setSettings(numbers[1]!, { interval: 'FF' });
  await setSettings(hiddenNumber, { interval: '01' });
  const { rows } = await t.app.db.pool.query<{ number: string }>(
    `select number from device where organization = 'northwind-permian' order by number limit 1`,
  );
  await setSettings(rows[0]!.number, { interval: 'AA' }, 'northwind-permian');
});
afterAll(() => t.close());

const settings = (kind: Parameters<TestServer['as']>[0], request = {}) =>
  t.as(kind).client(DeviceService).settings(request);

test('lists every device that has settings, by number, if the request has no selection', async () => {
  const { devices, request, pagination } = await settings('viewer');
  expect(devices.map(({ number }) => number)).toEqual(numbers.slice(0, 2));
  expect(devices[0]?.settings).toMatchObject({
    interval: { bytes: new Uint8Array([0, 0x3c]), hex: '003C' },
    mode: { bytes: new Uint8Array(), hex: '' },
  });
  expect(request).toMatchObject({ organization: 'northwind', pagination: { size: 50, page: 0 } });
  expect(pagination).toMatchObject({ total: 2, totalPages: 1 });
  expect(pagination?.next).toBeUndefined();
});

test('splits the list into pages', async () => {
  const first = await settings('viewer', { pagination: { size: 1 } });
  expect(first.devices.map(({ number }) => number)).toEqual([numbers[0]]);
  const second = await settings('viewer', { pagination: first.pagination?.next });
  expect(second.devices.map(({ number }) => number)).toEqual([numbers[1]]);
});

test('applies the selection and leaves out devices without settings', async () => {
  const { devices } = await settings('viewer', { selection: { modems: { include: numbers.slice(1) } } });
  expect(devices.map(({ number }) => number)).toEqual([numbers[1]]);
});

test('shows hidden devices only to callers who can see every lifecycle', async () => {
  const selection = { lifecycles: { include: [4] } };
  expect((await settings('administrator', { selection })).devices).toEqual([]);
  const seenBySupport = await settings('support', { organization: 'northwind', selection });
  expect(seenBySupport.devices.map(({ number }) => number)).toEqual([hiddenNumber]);
});

test('rejects an unknown device and callers who may not see devices', async () => {
  await expect(settings('viewer', { selection: { modems: { include: ['0000 0000'] } } })).rejects.toMatchObject({
    code: Code.NotFound,
  });
  const { token } = await t.as('administrator').client(TokenService).create({ name: 'nothing' });
  await expect(t.with(token).client(DeviceService).settings({})).rejects.toMatchObject({
    code: Code.PermissionDenied,
    rawMessage: expect.stringContaining('MODEMS'),
  });
});
