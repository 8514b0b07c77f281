import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { DatabaseBusyError } from '#server/db/database.ts';

import { Turns, type Use } from './turns.ts';

let now = 0;
let order: string[];
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  now = 0;
  order = [];
});
afterEach(() => void vi.useRealTimers());

const MAX_WAIT_MS = 1000;
const busyError = () => new DatabaseBusyError('No connection became free.');
const createTurns = (slots: number) => new Turns({ slots, maxWaitMs: MAX_WAIT_MS, busyError, now: () => now });
const settle = () => new Promise(setImmediate);

/** Requests a turn and adds its name to `order` when granted. The turn lasts until `end` is called. */
function requestTurn(
  turns: Turns,
  name: string,
  usedMs = 0,
  { signal, account }: { signal?: AbortSignal; account?: string } = {},
) {
  const use: Use = { usedMs, account };
  const end = turns.take(use, signal).then((release) => {
    order.push(name);
    return release;
  });
  end.catch(() => undefined);
  return { use, granted: end, end: async () => (await end)() };
}

test('serves new callers in the order of their requests', async () => {
  const turns = createTurns(1);
  const requests = ['a', 'b', 'c'].map((name) => requestTurn(turns, name));
  for (const { end } of requests) await end();
  expect(order).toEqual(['a', 'b', 'c']);
});

test('grants as many turns in parallel as there are slots', async () => {
  const turns = createTurns(2);
  const [first] = ['a', 'b', 'c'].map((name) => requestTurn(turns, name));
  await settle();
  expect(order).toEqual(['a', 'b']);
  await first?.end();
  await settle();
  expect(order).toEqual(['a', 'b', 'c']);
});

test('makes heavy users yield to requests made a little later', async () => {
  const turns = createTurns(1);
  const holder = requestTurn(turns, 'holder');
  const heavyTurn = requestTurn(turns, 'heavy', 100);
  now = 150;
  const soonTurn = requestTurn(turns, 'soon');
  now = 250;
  const newcomer = requestTurn(turns, 'late');
  for (const { end } of [holder, soonTurn, heavyTurn, newcomer]) await end();
  expect(order).toEqual(['holder', 'soon', 'heavy', 'late']);
});

test('counts the duration of a turn once', async () => {
  const turns = createTurns(1);
  const { use, granted } = requestTurn(turns, 'a', 5);
  const end = await granted;
  now = 30;
  end();
  now = 60;
  end();
  expect(use.usedMs).toBe(35);
  // The slot was released only once, so the second caller still waits.
  const first = requestTurn(turns, 'b');
  requestTurn(turns, 'c');
  await settle();
  expect(order).toEqual(['a', 'b']);
  await first.end();
  await settle();
});

test('lets light work continue until it becomes heavy', async () => {
  const turns = createTurns(1);
  const first = requestTurn(turns, 'first');
  const others = ['b', 'c'].map((name) => requestTurn(turns, name));
  const runNext = async (name: string, ms: number) => {
    const end = await turns.take(first.use);
    order.push(name);
    now += ms;
    end();
  };
  await first.end();
  await runNext('second', 20);
  await runNext('third', 80);
  const last = runNext('last', 0);
  for (const { end } of others) await end();
  await last;
  expect(order).toEqual(['first', 'second', 'third', 'b', 'c', 'last']);
});

test('serves the account with the least recent use next, even if another has a longer queue', async () => {
  const turns = createTurns(1);
  const burst = Array.from({ length: 5 }, (_, index) => requestTurn(turns, `a${index}`, 0, { account: 'a' }));
  for (const { granted } of burst.slice(0, 2)) {
    const end = await granted;
    now += 300;
    end();
    await settle();
  }
  const others = ['b', 'c'].map((account) => requestTurn(turns, account, 0, { account }));
  await burst[2]?.end();
  for (const { end } of others) await end();
  for (const { end } of burst.slice(3)) await end();
  expect(order).toEqual(['a0', 'a1', 'a2', 'b', 'c', 'a3', 'a4']);
});

test('gives busy accounts equal time, not equal numbers of turns', async () => {
  const turns = createTurns(1);
  const used = { a: 0, b: 0, c: 0 };
  const cost = { a: 30, b: 10, c: 5 };
  const work = async (account: 'a' | 'b' | 'c') => {
    while (now < 10_000) {
      const end = await turns.take({ usedMs: 0, account });
      now += cost[account];
      used[account] += cost[account];
      end();
    }
  };
  await Promise.all([work('a'), work('a'), work('a'), work('b'), work('c')]);
  for (const ms of Object.values(used)) expect(Math.abs(ms - now / 3)).toBeLessThan(now / 30);
});

test('charges all work without a caller to one account', async () => {
  const turns = createTurns(1);
  const delivery = await turns.take(undefined);
  now = 300;
  const next = turns.take(undefined).then((end) => (order.push('delivery'), end()));
  const call = requestTurn(turns, 'call', 0, { account: 'a' });
  delivery();
  await call.end();
  await next;
  expect(order).toEqual(['call', 'delivery']);
});

test('lets work continue only while its account is not far ahead of others', async () => {
  const turns = createTurns(1);
  const first = requestTurn(turns, 'first', 0, { account: 'a' });
  const other = requestTurn(turns, 'other', 0, { account: 'b' });
  const runNext = async (name: string, ms: number) => {
    const end = await turns.take(first.use);
    order.push(name);
    now += ms;
    end();
  };
  now = 20;
  await first.end();
  await runNext('second', 40);
  const third = runNext('third', 0);
  await other.end();
  await third;
  expect(order).toEqual(['first', 'second', 'other', 'third']);
});

test('takes the slot from work that turns out to belong to a heavy account', async () => {
  const turns = createTurns(1);
  const busyTurn = requestTurn(turns, 'busy', 0, { account: 'a' });
  now = 300;
  await busyTurn.end();
  const first = requestTurn(turns, 'first');
  const other = requestTurn(turns, 'other');
  await first.end();
  first.use.account = 'a';
  const next = turns.take(first.use).then((end) => (order.push('next'), end()));
  await other.end();
  await next;
  expect(order).toEqual(['busy', 'first', 'other', 'next']);
});

test('passes a slot to the next caller unless it is reclaimed within the same event-loop turn', async () => {
  const turns = createTurns(1);
  const first = requestTurn(turns, 'first');
  const next = requestTurn(turns, 'next');
  await first.end();
  await settle();
  expect(order).toEqual(['first', 'next']);
  const second = turns.take(first.use).then((end) => (order.push('again'), end()));
  await next.end();
  await second;
  expect(order).toEqual(['first', 'next', 'again']);
});

test('lets work resume in its reserved slot when all waiting callers have left', async () => {
  const turns = createTurns(1);
  const first = requestTurn(turns, 'first');
  const caller = new AbortController();
  const waiter = requestTurn(turns, 'waiting', 0, { signal: caller.signal });
  await first.end();
  caller.abort(new Error('hung up'));
  const end = await turns.take(first.use);
  await expect(waiter.granted).rejects.toThrow('hung up');
  end();
  await requestTurn(turns, 'after').end();
  expect(order).toEqual(['first', 'after']);
});

test('immediately removes a caller who hangs up from the queue, without granting a turn', async () => {
  const turns = createTurns(1);
  const holder = requestTurn(turns, 'holder');
  const caller = new AbortController();
  const canceledTurn = requestTurn(turns, 'gone', 0, { signal: caller.signal });
  const next = requestTurn(turns, 'next');
  caller.abort(new Error('hung up'));
  await expect(canceledTurn.granted).rejects.toThrow('hung up');
  await holder.end();
  await next.end();
  expect(order).toEqual(['holder', 'next']);
  await expect(turns.take(undefined, caller.signal)).rejects.toThrow('hung up');
  await requestTurn(turns, 'after').end();
});

test('times out a waiting caller and passes the slot to the next one', async () => {
  const turns = createTurns(1);
  const holder = requestTurn(turns, 'holder');
  const impatient = requestTurn(turns, 'impatient');
  await vi.advanceTimersByTimeAsync(MAX_WAIT_MS);
  await expect(impatient.granted).rejects.toThrow(DatabaseBusyError);
  const next = requestTurn(turns, 'next');
  await holder.end();
  await next.end();
  expect(order).toEqual(['holder', 'next']);
});
