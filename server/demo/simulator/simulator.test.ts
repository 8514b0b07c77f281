import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { silentLog } from '#server/base/log.ts';
import { createLeaderLease } from '#server/db/leader-lease.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { startSimulator } from './simulator.ts';

let t: TestServer;
beforeAll(async () => {
  t = await startTestServer();
});
afterAll(() => t.close());

async function readCounts(): Promise<{ messages: number; silent: number }> {
  const { rows } = await t.app.db.orm.execute<{ messages: number; silent: number }>(sql`
    select (select count(*)::int from message where sources = '{3}' and received_at > now() - interval '1 minute') as messages,
      (select count(*)::int from device_condition where source = 'inactivity') as silent`);
  return rows[0] ?? { messages: 0, silent: 0 };
}

test('devices send messages until the simulator closes, and silent devices stay silent', async () => {
  const { app } = t;
  const before = await readCounts();
  const simulator = startSimulator({
    db: app.db,
    log: silentLog,
    parsing: app.parsing,
    secrets: app.secrets,
    now: () => app.now(),
    rate: 40,
  });
  await vi.waitFor(async () => expect((await readCounts()).messages).toBeGreaterThan(before.messages + 40), 10_000);
  await simulator.close();
  expect((await readCounts()).silent).toBe(before.silent);
  const { messages } = await readCounts();
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect((await readCounts()).messages).toBe(messages);
});

test('only one process at a time can hold a leader lease', async () => {
  const [lease, otherLease] = [
    createLeaderLease(t.app.db, 'test', 'one'),
    createLeaderLease(t.app.db, 'test', 'other'),
  ];
  expect([await lease.acquireOrRenew(), await otherLease.acquireOrRenew(), await lease.acquireOrRenew()]).toEqual([
    true,
    false,
    true,
  ]);
  await lease.release();
  expect([await otherLease.acquireOrRenew(), await lease.acquireOrRenew()]).toEqual([true, false]);
});
