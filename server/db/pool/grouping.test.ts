import { setTimeout as delay } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { BlockedError, DatabaseBusyError } from '#server/db/database.ts';

import { BLOCKED, Grouping, type Outcome } from './grouping.ts';

const nextTask = () => new Promise((resolve) => setImmediate(resolve));

interface ControlOptions {
  readonly maxWeight?: number;
  readonly weigh?: (item: string) => number;
  /** True if a group claims its items only when the test lets it. */
  readonly claimsLate?: boolean;
}

/** Creates a grouping in which the test decides when groups finish. They finish in the order in which they started. */
function createControlledGrouping({ maxWeight = 100, weigh = () => 1, claimsLate = false }: ControlOptions = {}) {
  const groups: string[][] = [];
  const accounts: string[] = [];
  const finishers: (() => void)[] = [];
  const grouping = new Grouping<string, string>({
    maxWeight,
    weigh,
    async run(next, account) {
      const turn = () => new Promise<void>((resolve) => finishers.push(resolve));
      if (claimsLate) await turn();
      const group = next();
      groups.push([...group]);
      accounts.push(account);
      if (!claimsLate) await turn();
      return group.map((item): Outcome<string> =>
        item.startsWith('rejected') ? { error: new Error(item) } : { result: `${item} done` },
      );
    },
  });
  const finish = async () => {
    await nextTask();
    finishers.shift()?.();
    await nextTask();
  };
  const submit = (item: string, signal?: AbortSignal, account = 'acme') => grouping.submit(account, item, signal);
  return { groups, accounts, submit, finish };
}

test('combines items that arrive while a group runs into the next group, in order', async () => {
  const { groups, submit, finish } = createControlledGrouping();
  const results = Promise.all(['a', 'b', 'c'].map((item) => submit(item)));
  await finish();
  await finish();
  expect(await results).toEqual(['a done', 'b done', 'c done']);
  expect(groups).toEqual([['a'], ['b', 'c']]);
});

test('waits for the callers of a group to return, so they stay together', async () => {
  const groups: number[] = [];
  const grouping = new Grouping<number, number>({
    maxWeight: 100,
    weigh: () => 1,
    lingerMs: 10_000,
    async run(next) {
      const group = next();
      groups.push(group.length);
      // Long enough for all callers to return in half of the time.
      await delay(400);
      return group.map((item) => ({ result: item }));
    },
  });
  const client = async (index: number) => {
    for (let call = 0; call < 4; call += 1) {
      await grouping.submit('acme', index);
      // The clients return one after the other.
      for (let task = 0; task <= index; task += 1) await nextTask();
    }
  };
  await Promise.all([0, 1, 2, 3].map(client));
  expect(groups.slice(0, 4)).toEqual([1, 4, 4, 4]);
});

test("doesn't wait for a caller who does not return, nor for more items than fit into a group", async () => {
  const groups: string[][] = [];
  const grouping = new Grouping<string, string>({
    maxWeight: 2,
    weigh: () => 1,
    lingerMs: 10,
    async run(next) {
      const group = next();
      groups.push([...group]);
      await delay(100);
      return group.map((item) => ({ result: item }));
    },
  });
  const submit = (item: string) => grouping.submit('acme', item);
  await Promise.all(['a', 'b', 'c', 'd', 'e'].map(submit));
  await submit('f');
  expect(groups).toEqual([['a'], ['b', 'c'], ['d', 'e'], ['f']]);
});

test('adds items to a group until it claims its items', async () => {
  const { groups, submit, finish } = createControlledGrouping({ claimsLate: true });
  const results = Promise.all([submit('a'), submit('b')]);
  await finish();
  await results;
  expect(groups).toEqual([['a', 'b']]);
});

test('limits a group to the maximum weight, but always includes one item', async () => {
  const { groups, submit, finish } = createControlledGrouping({
    maxWeight: 4,
    weigh: (item) => item.length,
    claimsLate: true,
  });
  const results = Promise.all(['aa', 'bb', 'c', 'dddddd', 'e'].map((item) => submit(item)));
  for (let index = 0; index < 4; index += 1) await finish();
  await results;
  expect(groups).toEqual([['aa', 'bb'], ['c'], ['dddddd'], ['e']]);
});

test('runs separate groups for each account, so accounts do not wait for each other', async () => {
  const { groups, accounts, submit, finish } = createControlledGrouping();
  const acme = submit('a', undefined, 'acme');
  const bravo = submit('b', undefined, 'bravo');
  await nextTask();
  expect([groups, accounts]).toEqual([
    [['a'], ['b']],
    ['acme', 'bravo'],
  ]);
  await finish();
  await finish();
  await Promise.all([acme, bravo]);
});

test('gives callers only the outcome of their own item', async () => {
  const { submit, finish } = createControlledGrouping({ claimsLate: true });
  const results = Promise.allSettled([submit('a'), submit('rejected'), submit('c')]);
  await finish();
  expect(await results).toEqual([
    { status: 'fulfilled', value: 'a done' },
    { status: 'rejected', reason: new Error('rejected') },
    { status: 'fulfilled', value: 'c done' },
  ]);
});

/** Creates a grouping that keeps locked items blocked until the test unlocks them. */
function withLockedItems(patienceMs = 10_000) {
  const groups: string[][] = [];
  const state = { locked: true, running: 0, maxRunning: 0 };
  const grouping = new Grouping<string, string>({
    maxWeight: 100,
    weigh: () => 1,
    patienceMs,
    async run(next) {
      state.maxRunning = Math.max(state.maxRunning, ++state.running);
      await nextTask();
      const group = [...next()];
      groups.push(group);
      state.running -= 1;
      return group.map((item) => (item.startsWith('locked') && state.locked ? BLOCKED : { result: `${item} done` }));
    },
  });
  const submit = (item: string, signal?: AbortSignal) => grouping.submit('acme', item, signal);
  return { groups, state, submit };
}

test('retries blocked items together and lets the other items continue', async () => {
  const { groups, state, submit } = withLockedItems();
  const names = Array.from({ length: 50 }, (_, index) => `locked ${index}`);
  const submissions = [submit('locked alone'), ...names.map((name) => submit(name))];
  expect(await Promise.all([submit('a'), submit('b')])).toEqual(['a done', 'b done']);
  expect(await submit('c')).toBe('c done');
  await expect.poll(() => groups.length).toBeGreaterThan(4);
  state.locked = false;
  expect(await Promise.all(submissions)).toEqual(['locked alone', ...names].map((name) => `${name} done`));
  expect(groups.at(-1)).toEqual(['locked alone', ...names]);
  // Only one group of blocked items runs at a time, in parallel with the following groups.
  expect(state.maxRunning).toBeLessThanOrEqual(2);
});

test('eventually fails an item that stays blocked', async () => {
  const { submit } = withLockedItems(0);
  await expect(submit('locked')).rejects.toThrow(BlockedError);
  expect(await submit('a')).toBe('a done');
});

test('drops only the item of a caller who hangs up while blocked', async () => {
  const { groups, submit } = withLockedItems();
  const caller = new AbortController();
  const submission = submit('locked', caller.signal);
  await submit('a');
  caller.abort(new Error('hung up'));
  await expect(submission).rejects.toThrow('hung up');
  expect(await submit('b')).toBe('b done');
  expect(groups).toEqual([['locked', 'a'], ['b']]);
});

/** Creates a grouping that fails a group as a whole if it contains a bad item. */
function createFailingGrouping(error: (item: string) => Error) {
  const groups: string[][] = [];
  const grouping = new Grouping<string, string>({
    maxWeight: 100,
    weigh: () => 1,
    async run(next) {
      await nextTask();
      const group = [...next()];
      groups.push(group);
      const badItem = group.find((item) => item.startsWith('bad'));
      if (badItem !== undefined) throw error(badItem);
      return group.map((item) => ({ result: `${item} done` }));
    },
  });
  return { groups, submit: (item: string) => grouping.submit('acme', item) };
}

test('fails only the bad items and keeps the order of the others', async () => {
  const { groups, submit } = createFailingGrouping((item) => new Error(item));
  const items = ['a', 'b', 'bad', 'd', 'e', 'f', 'bad too', 'h'];
  const outcomes = await Promise.allSettled(items.map(submit));
  expect(outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : String(outcome.reason)))).toEqual([
    'a done',
    'b done',
    'Error: bad',
    'd done',
    'e done',
    'f done',
    'Error: bad too',
    'h done',
  ]);
  const succeeded = groups.filter((group) => !group.some((item) => item.startsWith('bad')));
  expect(succeeded.flat()).toEqual(['a', 'b', 'd', 'e', 'f', 'h']);
});

test('does not split and retry a group that fails because of the database', async () => {
  const { groups, submit } = createFailingGrouping(() => new DatabaseBusyError('No connection became free.'));
  const outcomes = await Promise.allSettled(['a', 'bad', 'c'].map(submit));
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(groups).toEqual([['a', 'bad', 'c']]);
});

test('removes only the caller who hangs up from the queue', async () => {
  const { groups, submit, finish } = createControlledGrouping();
  const first = submit('a');
  const caller = new AbortController();
  const canceledCall = submit('b', caller.signal);
  const remainingCall = submit('c');
  caller.abort(new Error('hung up'));
  await expect(canceledCall).rejects.toThrow('hung up');
  await finish();
  await finish();
  expect(await Promise.all([first, remainingCall])).toEqual(['a done', 'c done']);
  expect(groups).toEqual([['a'], ['c']]);
});

test('finishes a running group when one of its callers hangs up', async () => {
  const { submit, finish } = createControlledGrouping({ claimsLate: true });
  const caller = new AbortController();
  const canceledCall = submit('a', caller.signal);
  const remainingCall = submit('b');
  await nextTask();
  caller.abort(new Error('hung up'));
  await expect(canceledCall).rejects.toThrow('hung up');
  await finish();
  expect(await remainingCall).toBe('b done');
});

test('does not queue a caller who has already hung up', async () => {
  const { groups, submit } = createControlledGrouping();
  await expect(submit('a', AbortSignal.abort(new Error('hung up')))).rejects.toThrow('hung up');
  expect(groups).toEqual([]);
});
