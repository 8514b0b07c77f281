/**
 * Events about a publisher; webhooks are the only kind so far. The webhook is passed as presented, so without its
 * secret and with blank values of its headers; of its address, events tell the host alone (masked-url.ts).
 */
import { create } from '@bufbuild/protobuf';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import type { Filter_Events, Filter_Modems, Filter_Tags } from '#proto/gen/hiber/filter_pb.ts';
import type { HealthLevel } from '#proto/gen/hiber/health_pb.ts';
import type { Publisher } from '#proto/gen/hiber/publisher_pb.ts';
import { Publisher_Type, PublisherSchema } from '#proto/gen/hiber/publisher_pb.ts';
import type { Webhook, Webhook_ContentType } from '#proto/gen/hiber/webhook_pb.ts';
import { maskedUrl } from './targets/webhook/masked-url.ts';
import { presentDuration } from '#server/wire/present.ts';
import type { NewEvent } from '#server/events/new-event.ts';
import { newEvent } from '#server/events/new-event.ts';

function publisherOf(webhook: Webhook): Publisher {
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

function envelope(webhook: Webhook, time: Date) {
  return { organization: webhook.organization, time, tags: webhook.tags };
}

/** How texts name it: by its description, else by its host. */
function describe(webhook: Webhook): string {
  return `Webhook "${webhook.description || maskedUrl(webhook.data?.url ?? '') || webhook.id}"`;
}

function about(webhook: Webhook, event: NewEvent): NewEvent {
  return { ...event, publisher: Number(webhook.id) };
}

export function publisherCreated(webhook: Webhook, time: Date): NewEvent {
  const event = newEvent(
    {
      ...envelope(webhook, time),
      type: EventType.PUBLISHER_CREATED,
      title: 'Publisher created',
      description: `${describe(webhook)} was created.`,
    },
    (common) => ({
      case: 'publisherCreated',
      value: { ...common, created: publisherOf(webhook), tags: webhook.tags },
    }),
  );
  return about(webhook, event);
}

/** What an update changed; absent is unchanged. That the secret changed is told, its value is not. */
export interface PublisherChange {
  description?: string;
  url?: string;
  secret?: boolean;
  contentType?: Webhook_ContentType;
  certificateId?: bigint;
  eventFilter?: Filter_Events;
  modemFilter?: Filter_Modems;
  tagFilter?: Filter_Tags;
  active?: boolean;
  /** Seconds. */
  healthWarningPeriod?: number;
  /** Words for the description, in order: `URL`, `event filter`, `disabled`. */
  changed: readonly string[];
}

export function publisherUpdated(webhook: Webhook, time: Date, change: PublisherChange): NewEvent {
  const { description, secret, contentType, certificateId, eventFilter, modemFilter, tagFilter, active } = change;
  const url = change.url === undefined ? undefined : maskedUrl(change.url);
  const blank = secret ? '' : undefined;
  const event = newEvent(
    {
      ...envelope(webhook, time),
      type: EventType.PUBLISHER_UPDATED,
      title: 'Publisher updated',
      description: `${describe(webhook)} was updated: ${change.changed.join(', ')}.`,
    },
    (common) => ({
      case: 'publisherUpdated',
      value: {
        ...common,
        tags: webhook.tags,
        deprecatedUpdatedDescription: description === undefined ? undefined : { updated: true, value: description },
        updatedDescription: description,
        partialUpdateData: url === undefined ? undefined : { url },
        deprecatedUpdatedEventFilter: eventFilter && { updated: true, value: eventFilter },
        updatedEventFilter: eventFilter,
        deprecatedUpdatedModemFilter: modemFilter && { updated: true, value: modemFilter },
        updatedModemFilter: modemFilter,
        deprecatedUpdatedTagFilter: tagFilter && { updated: true, value: tagFilter },
        updatedTagFilter: tagFilter,
        deprecatedUpdatedActiveState: active === undefined ? undefined : { updated: true, value: active },
        updatedActiveState: active,
        healthWarningPeriod:
          change.healthWarningPeriod === undefined ? undefined : presentDuration(change.healthWarningPeriod),
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
      },
    }),
  );
  return about(webhook, event);
}

export function publisherDeleted(webhook: Webhook, time: Date): NewEvent {
  const event = newEvent(
    {
      ...envelope(webhook, time),
      type: EventType.PUBLISHER_DELETED,
      title: 'Publisher deleted',
      description: `${describe(webhook)} was deleted.`,
    },
    (common) => ({
      case: 'publisherDeleted',
      value: { ...common, deleted: publisherOf(webhook), tags: webhook.tags },
    }),
  );
  return about(webhook, event);
}

/** One failure; the next success resolves it (contract: PUBLISHER_FAILED). */
export function publisherFailed(webhook: Webhook, time: Date, reason: string, healthLevel: HealthLevel): NewEvent {
  const event = newEvent(
    {
      ...envelope(webhook, time),
      type: EventType.PUBLISHER_FAILED,
      title: 'Publisher failed',
      description: `${describe(webhook)} failed: ${reason}`,
      healthLevel,
    },
    (common) => ({
      case: 'publisherFailed',
      value: { ...common, reason, failed: publisherOf(webhook), tags: webhook.tags, healthLevel },
    }),
  );
  return about(webhook, event);
}

export function publisherAutoDisabled(webhook: Webhook, time: Date, healthLevel: HealthLevel): NewEvent {
  const event = newEvent(
    {
      ...envelope(webhook, time),
      type: EventType.PUBLISHER_AUTO_DISABLED,
      title: 'Publisher disabled automatically',
      description: `${describe(webhook)} was disabled, because it kept failing for too long.`,
      healthLevel,
    },
    (common) => ({
      case: 'publisherAutoDisabled',
      value: { ...common, id: webhook.id, tags: webhook.tags, healthLevel },
    }),
  );
  return about(webhook, event);
}
