import { fromBinary } from '@bufbuild/protobuf';

import { EventSchema } from '#proto/gen/hiber/event_pb.ts';
import { Webhook_ContentType } from '#proto/gen/hiber/webhook_pb.ts';
import type { Sealer } from '#server/base/secrets.ts';
import { eventJson } from '#server/events/json.ts';
import { eventTypeName } from '#server/events/visibility.ts';

import { openHeaders } from './headers.ts';
import { secretsOfUrl } from './redact.ts';
import type { WebhookRow } from './rows.ts';
import type { Call } from './send.ts';
import { DEFAULT_SIGNATURE_HEADER, signature } from './signature.ts';

/** Contains the delivery's id. Every attempt repeats it, so receivers can drop duplicates. */
export const DELIVERY_HEADER = 'X-Quarterdeck-Delivery';
const TYPE_HEADER = 'X-Quarterdeck-Event';

/** A call with its body in both encodings. Only one of them is sent, but the history shows both. */
export interface WebhookCall extends Call {
  readonly bodyProto: Uint8Array;
  readonly bodyJson: string;
  /** The headers as the history shows them, with blank values for custom headers. */
  readonly shownHeaders: Record<string, string>;
  /** Values that must not be quoted from the response. */
  readonly credentials: readonly string[];
}

/** Headers that a webhook can't set, in lowercase. They describe the connection or the body, or are our own. */
export const reservedHeaders: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  DELIVERY_HEADER.toLowerCase(),
  TYPE_HEADER.toLowerCase(),
]);

/**
 * Builds the HTTP request that delivers an event to a webhook.
 *
 * @param body the stored event, as protobuf
 * @param delivery the delivery's id; undefined for a test call
 */
export function webhookCall(
  row: WebhookRow,
  body: Uint8Array,
  delivery: number | undefined,
  secrets: Sealer,
  version: string,
): WebhookCall {
  const event = fromBinary(EventSchema, body);
  const bodyJson = JSON.stringify(eventJson(event));
  // The contract doesn't define DEFAULT. We send JSON.
  const isProtobuf = row.contentType === Webhook_ContentType.PROTO;
  const sentBody = isProtobuf ? body : new TextEncoder().encode(bodyJson);
  const customHeaders = openHeaders(secrets, row.customHeaders);
  const hasUserAgent = Object.keys(customHeaders).some((name) => name.toLowerCase() === 'user-agent');
  const headers: Record<string, string> = {
    ...customHeaders,
    ...(hasUserAgent ? {} : { 'User-Agent': `Quarterdeck/${version}` }),
    'Content-Type': isProtobuf ? 'application/x-protobuf' : 'application/json',
    [TYPE_HEADER]: eventTypeName(event.type) ?? 'DEFAULT',
  };
  if (delivery !== undefined) headers[DELIVERY_HEADER] = String(delivery);
  if (row.secret !== null) {
    headers[row.hmacHeaderName || DEFAULT_SIGNATURE_HEADER] = signature(secrets.open(row.secret), sentBody);
  }
  const shownHeaders = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Object.hasOwn(customHeaders, name) ? '' : value]),
  );
  const credentials = [...Object.values(customHeaders), ...secretsOfUrl(row.url)];
  return { url: row.url, headers, body: sentBody, bodyProto: body, bodyJson, shownHeaders, credentials };
}
