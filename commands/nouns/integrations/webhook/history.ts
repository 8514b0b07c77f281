import { historyFilters, historySelection } from '#commands/kit/history-filters.ts';
import type { Column, DetailPart } from '#commands/model/column.ts';
import type { Context } from '#commands/model/context.ts';
import type { DetailTab } from '#commands/model/entity.ts';
import { FIRST_PAGE, type TabPage } from '#commands/model/tab-filter.ts';
import { toMs, prettyText, textOf } from '#commands/model/wire.ts';
import { message, type Message } from '#commands/text/message.ts';
import { WebhookService, type WebhookCall } from '#proto/gen/hiber/webhook_pb.ts';

import { hiddenHeader, type WebhookItem } from './item.ts';

const MAX_ROWS = 100;

/** The header with the delivery's id. Absent if the server doesn't number deliveries. */
const DELIVERY_HEADER = 'x-quarterdeck-delivery';
const TYPE_HEADER = 'x-quarterdeck-event';

// Our server adds the receiver's response as headers because the contract has no fields for it.
const STATUS_HEADER = 'x-quarterdeck-status';
const DURATION_HEADER = 'x-quarterdeck-milliseconds';
const RESPONSE_HEADERS: readonly string[] = [STATUS_HEADER, DURATION_HEADER];

function header({ headers }: WebhookCall, name: string): string | undefined {
  return Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
}

/** Formats a duration: `120 ms`, `1.4 s`. */
function durationText(call: WebhookCall): Message | undefined {
  const ms = Number(header(call, DURATION_HEADER) ?? Number.NaN);
  if (Number.isNaN(ms)) return undefined;
  if (ms < 1000) return message('webhook:call.milliseconds', { ms });
  return message('webhook:call.seconds', { seconds: (ms / 1000).toFixed(1) });
}

export function deliveryOf(call: WebhookCall): string | undefined {
  return header(call, DELIVERY_HEADER);
}

/** Loads a page of a webhook's calls, newest first. */
export async function loadCalls(
  context: Context,
  { webhook }: WebhookItem,
  { page, filterValues }: TabPage = FIRST_PAGE,
): Promise<readonly WebhookCall[]> {
  const { calls } = await context.api(WebhookService).history(
    {
      organization: context.organization.id,
      webhookId: webhook.id,
      selection: historySelection(context, filterValues),
      pagination: { page, size: MAX_ROWS },
    },
    { signal: context.signal },
  );
  return calls;
}

const columns: readonly Column<WebhookCall>[] = [
  { id: 'time', kind: 'time', width: 150, value: (row) => textOf(row.time), time: (row) => toMs(row.time) },
  {
    id: 'outcome',
    kind: 'health',
    width: 92,
    value: (row) => message(row.successful ? 'webhook:call.delivered' : 'webhook:call.failed'),
    level: (row) => (row.successful ? 'ok' : 'error'),
  },
  { id: 'status', kind: 'number', width: 32, value: (row) => header(row, STATUS_HEADER) },
  { id: 'duration', kind: 'number', width: 56, value: durationText },
  {
    id: 'event',
    kind: 'text',
    width: 150,
    value: (row) => {
      const type = header(row, TYPE_HEADER);
      return type && message(`event:type.${type}`);
    },
  },
  { id: 'error', kind: 'text', width: 160, grow: 1, value: (row) => row.error || undefined },
];

/** Returns the request body. A Protobuf body is shown as bytes and as JSON. */
function bodyParts(call: WebhookCall): readonly DetailPart[] {
  // A body is never empty. If it is missing, the server has omitted it because the user may not see the event.
  if (call.bodyProto.length === 0 && call.bodyJson === '')
    return [{ label: message('webhook:call.body'), text: message('webhook:call.bodyHidden') }];
  const json = prettyText(call.bodyJson);
  if (!isProto(call)) return [{ label: message('webhook:call.body'), text: json, mono: true }];
  return [
    { label: message('webhook:call.bodyProto'), text: hex(call.bodyProto), mono: true },
    ...(json ? [{ label: message('webhook:call.bodyAsJson'), text: json, mono: true }] : []),
  ];
}

/** True if the body is Protobuf. A call that was never sent has no headers. */
const isProto = (call: WebhookCall): boolean => header(call, 'content-type')?.includes('protobuf') ?? false;

/** Formats bytes in hex: `0a 12 f3`. */
const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(' ');

/** The call history, with each request and its result. */
export const history: DetailTab<WebhookItem> = {
  id: 'history',
  requires: 'PUBLISHERS',
  add: ({ webhook }) => ({ id: 'webhook.test', args: { webhooks: { ids: [`${webhook.id}`] } } }),
  columns,
  limit: MAX_ROWS,
  pages: true,
  filters: historyFilters,
  load: loadCalls,
  key: (row) => {
    const call = row as WebhookCall;
    return `${textOf(call.time)} ${deliveryOf(call) ?? ''}`;
  },
  detail: (row) => {
    const call = row as WebhookCall;
    const headers = Object.entries(call.headers)
      .filter(([name]) => !RESPONSE_HEADERS.includes(name.toLowerCase()))
      .map(([name, value]) => (value === '' ? hiddenHeader(name) : `${name}: ${value}`));
    const status = header(call, STATUS_HEADER);
    const duration = durationText(call);
    return [
      { label: message('webhook:call.time'), text: textOf(call.time) ?? '', time: toMs(call.time) },
      ...(status ? [{ label: message('webhook:call.status'), text: status }] : []),
      ...(duration ? [{ label: message('webhook:call.duration'), text: duration }] : []),
      { label: message('webhook:labels.url'), text: call.url, mono: true },
      ...(call.error ? [{ label: message('webhook:call.error'), text: call.error }] : []),
      { label: message('webhook:labels.headers'), text: headers.join('\n'), mono: true },
      ...bodyParts(call),
    ];
  },
};
