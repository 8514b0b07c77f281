import { create } from '@bufbuild/protobuf';

import type { Tag } from '#proto/gen/hiber/tag_pb.ts';
import {
  Filter_EventsSchema,
  Filter_ModemsSchema,
  Filter_TagsSchema,
  type Filter_Events,
  type Filter_Modems,
  type Filter_Tags,
} from '#proto/gen/hiber/filter_pb.ts';
import type { UpdateWebhookRequest_UpdateWebhook as UpdateWebhook, Webhook } from '#proto/gen/hiber/webhook_pb.ts';
import { EVENTS, eventNames, eventTypes, eventWords } from '#commands/kit/event-types.ts';
import { message } from '#commands/text/message.ts';
import { p } from '#commands/model/params.ts';
import { device } from '#commands/nouns/fleet/device/entity.ts';
import { suggestLevels } from '#commands/nouns/signals/health-level/entity.ts';
import { tag } from '#commands/nouns/fleet/tag/entity.ts';
import type { WebhookField } from './field.ts';
import type { WebhookItem } from './item.ts';

// What a webhook is told of. The contract replaces each filter whole, so an update begins as a copy of what is there: setting what it includes
// leaves what it excludes.

type Texts = readonly string[];
type TagItem = Parameters<typeof tag.id>[0];
type Device = Parameters<typeof device.id>[0];
type Side = 'include' | 'exclude';

const label = eventWords.named;
const noneExcepted = message('webhook:none.except');

/** Params that creating and editing share. */
export const filterParams = {
  events: p.choices(EVENTS, { label, none: message('webhook:none.events') }),
  exceptEvents: p.choices(EVENTS, { label, none: noneExcepted }),
  devices: p.refs(() => device, { none: message('webhook:none.devices') }),
  exceptDevices: p.refs(() => device, { none: noneExcepted }),
  tags: p.refs(() => tag, { none: message('webhook:none.tags') }),
  exceptTags: p.refs(() => tag, { none: noneExcepted }),
  healthLevels: p.words({ suggest: suggestLevels, none: message('webhook:none.healthLevels') }),
};

const text = (value: unknown): string => (value as Texts).join(', ');

function eventFilter(update: UpdateWebhook, { filters }: Webhook): Filter_Events {
  const { include = [], exclude = [] } = filters?.eventTypes ?? {};
  return (update.eventFilter ??= create(Filter_EventsSchema, { include, exclude }));
}

function deviceFilter(update: UpdateWebhook, { filters }: Webhook): Filter_Modems {
  const { include = [], exclude = [] } = filters?.modemNumbers ?? {};
  return (update.modemFilter ??= create(Filter_ModemsSchema, { include, exclude }));
}

function tagFilter(update: UpdateWebhook, { filters }: Webhook): Filter_Tags {
  const { include = [], exclude = [] } = filters?.tags ?? {};
  return (update.tagFilter ??= create(Filter_TagsSchema, { include, exclude }));
}

const eventsOn = (side: Side, param: WebhookField['param']): WebhookField => ({
  param,
  now: ({ webhook }) => eventNames(webhook.filters?.eventTypes?.[side] ?? []),
  text,
  write: (update, value, { webhook }) => {
    eventFilter(update, webhook)[side] = eventTypes(value as Texts);
  },
});

const devicesOn = (side: Side, param: WebhookField['param']): WebhookField => ({
  param,
  now: ({ webhook }) => webhook.filters?.modemNumbers?.[side] ?? [],
  given: (resolved) => (resolved as readonly Device[] | undefined)?.map(device.id),
  text,
  write: (update, value, { webhook }) => {
    deviceFilter(update, webhook)[side] = [...(value as Texts)];
  },
});

const tagsOn = (
  side: Side,
  param: WebhookField['param'],
  named: (item: WebhookItem) => readonly Tag[],
): WebhookField => ({
  param,
  now: (item) => named(item).map((each) => each.label?.name ?? ''),
  given: (resolved) => (resolved as readonly TagItem[] | undefined)?.map(tag.label),
  text,
  write: (update, _value, { webhook }, resolved) => {
    tagFilter(update, webhook)[side] = (resolved as readonly TagItem[]).map((each) => each.tag.id);
  },
});

/** The contract takes what to add and what to remove. */
const healthLevels: WebhookField = {
  param: filterParams.healthLevels,
  now: ({ webhook }) => webhook.filters?.healthLevels ?? [],
  text,
  write: (update, value, { webhook }) => {
    const now = webhook.filters?.healthLevels ?? [];
    const wanted = value as Texts;
    update.addHealthLevels = wanted.filter((level) => !now.includes(level));
    update.removeHealthLevels = now.filter((level) => !wanted.includes(level));
  },
};

export const filterFields = {
  events: eventsOn('include', filterParams.events),
  exceptEvents: eventsOn('exclude', filterParams.exceptEvents),
  devices: devicesOn('include', filterParams.devices),
  exceptDevices: devicesOn('exclude', filterParams.exceptDevices),
  tags: tagsOn('include', filterParams.tags, ({ filterTags }) => filterTags),
  exceptTags: tagsOn('exclude', filterParams.exceptTags, ({ exceptTags }) => exceptTags),
  healthLevels,
} satisfies Readonly<Record<string, WebhookField>>;
