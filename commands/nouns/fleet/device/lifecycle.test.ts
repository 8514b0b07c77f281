import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Context } from '#commands/model/context.ts';
import { registry } from '#commands/nouns/all.ts';
import { listAll } from '#commands/run/lookup.ts';
import { contextAs, planLine, type } from '#commands/testkit/server.ts';
import { message } from '#commands/text/message.ts';
import { Modem_Lifecycle } from '#proto/gen/hiber/modem_pb.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { device } from './entity.ts';

// Customers can't see or set staff-only lifecycles (contract: Lifecycle).

let server: TestServer;
let customer: Context;
let staff: Context;
beforeAll(async () => {
  server = await startTestServer();
  customer = await contextAs(server, 'administrator');
  await type(await contextAs(server, 'support', customer.organization.id), 'support allow-changes');
  staff = await contextAs(server, 'support', customer.organization.id);
});
afterAll(() => server.close());

test.each([
  ['staff', () => staff, 'ACCEPTANCE_TESTING'],
  ['customers', () => customer, 'READY_TO_INSTALL'],
] as const)('a device created by %s starts in the lifecycle that its plan names', async (_, person, lifecycle) => {
  const context = person();
  const form = await registry.command('device.create')!.initial?.(context, {});
  expect(form?.values).toEqual({ lifecycle });
  const plan = await planLine(context, "device create 'Pump 1'");
  expect(plan?.notes).toContainEqual(
    message('device:plan.createLifecycle', { lifecycle: message(`device:lifecycle.${lifecycle}`) }),
  );
  const completedRun = await type(context, "device create 'Pump 1'");
  const [createdDevice] = await device.byIds(
    context,
    completedRun.outcome.results!.map(({ id }) => id),
  );
  expect(createdDevice?.modem.lifecycle).toBe(Modem_Lifecycle[lifecycle]);
});

test('rejects staff-only lifecycles for customers before sending a request', async () => {
  const [installedDevice] = await listAll(device, 'lifecycle:INSTALLED', customer);
  const lines = [
    `device set-lifecycle '${device.id(installedDevice!)}' defective`,
    `device edit '${device.id(installedDevice!)}' --lifecycle defective`,
    'device create Pump --lifecycle defective',
  ];
  for (const line of lines) {
    await expect(planLine(customer, line), line).rejects.toMatchObject({
      userMessage: message('device:validation.lifecycle', { value: message('device:lifecycle.DEFECTIVE') }),
      param: 'lifecycle',
    });
    expect(await planLine(staff, line), line).toMatchObject({ count: 1 });
  }
});
