import { sql } from 'drizzle-orm';

import type { Database } from './database.ts';

/** Seconds after which a leader that no longer renews its lease is replaced. */
const LEASE_SECONDS = 10;

/** A lease on a role that only one process per database can hold at a time. */
export interface LeaderLease {
  /**
   * Acquires the lease or renews it. Call this repeatedly, at intervals shorter than the lease.
   *
   * @returns true if this process is the leader
   */
  acquireOrRenew(): Promise<boolean>;
  release(): Promise<void>;
}

/**
 * Creates a lease in a row of `setting`, measured by the database's clock. An advisory lock would occupy the embedded
 * database's only connection.
 */
export function createLeaderLease(db: Database, role: string, owner: string): LeaderLease {
  const key = `tenure:${role}`;
  return {
    async acquireOrRenew() {
      const { rows } = await db.orm.execute(sql`
        insert into setting (key, value) values (${key},
          jsonb_build_object('owner', ${owner}::text, 'until', extract(epoch from clock_timestamp()) + ${LEASE_SECONDS}::int))
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
