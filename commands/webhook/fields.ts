import { create } from '@bufbuild/protobuf';

import { DurationSchema } from '#proto/hiber/base_pb';
import {
  Filter_EventsSchema,
  Filter_ModemsSchema,
  Filter_TagsSchema,
  type Filter_Events,
} from '#proto/hiber/filter_pb';
import {
  Webhook_ContentType,
  type UpdateWebhookRequest_UpdateWebhook as UpdateWebhook,
  type Webhook,
} from '#proto/hiber/webhook_pb';
import { printDuration } from '../core/duration.ts';
import type { EditableField } from '../core/edit-command.ts';
import { EVENTS, eventNames, eventTypes, eventWords } from '../core/event-types.ts';
import { HIDDEN } from '../core/editing.ts';
import type { ArgValue } from '../core/kinds.ts';
import { message, type Message } from '../core/message.ts';
import { p } from '../core/params.ts';
import { durationInit, enumName, secondsOf } from '../core/wire.ts';
import { device } from '../device/entity.ts';
import { suggestLevels } from '../health/entity.ts';
import { tag } from '../tag/entity.ts';
import { LONGEST, LONGEST_WARNING_PERIOD } from '../text/lengths.ts';
import { contentTypeWords, isDisabled, type WebhookItem } from './item.ts';

type Texts = readonly string[];
type Pairs = Readonly<Record<string, string>>;
type TagItem = Parameters<typeof tag.id>[0];
type Device = Parameters<typeof device.id>[0];

export interface WebhookField extends EditableField<WebhookItem> {
  /** Puts a value into the update of one webhook; `resolved` is the argument as it was looked up. */
  write(update: UpdateWebhook, value: ArgValue, item: WebhookItem, resolved: unknown): void;
}

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

const eventText = eventWords.named;

/** Params that creating and editing share. */
export const webhookParams = {
  description: p.text({ clears: true, maxLength: LONGEST.webhookText }),
  events: p.choices(EVENTS, { label: eventText, none: message('webhook:none.events') }),
  exceptEvents: p.choices(EVENTS, { label: eventText, none: message('webhook:none.exceptEvents') }),
  devices: p.refs(() => device, { none: message('webhook:none.devices') }),
  tags: p.refs(() => tag, { none: message('webhook:none.tags') }),
  healthLevels: p.words({ suggest: suggestLevels, none: message('webhook:none.healthLevels') }),
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
};

export const tagNameOf = (item: TagItem): string => tag.label(item);

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

/** The update's event filter, starting as a copy of what is there: the contract replaces it whole. */
function eventFilter(update: UpdateWebhook, { filters }: Webhook): Filter_Events {
  const { include = [], exclude = [] } = filters?.eventTypes ?? {};
  return (update.eventFilter ??= create(Filter_EventsSchema, { include, exclude }));
}

const events: WebhookField = {
  param: webhookParams.events,
  now: ({ webhook }) => eventNames(webhook.filters?.eventTypes?.include ?? []),
  text: (value) => (value as Texts).join(', '),
  write: (update, value, { webhook }) => {
    eventFilter(update, webhook).include = eventTypes(value as Texts);
  },
};

const exceptEvents: WebhookField = {
  param: webhookParams.exceptEvents,
  now: ({ webhook }) => eventNames(webhook.filters?.eventTypes?.exclude ?? []),
  text: (value) => (value as Texts).join(', '),
  write: (update, value, { webhook }) => {
    eventFilter(update, webhook).exclude = eventTypes(value as Texts);
  },
};

const devices: WebhookField = {
  param: webhookParams.devices,
  now: ({ webhook }) => webhook.filters?.modemNumbers?.include ?? [],
  given: (resolved) => (resolved as readonly Device[] | undefined)?.map(device.id),
  text: (value) => (value as Texts).join(', '),
  write: (update, value, { webhook }) => {
    const exclude = webhook.filters?.modemNumbers?.exclude ?? [];
    update.modemFilter = create(Filter_ModemsSchema, { include: [...(value as Texts)], exclude });
  },
};

const tags: WebhookField = {
  param: webhookParams.tags,
  now: ({ filterTags }) => filterTags.map(({ label }) => label?.name ?? ''),
  given: (resolved) => (resolved as readonly TagItem[] | undefined)?.map(tagNameOf),
  text: (value) => (value as Texts).join(', '),
  write: (update, _value, { webhook }, resolved) => {
    const include = (resolved as readonly TagItem[]).map((each) => each.tag.id);
    update.tagFilter = create(Filter_TagsSchema, { include, exclude: webhook.filters?.tags?.exclude ?? [] });
  },
};

/** The contract takes what to add and what to remove. */
const healthLevels: WebhookField = {
  param: webhookParams.healthLevels,
  now: ({ webhook }) => webhook.filters?.healthLevels ?? [],
  text: (value) => (value as Texts).join(', '),
  write: (update, value, { webhook }) => {
    const now = webhook.filters?.healthLevels ?? [];
    const wanted = value as Texts;
    update.addHealthLevels = wanted.filter((level) => !now.includes(level));
    update.removeHealthLevels = now.filter((level) => !wanted.includes(level));
  },
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

export const filterFields = { events, exceptEvents, devices, tags, healthLevels };

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
