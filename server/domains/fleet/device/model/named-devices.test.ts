import { Code } from '@connectrpc/connect';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { ModemService } from '#proto/gen/hiber/modem_pb.ts';
import { createIdToken, startTestServer, type TestIdentity, type TestServer } from '#server/testkit/server.ts';
import { addTenants, type Tenants } from '#server/testkit/tenants.ts';

let t: TestServer;
let tenants: Tenants;
beforeAll(async () => {
  t = await startTestServer();
  tenants = await addTenants(t.app.db, t.app.now());
});
afterAll(() => t.close());

const listNamed = async (identity: TestIdentity, number: string) => {
  const modems = t.with(createIdToken(identity)).client(ModemService);
  const selection = { modems: { include: [number] } };
  return (await modems.list({ organization: 'alpha', selection })).modems.map((device) => device.number);
};

test('rejects hidden and foreign devices with the same error as unknown devices', async () => {
  const { alpha, beta } = tenants;
  const [visibleNumber, , , hiddenNumber] = alpha.devices;
  expect(await listNamed(alpha.member('viewer'), visibleNumber)).toEqual([visibleNumber]);
  // Support staff may name the hidden device, but a list includes its lifecycle only on request.
  expect(await listNamed(tenants.staff(1), hiddenNumber)).toEqual([]);
  for (const number of [hiddenNumber, beta.devices[0], 'CCCC 0001']) {
    await expect(listNamed(alpha.member('viewer'), number)).rejects.toMatchObject({
      code: Code.NotFound,
      rawMessage: `alpha has no device ${number}.`,
    });
  }
});
