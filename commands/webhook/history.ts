import { WebhookService, type WebhookCall } from '#proto/hiber/webhook_pb';
import type { Context } from '../core/context.ts';
import type { Column, Related } from '../core/entity.ts';
import { message } from '../core/message.ts';
import { EVER, msOf, prettyText, textOf } from '../core/wire.ts';
import { hiddenHeader } from './fields.ts';
import type { WebhookItem } from './item.ts';

const LAST = 100;

/** Carries the delivery's id; a call without it came from a server that does not number them. */
const DELIVERY_HEADER = 'x-quarterdeck-delivery';
const TYPE_HEADER = 'x-quarterdeck-event';

function header({ headers }: WebhookCall, name: string): string | undefined {
  return Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
}

export function deliveryOf(call: WebhookCall): string | undefined {
  return header(call, DELIVERY_HEADER);
}

/** The newest calls of a webhook, newest first. */
export async function callsOf(
  context: Context,
  { webhook }: WebhookItem,
  selection: { readonly onlyFailures?: boolean } = {},
): Promise<readonly WebhookCall[]> {
  const { calls } = await context.api(WebhookService).history(
    {
      organization: context.organization.id,
      webhookId: webhook.id,
      selection: { ...selection, timeRange: EVER },
      pagination: { size: LAST },
    },
    { signal: context.signal },
  );
  return calls;
}

const columns: readonly Column<WebhookCall>[] = [
  { id: 'time', kind: 'time', width: 150, value: (row) => textOf(row.time), at: (row) => msOf(row.time) },
  {
    id: 'outcome',
    kind: 'health',
    width: 90,
    value: (row) => message(row.successful ? 'webhook:call.delivered' : 'webhook:call.failed'),
    level: (row) => (row.successful ? 'ok' : 'error'),
  },
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

/** The call history: what was sent, when, and how it went. */
export const history: Related<WebhookItem> = {
  id: 'history',
  requires: 'PUBLISHERS',
  columns,
  limit: LAST,
  load: callsOf,
  key: (row) => {
    const call = row as WebhookCall;
    return `${textOf(call.time)} ${deliveryOf(call) ?? ''}`;
  },
  detail: (row) => {
    const call = row as WebhookCall;
    const headers = Object.entries(call.headers).map(([name, value]) =>
      value === '' ? hiddenHeader(name) : `${name}: ${value}`,
    );
    return [
      { label: message('webhook:call.time'), text: textOf(call.time) ?? '' },
      { label: message('webhook:call.url'), text: call.url, mono: true },
      ...(call.error ? [{ label: message('webhook:call.error'), text: call.error }] : []),
      { label: message('webhook:call.headers'), text: headers.join('\n'), mono: true },
      { label: message('webhook:call.body'), text: prettyText(call.bodyJson), mono: true },
    ];
  },
};
