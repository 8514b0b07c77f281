import { expect, test } from 'vitest';
import { createFeed } from './feed.ts';

const overflow = () => new Error('too slow');

async function drain<T>(feed: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of feed) all.push(value);
  return all;
}

test('hands out everything in order, also what is pushed while it is read', async () => {
  const feed = createFeed<number>(10, overflow);
  feed.push([1, 2]);
  const read = drain(feed);
  await Promise.resolve();
  feed.push([3]);
  feed.end();
  feed.push([4]);
  expect(await read).toEqual([1, 2, 3]);
});

test('a consumer that falls behind is told, and what waited is let go', async () => {
  const feed = createFeed<number>(2, overflow);
  feed.push([1, 2]);
  feed.push([3]);
  await expect(drain(feed)).rejects.toThrow('too slow');
});

test('what waits at an end is handed out, and nothing of it when that is an error', async () => {
  const ended = createFeed<number>(2, overflow);
  ended.push([1, 2]);
  ended.end();
  ended.end(new Error('too late'));
  expect(await drain(ended)).toEqual([1, 2]);
  const failed = createFeed<number>(2, overflow);
  failed.push([1, 2]);
  failed.end(new Error('broken'));
  const seen: number[] = [];
  const reading = (async () => {
    for await (const value of failed) seen.push(value);
  })();
  await expect(reading).rejects.toThrow('broken');
  expect(seen).toEqual([]);
});

test('what comes while one value is looked at is handed out before the end', async () => {
  const feed = createFeed<number>(2, overflow);
  feed.push([1]);
  const seen: number[] = [];
  for await (const value of feed) {
    seen.push(value);
    if (value === 1) {
      feed.push([2, 3]);
      feed.end();
    }
  }
  expect(seen).toEqual([1, 2, 3]);
});

test('a consumer that waits is woken by an end, with or without an error', async () => {
  const waiting = async (failure?: Error) => {
    const feed = createFeed<number>(2, overflow);
    const first = feed[Symbol.asyncIterator]().next();
    await Promise.resolve();
    feed.end(failure);
    return first;
  };
  expect(await waiting()).toMatchObject({ done: true });
  await expect(waiting(new Error('broken'))).rejects.toThrow('broken');
});
