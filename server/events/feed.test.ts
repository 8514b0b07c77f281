import { expect, test } from 'vitest';

import { createFeed } from './feed.ts';

const overflow = () => new Error('too slow');

async function drain<T>(feed: AsyncIterable<T>): Promise<T[]> {
  const values: T[] = [];
  for await (const value of feed) values.push(value);
  return values;
}

test('delivers values in order, including those pushed while reading', async () => {
  const feed = createFeed<number>(10, overflow);
  feed.push([1, 2]);
  const reading = drain(feed);
  await Promise.resolve();
  feed.push([3]);
  feed.end();
  feed.push([4]);
  expect(await reading).toEqual([1, 2, 3]);
});

test('discards the queue and fails if the consumer falls behind', async () => {
  const feed = createFeed<number>(2, overflow);
  feed.push([1, 2]);
  feed.push([3]);
  await expect(drain(feed)).rejects.toThrow('too slow');
});

test('delivers queued values after the end, but none after an error', async () => {
  const endedFeed = createFeed<number>(2, overflow);
  endedFeed.push([1, 2]);
  endedFeed.end();
  endedFeed.end(new Error('too late'));
  expect(await drain(endedFeed)).toEqual([1, 2]);
  const failedFeed = createFeed<number>(2, overflow);
  failedFeed.push([1, 2]);
  failedFeed.end(new Error('broken'));
  const values: number[] = [];
  const reading = (async () => {
    for await (const value of failedFeed) values.push(value);
  })();
  await expect(reading).rejects.toThrow('broken');
  expect(values).toEqual([]);
});

test('delivers values pushed while the consumer processes an earlier one, before ending', async () => {
  const feed = createFeed<number>(2, overflow);
  feed.push([1]);
  const values: number[] = [];
  for await (const value of feed) {
    values.push(value);
    if (value === 1) {
      feed.push([2, 3]);
      feed.end();
    }
  }
  expect(values).toEqual([1, 2, 3]);
});

test('wakes a waiting consumer when it ends, with or without an error', async () => {
  const endWhileWaiting = async (failure?: Error) => {
    const feed = createFeed<number>(2, overflow);
    const first = feed[Symbol.asyncIterator]().next();
    await Promise.resolve();
    feed.end(failure);
    return first;
  };
  expect(await endWhileWaiting()).toMatchObject({ done: true });
  await expect(endWhileWaiting(new Error('broken'))).rejects.toThrow('broken');
});
