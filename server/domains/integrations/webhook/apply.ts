import { isDeepStrictEqual } from 'node:util';
import { create } from '@bufbuild/protobuf';
import { Filter_EventsSchema, Filter_ModemsSchema, Filter_TagsSchema } from '#proto/gen/hiber/filter_pb.ts';
import type { Tx } from '#server/db/database.ts';
import type { App } from '#server/app/app.ts';
import { wakeWorkers } from '#server/publishing/outbox.ts';
import { webhookMessages } from '#server/publishing/targets/webhook/present.ts';
import { webhookData, webhookSubject } from '#server/publishing/targets/webhook/subject.ts';
import {
  updateWebhook,
  WEBHOOK_KIND,
  type WebhookRow,
  type WebhookValues,
} from '#server/publishing/targets/webhook/rows.ts';
import { publisherUpdated, type PublisherChange } from '#server/publishing/publisher-events.ts';
import { recordEvents } from '#server/events/record.ts';
import type { Scope } from '#server/session/scope.ts';
import { settledFilters } from '#server/domains/signals/notification/event-filters.ts';
import { checkCertificate, checkPercentage, checkPeriod, checkText, checkUrl, withinPermissions } from './check.ts';
import { readHeaders, refuseNewHost } from './headers.ts';
import type { WebhookChange } from './settings.ts';

const WEEK = 7 * 86_400_000;

/** Clears what failures have built up. */
const forgiven = { cooldownStep: 0, inCooldownUntil: null, failingSince: null } satisfies WebhookValues;

/**
 * Checks a change of settings against the webhook as it is; for a new one, against its defaults.
 *
 * @throws ConnectError with what is wrong and what would be right; nothing has been written then
 */
export async function settledValues(
  tx: Tx,
  app: App,
  caller: Scope,
  row: Pick<WebhookRow, 'url' | 'eventFilter' | 'healthLevels' | 'customHeaders' | 'hmacHeaderName'>,
  change: WebhookChange,
): Promise<WebhookValues> {
  const { organization } = caller;
  const values: WebhookValues = {};
  if (change.description !== undefined) values.description = checkText(change.description, 'description');
  if (change.url !== undefined) {
    // A new address has not failed yet.
    Object.assign(values, forgiven, { url: checkUrl(change.url, app.config.allowLoopbackDeliveries) });
  }
  if (change.secret !== undefined) values.secret = change.secret === '' ? null : app.secrets.seal(change.secret);
  if (change.contentType !== undefined) values.contentType = change.contentType;
  if (change.certificateId !== undefined) checkCertificate(change.certificateId, organization);
  if (change.url !== undefined || change.eventFilter !== undefined) {
    values.eventFilter = withinPermissions(caller, change.eventFilter ?? row.eventFilter);
    values.allLifecycles = caller.allLifecycles;
  }
  Object.assign(values, await settledFilters(tx, caller, row, change, app.now()));
  if (change.healthWarningPeriod !== undefined) {
    checkPeriod(change.healthWarningPeriod);
    values.healthWarningPeriod = Math.round(change.healthWarningPeriod);
  }
  if (change.healthWarningFailurePercentage !== undefined) {
    checkPercentage(change.healthWarningFailurePercentage);
    values.healthWarningFailurePercentage = change.healthWarningFailurePercentage;
  }
  const headers = readHeaders(app.secrets, row, change);
  if (values.url !== undefined) refuseNewHost(row.url, values.url, headers.kept);
  return { ...values, ...headers.values };
}

/**
 * Enabling ends a cooldown, and wakes what waits in the outbox. After an automatic disable it also suspends the next
 * one for a week (contract: WebhookService).
 */
function activeValues(row: WebhookRow, active: boolean, now: Date): WebhookValues {
  if (!active) return { disabled: true };
  return {
    ...forgiven,
    disabled: false,
    autoDisabled: false,
    ...(row.autoDisabled ? { autoDisableSuspendedUntil: new Date(now.getTime() + WEEK) } : {}),
  };
}

/** Makes the change, and tells what was changed; a change that changes nothing tells nothing. */
export async function changeWebhook(
  tx: Tx,
  app: App,
  caller: Scope,
  row: WebhookRow,
  change: WebhookChange,
): Promise<void> {
  const now = app.now();
  const values = await settledValues(tx, app, caller, row, change);
  if (change.active !== undefined) Object.assign(values, activeValues(row, change.active, now));
  if (Object.keys(values).length === 0) return;
  await updateWebhook(tx, row, values);
  if (values.disabled === false || values.inCooldownUntil === null) {
    await wakeWorkers(tx, [WEBHOOK_KIND]);
  }
  const changed = words(row, values, change);
  if (changed.length === 0) return;
  const [message] = await webhookMessages(tx, row.organization, [row.id], now);
  if (message)
    await recordEvents(tx, [publisherUpdated(webhookSubject(message), now, { ...told(values, change), changed })]);
}

/** What the event repeats. */
function told(values: WebhookValues, change: WebhookChange): Omit<PublisherChange, 'changed'> {
  const { eventFilter } = values;
  const { deviceFilter, tagFilter } = change;
  return {
    description: values.description,
    data: webhookData({ url: values.url, secret: change.secret !== undefined, contentType: values.contentType }),
    eventFilter: change.eventFilter && create(Filter_EventsSchema, eventFilter),
    modemFilter: deviceFilter && create(Filter_ModemsSchema, deviceFilter),
    tagFilter:
      tagFilter &&
      create(Filter_TagsSchema, { include: tagFilter.include.map(BigInt), exclude: tagFilter.exclude.map(BigInt) }),
    active: change.active,
    healthWarningPeriod: values.healthWarningPeriod,
  };
}

function words(row: WebhookRow, values: WebhookValues, change: WebhookChange): string[] {
  const differs = (key: keyof WebhookValues) => key in values && !isDeepStrictEqual(values[key], row[key]);
  const named = [
    ['description', differs('description')],
    ['URL', differs('url')],
    ['secret', change.secret !== undefined],
    ['content type', differs('contentType')],
    ['event filter', differs('eventFilter')],
    ['device filter', differs('deviceFilter')],
    ['tag filter', differs('tagFilter')],
    ['health levels', differs('healthLevels')],
    ['health warning', differs('healthWarningPeriod') || differs('healthWarningFailurePercentage')],
    ['headers', differs('customHeaders') || differs('hmacHeaderName')],
    [values.disabled ? 'disabled' : 'enabled', differs('disabled')],
    ['cooldown ended', values.disabled === false && !row.disabled && row.inCooldownUntil !== null],
  ] as const;
  return named.filter(([, is]) => is).map(([word]) => word);
}
