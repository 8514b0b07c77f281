import { type SQL, sql } from 'drizzle-orm';

import { Health } from '#proto/gen/hiber/base_pb.ts';

/**
 * Returns the SQL for a publisher's health in a query on `publisher`, as a number of the contract's enum. The health is
 * ERROR if the last call failed, WARNING if more than the configured percentage of calls in the warning period failed
 * (not counting manual calls), and otherwise OK (contract: WebhookService).
 */
export function healthAt(now: Date): SQL<Health> {
  // Qualify the names: drizzle omits the table in a select list, and unqualified names in the subquery would refer to
  // the call.
  return sql<Health>`case
    when publisher.last_call_failed then ${Health.ERROR}::int
    when publisher.health_warning_period > 0 and (
      select count(*) filter (where not c.successful) * 100.0 / nullif(count(*), 0) from publisher_call c
      where c.organization = publisher.organization and c.publisher = publisher.id and not c.manual
        and c.time > ${now.toISOString()}::timestamptz - make_interval(secs => publisher.health_warning_period)
    ) > publisher.health_warning_failure_percentage then ${Health.WARNING}::int
    else ${Health.OK}::int end`;
}
