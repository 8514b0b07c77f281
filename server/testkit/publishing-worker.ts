import { asc } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';

import { type Log, silentLog } from '#server/base/log.ts';
import type { Database } from '#server/db/database.ts';
import { event } from '#server/db/schema/event.ts';
import { publisher, publisherCall } from '#server/db/schema/publisher.ts';
import { createSender, type Sender } from '#server/publishing/targets/webhook/send.ts';
import type { DeliveryWorker } from '#server/publishing/worker.ts';

import { deliverWebhooks, openFixture, startReceiver, type TestReceiver } from './publishing.ts';

/**
 * Helpers shared by the tests of the worker. Each test starts without webhooks, and whatever it opened is closed after
 * it.
 */
export function workerKit() {
  let opened: { db: Database; sender: Sender } | undefined;
  const sharedDatabase = () => {
    if (opened === undefined) throw new Error('The database is opened before the first test.');
    return opened;
  };
  const open: { close(): Promise<void> }[] = [];
  const clock = { now: new Date() };
  /** Errors logged by workers: none may remain, unless the test takes them. */
  const errors: string[] = [];
  const log: Log = { ...silentLog, error: (message, fields) => void errors.push(`${message} ${fields?.['reason']}`) };

  beforeAll(async () => {
    const db = await openFixture();
    opened = { db, sender: createSender({ policy: { allowLoopback: true }, timeout: 2_000 }) };
  });
  afterAll(async () => {
    await opened?.sender.close();
    await opened?.db.close();
  });
  beforeEach(async () => {
    const { orm } = sharedDatabase().db;
    clock.now = new Date('2026-11-20T10:00:00Z');
    await orm.delete(publisher);
    await orm.delete(publisherCall);
    await orm.delete(event);
  });
  afterEach(async () => {
    await kit.closeAll();
    expect(errors.splice(0)).toEqual([]);
  });

  const kit = {
    get db(): Database {
      return sharedDatabase().db;
    },
    clock,
    errors,
    open,
    /** Closes whatever the test opened, the last first. */
    async closeAll(): Promise<void> {
      for (const item of open.splice(0).toReversed()) await item.close();
    },
    async receiver(...args: Parameters<typeof startReceiver>): Promise<TestReceiver> {
      const started = await startReceiver(...args);
      open.push(started);
      return started;
    },
    async worker(options: Partial<Parameters<typeof deliverWebhooks>[0]> = {}): Promise<DeliveryWorker> {
      const usual = { ...sharedDatabase(), log, now: () => clock.now, poll: 20 };
      const started = await deliverWebhooks({ ...usual, ...options });
      open.push(started);
      return started;
    },
    webhooks: () => sharedDatabase().db.orm.select().from(publisher),
    calls: () => sharedDatabase().db.orm.select().from(publisherCall).orderBy(asc(publisherCall.id)),
    events: () => sharedDatabase().db.orm.select({ type: event.type, resolvedAt: event.resolvedAt }).from(event),
  };
  return kit;
}
