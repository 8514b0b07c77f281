import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Context } from '#commands/model/context.ts';
import { compileText } from '#commands/query/compile.ts';
import { countTarget } from '#commands/run/lookup.ts';
import { contextAs } from '#commands/testkit/server.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { device } from './entity.ts';

// The totals for support staff include devices that customers cannot see. The screen must explain the difference.

let server: TestServer;
let customer: Context;
let staff: Context;
beforeAll(async () => {
  server = await startTestServer();
  customer = await contextAs(server, 'administrator');
  staff = await contextAs(server, 'support', customer.organization.id);
});
afterAll(() => server.close());

const count = (context: Context, query: string): Promise<number> => countTarget(device, { query }, context);
const staffOnly = async (context: Context, filter: string) =>
  device.staffOnly?.(context, await compileText(device, filter, context));

test("counts the devices that staff can see but customers can't", async () => {
  const [staffCount, customerCount] = [await count(staff, ''), await count(customer, '')];
  expect(staffCount).toBeGreaterThan(customerCount);
  const hiddenPart = await staffOnly(staff, '');
  expect(hiddenPart?.count).toBe(staffCount - customerCount);
});

test('the filter term lists exactly the hidden devices', async () => {
  const hiddenPart = await staffOnly(staff, '');
  expect(await count(staff, hiddenPart?.term ?? '')).toBe(hiddenPart?.count);
});

test('counts only the hidden devices that match the filter', async () => {
  expect(await staffOnly(staff, 'lifecycle:INSTALLED')).toBeUndefined();
  const defectivePart = await staffOnly(staff, 'lifecycle:DEFECTIVE,INSTALLED');
  expect(defectivePart).toEqual({ count: await count(staff, 'lifecycle:DEFECTIVE'), term: 'lifecycle:DEFECTIVE' });
});

test('counts no hidden devices for customers', async () => {
  expect(await staffOnly(customer, '')).toBeUndefined();
});
