import type { Pool, PoolClient } from 'pg';

import type { Orm } from '#server/db/database.ts';
import { createOrm } from '#server/db/orm.ts';

import { Grouping } from './grouping.ts';
import { currentWork } from './work.ts';

/** Reads the values for several keys, in the order of the keys. */
export type ReadAll<Key, Value> = (keys: readonly Key[]) => Promise<readonly Value[]>;

/** The maximum number of keys per statement. */
const MAX_KEYS = 64;

/**
 * Creates a read that is cheap enough to precede every call, because concurrent reads of an account share a statement.
 * Nothing is cached; a statement serves only the reads requested before it was sent.
 *
 * @param prepare called once per connection, to prepare its statement
 */
export function groupedRead<Key, Value>(
  prepare: (orm: Orm) => ReadAll<Key, Value>,
): (database: { readonly pool: Pool }, key: Key) => Promise<Value> {
  const groupings = new WeakMap<Pool, Grouping<Key, Value>>();
  const readers = new WeakMap<PoolClient, ReadAll<Key, Value>>();

  const getReader = (client: PoolClient): ReadAll<Key, Value> => {
    const read = readers.get(client) ?? prepare(createOrm(client));
    readers.set(client, read);
    return read;
  };
  const getGrouping = (pool: Pool): Grouping<Key, Value> => {
    const existing = groupings.get(pool);
    if (existing !== undefined) return existing;
    const grouping = new Grouping<Key, Value>({
      async run(next) {
        const client = await pool.connect();
        try {
          return (await getReader(client)(next())).map((result) => ({ result }));
        } finally {
          client.release();
        }
      },
      maxWeight: MAX_KEYS,
      weigh: () => 1,
    });
    groupings.set(pool, grouping);
    return grouping;
  };

  return ({ pool }, key) => {
    const { account = '', signal } = currentWork() ?? {};
    return getGrouping(pool).submit(account, key, signal);
  };
}
