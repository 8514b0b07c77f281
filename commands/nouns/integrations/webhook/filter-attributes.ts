import { create } from '@bufbuild/protobuf';

import { eventNames, eventTypes, eventLabels } from '#commands/kit/event-types.ts';
import { asLinks } from '#commands/model/column.ts';
import { device } from '#commands/nouns/fleet/device/entity.ts';
import { tag } from '#commands/nouns/fleet/tag/entity.ts';
import { tagLabels } from '#commands/nouns/fleet/tag/item.ts';
import { message } from '#commands/text/message.ts';
import {
  Filter_EventsSchema,
  Filter_ModemsSchema,
  Filter_TagsSchema,
  type Filter_Events,
  type Filter_Modems,
  type Filter_Tags,
} from '#proto/gen/hiber/filter_pb.ts';
import type { Tag } from '#proto/gen/hiber/tag_pb.ts';
import type { UpdateWebhookRequest_UpdateWebhook as UpdateWebhook, Webhook } from '#proto/gen/hiber/webhook_pb.ts';

import type { WebhookAttributes, WebhookField } from './attribute.ts';
import { join, type WebhookItem } from './item.ts';
import { webhookParams } from './params.ts';

// The attributes of a webhook's event filter. The contract replaces each part of the filter as a whole, so an update
// starts as a copy of the current part. That way, setting the included items keeps the excluded items.

type Strings = readonly string[];
type TagItem = Parameters<typeof tag.id>[0];
type Device = Parameters<typeof device.id>[0];
type Side = 'include' | 'exclude';

const text = (value: unknown): string => (value as Strings).join(', ');

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

const eventsField = (side: Side, param: WebhookField['param']): WebhookField => ({
  param,
  current: ({ webhook }) => eventNames(webhook.filters?.eventTypes?.[side] ?? []),
  text,
  write: (update, value, { webhook }) => {
    eventFilter(update, webhook)[side] = eventTypes(value as Strings);
  },
});

const devicesField = (side: Side, param: WebhookField['param']): WebhookField => ({
  param,
  current: ({ webhook }) => webhook.filters?.modemNumbers?.[side] ?? [],
  fromArgument: (resolved) => (resolved as readonly Device[] | undefined)?.map(device.id),
  text,
  write: (update, value, { webhook }) => {
    deviceFilter(update, webhook)[side] = [...(value as Strings)];
  },
});

const tagsField = (
  side: Side,
  param: WebhookField['param'],
  tagsOf: (item: WebhookItem) => readonly Tag[],
): WebhookField => ({
  param,
  current: (item) => tagsOf(item).map((tag) => tag.label?.name ?? ''),
  fromArgument: (resolved) => (resolved as readonly TagItem[] | undefined)?.map(tag.label),
  text,
  write: (update, _value, { webhook }, resolved) => {
    tagFilter(update, webhook)[side] = (resolved as readonly TagItem[]).map((item) => item.tag.id);
  },
});

const EDIT = 'webhook.set-filter';

const names = (tags: readonly Tag[]): string | undefined => join(tags.map(({ label }) => label?.name ?? ''));

export const filterAttributes = {
  events: {
    kind: 'text',
    value: ({ webhook }) =>
      eventLabels.list(webhook.filters?.eventTypes?.include ?? []) ?? message('webhook:none.events'),
    column: { width: 180 },
    detail: 'events',
    edit: EDIT,
    field: eventsField('include', webhookParams.events),
  },
  exceptEvents: {
    kind: 'text',
    value: ({ webhook }) => eventLabels.list(webhook.filters?.eventTypes?.exclude ?? []),
    detail: 'events',
    edit: EDIT,
    field: eventsField('exclude', webhookParams.exceptEvents),
  },
  devices: {
    kind: 'mono',
    value: ({ webhook }) => join(webhook.filters?.modemNumbers?.include),
    links: ({ webhook }) => asLinks('device', ...(webhook.filters?.modemNumbers?.include ?? [])),
    detail: 'events',
    edit: EDIT,
    field: devicesField('include', webhookParams.devices),
  },
  exceptDevices: {
    kind: 'mono',
    value: ({ webhook }) => join(webhook.filters?.modemNumbers?.exclude),
    links: ({ webhook }) => asLinks('device', ...(webhook.filters?.modemNumbers?.exclude ?? [])),
    detail: 'events',
    edit: EDIT,
    field: devicesField('exclude', webhookParams.exceptDevices),
  },
  // The param `tags` sets the tags that the webhook listens to. A separate command sets the webhook's own tags.
  filterTags: {
    kind: 'tags',
    value: ({ filterTags }) => names(filterTags),
    tags: ({ filterTags }) => tagLabels(filterTags),
    column: { width: 160 },
    detail: 'events',
    edit: EDIT,
    param: 'tags',
    field: tagsField('include', webhookParams.tags, ({ filterTags }) => filterTags),
  },
  exceptTags: {
    kind: 'tags',
    value: ({ excludedTags }) => names(excludedTags),
    tags: ({ excludedTags }) => tagLabels(excludedTags),
    detail: 'events',
    edit: EDIT,
    field: tagsField('exclude', webhookParams.exceptTags, ({ excludedTags }) => excludedTags),
  },
  healthLevels: {
    kind: 'text',
    value: ({ webhook }) => join(webhook.filters?.healthLevels),
    detail: 'events',
    edit: EDIT,
    // The contract can't replace the list, only add and remove levels.
    field: {
      param: webhookParams.healthLevels,
      current: ({ webhook }) => webhook.filters?.healthLevels ?? [],
      text,
      write: (update, value, { webhook }) => {
        const current = webhook.filters?.healthLevels ?? [];
        const levels = value as Strings;
        update.addHealthLevels = levels.filter((level) => !current.includes(level));
        update.removeHealthLevels = current.filter((level) => !levels.includes(level));
      },
    },
  },
} satisfies WebhookAttributes;
