import { Code } from '@connectrpc/connect';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ModemService } from '#proto/gen/hiber/modem_pb.ts';
import { idTokenOf, startTestServer, type TestIdentity, type TestServer } from '#server/testkit/server.ts';
import { addTenants, type Tenants } from '#server/testkit/tenants.ts';

let t: TestServer;
let both: Tenants;
beforeAll(async () => {
  t = await startTestServer();
  both = await addTenants(t.app.db, t.app.now());
});
afterAll(() => t.close());

const naming = async (who: TestIdentity, number: string) => {
  const modems = t.with(idTokenOf(who)).client(ModemService);
  const selection = { modems: { include: [number] } };
  return (await modems.list({ organization: 'alpha', selection })).modems.map((device) => device.number);
};

it('lets nobody name a device that is hidden from them, or of another tenant, in the same words', async () => {
  const { alpha, beta } = both;
  const [seen, , , hidden] = alpha.devices;
  expect(await naming(alpha.member('viewer'), seen)).toEqual([seen]);
  // Support staff may name it; a list shows its lifecycle only when asked to.
  expect(await naming(both.staff(1), hidden)).toEqual([]);
  for (const unseen of [hidden, beta.devices[0], 'CCCC 0001']) {
    await expect(naming(alpha.member('viewer'), unseen)).rejects.toMatchObject({
      code: Code.NotFound,
      rawMessage: `alpha has no device ${unseen}.`,
    });
  }
});
