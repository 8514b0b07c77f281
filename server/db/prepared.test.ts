import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { openTestDatabase } from '#server/testkit/database.ts';

import type { Database } from './database.ts';
import { executePrepared, preparedOnce } from './prepared.ts';

let db: Database;
beforeAll(async () => void (db = await openTestDatabase()));
afterAll(() => db.close());

test('prepares a statement once per connection, for any values', async () => {
  await db.transaction(async (tx) => {
    const double = async (value: number) =>
      (await executePrepared<{ doubled: number }>(tx, sql`select ${value}::int * 2 as doubled`)).rows;
    expect([await double(1), await double(21)]).toEqual([[{ doubled: 2 }], [{ doubled: 42 }]]);
    const { rows } = await tx.execute(
      sql`select statement from pg_prepared_statements where statement like '%as doubled%'`,
    );
    expect(rows).toEqual([{ statement: 'select $1::int * 2 as doubled' }]);
  });
});

test('prepares different statements separately', async () => {
  const selectRows = async (part: string) =>
    (await executePrepared(db.orm, sql`select ${sql.raw(part)} as value`)).rows;
  expect([await selectRows('1'), await selectRows("'a'")]).toEqual([[{ value: 1 }], [{ value: 'a' }]]);
});

test('builds a statement once for each executor, and runs it with other values', async () => {
  let builds = 0;
  const double = preparedOnce((executor) => {
    builds += 1;
    return executor
      .select({ doubled: sql<number>`${sql.placeholder('value')}::int * 2` })
      .from(sql`generate_series(1, 1) as one`)
      .prepare('doubled_once');
  });
  expect([await double(db.orm).execute({ value: 1 }), await double(db.orm).execute({ value: 21 })]).toEqual([
    [{ doubled: 2 }],
    [{ doubled: 42 }],
  ]);
  expect(builds).toBe(1);
  // A transaction has a connection of its own.
  await db.transaction(async (tx) => {
    expect(await double(tx).execute({ value: 3 })).toEqual([{ doubled: 6 }]);
  });
  expect(builds).toBe(2);
});
