// Runs the delivery engine with a test target, to check the target interface and the effect of a policy.
import { asc, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { silentLog } from '#server/base/log.ts';
import type { Database } from '#server/db/database.ts';
import { publisher, publisherCall, publisherDelivery } from '#server/db/schema/publisher.ts';
import { eventually } from '#server/testkit/eventually.ts';
import { addWebhook, ORGANIZATION, recordTestEvents, openFixture } from '#server/testkit/publishing.ts';

import { DELIVERY_CHANNEL, type WakeNotice } from './outbox.ts';
import type { Dispatcher, Due, Target } from './target.ts';
import { startDelivery } from './worker.ts';

let db: Database;
const clock = { now: new Date('2026-11-20T10:00:00Z') };
const openResources: { close(): Promise<void> }[] = [];

beforeAll(async () => void (db = await openFixture()));
afterAll(() => db.close());
beforeEach(async () => {
  await db.orm.delete(publisher);
  await db.orm.delete(publisherCall);
});
afterEach(async () => {
  for (const item of openResources.splice(0)) await item.close();
});

const pager: Omit<Target, 'open' | 'sink'> = {
  kind: 'pager',
  policy: { cooldown: [7], postponeAfter: 3, dropAfter: 3, disableAfter: 20_000 },
  subject: async () => undefined,
};

/** Creates a dispatcher that records its deliveries, and that can be made to fail or to leave deliveries unfinished. */
function createTestDispatcher() {
  const sent: number[] = [];
  const readState = { failing: false, unfinished: false };
  const send: Dispatcher['send'] = async (_, due) => {
    sent.push(...due.map(({ id }) => id));
    const [{ body }] = due as [Required<Due>];
    const call = { url: 'tel:112', headers: {}, bodyProto: body, bodyJson: '', error: '', milliseconds: 1 };
    return {
      successful: !readState.failing,
      error: readState.failing ? 'Busy.' : '',
      call,
      unfinished: readState.unfinished,
    };
  };
  return {
    sent,
    send,
    fail: () => void (readState.failing = true),
    recover: () => void (readState.failing = false),
    leaveUnfinished: () => void (readState.unfinished = true),
  };
}

/**
 * Adds a pager with two waiting events.
 *
 * @returns the ids of the deliveries
 */
async function addPager(): Promise<number[]> {
  await addWebhook(db, { url: 'https://nowhere.example/' });
  await recordTestEvents(db, 'one', 'two');
  await db.orm.update(publisher).set({ kind: 'pager' });
  const rows = await db.orm.select().from(publisherDelivery).orderBy(asc(publisherDelivery.id));
  return rows.map(({ id }) => id);
}

/** Adds a delivery of the pager's first event, as another process would. */
async function addDelivery(): Promise<number> {
  const { rows } = await db.orm.execute<{ id: number }>(sql`
    insert into publisher_delivery (organization, publisher, event_time, event_id)
    select organization, 1, time, id from event order by id limit 1 returning id`);
  return rows[0]?.id ?? 0;
}

const wake = (notice: WakeNotice) =>
  db.pool.query('select pg_notify($1, $2)', [DELIVERY_CHANNEL, JSON.stringify(notice)]);

const start = async (target: typeof pager, send: Dispatcher['send'], poll = 20) =>
  void openResources.push(
    await startDelivery({ db, target, dispatcher: { send }, log: silentLog, now: () => clock.now, poll }),
  );
const state = async () => (await db.orm.select().from(publisher))[0];

test('delivers to a publisher only through the target of its kind', async () => {
  const ids = await addPager();
  const [first, second] = [createTestDispatcher(), createTestDispatcher()];
  await start({ ...pager, kind: 'fax' }, second.send);
  await start(pager, first.send);
  await eventually(() => expect(first.sent).toEqual(ids));
  await eventually(async () => expect(await db.orm.$count(publisherDelivery)).toBe(0));
  expect(second.sent).toEqual([]);
  expect(await db.orm.select().from(publisherCall)).toMatchObject([{ url: 'tel:112' }, { url: 'tel:112' }]);
});

test("follows the target's policy for cooldowns, dropping, and disabling", async () => {
  const [first, second] = await addPager();
  const dispatcher = createTestDispatcher();
  dispatcher.fail();
  await start(pager, dispatcher.send);
  const startTime = clock.now.getTime();
  for (const failures of [1, 2, 3]) {
    await eventually(() => expect(dispatcher.sent).toHaveLength(failures));
    const until = new Date(clock.now.getTime() + 7000);
    await eventually(async () =>
      expect(await state()).toMatchObject({ inCooldownUntil: until, cooldownStep: 1, disabled: false }),
    );
    clock.now = until;
  }
  await eventually(() => expect(dispatcher.sent).toEqual([first, first, first, second]));
  expect(clock.now.getTime() - startTime).toBe(21_000);
  await eventually(async () => expect(await state()).toMatchObject({ disabled: true, autoDisabled: true }));
  expect(await db.orm.select({ id: publisherDelivery.id }).from(publisherDelivery)).toEqual([{ id: second }]);
});

test('wakes a worker only for its own kind', async () => {
  const first = createTestDispatcher();
  // Poll so rarely that only the notification can wake it.
  await start(pager, first.send, 600_000);
  const ids = await addPager();
  await wake({ kind: 'fax' });
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(first.sent).toEqual([]);
  await wake({ kind: 'pager' });
  await eventually(() => expect(first.sent).toEqual(ids));
});

test('delivers what arrives during the last call of a turn', async () => {
  const delivered: number[] = [];
  const calls: (() => void)[] = [];
  // Poll so rarely that only the end of the turn can wake it.
  await start(
    pager,
    async (_, due) => {
      delivered.push(...due.map(({ id }) => id));
      await new Promise<void>((resolve) => calls.push(resolve));
      return { successful: true, error: '' };
    },
    600_000,
  );
  const ids = await addPager();
  await wake({ kind: 'pager' });
  await eventually(() => expect(delivered).toEqual(ids.slice(0, 1)));
  calls[0]?.();
  await eventually(() => expect(delivered).toEqual(ids));
  const later = await addDelivery();
  await wake({ kind: 'pager', publishers: [{ organization: ORGANIZATION, id: 1 }] });
  calls[1]?.();
  await eventually(() => expect(delivered).toEqual([...ids, later]));
  calls[2]?.();
});

test('passes a batch to a target that accepts batches, and settles it as a whole', async () => {
  const ids = await addPager();
  const first = createTestDispatcher();
  first.fail();
  await start({ ...pager, batch: 5 }, first.send);
  await eventually(() => expect(first.sent).toEqual(ids));
  await eventually(async () =>
    expect((await db.orm.select().from(publisherDelivery)).map(({ attempts }) => attempts)).toEqual([1, 1]),
  );
  first.recover();
  clock.now = new Date(clock.now.getTime() + 7000);
  await eventually(async () => expect(await db.orm.$count(publisherDelivery)).toBe(0));
  expect(first.sent).toEqual([...ids, ...ids]);
});

test('keeps unfinished deliveries due and pauses between calls if the target requires it', async () => {
  const [first] = await addPager();
  const dispatcher = createTestDispatcher();
  dispatcher.leaveUnfinished();
  await start({ ...pager, policy: { ...pager.policy, pauseAfterSuccess: 3 } }, dispatcher.send);
  await eventually(() => expect(dispatcher.sent).toEqual([first]));
  const until = new Date(clock.now.getTime() + 3000);
  await eventually(async () =>
    expect(await state()).toMatchObject({ inCooldownUntil: until, cooldownStep: 0, leaseOwner: null }),
  );
  expect(await db.orm.$count(publisherDelivery)).toBe(2);
  clock.now = until;
  await eventually(() => expect(dispatcher.sent).toEqual([first, first]));
});
