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
