import { create } from '@bufbuild/protobuf';
import { and, asc, eq, sql } from 'drizzle-orm';

import { groupBy } from '#commands/text/group-by.ts';
import type { Health } from '#proto/gen/hiber/base_pb.ts';
import type { Webhook } from '#proto/gen/hiber/webhook_pb.ts';
import { WebhookSchema } from '#proto/gen/hiber/webhook_pb.ts';
import type { Executor } from '#server/db/database.ts';
import { tag, webhookTag } from '#server/db/schema/tag.ts';
import { webhook } from '#server/db/schema/webhook.ts';
import { type EventTag, presentTags } from '#server/events/new-event.ts';
import { presentTagFilter } from '#server/events/publisher-filters.ts';
import { healthAt } from '#server/publishing/health.ts';
import { presentDuration, presentTimestamp } from '#server/wire/present.ts';

import { blankHeaders } from './headers.ts';
import { selectWebhooks, type WebhookRow } from './rows.ts';
import { DEFAULT_SIGNATURE_HEADER } from './signature.ts';

/** Loads one organization's webhooks in the contract's format, in the order of `ids`. */
export async function presentWebhooks(
  db: Executor,
  organization: string,
  ids: readonly number[],
  now: Date,
): Promise<Webhook[]> {
  if (ids.length === 0) return [];
  const idList = sql.param([...ids]);
  const rows = await selectWebhooks(db, { health: healthAt(now) }).where(
    and(eq(webhook.organization, organization), sql`${webhook.id} = any(${idList}::bigint[])`),
  );
  const tagRows = await db
    .select({ webhook: webhookTag.webhook, id: tag.id, name: tag.name, type: tag.type, priority: tag.priority })
    .from(webhookTag)
    .innerJoin(tag, and(eq(tag.organization, webhookTag.organization), eq(tag.id, webhookTag.tag)))
    .where(and(eq(webhookTag.organization, organization), sql`${webhookTag.webhook} = any(${idList}::bigint[])`))
    .orderBy(asc(tag.name), asc(tag.id));
  const tags = groupBy(tagRows, (entry) => entry.webhook);
  const messages = new Map(
    rows.map(({ health, ...row }) => [row.id, presentWebhook(row, health, tags.get(row.id) ?? [], now)]),
  );
  return ids.flatMap((id) => messages.get(id) ?? []);
}

/**
 * Presents a webhook. The secret and header values are write-only, so an empty value means that a value is set. A
 * cooldown is included until it ends.
 */
function presentWebhook(row: WebhookRow, health: Health, tags: readonly EventTag[], now: Date): Webhook {
  return create(WebhookSchema, {
    id: BigInt(row.id),
    organization: row.organization,
    description: row.description,
    data: {
      url: row.url,
      secret: row.secret === null ? undefined : '',
      contentType: row.contentType,
      disabled: row.disabled,
      hmacHeaderName: row.hmacHeaderName || DEFAULT_SIGNATURE_HEADER,
      customHeaders: blankHeaders(row.customHeaders),
    },
    filters: {
      eventTypes: row.eventFilter,
      modemNumbers: row.deviceFilter,
      tags: presentTagFilter(row.tagFilter),
      healthLevels: row.healthLevels,
    },
    tags: presentTags(tags),
    health,
    inCooldownUntil:
      row.inCooldownUntil && row.inCooldownUntil > now ? presentTimestamp(row.inCooldownUntil) : undefined,
    healthConfig: {
      healthWarningPeriod: presentDuration(row.healthWarningPeriod),
      healthWarningFailurePercentage: row.healthWarningFailurePercentage,
    },
    createdBy: row.createdBy,
  });
}
