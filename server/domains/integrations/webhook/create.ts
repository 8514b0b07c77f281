import type { CreateWebhookRequest, Webhook } from '#proto/gen/hiber/webhook_pb.ts';
import type { App } from '#server/app/app.ts';
import { reserveId } from '#server/db/ids.ts';
import { webhookTag } from '#server/db/schema/tag.ts';
import { deviceNumber } from '#server/domains/fleet/device/model/number.ts';
import { checkTags } from '#server/domains/signals/notification/event-filters.ts';
import { recordEvents } from '#server/events/record.ts';
import { publisherCreated } from '#server/publishing/publisher-events.ts';
import { presentWebhooks } from '#server/publishing/targets/webhook/present.ts';
import { insertWebhooks } from '#server/publishing/targets/webhook/rows.ts';
import { webhookSubject } from '#server/publishing/targets/webhook/subject.ts';
import type { Scope } from '#server/session/scope.ts';

import { resolveValues } from './apply.ts';
import type { WebhookChange } from './settings.ts';

const defaults = {
  url: '',
  eventFilter: { include: [], exclude: [] },
  healthLevels: [],
  customHeaders: {},
  hmacHeaderName: '',
};

/**
 * Creates a webhook, enabled unless `data.disabled` is set. If it has no filter, it delivers everything that the caller
 * may see. Accepts health levels both in `health_levels` and in `filters.health_levels`.
 */
export async function createWebhook(app: App, caller: Scope, request: CreateWebhookRequest): Promise<Webhook> {
  const { organization } = caller;
  const now = app.now();
  const tags = [...new Set(request.tags.map(Number))];
  return app.db.transaction(async (tx) => {
    const values = await resolveValues(tx, app, caller, defaults, readNewWebhook(request));
    await checkTags(tx, organization, tags);
    const id = await reserveId(tx, organization, 'publisher');
    await insertWebhooks(tx, [
      {
        ...values,
        url: values.url ?? '',
        organization,
        id,
        disabled: request.data?.disabled ?? false,
        createdBy: caller.session.user.id,
        createdAt: now,
      },
    ]);
    if (tags.length > 0) {
      await tx.insert(webhookTag).values(tags.map((tag) => ({ organization, webhook: id, tag })));
    }
    const [createdWebhook] = await presentWebhooks(tx, organization, [id], now);
    if (!createdWebhook) throw new Error("The webhook was inserted but can't be read.");
    await recordEvents(tx, [publisherCreated(webhookSubject(createdWebhook), now)]);
    return createdWebhook;
  });
}

/** Reads a new webhook as a change. Always sets the URL, so checkUrl also rejects a missing URL. */
function readNewWebhook({
  description,
  data,
  filters,
  healthLevels,
  certificateId,
}: CreateWebhookRequest): WebhookChange {
  const { eventTypes, modemNumbers, tags } = filters ?? {};
  return {
    description,
    url: data?.url ?? '',
    secret: data?.secret,
    contentType: data?.contentType,
    certificateId: certificateId ?? data?.certificateId,
    eventFilter: eventTypes && { include: eventTypes.include, exclude: eventTypes.exclude },
    deviceFilter: modemNumbers && {
      include: modemNumbers.include.map(deviceNumber),
      exclude: modemNumbers.exclude.map(deviceNumber),
    },
    tagFilter: tags && { include: tags.include.map(Number), exclude: tags.exclude.map(Number) },
    addHealthLevels: [...healthLevels, ...(filters?.healthLevels ?? [])],
    hmacHeaderName: data?.hmacHeaderName,
    replaceHeaders: data?.customHeaders,
  };
}
