/**
 * Describes a webhook for events. Pass the webhook as presented, without its secret and with blank header values;
 * events include only the host of its URL (masked-url.ts).
 */
import { create } from '@bufbuild/protobuf';

import { Publisher_Type, PublisherSchema } from '#proto/gen/hiber/publisher_pb.ts';
import type { Webhook, Webhook_ContentType } from '#proto/gen/hiber/webhook_pb.ts';
import type { PublisherChange, PublisherSubject } from '#server/publishing/publisher-events.ts';

import { maskedUrl } from './masked-url.ts';

export function webhookSubject(webhook: Webhook): PublisherSubject {
  const { organization, description, id } = webhook;
  // Named by its description, or else by its host.
  const name = `Webhook "${description || maskedUrl(webhook.data?.url ?? '') || id}"`;
  return { organization, name, publisher: toPublisher(webhook) };
}

function toPublisher(webhook: Webhook) {
  const { filters } = webhook;
  const data = webhook.data && { ...webhook.data, url: maskedUrl(webhook.data.url) };
  return create(PublisherSchema, {
    id: webhook.id,
    description: webhook.description,
    deprecatedData: {
      url: data?.url,
      contentType: data?.contentType,
      disabled: data?.disabled,
      certificateId: data?.certificateId,
      // The contract repeats the signing secret here; ours is always blank (contract: Event JSON shape).
      config: { case: 'http', value: { secret: '' } },
    },
    filters: {
      eventTypes: filters?.eventTypes ?? {},
      modemNumbers: filters?.modemNumbers ?? {},
      tags: filters?.tags ?? {},
    },
    tags: webhook.tags,
    health: webhook.health,
    type: Publisher_Type.HTTP,
    inCooldownUntil: webhook.inCooldownUntil,
    disabled: data?.disabled,
    data: data ? { case: 'http', value: data } : { case: undefined },
    createdBy: webhook.createdBy,
  });
}

/**
 * The webhook settings that an update changes. Indicates whether the secret changed, but does not include its value.
 */
interface WebhookDataChange {
  readonly url?: string;
  readonly secret?: boolean;
  readonly contentType?: Webhook_ContentType;
  readonly certificateId?: bigint;
}

export function webhookData(change: WebhookDataChange): PublisherChange['data'] {
  const { secret, contentType, certificateId } = change;
  const url = change.url === undefined ? undefined : maskedUrl(change.url);
  const maskedSecret = secret ? '' : undefined;
  return {
    partialUpdateData: url === undefined ? undefined : { url },
    updatedData: {
      case: 'webhook',
      value: {
        url,
        contentType,
        secret: maskedSecret,
        deprecatedSecret: maskedSecret === undefined ? undefined : { updated: true, value: maskedSecret },
        certificateId,
        deprecatedCertificateId: certificateId === undefined ? undefined : { updated: true, value: certificateId },
      },
    },
  };
}
