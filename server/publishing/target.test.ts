// The engine with a target of the test's own: what it takes to be one, and that its policy decides.
import { asc } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { silentLog } from '#server/base/log.ts';
import type { Database } from '#server/db/database.ts';
import { publisher, publisherCall, publisherDelivery } from '#server/db/schema/publisher.ts';
import { eventually } from '#server/testkit/eventually.ts';
import { addWebhook, happen, openFixture } from '#server/testkit/publishing.ts';
import { DELIVERY_CHANNEL } from './outbox.ts';
import type { Dispatcher, Due, Target } from './target.ts';
import { startDelivery } from './worker.ts';

let db: Database;
const clock = { now: new Date('2026-11-20T10:00:00Z') };
const open: { close(): Promise<void> }[] = [];

beforeAll(async () => void (db = await openFixture()));
afterAll(() => db.close());
beforeEach(async () => {
  await db.orm.delete(publisher);
  await db.orm.delete(publisherCall);
});
afterEach(async () => {
  for (const item of open.splice(0)) await item.close();
});

const pager: Omit<Target, 'open' | 'sink'> = {
  kind: 'pager',
  policy: { cooldown: [7], failuresInLine: 3, failuresInAll: 3, disabledAfter: 20_000 },
  subject: async () => undefined,
};

/** Sends what it is given, as long as it is not told to fail or to leave something over. */
function dispatcher() {
  const sent: number[] = [];
  const state = { broken: false, unfinished: false };
  const send: Dispatcher['send'] = async (_, due) => {
    sent.push(...due.map(({ id }) => id));
    const [{ body }] = due as [Required<Due>];
    const call = { url: 'tel:112', headers: {}, bodyProto: body, bodyJson: '', error: '', milliseconds: 1 };
    return { successful: !state.broken, error: state.broken ? 'Busy.' : '', call, unfinished: state.unfinished };
  };
  return {
    sent,
    send,
    break: () => void (state.broken = true),
    mend: () => void (state.broken = false),
    leave: () => void (state.unfinished = true),
  };
}

/** Two events wait for a pager. @returns the ids of the deliveries */
async function waiting(): Promise<number[]> {
  await addWebhook(db, { url: 'https://nowhere.example/' });
  await happen(db, 'one', 'two');
  await db.orm.update(publisher).set({ kind: 'pager' });
  const rows = await db.orm.select().from(publisherDelivery).orderBy(asc(publisherDelivery.id));
  return rows.map(({ id }) => id);
}

const start = async (target: typeof pager, send: Dispatcher['send'], poll = 20) =>
  void open.push(await startDelivery({ db, target, dispatcher: { send }, log: silentLog, now: () => clock.now, poll }));
const state = async () => (await db.orm.select().from(publisher))[0];

test('a kind is delivered to by its own target, and by no other', async () => {
  const ids = await waiting();
  const [own, other] = [dispatcher(), dispatcher()];
  await start({ ...pager, kind: 'fax' }, other.send);
  await start(pager, own.send);
  await eventually(() => expect(own.sent).toEqual(ids));
  await eventually(async () => expect(await db.orm.$count(publisherDelivery)).toBe(0));
  expect(other.sent).toEqual([]);
  expect(await db.orm.select().from(publisherCall)).toMatchObject([{ url: 'tel:112' }, { url: 'tel:112' }]);
});

test('its policy says how long it waits, when a delivery is given up, and when it is disabled', async () => {
  const [first, second] = await waiting();
  const own = dispatcher();
  own.break();
  await start(pager, own.send);
  const began = clock.now.getTime();
  for (const failures of [1, 2, 3]) {
    await eventually(() => expect(own.sent).toHaveLength(failures));
    const until = new Date(clock.now.getTime() + 7_000);
    await eventually(async () =>
      expect(await state()).toMatchObject({ inCooldownUntil: until, cooldownStep: 1, disabled: false }),
    );
    clock.now = until;
  }
  await eventually(() => expect(own.sent).toEqual([first, first, first, second]));
  expect(clock.now.getTime() - began).toBe(21_000);
  await eventually(async () => expect(await state()).toMatchObject({ disabled: true, autoDisabled: true }));
  expect(await db.orm.select({ id: publisherDelivery.id }).from(publisherDelivery)).toEqual([{ id: second }]);
});

test('a worker is woken for its own kind only', async () => {
  const own = dispatcher();
  // So rarely that only the notification can wake it.
  await start(pager, own.send, 600_000);
  const ids = await waiting();
  await db.pool.query('select pg_notify($1, $2)', [DELIVERY_CHANNEL, 'fax']);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(own.sent).toEqual([]);
  await db.pool.query('select pg_notify($1, $2)', [DELIVERY_CHANNEL, 'pager']);
  await eventually(() => expect(own.sent).toEqual(ids));
});

test('a target that takes several deliveries in one call is given them together, and they fail and succeed together', async () => {
  const ids = await waiting();
  const own = dispatcher();
  own.break();
  await start({ ...pager, batch: 5 }, own.send);
  await eventually(() => expect(own.sent).toEqual(ids));
  await eventually(async () =>
    expect((await db.orm.select().from(publisherDelivery)).map(({ attempts }) => attempts)).toEqual([1, 1]),
  );
  own.mend();
  clock.now = new Date(clock.now.getTime() + 7_000);
  await eventually(async () => expect(await db.orm.$count(publisherDelivery)).toBe(0));
  expect(own.sent).toEqual([...ids, ...ids]);
});

test('what could not be finished stays due, and a target that gathers rests between two calls', async () => {
  const [first] = await waiting();
  const own = dispatcher();
  own.leave();
  await start({ ...pager, policy: { ...pager.policy, rest: 3 } }, own.send);
  await eventually(() => expect(own.sent).toEqual([first]));
  const until = new Date(clock.now.getTime() + 3_000);
  await eventually(async () =>
    expect(await state()).toMatchObject({ inCooldownUntil: until, cooldownStep: 0, leaseOwner: null }),
  );
  expect(await db.orm.$count(publisherDelivery)).toBe(2);
  clock.now = until;
  await eventually(() => expect(own.sent).toEqual([first, first]));
});
