import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { Database } from '#server/db/database.ts';
import { openTestDatabase } from '#server/testkit/database.ts';

import { forCaller, withoutTimeLimit } from './work.ts';

/** PGlite can't interrupt a statement, so the tests about running statements apply to PostgreSQL only. */
const onPostgres = Boolean(process.env['TEST_DATABASE_URL']);

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
  await database.pool.query('create table written (value int)');
});
afterAll(() => database.close());
beforeEach(() => database.pool.query('delete from written'));

const hangUp = new Error('the caller hung up');
const readWritten = async () => (await database.pool.query<{ value: number }>('select value from written')).rows;
const insert = (value: number) => sql`insert into written values (${value})`;

/** Counts the running statements that contain the given text. */
async function countRunning(text: string): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    `select count(*) as count from pg_stat_activity
      where datname = current_database() and state = 'active' and pid <> pg_backend_pid() and query like $1`,
    [`%${text}%`],
  );
  return rows[0]?.count ?? 0;
}

describe('a caller who hung up', () => {
  test('gets no connection', async () => {
    await expect(forCaller(AbortSignal.abort(hangUp), () => database.orm.execute(insert(1)))).rejects.toBeDefined();
    expect(await readWritten()).toEqual([]);
  });

  test('leaves the queue before its statement runs', async () => {
    const releases: (() => void)[] = [];
    const size = database.kind === 'pglite' ? 1 : 10;
    for (let index = 0; index < size; index += 1) {
      const client = await database.pool.connect();
      releases.push(() => client.release());
    }
    const caller = new AbortController();
    const work = forCaller(caller.signal, () => database.orm.execute(insert(1)));
    caller.abort(hangUp);
    // Resolves while every connection is still taken.
    await expect(work).rejects.toMatchObject({ cause: hangUp });
    for (const release of releases) release();
    expect(await readWritten()).toEqual([]);
  });

  test('rolls back its transaction and frees its connection for the next caller', async () => {
    const caller = new AbortController();
    const work = forCaller(caller.signal, () =>
      database.transaction(async (tx) => {
        await tx.execute(insert(1));
        caller.abort(hangUp);
        await tx.execute(insert(2));
      }),
    );
    await expect(work).rejects.toMatchObject({ cause: hangUp });
    expect(await readWritten()).toEqual([]);
  });

  test('rolls back its transaction if it hangs up just before COMMIT', async () => {
    const caller = new AbortController();
    const work = forCaller(caller.signal, () =>
      database.transaction(async (tx) => {
        await tx.execute(insert(1));
        caller.abort(hangUp);
      }),
    );
    await expect(work).rejects.toBeDefined();
    expect(await readWritten()).toEqual([]);
  });

  test('does not stop background work that outlives the call', async () => {
    const caller = new AbortController();
    let laterWork: Promise<unknown> | undefined;
    let proceed: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (proceed = resolve));
    await forCaller(caller.signal, async () => {
      laterWork = gate.then(() => database.orm.execute(insert(7)));
    });
    caller.abort(hangUp);
    proceed();
    await laterWork;
    expect(await readWritten()).toEqual([{ value: 7 }]);
  });
});

describe.runIf(onPostgres)('a running statement on PostgreSQL', () => {
  test.each([
    ['by itself', async () => void (await database.orm.execute(sql`insert into written select 1 from pg_sleep(60)`))],
    [
      'sent through the pool',
      async () => void (await database.pool.query('insert into written select 1 from pg_sleep(60)')),
    ],
    [
      'in a transaction',
      () =>
        database.transaction(async (tx) => {
          await tx.execute(insert(1));
          await tx.execute(sql`select pg_sleep(60)`);
        }),
    ],
    [
      'sent together with one that has ended',
      () =>
        database.transaction(async (tx) => {
          await Promise.all([tx.execute(insert(1)), tx.execute(sql`select pg_sleep(60)`)]);
        }),
    ],
  ])('%s is canceled when its caller hangs up', async (_, statement) => {
    const caller = new AbortController();
    const outcome = forCaller(caller.signal, statement).then(
      () => 'done',
      () => 'canceled',
    );
    await expect.poll(() => countRunning('pg_sleep(60)'), { timeout: 10_000 }).toBe(1);
    caller.abort(hangUp);
    // Otherwise, it would run until its time limit of 15 seconds.
    await expect.poll(() => countRunning('pg_sleep(60)'), { timeout: 10_000 }).toBe(0);
    expect(await outcome).toBe('canceled');
    expect(await readWritten()).toEqual([]);
  });

  test('is never canceled when other callers hang up', async () => {
    const endOthers = new AbortController();
    const failures: unknown[] = [];
    const others = Array.from({ length: 4 }, async () => {
      while (!endOthers.signal.aborted) {
        await database.orm.execute(sql`select pg_sleep(0.002)`).catch((error: unknown) => failures.push(error));
      }
    });
    for (let round = 0; round < 150; round += 1) {
      const caller = new AbortController();
      const statement = forCaller(caller.signal, () => database.orm.execute(sql`select pg_sleep(0.003)`));
      setTimeout(() => caller.abort(hangUp), round % 7);
      await statement.catch(() => undefined);
    }
    endOthers.abort();
    await Promise.all(others);
    expect(failures).toEqual([]);
  });

  test('remains committed if its caller hangs up after COMMIT', async () => {
    const caller = new AbortController();
    await forCaller(caller.signal, () => database.transaction((tx) => tx.execute(insert(1))));
    caller.abort(hangUp);
    expect(await readWritten()).toEqual([{ value: 1 }]);
  });

  test('has time limits except on maintenance connections, and those are not reused', async () => {
    const readLimits = async () => {
      const { rows } = await database.pool.query<{ limit: string }>(
        `select string_agg(current_setting(name), ' ' order by name) as limit
          from unnest(array['idle_in_transaction_session_timeout', 'lock_timeout', 'statement_timeout']) as name`,
      );
      return rows[0]?.limit;
    };
    expect(await withoutTimeLimit(readLimits)).toBe('0 0 0');
    expect(await Promise.all(Array.from({ length: 12 }, readLimits))).toEqual(Array(12).fill('1min 10s 15s'));
  });

  test('fails without affecting other work when its connection is lost between statements', async () => {
    const work = database.transaction(async (tx) => {
      const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
      await database.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
      await expect
        .poll(() =>
          tx.execute(sql`select 1`).then(
            () => 'connected',
            () => 'lost',
          ),
        )
        .toBe('lost');
      await tx.execute(insert(1));
    });
    await expect(work).rejects.toBeDefined();
    expect(await readWritten()).toEqual([]);
  });
});

test('serves a call with little database use before a call with heavy use', async () => {
  const order: string[] = [];
  const select = async (name: string) => {
    await database.pool.query('select 1');
    order.push(name);
  };
  const size = database.kind === 'pglite' ? 1 : 10;
  const signal = new AbortController().signal;
  const heavyWork = forCaller(signal, async () => {
    await database.pool.query('select count(*) from generate_series(1, 2000000)');
    const clients = await Promise.all(
      Array.from({ length: size }, () => withoutTimeLimit(() => database.pool.connect())),
    );
    const queries = [select('heavy'), forCaller(signal, () => select('light'))];
    // One slot is free, so they take it one after the other.
    clients.pop()?.release();
    await Promise.all(queries);
    for (const client of clients) client.release();
  });
  await heavyWork;
  expect(order).toEqual(['light', 'heavy']);
});
