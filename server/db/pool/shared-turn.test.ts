import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Database } from '#server/db/database.ts';
import { openPglite } from '#server/db/drivers/pglite.ts';

import { forCaller } from './work.ts';

let db: Database;
beforeAll(async () => void (db = await openPglite()));
afterAll(() => db.close());

const asCaller = <T>(run: () => Promise<T>, controller = new AbortController()) => forCaller(controller.signal, run);
const read = async (value: number | string) =>
  (await db.pool.query<{ v: number }>('select $1::int as v', [value])).rows[0]?.v;

/** Runs `run` and returns how many times the pool handed out its connection meanwhile. */
async function countTurns(run: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  const count = () => (turns += 1);
  db.pool.on('acquire', count);
  try {
    await run();
  } finally {
    db.pool.off('acquire', count);
  }
  return turns;
}

test('runs the statements that a call requests at once in one turn, each with its own result', async () => {
  const turns = await countTurns(async () => {
    expect(await asCaller(() => Promise.all([read(1), read(2), read(3)]))).toEqual([1, 2, 3]);
  });
  expect(turns).toBe(1);
});

test('gives each call, and each later statement of a call, its own turn', async () => {
  const turns = await countTurns(() =>
    Promise.all([
      asCaller(async () => [await read(1), await read(2)]),
      asCaller(() => read(3)),
      ...[4, 5].map(read), // Without a caller.
    ]),
  );
  expect(turns).toBe(5);
});

test('an error fails only its own statement, and the connection is not reused', async () => {
  const before = await db.pool.connect();
  before.release();
  const results = await asCaller(() => Promise.allSettled([read(1), read('x'), read(3)]));
  expect(results).toMatchObject([{ value: 1 }, { reason: { code: '22P02' } }, { value: 3 }]);
  const after = await db.pool.connect();
  after.release();
  expect(after).not.toBe(before);
});

test('a prepared statement can run twice in a turn', async () => {
  const prepared = (value: number) => db.pool.query({ name: 'twice', text: 'select $1::int as v', values: [value] });
  const results = await asCaller(() => Promise.all([prepared(1), prepared(2)]));
  expect(results.map(({ rows }) => rows as unknown)).toEqual([[{ v: 1 }], [{ v: 2 }]]);
});

test('a caller who hangs up while waiting gets no connection for any of the statements', async () => {
  const client = await db.pool.connect();
  const controller = new AbortController();
  const results = asCaller(() => Promise.allSettled([read(1), read(2)]), controller);
  const turns = await countTurns(async () => {
    controller.abort(new Error('hung up'));
    expect(await results).toMatchObject([{ reason: { message: 'hung up' } }, { reason: { message: 'hung up' } }]);
    client.release();
  });
  expect(turns).toBe(0);
  expect(await read(4)).toBe(4);
});
