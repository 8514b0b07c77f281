/**
 * Removes credentials that earlier releases left in events about publishers: header values, full URLs, and receivers'
 * responses.
 */
import { clone, equals } from '@bufbuild/protobuf';

import type { Event } from '#proto/gen/hiber/event_pb.ts';
import { EventSchema } from '#proto/gen/hiber/event_pb.ts';
import type { Publisher } from '#proto/gen/hiber/publisher_pb.ts';
import { blankHeaders } from '#server/publishing/targets/webhook/headers.ts';
import { maskedUrl } from '#server/publishing/targets/webhook/masked-url.ts';

/** Returns the event without credentials; undefined if it contains none. */
export function withoutCredentials(stored: Event): Event | undefined {
  const cleanEvent = clone(EventSchema, stored);
  const detail = cleanEvent.event;
  switch (detail.case) {
    case 'publisherCreated':
      cleanPublisher(cleanEvent, detail.value.created);
      break;
    case 'publisherDeleted':
      cleanPublisher(cleanEvent, detail.value.deleted);
      break;
    case 'publisherUpdated':
      cleanUpdate(cleanEvent, detail.value);
      break;
    case 'publisherFailed': {
      const { reason } = detail.value;
      detail.value.reason = withoutResponse(reason);
      replaceText(cleanEvent, reason, detail.value.reason);
      cleanPublisher(cleanEvent, detail.value.failed);
      break;
    }
    default:
      return undefined;
  }
  return equals(EventSchema, stored, cleanEvent) ? undefined : cleanEvent;
}

function cleanPublisher(event: Event, publisher: Publisher | undefined): void {
  if (publisher?.deprecatedData) publisher.deprecatedData.url = maskInEvent(event, publisher.deprecatedData.url);
  if (publisher?.data.case !== 'http') return;
  const data = publisher.data.value;
  data.url = maskInEvent(event, data.url);
  data.customHeaders = blankHeaders(data.customHeaders);
}

type PublisherUpdated = Extract<Event['event'], { case: 'publisherUpdated' }>['value'];

function cleanUpdate(event: Event, update: PublisherUpdated): void {
  const { partialUpdateData, updatedData } = update;
  if (partialUpdateData?.url) partialUpdateData.url = maskInEvent(event, partialUpdateData.url);
  if (updatedData.case !== 'webhook') return;
  if (updatedData.value.url) updatedData.value.url = maskInEvent(event, updatedData.value.url);
  // The event's messages may contain a URL that is in none of its fields.
  maskUrlInTexts(event);
}

/** Masks the URL, including in messages that name the webhook by it. Leaves a masked URL unchanged. */
function maskInEvent(event: Event, url: string): string {
  if (url === '' || url.endsWith('/…')) return url;
  const mask = maskedUrl(url);
  replaceText(event, url, mask);
  return mask;
}

const WEBHOOK_URL = /^Webhook "(https?:\/\/[^"\s]+)"/;

function maskUrlInTexts(event: Event): void {
  const [, url] = WEBHOOK_URL.exec(event.description) ?? [];
  if (url !== undefined) maskInEvent(event, url);
}

/** Replaces text in the description, both in the envelope and in the detail, which repeats it. */
function replaceText(event: Event, before: string, after: string): void {
  if (before === after) return;
  event.description = event.description.replaceAll(before, after);
  const detail = event.event.value;
  if (detail !== undefined && 'description' in detail) detail.description = event.description;
}

/** Removes the receiver's response, as in `HTTP 401: token abc is not valid`, because it can quote the request. */
function withoutResponse(reason: string): string {
  return reason.replace(/^(HTTP \d{3}): (?!the receiver redirects)[^]*$/, '$1');
}
