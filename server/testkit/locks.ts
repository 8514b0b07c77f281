import { sql } from 'drizzle-orm';

import type { Tx } from '#server/db/database.ts';

/**
 * Lists the locks that a transaction holds: `device rows` for a table with rows locked by `for update` or a foreign
 * key, `advisory shared`, and `advisory exclusive`. The embedded database has one connection, so tests cannot observe a
 * transaction that waits for a lock.
 */
export async function listLocks(tx: Tx): Promise<string[]> {
  const { rows } = await tx.execute<{ lock: string }>(sql`
    select distinct case when l.locktype <> 'advisory' then c.relname || ' rows'
      when l.mode = 'ShareLock' then 'advisory shared' else 'advisory exclusive' end as lock
    from pg_locks l left join pg_class c
      on c.oid = l.relation and c.relkind in ('r', 'p') and l.mode = 'RowShareLock'
    where l.pid = pg_backend_pid() and (l.locktype = 'advisory' or c.relname not like 'pg\\_%')
    order by 1`);
  return rows.map(({ lock }) => lock);
}
