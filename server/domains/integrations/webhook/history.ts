import { create } from '@bufbuild/protobuf';
import { and, desc, eq, gte, lte, sql } from 'drizzle-orm';

import type { WebhookCall, WebhookHistorySelection } from '#proto/gen/hiber/webhook_pb.ts';
import { WebhookCallSchema } from '#proto/gen/hiber/webhook_pb.ts';
import { countApproximately } from '#server/db/approximate-total.ts';
import type { Executor } from '#server/db/database.ts';
import { publisherCall } from '#server/db/schema/publisher.ts';
import type { PublisherKey } from '#server/publishing/target.ts';
import { type Page, paginationResult } from '#server/wire/pagination.ts';
import { presentTimestamp } from '#server/wire/present.ts';
import { readTimeRange } from '#server/wire/timestamps.ts';

/**
 * Lists past calls, newest first. Events held back by a cooldown cause no calls, so `only_failures` need not skip them.
 * Each webhook's newest 1,000 calls are kept for five weeks (not specified in the contract).
 */
export async function listCalls(
  db: Executor,
  key: PublisherKey,
  selection: WebhookHistorySelection | undefined,
  page: Page,
  now: Date,
) {
  const { start, end } = readTimeRange(selection?.timeRange, now, 'selection.time_range');
  const where = and(
    eq(publisherCall.organization, key.organization),
    eq(publisherCall.publisher, key.id),
    selection?.onlyFailures ? eq(publisherCall.successful, false) : undefined,
    start && gte(publisherCall.time, start),
    end && lte(publisherCall.time, end),
  );
  const rows = await db
    .select()
    .from(publisherCall)
    .where(where)
    .orderBy(desc(publisherCall.time), desc(publisherCall.id))
    .limit(page.limit)
    .offset(page.offset);
  const { total, approximated } = await countApproximately(db, sql`${publisherCall} where ${where}`, page, rows.length);
  return { calls: rows.map(presentCall), pagination: paginationResult(page, total, approximated) };
}

/** Presents the response as headers because the contract's call has no fields for it (docs/contract-choices.md). */
function responseHeaders({ status, milliseconds }: { status?: number | null; milliseconds: number | null }) {
  return {
    ...(status ? { 'X-Quarterdeck-Status': `${status}` } : {}),
    ...(milliseconds === null ? {} : { 'X-Quarterdeck-Milliseconds': `${milliseconds}` }),
  };
}

export function presentCall(
  row: Pick<
    typeof publisherCall.$inferSelect,
    'time' | 'url' | 'headers' | 'bodyProto' | 'bodyJson' | 'successful' | 'error' | 'milliseconds'
  > & { readonly status?: number | null },
): WebhookCall {
  return create(WebhookCallSchema, {
    time: presentTimestamp(row.time),
    url: row.url,
    headers: { ...row.headers, ...responseHeaders(row) },
    bodyProto: row.bodyProto,
    bodyJson: row.bodyJson,
    successful: row.successful,
    error: row.error,
  });
}
