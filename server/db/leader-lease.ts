import { sql } from 'drizzle-orm';
import type { Database } from './database.ts';

/** Seconds after which a holder that is gone is replaced. */
const LEASE = 10;

/** A role that one process on a database holds at a time. */
export interface Tenure {
  /** Takes or keeps the role. Call it more often than the lease is long. @returns whether it is ours */
  hold(): Promise<boolean>;
  release(): Promise<void>;
}

/**
 * A lease in a row of `setting`, measured by the database's clock. Not an advisory lock, which would keep the only
 * connection of the embedded database.
 */
export function createTenure(db: Database, role: string, owner: string): Tenure {
  const key = `tenure:${role}`;
  return {
    async hold() {
      const { rows } = await db.orm.execute(sql`
        insert into setting (key, value) values (${key},
          jsonb_build_object('owner', ${owner}::text, 'until', extract(epoch from clock_timestamp()) + ${LEASE}::int))
        on conflict (key) do update set value = excluded.value
        where setting.value ->> 'owner' = ${owner}
          or (setting.value ->> 'until')::float8 < extract(epoch from clock_timestamp())
        returning key`);
      return rows.length > 0;
    },
    async release() {
      await db.orm.execute(sql`delete from setting where key = ${key} and value ->> 'owner' = ${owner}`);
    },
  };
}
