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
 * Creates helpers for the worker's tests. Each test starts without webhooks, and everything that it opens is closed
 * afterwards.
 */
export function createWorkerKit() {
  let shared: { db: Database; sender: Sender } | undefined;
  const sharedDatabase = () => {
    if (shared === undefined) throw new Error('The database is not open until the first test starts.');
    return shared;
  };
  const openResources: { close(): Promise<void> }[] = [];
  const clock = { now: new Date() };
  /** Errors logged by workers. A test removes the errors that it expects; any other error fails the test. */
  const errors: string[] = [];
  const log: Log = { ...silentLog, error: (message, fields) => void errors.push(`${message} ${fields?.['reason']}`) };

  beforeAll(async () => {
    const db = await openFixture();
    shared = { db, sender: createSender({ policy: { allowLoopback: true }, timeout: 2000 }) };
  });
  afterAll(async () => {
    await shared?.sender.close();
    await shared?.db.close();
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
    open: openResources,
    /** Closes everything that the test opened, in reverse order. */
    async closeAll(): Promise<void> {
      for (const item of openResources.splice(0).toReversed()) await item.close();
    },
    async openReceiver(...args: Parameters<typeof startReceiver>): Promise<TestReceiver> {
      const receiver = await startReceiver(...args);
      openResources.push(receiver);
      return receiver;
    },
    async startWorker(options: Partial<Parameters<typeof deliverWebhooks>[0]> = {}): Promise<DeliveryWorker> {
      const defaults = { ...sharedDatabase(), log, now: () => clock.now, poll: 20 };
      const worker = await deliverWebhooks({ ...defaults, ...options });
      openResources.push(worker);
      return worker;
    },
    webhooks: () => sharedDatabase().db.orm.select().from(publisher),
    calls: () => sharedDatabase().db.orm.select().from(publisherCall).orderBy(asc(publisherCall.id)),
    events: () => sharedDatabase().db.orm.select({ type: event.type, resolvedAt: event.resolvedAt }).from(event),
  };
  return kit;
}
