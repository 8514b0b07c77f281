import { eq, sql } from 'drizzle-orm';

import type { ModemMessage_Source } from '#proto/gen/hiber/modem_pb.ts';
import type { Database, Executor, Tx } from '#server/db/database.ts';
import { messageSummary } from '#server/db/schema/event-configuration.ts';
import { messageSummarized } from '#server/domains/people/organization/events.ts';
import { recordEvents } from '#server/events/record.ts';
import { hiddenLifecycles } from '#server/wire/lifecycles.ts';

/** By default, periods begin on Mondays at midnight. */
const MONDAY = '1970-01-05T00:00:00Z';

interface PeriodEnd extends Record<string, unknown> {
  readonly organization: string;
  /** The end of the last complete period, ISO 8601. */
  readonly boundary: string;
}

/**
 * Finds when each organization's last complete period ended, as of `now`. Periods follow the local time of the
 * organization, so periods of a day or longer keep their time of day when daylight saving time begins or ends.
 */
async function findPeriodEnds(db: Executor, now: Date, organization?: string): Promise<PeriodEnd[]> {
  const { rows } = await db.execute<PeriodEnd>(sql`
    select organization, to_json(ended.boundary) as boundary
    from (
      select *, (${now.toISOString()}::timestamptz at time zone time_zone) as clock,
        (coalesce(align_to, ${MONDAY}::timestamptz) at time zone time_zone) as phase
      from message_summary where enabled and period is not null
        and (${organization ?? null}::text is null or organization = ${organization ?? null})
    ) as s
    cross join lateral (
      select (phase + floor(extract(epoch from clock - phase) / period) * period * interval '1 second')
        at time zone time_zone as boundary
    ) as ended
    where ended.boundary <= ${now.toISOString()}::timestamptz
      and (summarized_until is null or ended.boundary > summarized_until)
    order by organization`);
  return rows;
}

/** Sets when the next summary starts. Call this when summaries are enabled or their period changes. */
export async function startSummaries(tx: Tx, organization: string, now: Date): Promise<void> {
  await tx.update(messageSummary).set({ summarizedUntil: null }).where(eq(messageSummary.organization, organization));
  const [periodEnd] = await findPeriodEnds(tx, now, organization);
  const summarizedUntil = periodEnd ? new Date(periodEnd.boundary) : now;
  await tx.update(messageSummary).set({ summarizedUntil }).where(eq(messageSummary.organization, organization));
}

/**
 * Records a summary for every period that has ended, counting each message exactly once. Combines periods that ended
 * while no server was running.
 */
export async function summarizeMessages({ db, now: clock }: { db: Database; now: () => Date }): Promise<void> {
  const now = clock();
  for (const { organization } of await findPeriodEnds(db.orm, now)) {
    await db.transaction((tx) => summarize(tx, organization, now));
  }
}

async function summarize(tx: Tx, organization: string, now: Date): Promise<void> {
  const [row] = await tx
    .select()
    .from(messageSummary)
    .where(eq(messageSummary.organization, organization))
    .for('update');
  // Another process may have recorded the summary already.
  const [periodEnd] = await findPeriodEnds(tx, now, organization);
  if (!row?.summarizedUntil || !periodEnd) return;
  const start = row.summarizedUntil;
  const end = new Date(periodEnd.boundary);
  const messageCount = await countMessages(tx, organization, start, end);
  await tx.update(messageSummary).set({ summarizedUntil: end }).where(eq(messageSummary.organization, organization));
  if (messageCount.length === 0 && !row.includeEmpty) return;
  await recordEvents(tx, [messageSummarized(organization, now, { start, end, messageCount })]);
}

/** Counts the messages by device and source. Leaves out hidden devices because customers see the summary. */
async function countMessages(tx: Tx, organization: string, start: Date, end: Date) {
  const { rows } = await tx.execute<{
    device: string;
    source: ModemMessage_Source | null;
    amount: number;
  }>(sql`
    select m.number as device, m.sources[1]::int as source, count(*)::int as amount
    from message m
    where m.organization = ${organization} and m.received_at >= ${start.toISOString()}::timestamptz
      and m.received_at < ${end.toISOString()}::timestamptz
      and not exists (select from device d where d.organization = m.organization and d.number = m.number
        and d.lifecycle in ${[...hiddenLifecycles]})
    group by 1, 2 order by 1, 2`);
  return rows.map(({ device, source, amount }) => ({ device, amount, source: source ?? undefined }));
}
