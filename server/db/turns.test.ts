import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DatabaseBusy } from './database.ts';
import { Turns } from './turns.ts';

let now = 0;
let order: string[];
beforeEach(() => {
  vi.useFakeTimers();
  now = 0;
  order = [];
});
afterEach(() => void vi.useRealTimers());

const patienceMs = 1000;
const turnsOf = (places: number) => new Turns({ places, patienceMs, now: () => now });
const settle = () => vi.advanceTimersByTimeAsync(0);

/** Waits for a turn, notes that it came, and keeps it until it is told otherwise. */
function ask(turns: Turns, name: string, usedMs = 0, signal?: AbortSignal) {
  const use = { usedMs };
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
  const heavy = ask(turns, 'heavy', 50);
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
});

test('who has gone leaves the queue at once, and gets no turn', async () => {
  const turns = turnsOf(1);
  const holder = ask(turns, 'holder');
  const caller = new AbortController();
  const gone = ask(turns, 'gone', 0, caller.signal);
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
  await vi.advanceTimersByTimeAsync(patienceMs);
  await expect(impatient.taken).rejects.toThrow(DatabaseBusy);
  const next = ask(turns, 'next');
  await holder.end();
  await next.end();
  expect(order).toEqual(['holder', 'next']);
});
