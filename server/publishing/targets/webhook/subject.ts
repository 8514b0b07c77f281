/**
 * A webhook as events tell of it. It is passed as presented, so without its secret and with blank values of its
 * headers; of its address, events tell the host alone (masked-url.ts).
 */
import { create } from '@bufbuild/protobuf';
import { Publisher_Type, PublisherSchema } from '#proto/gen/hiber/publisher_pb.ts';
import type { Webhook, Webhook_ContentType } from '#proto/gen/hiber/webhook_pb.ts';
import type { PublisherChange, PublisherSubject } from '#server/publishing/publisher-events.ts';
import { maskedUrl } from './masked-url.ts';

export function webhookSubject(webhook: Webhook): PublisherSubject {
  const { organization, description, id } = webhook;
  // By its description, else by its host.
  const name = `Webhook "${description || maskedUrl(webhook.data?.url ?? '') || id}"`;
  return { organization, name, publisher: publisherOf(webhook) };
}

function publisherOf(webhook: Webhook) {
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
      // The fragment repeats the signing secret; ours is always blank (contract: Event JSON shape).
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

/** What an update changed of what only webhooks have. That the secret changed is told, its value is not. */
interface WebhookDataChange {
  readonly url?: string;
  readonly secret?: boolean;
  readonly contentType?: Webhook_ContentType;
  readonly certificateId?: bigint;
}

export function webhookData(change: WebhookDataChange): PublisherChange['data'] {
  const { secret, contentType, certificateId } = change;
  const url = change.url === undefined ? undefined : maskedUrl(change.url);
  const blank = secret ? '' : undefined;
  return {
    partialUpdateData: url === undefined ? undefined : { url },
    updatedData: {
      case: 'webhook',
      value: {
        url,
        contentType,
        secret: blank,
        deprecatedSecret: blank === undefined ? undefined : { updated: true, value: blank },
        certificateId,
        deprecatedCertificateId: certificateId === undefined ? undefined : { updated: true, value: certificateId },
      },
    },
  };
}
