import { sql } from 'drizzle-orm';

import type { Executor } from '#server/db/database.ts';
import { tagDeviceCount } from '#server/db/schema/tag-device-count.ts';

/**
 * Merges the rows that changes have added to the stored counts, so one row remains per tag, lifecycle, and health
 * level, or none if the count is 0. Uses a single statement, so readers always see the correct counts. Concurrent runs
 * are safe because each run adds up only the rows that it deletes itself.
 */
export async function mergeTagCounts(db: Executor): Promise<void> {
  await db.execute(sql`
    with split as (
      select organization, tag, lifecycle, health_level from ${tagDeviceCount}
       group by organization, tag, lifecycle, health_level having count(*) > 1 or sum(devices) = 0
    ), merged as (
      delete from ${tagDeviceCount} using split
       where ${tagDeviceCount.organization} = split.organization and ${tagDeviceCount.tag} = split.tag
         and ${tagDeviceCount.lifecycle} = split.lifecycle and ${tagDeviceCount.healthLevel} = split.health_level
      returning ${tagDeviceCount.organization}, ${tagDeviceCount.tag}, ${tagDeviceCount.lifecycle},
        ${tagDeviceCount.healthLevel}, ${tagDeviceCount.devices}
    )
    insert into ${tagDeviceCount} (organization, tag, lifecycle, health_level, devices)
    select organization, tag, lifecycle, health_level, sum(devices) from merged
     group by organization, tag, lifecycle, health_level having sum(devices) <> 0`);
}
