import { printDuration } from '../core/duration.ts';
import { asLinks, type Column, type Fact } from '../core/entity.ts';
import { eventWords } from '../core/event-types.ts';
import { message, type Message } from '../core/message.ts';
import { msOf, secondsOf, textOf } from '../core/wire.ts';
import { tagLabels } from '../tag/entity.ts';
import { hiddenHeader } from './fields.ts';
import { contentTypeWords, healthWords, isCoolingDown, isDisabled, levelOf, type WebhookItem } from './item.ts';

function stateOf(item: WebhookItem): Message {
  if (isDisabled(item)) return message('webhook:state.disabled');
  return message(isCoolingDown(item) ? 'webhook:state.cooldown' : 'webhook:state.active');
}

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
  { id: 'health', kind: 'health', value: healthOf, level: levelOf },
  { id: 'state', kind: 'status', value: stateOf },
  {
    id: 'cooldown',
    kind: 'time',
    value: ({ webhook }) => textOf(webhook.inCooldownUntil),
    at: ({ webhook }) => msOf(webhook.inCooldownUntil),
  },
  { id: 'description', kind: 'text', value: ({ webhook }) => webhook.description || undefined, edit },
  { id: 'url', kind: 'mono', value: ({ webhook }) => webhook.data?.url, edit },
  {
    id: 'contentType',
    kind: 'text',
    value: ({ webhook }) => contentTypeWords.word(webhook.data?.contentType ?? 0),
    edit,
  },
  {
    id: 'secret',
    kind: 'text',
    value: ({ webhook }) => message(webhook.data?.secret === undefined ? 'webhook:secret.none' : 'webhook:secret.set'),
    edit,
  },
  { id: 'hmacHeader', kind: 'mono', value: ({ webhook }) => webhook.data?.hmacHeaderName || undefined, edit },
  {
    id: 'headers',
    kind: 'mono',
    value: ({ webhook }) => list(Object.keys(webhook.data?.customHeaders ?? {}).map(hiddenHeader)),
    edit,
  },
  {
    id: 'events',
    kind: 'text',
    value: ({ webhook }) =>
      eventWords.words(webhook.filters?.eventTypes?.include ?? []) ?? message('webhook:allEvents'),
    edit: 'webhook.set-filter',
  },
  {
    id: 'exceptEvents',
    kind: 'text',
    value: ({ webhook }) => eventWords.words(webhook.filters?.eventTypes?.exclude ?? []),
    edit: 'webhook.set-filter',
  },
  {
    id: 'devices',
    kind: 'mono',
    value: ({ webhook }) => list(webhook.filters?.modemNumbers?.include),
    links: ({ webhook }) => asLinks('device', ...(webhook.filters?.modemNumbers?.include ?? [])),
    edit: 'webhook.set-filter',
  },
  {
    id: 'filterTags',
    kind: 'tags',
    value: ({ filterTags }) => list(filterTags.map(({ label }) => label?.name ?? '')),
    tags: ({ filterTags }) => tagLabels(filterTags),
    edit: 'webhook.set-filter',
  },
  {
    id: 'healthLevels',
    kind: 'text',
    value: ({ webhook }) => list(webhook.filters?.healthLevels),
    edit: 'webhook.set-filter',
  },
  {
    id: 'warning',
    kind: 'text',
    value: ({ webhook: { healthConfig } }) => {
      const seconds = secondsOf(healthConfig?.healthWarningPeriod);
      if (!seconds) return message('webhook:warning.off');
      const percentage = healthConfig?.healthWarningFailurePercentage ?? 0;
      return message('webhook:warning.on', { percentage, period: printDuration(seconds) });
    },
    edit,
  },
  { id: 'certificate', kind: 'text', value: ({ webhook }) => webhook.data?.certificateName },
  {
    id: 'tags',
    kind: 'tags',
    value: ({ webhook }) => list(webhook.tags.map(({ label }) => label?.name ?? '')),
    tags: ({ webhook }) => tagLabels(webhook.tags),
    edit: 'webhook.tag',
  },
  { id: 'createdBy', kind: 'text', value: ({ webhook }) => webhook.createdBy || undefined },
];
