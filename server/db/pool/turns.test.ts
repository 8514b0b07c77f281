import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DatabaseBusy } from '#server/db/database.ts';
import { Turns, type Use } from './turns.ts';

let now = 0;
let order: string[];
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  now = 0;
  order = [];
});
afterEach(() => void vi.useRealTimers());

const PATIENCE_MS = 1000;
const turnsOf = (places: number) => new Turns({ places, patienceMs: PATIENCE_MS, now: () => now });
const settle = () => new Promise(setImmediate);

/** Asks for a turn and records in `order` when it comes; the turn lasts until `end` is called. */
function ask(
  turns: Turns,
  name: string,
  usedMs = 0,
  { signal, account }: { signal?: AbortSignal; account?: string } = {},
) {
  const use: Use = { usedMs, account };
  const end = turns.take(use, signal).then((done) => {
    order.push(name);
    return done;
  });
  end.catch(() => undefined);
  return { use, taken: end, end: async () => (await end)() };
}

test('those who have used nothing take turns as they asked', async () => {
  const turns = turnsOf(1);
  const all = ['a', 'b', 'c'].map((name) => ask(turns, name));
  for (const { end } of all) await end();
  expect(order).toEqual(['a', 'b', 'c']);
});

test('as many as there are places hold one at once', async () => {
  const turns = turnsOf(2);
  const [first] = ['a', 'b', 'c'].map((name) => ask(turns, name));
  await settle();
  expect(order).toEqual(['a', 'b']);
  await first?.end();
  await settle();
  expect(order).toEqual(['a', 'b', 'c']);
});

test('who has used much lets those go first who ask a little later, but not those who ask much later', async () => {
  const turns = turnsOf(1);
  const holder = ask(turns, 'holder');
  const heavy = ask(turns, 'heavy', 100);
  now = 150;
  const soon = ask(turns, 'soon');
  now = 250;
  const late = ask(turns, 'late');
  for (const { end } of [holder, soon, heavy, late]) await end();
  expect(order).toEqual(['holder', 'soon', 'heavy', 'late']);
});

test('a turn counts for as long as it was held, and once', async () => {
  const turns = turnsOf(1);
  const { use, taken } = ask(turns, 'a', 5);
  const end = await taken;
  now = 30;
  end();
  now = 60;
  end();
  expect(use.usedMs).toBe(35);
  // The place was given back once: the second of two waits.
  const first = ask(turns, 'b');
  ask(turns, 'c');
  await settle();
  expect(order).toEqual(['a', 'b']);
  await first.end();
  await settle();
});

test('who has used little goes on with the next statement while others wait, and no longer once it has used much', async () => {
  const turns = turnsOf(1);
  const first = ask(turns, 'first');
  const others = ['b', 'c'].map((name) => ask(turns, name));
  const goOn = async (name: string, ms: number) => {
    const end = await turns.take(first.use);
    order.push(name);
    now += ms;
    end();
  };
  await first.end();
  await goOn('second', 20);
  await goOn('third', 80);
  const last = goOn('last', 0);
  for (const { end } of others) await end();
  await last;
  expect(order).toEqual(['first', 'second', 'third', 'b', 'c', 'last']);
});

test('the account that has used least lately is next, however many others wait and however long', async () => {
  const turns = turnsOf(1);
  const burst = Array.from({ length: 5 }, (_, index) => ask(turns, `a${index}`, 0, { account: 'a' }));
  for (const { taken } of burst.slice(0, 2)) {
    const end = await taken;
    now += 300;
    end();
    await settle();
  }
  const others = ['b', 'c'].map((account) => ask(turns, account, 0, { account }));
  await burst[2]?.end();
  for (const { end } of others) await end();
  for (const { end } of burst.slice(3)) await end();
  expect(order).toEqual(['a0', 'a1', 'a2', 'b', 'c', 'a3', 'a4']);
});

test('accounts that keep asking share the time, and not the number of turns', async () => {
  const turns = turnsOf(1);
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

test('what is done on nobody’s behalf shares one account', async () => {
  const turns = turnsOf(1);
  const delivery = await turns.take(undefined);
  now = 300;
  const next = turns.take(undefined).then((end) => (order.push('delivery'), end()));
  const call = ask(turns, 'call', 0, { account: 'a' });
  delivery();
  await call.end();
  await next;
  expect(order).toEqual(['call', 'delivery']);
});

test('work goes on with its next statement before others only while its account is not far ahead of theirs', async () => {
  const turns = turnsOf(1);
  const first = ask(turns, 'first', 0, { account: 'a' });
  const other = ask(turns, 'other', 0, { account: 'b' });
  const goOn = async (name: string, ms: number) => {
    const end = await turns.take(first.use);
    order.push(name);
    now += ms;
    end();
  };
  now = 20;
  await first.end();
  await goOn('second', 40);
  const third = goOn('third', 0);
  await other.end();
  await third;
  expect(order).toEqual(['first', 'second', 'other', 'third']);
});

test('work that becomes known to be of an account that has used much does not keep its place', async () => {
  const turns = turnsOf(1);
  const busy = ask(turns, 'busy', 0, { account: 'a' });
  now = 300;
  await busy.end();
  const first = ask(turns, 'first');
  const other = ask(turns, 'other');
  await first.end();
  first.use.account = 'a';
  const next = turns.take(first.use).then((end) => (order.push('next'), end()));
  await other.end();
  await next;
  expect(order).toEqual(['busy', 'first', 'other', 'next']);
});

test('a place that is not asked for again in the same turn of the event loop goes to the next', async () => {
  const turns = turnsOf(1);
  const first = ask(turns, 'first');
  const next = ask(turns, 'next');
  await first.end();
  await settle();
  expect(order).toEqual(['first', 'next']);
  const again = turns.take(first.use).then((end) => (order.push('again'), end()));
  await next.end();
  await again;
  expect(order).toEqual(['first', 'next', 'again']);
});

test('a place that was kept is gone on with when all who waited have gone', async () => {
  const turns = turnsOf(1);
  const first = ask(turns, 'first');
  const caller = new AbortController();
  const waiting = ask(turns, 'waiting', 0, { signal: caller.signal });
  await first.end();
  caller.abort(new Error('hung up'));
  const end = await turns.take(first.use);
  await expect(waiting.taken).rejects.toThrow('hung up');
  end();
  await ask(turns, 'after').end();
  expect(order).toEqual(['first', 'after']);
});

test('who has gone leaves the queue at once, and gets no turn', async () => {
  const turns = turnsOf(1);
  const holder = ask(turns, 'holder');
  const caller = new AbortController();
  const gone = ask(turns, 'gone', 0, { signal: caller.signal });
  const next = ask(turns, 'next');
  caller.abort(new Error('hung up'));
  await expect(gone.taken).rejects.toThrow('hung up');
  await holder.end();
  await next.end();
  expect(order).toEqual(['holder', 'next']);
  await expect(turns.take(undefined, caller.signal)).rejects.toThrow('hung up');
  await ask(turns, 'after').end();
});

test('nobody waits for ever, and the place goes to the next', async () => {
  const turns = turnsOf(1);
  const holder = ask(turns, 'holder');
  const impatient = ask(turns, 'impatient');
  await vi.advanceTimersByTimeAsync(PATIENCE_MS);
  await expect(impatient.taken).rejects.toThrow(DatabaseBusy);
  const next = ask(turns, 'next');
  await holder.end();
  await next.end();
  expect(order).toEqual(['holder', 'next']);
});
