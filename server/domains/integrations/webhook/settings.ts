import type {
  UpdateWebhookFilterRequest,
  UpdateWebhookRequest_UpdateWebhook,
  Webhook_ContentType,
} from '#proto/gen/hiber/webhook_pb.ts';
import { readDuration } from '#server/wire/durations.ts';
import {
  either,
  type EventFilterChange,
  readEventFilters,
} from '#server/domains/signals/notification/event-filters.ts';

/** What to change about a webhook; absent is unchanged, empty is cleared. */
export interface WebhookChange extends EventFilterChange {
  readonly description?: string;
  readonly url?: string;
  readonly secret?: string;
  readonly contentType?: Webhook_ContentType;
  readonly active?: boolean;
  /** 0: none. */
  readonly certificateId?: bigint;
  /** Seconds. */
  readonly healthWarningPeriod?: number;
  readonly healthWarningFailurePercentage?: number;
  readonly hmacHeaderName?: string;
  readonly addHeaders?: Readonly<Record<string, string>>;
  readonly removeHeaders?: readonly string[];
  /** Not empty: the complete new set. */
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
    // A plain string cannot say that it is absent: empty is unchanged.
    url: update.url === '' ? undefined : update.url,
    description: either(update.description, update.deprecatedDescription, ''),
    secret: either(update.secret, update.deprecatedSecret, ''),
    contentType: update.contentType,
    active: either(update.active, update.deprecatedActive, false),
    certificateId: either(update.certificateId, update.deprecatedCertificateId, 0n),
    addHealthLevels: update.addHealthLevels,
    removeHealthLevels: update.removeHealthLevels,
    healthWarningPeriod:
      update.healthWarningPeriod && (readDuration(update.healthWarningPeriod, 'health_warning_period') ?? 0),
    healthWarningFailurePercentage: either(
      update.healthWarningFailurePercentage,
      update.deprecatedHealthWarningFailurePercentage,
      0,
    ),
    hmacHeaderName: either(update.updateHmacHeaderName, update.deprecatedUpdateHmacHeaderName, ''),
    addHeaders: update.addCustomHeaders,
    removeHeaders: update.removeCustomHeaders,
    replaceHeaders: update.replaceCustomHeaders,
  };
}
