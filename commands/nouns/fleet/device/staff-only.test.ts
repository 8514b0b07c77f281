import { afterAll, beforeAll, expect, test } from 'vitest';

import { startTestServer, type TestServer } from '#server/testkit/server.ts';
import type { Context } from '#commands/model/context.ts';
import { countTarget } from '#commands/run/lookup.ts';
import { compileText } from '#commands/query/compile.ts';
import { contextAs } from '#commands/testkit/server.ts';
import { device } from './entity.ts';

// Support staff count devices that customers cannot see; both totals must add up in front of the person.

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

test('the hidden part is the difference between what staff and a customer count', async () => {
  const [seenByStaff, seenByCustomer] = [await count(staff, ''), await count(customer, '')];
  expect(seenByStaff).toBeGreaterThan(seenByCustomer);
  const hidden = await staffOnly(staff, '');
  expect(hidden?.count).toBe(seenByStaff - seenByCustomer);
});

test('its filter term lists exactly the hidden devices', async () => {
  const hidden = await staffOnly(staff, '');
  expect(await count(staff, hidden?.term ?? '')).toBe(hidden?.count);
});

test('it follows the filter', async () => {
  expect(await staffOnly(staff, 'lifecycle:INSTALLED')).toBeUndefined();
  const defective = await staffOnly(staff, 'lifecycle:DEFECTIVE,INSTALLED');
  expect(defective).toEqual({ count: await count(staff, 'lifecycle:DEFECTIVE'), term: 'lifecycle:DEFECTIVE' });
});

test('customers are told nothing, since they see everything that they count', async () => {
  expect(await staffOnly(customer, '')).toBeUndefined();
});
