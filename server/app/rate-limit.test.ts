import { Code } from '@connectrpc/connect';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import type { Database } from '#server/db/database.ts';
import { rateLimit } from '#server/db/schema/rate-limit.ts';
import { openTestDatabase } from '#server/testkit/database.ts';

import { deleteExpiredLimits, requireWithinLimit, countUse } from './rate-limit.ts';

let db: Database;
beforeAll(async () => void (db = await openTestDatabase()));
afterAll(() => db.close());
beforeEach(async () => void (await db.orm.delete(rateLimit)));

const limit = { name: 'test', burst: 3, intervalMs: 10_000 };
const start = new Date('2026-11-20T10:00:00Z');
const secondsLater = (seconds: number) => new Date(start.getTime() + seconds * 1000);

test('allows a burst, then one call per interval, separately for each subject and name', async () => {
  for (let call = 1; call <= 3; call += 1) expect(await countUse(db.orm, limit, 'a', start)).toBeUndefined();
  expect(await countUse(db.orm, limit, 'a', start)).toEqual(secondsLater(10));
  expect(await countUse(db.orm, limit, 'a', secondsLater(9.9))).toEqual(secondsLater(10));
  expect(await countUse(db.orm, limit, 'b', start)).toBeUndefined();
  expect(await countUse(db.orm, { ...limit, name: 'other' }, 'a', start)).toBeUndefined();
  expect(await countUse(db.orm, limit, 'a', secondsLater(10))).toBeUndefined();
  expect(await countUse(db.orm, limit, 'a', secondsLater(10))).toEqual(secondsLater(20));
  for (let call = 1; call <= 3; call += 1)
    expect(await countUse(db.orm, limit, 'a', secondsLater(100))).toBeUndefined();
  expect(await countUse(db.orm, limit, 'a', secondsLater(100))).toEqual(secondsLater(110));
});

test('allows no more concurrent calls than the limit', async () => {
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => countUse(db.orm, limit, 'a', start)));
  expect(outcomes.filter((allowedAt) => allowedAt === undefined)).toHaveLength(3);
});

test('reports when to retry, and does not count calls that were rolled back', async () => {
  const singleUse = { ...limit, burst: 1 };
  const rolledBack = db.transaction(async (tx) => {
    await requireWithinLimit(tx, singleUse, 'a', start, 'Too often');
    throw new Error('undone');
  });
  await expect(rolledBack).rejects.toThrow('undone');
  await requireWithinLimit(db.orm, singleUse, 'a', start, 'Too often');
  const rejection = requireWithinLimit(db.orm, singleUse, 'a', secondsLater(4), 'Too often');
  await expect(rejection).rejects.toMatchObject({
    code: Code.ResourceExhausted,
    rawMessage: 'Too often. Try again in 6 seconds.',
  });
});

test('deletes rows that no longer limit anything', async () => {
  await countUse(db.orm, limit, 'a', start);
  await countUse(db.orm, limit, 'b', secondsLater(60));
  await deleteExpiredLimits(db.orm, secondsLater(30));
  expect((await db.orm.select().from(rateLimit)).map(({ key }) => key)).toEqual(['test:b']);
});
