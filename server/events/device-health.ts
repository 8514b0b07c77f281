import { sql } from 'drizzle-orm';
import type { Tx } from '#server/db/database';

/**
 * Sets the health of the devices to the most severe of their conditions, or to the organization's mildest level
 * without any (contract: Modem fields, EventService configuration).
 */
export async function refreshHealth(tx: Tx, organization: string, numbers: readonly string[]): Promise<void> {
  if (numbers.length === 0) return;
  await tx.execute(sql`
    with worst as (
      select distinct on (c.number) c.number, c.health_level
      from device_condition c
      join health_level l on l.organization = c.organization and l.level = c.health_level
      where c.organization = ${organization} and c.number = any(${sql.param([...numbers])}::text[])
      order by c.number, l.severity desc
    ), mildest as (
      select level from health_level where organization = ${organization} order by severity limit 1
    ), wanted as (
      select number, coalesce(worst.health_level, mildest.level) as health_level
      from unnest(${sql.param([...numbers])}::text[]) as given (number)
      left join worst using (number) cross join mildest
    )
    update device d set health_level = wanted.health_level
    from wanted
    where d.organization = ${organization} and d.number = wanted.number
      and d.health_level is distinct from wanted.health_level`);
}
