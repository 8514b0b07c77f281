import { isDeepStrictEqual } from 'node:util';

import { create } from '@bufbuild/protobuf';

import { Filter_EventsSchema, Filter_ModemsSchema, Filter_TagsSchema } from '#proto/gen/hiber/filter_pb.ts';
import type { App } from '#server/app/app.ts';
import type { Tx } from '#server/db/database.ts';
import { resolveFilters } from '#server/domains/signals/notification/event-filters.ts';
import { recordEvents } from '#server/events/record.ts';
import { wakeWorkers } from '#server/publishing/outbox.ts';
import { publisherUpdated, type PublisherChange } from '#server/publishing/publisher-events.ts';
import { presentWebhooks } from '#server/publishing/targets/webhook/present.ts';
import { updateWebhook, type WebhookRow, type WebhookValues } from '#server/publishing/targets/webhook/rows.ts';
import { webhookData, webhookSubject } from '#server/publishing/targets/webhook/subject.ts';
import type { Scope } from '#server/session/scope.ts';

import {
  checkCertificate,
  checkDescription,
  checkPercentage,
  checkPeriod,
  checkUrl,
  limitToPermissions,
} from './check.ts';
import { readHeaders, rejectNewHost } from './headers.ts';
import type { WebhookChange } from './settings.ts';

const WEEK = 7 * 86_400_000;

/** Resets the failure state. */
const noFailures = { cooldownStep: 0, inCooldownUntil: null, failingSince: null } satisfies WebhookValues;

/**
 * Checks a change to the settings against the webhook's current state, or against the defaults if the webhook is new.
 *
 * @returns the values to store
 * @throws ConnectError with the problem and the accepted values, before anything is written
 */
export async function resolveValues(
  tx: Tx,
  app: App,
  caller: Scope,
  row: Pick<WebhookRow, 'url' | 'eventFilter' | 'healthLevels' | 'customHeaders' | 'hmacHeaderName'>,
  change: WebhookChange,
): Promise<WebhookValues> {
  const { organization } = caller;
  const values: WebhookValues = {};
  if (change.description !== undefined) values.description = checkDescription(change.description);
  if (change.url !== undefined) {
    // A new URL has not failed yet.
    Object.assign(values, noFailures, { url: checkUrl(change.url, app.config.allowLoopbackDeliveries) });
  }
  if (change.secret !== undefined) values.secret = change.secret === '' ? null : app.secrets.seal(change.secret);
  if (change.contentType !== undefined) values.contentType = change.contentType;
  if (change.certificateId !== undefined) checkCertificate(change.certificateId, organization);
  if (change.url !== undefined || change.eventFilter !== undefined) {
    values.eventFilter = limitToPermissions(caller, change.eventFilter ?? row.eventFilter);
    values.allLifecycles = caller.allLifecycles;
  }
  Object.assign(values, await resolveFilters(tx, caller, row, change, app.now()));
  if (change.healthWarningPeriod !== undefined) {
    checkPeriod(change.healthWarningPeriod);
    values.healthWarningPeriod = Math.round(change.healthWarningPeriod);
  }
  if (change.healthWarningFailurePercentage !== undefined) {
    checkPercentage(change.healthWarningFailurePercentage);
    values.healthWarningFailurePercentage = change.healthWarningFailurePercentage;
  }
  const headers = readHeaders(app.secrets, row, change);
  if (values.url !== undefined) rejectNewHost(row.url, values.url, headers.unchangedNames);
  return { ...values, ...headers.values };
}

/**
 * Returns the values that enable or disable a webhook. Enabling ends a cooldown. Enabling a webhook that was disabled
 * automatically also turns automatic disabling off for a week (contract: WebhookService).
 */
function activationValues(row: WebhookRow, active: boolean, now: Date): WebhookValues {
  if (!active) return { disabled: true };
  return {
    ...noFailures,
    disabled: false,
    autoDisabled: false,
    ...(row.autoDisabled ? { autoDisableSuspendedUntil: new Date(now.getTime() + WEEK) } : {}),
  };
}

/** Applies the change and records an event with the changed settings if any setting differs. */
export async function changeWebhook(
  tx: Tx,
  app: App,
  caller: Scope,
  row: WebhookRow,
  change: WebhookChange,
): Promise<void> {
  const now = app.now();
  const values = await resolveValues(tx, app, caller, row, change);
  if (change.active !== undefined) Object.assign(values, activationValues(row, change.active, now));
  if (Object.keys(values).length === 0) return;
  await updateWebhook(tx, row, values);
  if (values.disabled === false || values.inCooldownUntil === null) {
    wakeWorkers(tx, [row]);
  }
  const phrases = describeChanges(row, values, change);
  if (phrases.length === 0) return;
  const [message] = await presentWebhooks(tx, row.organization, [row.id], now);
  if (message)
    await recordEvents(tx, [
      publisherUpdated(webhookSubject(message), now, { ...changedSettings(values, change), changed: phrases }),
    ]);
}

/** Returns the changed settings that the event includes. */
function changedSettings(values: WebhookValues, change: WebhookChange): Omit<PublisherChange, 'changed'> {
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

function describeChanges(row: WebhookRow, values: WebhookValues, change: WebhookChange): string[] {
  const differs = (key: keyof WebhookValues) => key in values && !isDeepStrictEqual(values[key], row[key]);
  const phrases = [
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
  return phrases.filter(([, applies]) => applies).map(([phrase]) => phrase);
}
