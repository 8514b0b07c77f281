import { printDuration } from '#commands/text/duration.ts';
import { asLinks, type Column, type Fact } from '#commands/model/column.ts';
import { eventWords } from '#commands/kit/event-types.ts';
import { message, type Message } from '#commands/text/message.ts';
import { msOf, secondsOf, textOf } from '#commands/model/wire.ts';
import { tagLabels } from '#commands/nouns/fleet/tag/entity.ts';
import { hiddenHeader } from './fields.ts';
import {
  contentTypeWords,
  healthWords,
  isCoolingDown,
  isDisabled,
  levelOf,
  stateOf,
  type WebhookItem,
} from './item.ts';

/** One that is off is neither well nor unwell. */
const healthOf = (item: WebhookItem): Message =>
  isDisabled(item) ? message('webhook:state.disabled') : healthWords.word(item.webhook.health);

/** `Message received`, with how many more there are. */
function eventsOf({ webhook }: WebhookItem): string | Message {
  const [first, ...more] = webhook.filters?.eventTypes?.include ?? [];
  if (first === undefined) return message('webhook:allEvents');
  const event = eventWords.word(first);
  return more.length === 0 ? event : message('webhook:eventAndMore', { event, count: more.length });
}

const list = (texts: readonly string[] | undefined): string | undefined => texts?.join(', ') || undefined;

export const webhookColumns: readonly Column<WebhookItem>[] = [
  { id: 'health', kind: 'health', width: 28, value: healthOf, level: levelOf },
  { id: 'id', kind: 'mono', width: 56, sort: 'id', value: ({ webhook }) => `#${webhook.id}` },
  {
    id: 'description',
    kind: 'text',
    width: 200,
    grow: 1,
    sort: 'description',
    value: ({ webhook }) => webhook.description,
  },
  { id: 'url', kind: 'mono', width: 260, grow: 2, sort: 'url', value: ({ webhook }) => webhook.data?.url },
  { id: 'state', kind: 'status', width: 110, value: stateOf },
  { id: 'events', kind: 'text', width: 180, value: eventsOf },
  {
    id: 'filterTags',
    kind: 'tags',
    width: 160,
    value: ({ filterTags }) => list(filterTags.map(({ label }) => label?.name ?? '')),
    tags: ({ filterTags }) => tagLabels(filterTags),
  },
  {
    id: 'tags',
    kind: 'tags',
    width: 140,
    value: ({ webhook }) => list(webhook.tags.map(({ label }) => label?.name ?? '')),
    tags: ({ webhook }) => tagLabels(webhook.tags),
  },
];

const edit = 'webhook.edit';

export const webhookFacts: readonly Fact<WebhookItem>[] = [
  { id: 'health', kind: 'health', group: 'state', value: healthOf, level: levelOf },
  {
    id: 'cooldown',
    kind: 'time',
    group: 'state',
    level: (item) => (!isDisabled(item) && isCoolingDown(item) ? 'warning' : 'none'),
    value: ({ webhook }) => textOf(webhook.inCooldownUntil),
    at: ({ webhook }) => msOf(webhook.inCooldownUntil),
  },
  {
    id: 'description',
    kind: 'text',
    group: 'identity',
    value: ({ webhook }) => webhook.description || undefined,
    edit,
  },
  { id: 'url', kind: 'mono', group: 'delivery', value: ({ webhook }) => webhook.data?.url, edit },
  {
    id: 'contentType',
    kind: 'text',
    group: 'delivery',
    value: ({ webhook }) => contentTypeWords.word(webhook.data?.contentType ?? 0),
    edit,
  },
  {
    id: 'secret',
    kind: 'text',
    group: 'delivery',
    value: ({ webhook }) => message(webhook.data?.secret === undefined ? 'webhook:secret.none' : 'webhook:secret.set'),
    edit,
  },
  {
    id: 'hmacHeader',
    kind: 'mono',
    group: 'delivery',
    value: ({ webhook }) => webhook.data?.hmacHeaderName || undefined,
    edit,
  },
  {
    id: 'headers',
    kind: 'mono',
    group: 'delivery',
    value: ({ webhook }) => list(Object.keys(webhook.data?.customHeaders ?? {}).map(hiddenHeader)),
    edit,
  },
  {
    id: 'events',
    kind: 'text',
    group: 'events',
    value: ({ webhook }) =>
      eventWords.words(webhook.filters?.eventTypes?.include ?? []) ?? message('webhook:allEvents'),
    edit: 'webhook.set-filter',
  },
  {
    id: 'exceptEvents',
    kind: 'text',
    group: 'events',
    value: ({ webhook }) => eventWords.words(webhook.filters?.eventTypes?.exclude ?? []),
    edit: 'webhook.set-filter',
  },
  {
    id: 'devices',
    kind: 'mono',
    group: 'events',
    value: ({ webhook }) => list(webhook.filters?.modemNumbers?.include),
    links: ({ webhook }) => asLinks('device', ...(webhook.filters?.modemNumbers?.include ?? [])),
    edit: 'webhook.set-filter',
  },
  {
    id: 'exceptDevices',
    kind: 'mono',
    group: 'events',
    value: ({ webhook }) => list(webhook.filters?.modemNumbers?.exclude),
    links: ({ webhook }) => asLinks('device', ...(webhook.filters?.modemNumbers?.exclude ?? [])),
    edit: 'webhook.set-filter',
  },
  {
    id: 'filterTags',
    kind: 'tags',
    group: 'events',
    value: ({ filterTags }) => list(filterTags.map(({ label }) => label?.name ?? '')),
    tags: ({ filterTags }) => tagLabels(filterTags),
    edit: 'webhook.set-filter',
    fields: ['tags'],
  },
  {
    id: 'exceptTags',
    kind: 'tags',
    group: 'events',
    value: ({ exceptTags }) => list(exceptTags.map(({ label }) => label?.name ?? '')),
    tags: ({ exceptTags }) => tagLabels(exceptTags),
    edit: 'webhook.set-filter',
  },
  {
    id: 'healthLevels',
    kind: 'text',
    group: 'events',
    value: ({ webhook }) => list(webhook.filters?.healthLevels),
    edit: 'webhook.set-filter',
  },
  {
    id: 'warning',
    kind: 'text',
    group: 'about',
    value: ({ webhook: { healthConfig } }) => {
      const seconds = secondsOf(healthConfig?.healthWarningPeriod);
      if (!seconds) return message('webhook:warning.off');
      const percentage = healthConfig?.healthWarningFailurePercentage ?? 0;
      return message('webhook:warning.on', { percentage, period: printDuration(seconds) });
    },
    edit,
    fields: ['warningPeriod', 'warningPercentage'],
  },
  { id: 'certificate', kind: 'text', group: 'delivery', value: ({ webhook }) => webhook.data?.certificateName },
  { id: 'caCertificate', kind: 'text', group: 'delivery', value: ({ webhook }) => webhook.data?.caCertificateName },
  {
    id: 'tags',
    kind: 'tags',
    group: 'about',
    value: ({ webhook }) => list(webhook.tags.map(({ label }) => label?.name ?? '')),
    tags: ({ webhook }) => tagLabels(webhook.tags),
    edit: 'webhook.tag',
  },
  {
    id: 'createdBy',
    kind: 'text',
    group: 'about',
    value: ({ webhook, creator }) => (webhook.createdBy ? (creator ?? message('common:someone')) : undefined),
    links: ({ webhook, creator }) => (creator ? [{ entity: 'user', id: webhook.createdBy, name: creator }] : []),
  },
];
