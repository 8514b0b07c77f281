import { create } from '@bufbuild/protobuf';

import { DurationSchema } from '#proto/gen/hiber/base_pb.ts';
import { Webhook_ContentType } from '#proto/gen/hiber/webhook_pb.ts';
import { printDuration } from '#commands/text/duration.ts';
import { HIDDEN } from '#commands/kit/editing.ts';
import { message, type Message } from '#commands/text/message.ts';
import { p } from '#commands/model/params.ts';
import { durationInit, enumName, secondsOf } from '#commands/model/wire.ts';
import { LONGEST, LONGEST_WARNING_PERIOD } from '#commands/text/lengths.ts';
import type { WebhookField } from './field.ts';
import { filterFields, filterParams } from './filter-fields.ts';
import { contentTypeWords, isDisabled } from './item.ts';

type Pairs = Readonly<Record<string, string>>;

export function checkUrl(value: string): Message | undefined {
  return /^https?:\/\/[^\s/]+\S*$/i.test(value.trim()) ? undefined : message('core:validation.url', { value });
}

export const CONTENT_TYPES = p.names(Webhook_ContentType);
export type ContentTypeName = (typeof CONTENT_TYPES)[number];

/** The name of a header by RFC 9110. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

export function checkHeaders(value: Pairs): Message | undefined {
  const wrong = Object.entries(value).find(([name, text]) => !HEADER_NAME.test(name) || /[\r\n]/.test(text));
  return wrong && message('webhook:validation.header', { name: wrong[0] });
}

const { exceptDevices, exceptTags, ...usual } = filterParams;

/** Params that creating and editing share; those that few need come last. */
export const webhookParams = {
  description: p.text({ clears: true, maxLength: LONGEST.webhookText }),
  ...usual,
  contentType: p.choice(CONTENT_TYPES, { label: contentTypeWords.named }),
  secret: p.secret({ clears: true }),
  hmacHeader: p.text({
    clears: true,
    placeholder: 'X-Hub-Signature',
    check: (value) =>
      value === '' || HEADER_NAME.test(value) ? undefined : message('webhook:validation.header', { name: value }),
  }),
  headers: p.pairs({ check: checkHeaders, hidden: true, maxLength: LONGEST.headerValue }),
  warningPeriod: p.duration({ min: 0, max: LONGEST_WARNING_PERIOD }),
  warningPercentage: p.number({ integer: true, min: 0, max: 100 }),
  exceptDevices,
  exceptTags,
};

const url: WebhookField = {
  param: p.text({ check: checkUrl, maxLength: LONGEST.webhookUrl }),
  now: ({ webhook }) => webhook.data?.url ?? '',
  write: (update, value) => (update.url = (value as string).trim()),
};

const description: WebhookField = {
  param: webhookParams.description,
  now: ({ webhook }) => webhook.description,
  write: (update, value) => (update.description = value as string),
};

const contentType: WebhookField = {
  param: webhookParams.contentType,
  now: ({ webhook }) => enumName(Webhook_ContentType, webhook.data?.contentType ?? 0),
  write: (update, value) => (update.contentType = Webhook_ContentType[value as ContentTypeName]),
};

/** It is written and never read back: a present one reads as empty, an absent one is none. */
const secret: WebhookField = {
  param: webhookParams.secret,
  secret: true,
  now: ({ webhook }) => (webhook.data?.secret === undefined ? '' : undefined),
  write: (update, value) => (update.secret = value as string),
};

const hmacHeader: WebhookField = {
  param: webhookParams.hmacHeader,
  now: ({ webhook }) => webhook.data?.hmacHeaderName ?? '',
  write: (update, value) => (update.updateHmacHeaderName = value as string),
};

/** A header as people see it; the server shows the values blank. */
export const hiddenHeader = (name: string): string => `${name}: ${HIDDEN}`;

/** Values are written and never read back: an empty one keeps what is stored under the name. */
const headers: WebhookField = {
  param: webhookParams.headers,
  now: ({ webhook }) => webhook.data?.customHeaders ?? {},
  // A value that was replaced or removed is gone; a header that was added can be taken away again.
  restores: ({ webhook }, value) => {
    const wanted = new Map(Object.entries(value as Pairs).map(([name, text]) => [name.toLowerCase(), text]));
    return Object.keys(webhook.data?.customHeaders ?? {}).every((name) => wanted.get(name.toLowerCase()) === '');
  },
  text: (value) =>
    Object.entries(value as Pairs)
      .map(([name, text]) => (text === '' ? name : hiddenHeader(name)))
      .join(', ') || undefined,
  write: (update, value, { webhook }) => {
    const wanted = value as Pairs;
    update.addCustomHeaders = { ...wanted };
    update.removeCustomHeaders = Object.keys(webhook.data?.customHeaders ?? {}).filter(
      (name) => !Object.hasOwn(wanted, name),
    );
  },
};

const warningPeriod: WebhookField = {
  param: webhookParams.warningPeriod,
  now: ({ webhook }) => secondsOf(webhook.healthConfig?.healthWarningPeriod) ?? 0,
  text: (value) => printDuration(value as number),
  write: (update, value) => (update.healthWarningPeriod = create(DurationSchema, durationInit(value as number))),
};

const warningPercentage: WebhookField = {
  param: webhookParams.warningPercentage,
  now: ({ webhook }) => webhook.healthConfig?.healthWarningFailurePercentage ?? 0,
  text: (value) => `${value as number}%`,
  write: (update, value) => (update.healthWarningFailurePercentage = value as number),
};

const disabled: WebhookField = {
  param: p.maybe(),
  now: isDisabled,
  write: (update, value) => (update.active = value !== true),
};

export const webhookFields: Readonly<Record<string, WebhookField>> = {
  url,
  description,
  ...filterFields,
  contentType,
  secret,
  hmacHeader,
  headers,
  warningPeriod,
  warningPercentage,
  disabled,
};
