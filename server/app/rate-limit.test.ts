import { Code } from '@connectrpc/connect';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Database } from '#server/db/database.ts';
import { openTestDatabase } from '#server/testkit/database.ts';
import { rateLimit } from '#server/db/schema/rate-limit.ts';
import { dropClearLimits, requireWithin, take } from './rate-limit.ts';

let db: Database;
beforeAll(async () => void (db = await openTestDatabase()));
afterAll(() => db.close());
beforeEach(async () => void (await db.orm.delete(rateLimit)));

const limit = { name: 'test', burst: 3, every: 10_000 };
const start = new Date('2026-11-20T10:00:00Z');
const after = (seconds: number) => new Date(start.getTime() + seconds * 1000);

test('so often at once, then once for each interval; each subject and name has its own', async () => {
  for (let time = 1; time <= 3; time += 1) expect(await take(db.orm, limit, 'a', start)).toBeUndefined();
  expect(await take(db.orm, limit, 'a', start)).toEqual(after(10));
  expect(await take(db.orm, limit, 'a', after(9.9))).toEqual(after(10));
  expect(await take(db.orm, limit, 'b', start)).toBeUndefined();
  expect(await take(db.orm, { ...limit, name: 'other' }, 'a', start)).toBeUndefined();
  expect(await take(db.orm, limit, 'a', after(10))).toBeUndefined();
  expect(await take(db.orm, limit, 'a', after(10))).toEqual(after(20));
  for (let time = 1; time <= 3; time += 1) expect(await take(db.orm, limit, 'a', after(100))).toBeUndefined();
  expect(await take(db.orm, limit, 'a', after(100))).toEqual(after(110));
});

test('of many at once as many get through as may', async () => {
  const all = await Promise.all(Array.from({ length: 20 }, () => take(db.orm, limit, 'a', start)));
  expect(all.filter((again) => again === undefined)).toHaveLength(3);
});

test('the refusal says when; what was undone does not count', async () => {
  const one = { ...limit, burst: 1 };
  const undone = db.transaction(async (tx) => {
    await requireWithin(tx, one, 'a', start, 'Too often');
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  await requireWithin(db.orm, one, 'a', start, 'Too often');
  const refused = requireWithin(db.orm, one, 'a', after(4), 'Too often');
  await expect(refused).rejects.toMatchObject({
    code: Code.ResourceExhausted,
    rawMessage: 'Too often: try again in 6 seconds.',
  });
});

test('keeps no row that says nothing', async () => {
  await take(db.orm, limit, 'a', start);
  await take(db.orm, limit, 'b', after(60));
  await dropClearLimits(db.orm, after(30));
  expect((await db.orm.select().from(rateLimit)).map(({ key }) => key)).toEqual(['test:b']);
});
