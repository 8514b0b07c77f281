import type {
  UpdateWebhookFilterRequest,
  UpdateWebhookRequest_UpdateWebhook,
  Webhook_ContentType,
} from '#proto/gen/hiber/webhook_pb.ts';
import {
  currentOrDeprecated,
  type EventFilterChange,
  readEventFilters,
} from '#server/domains/signals/notification/event-filters.ts';
import { readDuration } from '#server/wire/durations.ts';

/** A change to a webhook. Absent means unchanged, and empty means cleared. */
export interface WebhookChange extends EventFilterChange {
  readonly description?: string;
  readonly url?: string;
  readonly secret?: string;
  readonly contentType?: Webhook_ContentType;
  readonly active?: boolean;
  /** 0 means none. */
  readonly certificateId?: bigint;
  /** In seconds. */
  readonly healthWarningPeriod?: number;
  readonly healthWarningFailurePercentage?: number;
  readonly hmacHeaderName?: string;
  readonly addHeaders?: Readonly<Record<string, string>>;
  readonly removeHeaders?: readonly string[];
  /** If not empty, replaces all headers. */
  readonly replaceHeaders?: Readonly<Record<string, string>>;
}

export function readFilterUpdate(request: UpdateWebhookFilterRequest): WebhookChange {
  return {
    ...readEventFilters(request),
    addHealthLevels: request.addHealthLevelsToFilter,
    removeHealthLevels: request.removeHealthLevelsFromFilter,
  };
}

export function readUpdate(update: UpdateWebhookRequest_UpdateWebhook): WebhookChange {
  return {
    ...readEventFilters(update),
    // A plain string cannot be absent, so empty means unchanged.
    url: update.url === '' ? undefined : update.url,
    description: currentOrDeprecated(update.description, update.deprecatedDescription, ''),
    secret: currentOrDeprecated(update.secret, update.deprecatedSecret, ''),
    contentType: update.contentType,
    active: currentOrDeprecated(update.active, update.deprecatedActive, false),
    certificateId: currentOrDeprecated(update.certificateId, update.deprecatedCertificateId, 0n),
    addHealthLevels: update.addHealthLevels,
    removeHealthLevels: update.removeHealthLevels,
    healthWarningPeriod:
      update.healthWarningPeriod && (readDuration(update.healthWarningPeriod, 'health_warning_period') ?? 0),
    healthWarningFailurePercentage: currentOrDeprecated(
      update.healthWarningFailurePercentage,
      update.deprecatedHealthWarningFailurePercentage,
      0,
    ),
    hmacHeaderName: currentOrDeprecated(update.updateHmacHeaderName, update.deprecatedUpdateHmacHeaderName, ''),
    addHeaders: update.addCustomHeaders,
    removeHeaders: update.removeCustomHeaders,
    replaceHeaders: update.replaceCustomHeaders,
  };
}
