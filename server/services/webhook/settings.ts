import type {
  UpdateWebhookFilterRequest,
  UpdateWebhookRequest_UpdateWebhook,
  Webhook_ContentType,
} from '#proto/hiber/webhook_pb';
import type { EventType } from '#proto/hiber/event_type_pb';
import type { IncludeExclude } from '#server/db/schema/webhook';
import { deviceNumber } from '../shared/device-number.ts';
import { readDuration } from '../shared/durations.ts';

/** What to change about a webhook; absent is unchanged, empty is cleared. */
export interface WebhookChange {
  description?: string;
  url?: string;
  secret?: string;
  contentType?: Webhook_ContentType;
  active?: boolean;
  /** 0: none. */
  certificateId?: bigint;
  eventFilter?: IncludeExclude<EventType>;
  deviceFilter?: IncludeExclude<string>;
  tagFilter?: IncludeExclude<number>;
  addHealthLevels?: readonly string[];
  removeHealthLevels?: readonly string[];
  /** Seconds. */
  healthWarningPeriod?: number;
  healthWarningFailurePercentage?: number;
  hmacHeaderName?: string;
  addHeaders?: Readonly<Record<string, string>>;
  removeHeaders?: readonly string[];
  /** Not empty: the complete new set. */
  replaceHeaders?: Readonly<Record<string, string>>;
}

/** A deprecated wrapper: nothing changes unless it says so (contract: Update semantics). */
interface Wrapper<T> {
  updated: boolean;
  value?: T;
}

/** The new field wins over the wrapper; a wrapper that is updated without a value clears, to `empty`. */
function either<T>(current: T | undefined, wrapper: Wrapper<T> | undefined, empty: T): T | undefined {
  if (current !== undefined) return current;
  return wrapper?.updated ? (wrapper.value ?? empty) : undefined;
}

interface Filter<T> {
  include: T[];
  exclude: T[];
}

const nothing = { include: [], exclude: [] };

interface FilterFields {
  eventFilter?: Filter<EventType>;
  deprecatedEventFilter?: Wrapper<Filter<EventType>>;
  modemFilter?: Filter<string>;
  deprecatedModemFilter?: Wrapper<Filter<string>>;
  tagFilter?: Filter<bigint>;
  deprecatedTagFilter?: Wrapper<Filter<bigint>>;
}

/** Filters are replaced whole: absent is unchanged, empty lets everything through (contract: UpdateFilter). */
function readFilters(fields: FilterFields): WebhookChange {
  const events = either(fields.eventFilter, fields.deprecatedEventFilter, nothing);
  const devices = either(fields.modemFilter, fields.deprecatedModemFilter, nothing);
  const tags = either(fields.tagFilter, fields.deprecatedTagFilter, nothing);
  return {
    eventFilter: events && { include: events.include, exclude: events.exclude },
    deviceFilter: devices && {
      include: devices.include.map(deviceNumber),
      exclude: devices.exclude.map(deviceNumber),
    },
    tagFilter: tags && { include: tags.include.map(Number), exclude: tags.exclude.map(Number) },
  };
}

export function readFilterUpdate(request: UpdateWebhookFilterRequest): WebhookChange {
  return {
    ...readFilters(request),
    addHealthLevels: request.addHealthLevelsToFilter,
    removeHealthLevels: request.removeHealthLevelsFromFilter,
  };
}

export function readUpdate(update: UpdateWebhookRequest_UpdateWebhook): WebhookChange {
  return {
    ...readFilters(update),
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
