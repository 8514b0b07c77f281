import { type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';

import type { Executor } from './database.ts';
import { gatewayDeviceCount } from './schema/gateway-device-count.ts';
import { tagDeviceCount } from './schema/tag-device-count.ts';

/** Merges the rows that changes have added to the stored counts, so one row remains per count, or none if it is 0. */
export async function mergeStoredCounts(db: Executor): Promise<void> {
  await mergeRows(db, tagDeviceCount, sql`organization, tag, lifecycle, health_level`);
  await mergeRows(db, gatewayDeviceCount, sql`organization, gateway, lifecycle`);
}

/**
 * Merges the rows of a table that have the same key. Uses a single statement, so readers always see the correct counts.
 * Concurrent runs are safe because each run adds up only the rows that it deletes itself.
 */
async function mergeRows(db: Executor, table: PgTable, key: SQL): Promise<void> {
  await db.execute(sql`
    with merged as (
      delete from ${table} where (${key}) in (
        select ${key} from ${table} group by ${key} having count(*) > 1 or sum(devices) = 0
      )
      returning ${key}, devices
    )
    insert into ${table} (${key}, devices)
    select ${key}, sum(devices) from merged group by ${key} having sum(devices) <> 0`);
}
