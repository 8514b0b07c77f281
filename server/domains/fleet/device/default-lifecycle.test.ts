import { afterAll, beforeAll, expect, test } from 'vitest';

import { Modem_Lifecycle, ModemService } from '#proto/gen/hiber/modem_pb.ts';
import { SupportService } from '#proto/gen/quarterdeck/support/v1/support_service_pb.ts';
import { startTestServer, type TestCaller, type TestServer } from '#server/testkit/server.ts';

// The contract does not define the lifecycle of new devices. Spec 4 requires acceptance testing, which customers can't
// see.

let t: TestServer;
beforeAll(async () => {
  t = await startTestServer();
});
afterAll(() => t.close());

async function createAndReadLifecycle(caller: TestCaller): Promise<Modem_Lifecycle | undefined> {
  const request = { organization: 'northwind', amount: 1, includeModemsInResponse: true };
  const { modems } = await caller.client(ModemService).create(request);
  return modems[0]?.modem?.lifecycle;
}

test('staff create devices in acceptance testing', async () => {
  const support = t.as('support');
  await support.client(SupportService).beginSupportSession({ organization: 'northwind', reason: 'lifecycle' });
  await support.client(SupportService).allowChanges({ organization: 'northwind' });
  expect(await createAndReadLifecycle(support)).toBe(Modem_Lifecycle.ACCEPTANCE_TESTING);
});

test('customers create devices in the nearest lifecycle they can see', async () => {
  expect(await createAndReadLifecycle(t.as('developer'))).toBe(Modem_Lifecycle.READY_TO_INSTALL);
});
