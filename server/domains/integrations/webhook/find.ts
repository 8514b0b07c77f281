import { and, asc, desc, eq, ilike, inArray, or, sql, type SQL } from 'drizzle-orm';

import type { WebhookSelection } from '#proto/gen/hiber/webhook_pb.ts';
import { ListWebhooksRequest_Sort } from '#proto/gen/hiber/webhook_pb.ts';
import { anyOf, noneOf } from '#server/db/any-of.ts';
import type { Tx } from '#server/db/database.ts';
import { naturalOrder } from '#server/db/schema/columns.ts';
import { publisher } from '#server/db/schema/publisher.ts';
import { tag, webhookTag } from '#server/db/schema/tag.ts';
import { webhook } from '#server/db/schema/webhook.ts';
import { taggedWith } from '#server/domains/fleet/device/model/tag-selection.ts';
import { deviceScope, tagScope } from '#server/domains/fleet/device/model/where.ts';
import { healthAt } from '#server/publishing/health.ts';
import { selectWebhooks, type WebhookRow } from '#server/publishing/targets/webhook/rows.ts';
import type { Scope } from '#server/session/scope.ts';
import { notFound, describeMissing } from '#server/wire/errors.ts';
import { substringPattern } from '#server/wire/text.ts';

const tagsOfWebhook = sql`${webhookTag.organization} = ${webhook.organization} and ${webhookTag.webhook} = ${webhook.id}`;

/** Combines the criteria with AND. Text matches anywhere, ignoring case. */
export function webhookWhere(caller: Scope, selection: WebhookSelection | undefined, now: Date): SQL | undefined {
  const { description, url, webhooks, tags, health = [], certificateIds = [], search } = selection ?? {};
  return and(
    eq(webhook.organization, caller.organization),
    description ? ilike(webhook.description, substringPattern(description)) : undefined,
    url ? ilike(webhook.url, substringPattern(url)) : undefined,
    webhooks?.include.length ? anyOf(webhook.id, webhooks.include.map(Number)) : undefined,
    webhooks?.exclude.length ? noneOf(webhook.id, webhooks.exclude.map(Number)) : undefined,
    webhooks?.onlyActive ? eq(publisher.disabled, false) : undefined,
    taggedWith(webhookTag, tagsOfWebhook, tagScope(deviceScope(caller)), tags),
    health.length > 0 ? inArray(healthAt(now), health) : undefined,
    certificateIds.length > 0 ? anyOf(webhook.certificateId, certificateIds.map(Number)) : undefined,
    ...(search ?? '').split(/\s+/).filter(Boolean).map(matchesWord),
  );
}

/** Matches a word in the description, the URL, or a tag's name, or as the whole id. */
function matchesWord(word: string): SQL | undefined {
  const pattern = substringPattern(word);
  return or(
    ilike(webhook.description, pattern),
    ilike(webhook.url, pattern),
    sql`${webhook.id}::text = ${word}`,
    sql`exists (select 1 from ${webhookTag} join ${tag} on ${tag.organization} = ${webhookTag.organization}
      and ${tag.id} = ${webhookTag.tag} where ${tagsOfWebhook} and ${ilike(tag.name, pattern)})`,
  );
}

/** Returns the sort expressions in order of significance. The id comes last, which keeps pagination stable. */
export function webhookOrder(sorts: readonly ListWebhooksRequest_Sort[], now: Date): SQL[] {
  return [...sorts.flatMap((sort) => orderBy(sort, now)), asc(webhook.id)];
}

function orderBy(sort: ListWebhooksRequest_Sort, now: Date): SQL[] {
  switch (sort) {
    case ListWebhooksRequest_Sort.ID_DESC:
      return [desc(webhook.id)];
    case ListWebhooksRequest_Sort.DESCRIPTION:
      return [asc(naturalOrder(webhook.description))];
    case ListWebhooksRequest_Sort.DESCRIPTION_DESC:
      return [desc(naturalOrder(webhook.description))];
    case ListWebhooksRequest_Sort.URL:
      return [asc(webhook.url)];
    case ListWebhooksRequest_Sort.URL_DESC:
      return [desc(webhook.url)];
    case ListWebhooksRequest_Sort.HEALTH:
      // Unhealthy webhooks come first.
      return [desc(healthAt(now))];
    default:
      return [asc(webhook.id)];
  }
}

/**
 * Locks the webhooks with the given ids until the transaction ends. Locks them in id order to prevent deadlocks.
 *
 * @throws ConnectError NOT_FOUND, naming the missing ids
 */
export async function lockWebhooks(
  tx: Tx,
  organization: string,
  ids: readonly bigint[],
): Promise<Map<number, WebhookRow>> {
  const requestedIds = [...new Set(ids.map(Number))];
  const rows = await selectWebhooks(tx)
    .where(and(eq(webhook.organization, organization), sql`${webhook.id} = any(${sql.param(requestedIds)}::bigint[])`))
    .orderBy(asc(webhook.id))
    // Doesn't block rows that refer to the webhook, because a transaction that changes a webhook puts the resulting
    // events into the outboxes of other webhooks.
    .for('no key update');
  const rowsById = new Map(rows.map((row) => [row.id, row]));
  const missingIds = requestedIds.filter((id) => !rowsById.has(id));
  if (missingIds.length > 0)
    throw notFound(`${organization} has ${describeMissing('webhook with id', missingIds, 'webhooks with ids')}.`);
  return rowsById;
}
