import { create, type MessageInitShape } from '@bufbuild/protobuf';

import { bulkAction, type CallContext } from '#commands/kit/bulk-action.ts';
import { createAction } from '#commands/kit/create-action.ts';
import { eventLabels, eventTypes } from '#commands/kit/event-types.ts';
import { LETTERS } from '#commands/kit/letters.ts';
import type { CreatedItem } from '#commands/model/errors.ts';
import { p, required } from '#commands/model/params.ts';
import { durationInit } from '#commands/model/wire.ts';
import { device } from '#commands/nouns/fleet/device/entity.ts';
import { tag } from '#commands/nouns/fleet/tag/entity.ts';
import { createInOrder } from '#commands/run/batch.ts';
import { listMessage, message, type Message } from '#commands/text/message.ts';
import { DurationSchema } from '#proto/gen/hiber/base_pb.ts';
import {
  Webhook_ContentType,
  WebhookService,
  type CreateWebhookRequestSchema,
  type Webhook,
} from '#proto/gen/hiber/webhook_pb.ts';

import { checkLevels } from './edit.ts';
import { webhook } from './entity.ts';
import type { WebhookItem } from './item.ts';
import { webhookParams } from './params.ts';

const tagId = (item: Parameters<typeof tag.id>[0]): bigint => item.tag.id;

type CreateRequest = Omit<MessageInitShape<typeof CreateWebhookRequestSchema>, 'organization' | '$typeName'>;

/** Creates a webhook, then sets its health warning, which the create rpc can't set (contract: WebhookService). */
function createWithWarning(
  { api, organization, signal }: CallContext,
  request: CreateRequest,
  label: string,
  { period, percentage }: { readonly period: number | undefined; readonly percentage: number | undefined },
): Promise<CreatedItem> {
  const webhooks = api(WebhookService);
  const update = {
    ...(period === undefined ? {} : { healthWarningPeriod: create(DurationSchema, durationInit(period)) }),
    ...(percentage === undefined ? {} : { healthWarningFailurePercentage: percentage }),
  };
  const setWarning = (id: string) => webhooks.update({ organization, id: BigInt(id), update }, { signal });
  return createInOrder(
    async () => ({ id: `${(await webhooks.create({ organization, ...request }, { signal })).id}`, label }),
    Object.keys(update).length > 0 ? [setWarning] : [],
  );
}

type Names = readonly string[];

const eventList = (names: Names): Message | undefined => listMessage(names.map(eventLabels.byName));

/** Returns the plan's note about the events that the webhook sends. */
function eventsNote({ events = [], exceptEvents = [] }: { events?: Names; exceptEvents?: Names }): Message {
  const includedEvents = events.filter((name) => !exceptEvents.includes(name));
  if (events.length > 0)
    return message('webhook:plan.events', { count: includedEvents.length, events: eventList(includedEvents) ?? '' });
  const exceptions = eventList(exceptEvents);
  return exceptions ? message('webhook:plan.eventsExcept', { except: exceptions }) : message('webhook:plan.allEvents');
}

const namesNote = (note: string, names: Names = []): readonly Message[] =>
  names.length > 0 ? [message(`webhook:plan.${note}`, { names: names.join(', ') })] : [];

export const createWebhook = createAction({
  entity: webhook,
  requires: 'PUBLISHERS',
  keys: ['c w'],
  params: {
    ...webhookParams,
    url: required(webhookParams.url),
    ownTags: p.refs(() => tag),
    disabled: p.flag(),
  },
  positional: ['url'],
  nameOf: ({ url }) => url,
  notes: async (context, args) => {
    const { healthLevels = [] } = args;
    await checkLevels(context, healthLevels);
    return [
      eventsNote(args),
      ...namesNote('devices', args.devices?.map(device.label)),
      ...namesNote('exceptDevices', args.exceptDevices?.map(device.label)),
      ...namesNote('tags', args.tags?.map(tag.label)),
      ...namesNote('exceptTags', args.exceptTags?.map(tag.label)),
      ...namesNote('levels', healthLevels),
      ...namesNote('ownTags', args.ownTags?.map(tag.label)),
      ...(args.disabled ? [message('webhook:plan.startsDisabled')] : []),
    ];
  },
  call: (context, args) => {
    const { events = [], exceptEvents = [], devices = [], tags = [], healthLevels = [] } = args;
    const { exceptDevices = [], exceptTags = [], ownTags = [] } = args;
    return createWithWarning(
      context,
      {
        description: args.description ?? '',
        data: {
          url: args.url.trim(),
          ...(args.secret ? { secret: args.secret } : {}),
          contentType: Webhook_ContentType[args.contentType ?? 'DEFAULT'],
          hmacHeaderName: args.hmacHeader ?? '',
          customHeaders: { ...args.headers },
          disabled: args.disabled,
        },
        filters: {
          eventTypes: { include: eventTypes(events), exclude: eventTypes(exceptEvents) },
          modemNumbers: { include: devices.map(device.id), exclude: exceptDevices.map(device.id) },
          tags: { include: tags.map(tagId), exclude: exceptTags.map(tagId) },
        },
        tags: ownTags.map(tagId),
        healthLevels: [...healthLevels],
      },
      args.description || args.url,
      { period: args.warningPeriod, percentage: args.warningPercentage },
    );
  },
  undo: { verb: 'delete' },
  changed: ['tag'],
});

function createCopy({ description, data, filters, tags }: Webhook, suffix: string) {
  return {
    description: `${description} ${suffix}`.trim(),
    // A copy starts disabled to avoid delivering events twice. It has no secret and no headers, because their values
    // cannot be read.
    data: { ...data, $typeName: undefined, secret: undefined, customHeaders: {}, disabled: true },
    filters,
    tags: tags.map(({ id }) => id),
    healthLevels: filters?.healthLevels ?? [],
    ...(data?.certificateId === undefined ? {} : { certificateId: data.certificateId }),
  };
}

const headerNames = (items: readonly WebhookItem[]): readonly string[] => [
  ...new Set(items.flatMap((item) => Object.keys(item.webhook.data?.customHeaders ?? {}))),
];

export const duplicateWebhook = bulkAction({
  entity: webhook,
  verb: 'duplicate',
  requires: 'PUBLISHERS',
  keys: [LETTERS.duplicate],
  params: { suffix: p.text({ fallback: '(copy)' }) },
  notes: (_context, items) => [
    message('webhook:plan.copyDisabled'),
    ...(items.some((item) => item.webhook.data?.secret !== undefined)
      ? [message('webhook:plan.copyWithoutSecret')]
      : []),
    ...(headerNames(items).length > 0
      ? [message('webhook:plan.copyWithoutHeaders', { names: headerNames(items).join(', ') })]
      : []),
  ],
  size: 1,
  call: async (context, [item], { suffix = '(copy)' }) => {
    const copy = createCopy(item!.webhook, suffix);
    const { healthWarningPeriod, healthWarningFailurePercentage } = item!.webhook.healthConfig ?? {};
    const createdItem = await createWithWarning(context, copy, copy.description || webhook.label(item!), {
      period: healthWarningPeriod?.duration && Number(healthWarningPeriod.duration.seconds),
      percentage: healthWarningFailurePercentage,
    });
    return { createdIds: [createdItem.id] };
  },
  undo: { created: 'delete' },
  changed: ['tag'],
});
