import { create } from '@bufbuild/protobuf';

import { attributes } from '#commands/kit/attributes.ts';
import { addTerm, containsKey, stripIdPrefix, intersectValues, valuesOf } from '#commands/kit/filter-keys.ts';
import { p } from '#commands/model/params.ts';
import { durationInit, enumName, toMs, toSeconds, textOf } from '#commands/model/wire.ts';
import { tagLabels } from '#commands/nouns/fleet/tag/item.ts';
import { readId } from '#commands/run/integers.ts';
import { printDuration } from '#commands/text/duration.ts';
import { message, type Message } from '#commands/text/message.ts';
import { DurationSchema, Health } from '#proto/gen/hiber/base_pb.ts';
import { Filter_WebhooksSchema } from '#proto/gen/hiber/filter_pb.ts';
import { Webhook_ContentType, type WebhookSelection } from '#proto/gen/hiber/webhook_pb.ts';

import type { WebhookField } from './attribute.ts';
import { filterAttributes } from './filter-attributes.ts';
import {
  contentTypeLabels,
  healthLabels,
  hiddenHeader,
  isCoolingDown,
  isDisabled,
  join,
  levelOf,
  stateOf,
  type WebhookItem,
} from './item.ts';
import { webhookParams, type ContentTypeName, type Pairs } from './params.ts';

const EDIT = 'webhook.edit';

/** Returns the health of a webhook, or that it is disabled, because a disabled webhook has no health. */
const healthOf = (item: WebhookItem): Message =>
  isDisabled(item) ? message('webhook:state.disabled') : healthLabels.text(item.webhook.health);

export const webhookAttributes = attributes<WebhookItem, WebhookSelection, WebhookField>({
  health: {
    kind: 'health',
    value: healthOf,
    level: levelOf,
    column: { width: 28 },
    detail: 'state',
    filter: {
      kind: 'choice',
      options: p.names(Health),
      label: healthLabels.byName,
      pluralMessage: message('webhook:filter.several'),
      negates: true,
      apply: (selection, term) => {
        const names = valuesOf(term);
        const includedEntries = Object.entries(Health).filter(([name]) => names.includes(name) !== term.negated);
        selection.health = intersectValues(
          selection.health,
          includedEntries.map(([, value]) => value),
          term.key,
        );
      },
    },
  },
  id: {
    kind: 'mono',
    value: ({ webhook }) => `#${webhook.id}`,
    column: { width: 56, sort: 'id' },
    filter: {
      kind: 'number',
      canonical: stripIdPrefix,
      negates: true,
      apply: (selection, term) =>
        addTerm((selection.webhooks ??= create(Filter_WebhooksSchema)), valuesOf(term).map(readId), term),
    },
  },
  cooldown: {
    kind: 'time',
    level: (item) => (!isDisabled(item) && isCoolingDown(item) ? 'warning' : 'none'),
    value: ({ webhook }) => textOf(webhook.inCooldownUntil),
    time: ({ webhook }) => toMs(webhook.inCooldownUntil),
    detail: 'state',
  },
  description: {
    kind: 'text',
    value: ({ webhook }) => webhook.description || undefined,
    column: { width: 200, grow: 1, sort: 'description' },
    detail: 'identity',
    edit: EDIT,
    field: {
      param: webhookParams.description,
      current: ({ webhook }) => webhook.description,
      write: (update, value) => (update.description = value as string),
    },
    filter: containsKey((selection, value) => (selection.description = value)),
  },
  url: {
    kind: 'mono',
    value: ({ webhook }) => webhook.data?.url,
    column: { width: 260, grow: 2, sort: 'url' },
    detail: 'delivery',
    edit: EDIT,
    field: {
      param: webhookParams.url,
      current: ({ webhook }) => webhook.data?.url ?? '',
      write: (update, value) => (update.url = (value as string).trim()),
    },
    filter: containsKey((selection, value) => (selection.url = value)),
  },
  state: { kind: 'status', value: stateOf, column: { width: 110 } },
  ...filterAttributes,
  contentType: {
    kind: 'text',
    value: ({ webhook }) => contentTypeLabels.text(webhook.data?.contentType ?? 0),
    detail: 'delivery',
    edit: EDIT,
    field: {
      param: webhookParams.contentType,
      current: ({ webhook }) => enumName(Webhook_ContentType, webhook.data?.contentType ?? 0),
      write: (update, value) => (update.contentType = Webhook_ContentType[value as ContentTypeName]),
    },
  },
  secret: {
    kind: 'text',
    value: ({ webhook }) => message(webhook.data?.secret === undefined ? 'webhook:secret.none' : 'webhook:secret.set'),
    detail: 'delivery',
    edit: EDIT,
    // The secret is write-only. The server returns an empty string, or nothing if the webhook has no secret.
    field: {
      param: webhookParams.secret,
      secret: true,
      current: ({ webhook }) => (webhook.data?.secret === undefined ? '' : undefined),
      write: (update, value) => (update.secret = value as string),
    },
  },
  hmacHeader: {
    kind: 'mono',
    value: ({ webhook }) => webhook.data?.hmacHeaderName || undefined,
    detail: 'delivery',
    edit: EDIT,
    field: {
      param: webhookParams.hmacHeader,
      current: ({ webhook }) => webhook.data?.hmacHeaderName ?? '',
      write: (update, value) => (update.updateHmacHeaderName = value as string),
    },
  },
  headers: {
    kind: 'mono',
    value: ({ webhook }) => join(Object.keys(webhook.data?.customHeaders ?? {}).map(hiddenHeader)),
    detail: 'delivery',
    edit: EDIT,
    // The values are write-only. An empty value keeps the stored value of that header.
    field: {
      param: webhookParams.headers,
      current: ({ webhook }) => webhook.data?.customHeaders ?? {},
      // A value that was replaced or removed cannot be restored, but an added header can be removed.
      canRestore: ({ webhook }, value) => {
        const values = new Map(Object.entries(value as Pairs).map(([name, text]) => [name.toLowerCase(), text]));
        return Object.keys(webhook.data?.customHeaders ?? {}).every((name) => values.get(name.toLowerCase()) === '');
      },
      text: (value) =>
        Object.entries(value as Pairs)
          .map(([name, text]) => (text === '' ? name : hiddenHeader(name)))
          .join(', ') || undefined,
      write: (update, value, { webhook }) => {
        const headers = value as Pairs;
        update.addCustomHeaders = { ...headers };
        update.removeCustomHeaders = Object.keys(webhook.data?.customHeaders ?? {}).filter(
          (name) => !Object.hasOwn(headers, name),
        );
      },
    },
  },
  warning: {
    kind: 'text',
    value: ({ webhook: { healthConfig } }) => {
      const seconds = toSeconds(healthConfig?.healthWarningPeriod);
      if (!seconds) return message('webhook:warning.off');
      const percentage = healthConfig?.healthWarningFailurePercentage ?? 0;
      return message('webhook:warning.on', { percentage, period: printDuration(seconds) });
    },
    detail: { group: 'about', fields: ['warningPeriod', 'warningPercentage'] },
    edit: EDIT,
  },
  warningPeriod: {
    field: {
      param: webhookParams.warningPeriod,
      current: ({ webhook }) => toSeconds(webhook.healthConfig?.healthWarningPeriod) ?? 0,
      text: (value) => printDuration(value as number),
      write: (update, value) => (update.healthWarningPeriod = create(DurationSchema, durationInit(value as number))),
    },
  },
  warningPercentage: {
    field: {
      param: webhookParams.warningPercentage,
      current: ({ webhook }) => webhook.healthConfig?.healthWarningFailurePercentage ?? 0,
      text: (value) => `${value as number}%`,
      write: (update, value) => (update.healthWarningFailurePercentage = value as number),
    },
  },
  disabled: {
    field: {
      param: p.optionalFlag(),
      current: isDisabled,
      write: (update, value) => (update.active = value !== true),
    },
  },
  certificate: {
    kind: 'text',
    value: ({ webhook }) => webhook.data?.certificateName,
    detail: 'delivery',
    filter: {
      kind: 'number',
      apply: (selection, term) => {
        selection.certificateIds = intersectValues(selection.certificateIds, valuesOf(term).map(readId), term.key);
      },
    },
  },
  caCertificate: { kind: 'text', value: ({ webhook }) => webhook.data?.caCertificateName, detail: 'delivery' },
  tags: {
    kind: 'tags',
    value: ({ webhook }) => join(webhook.tags.map(({ label }) => label?.name ?? '')),
    tags: ({ webhook }) => tagLabels(webhook.tags),
    column: { width: 140 },
    detail: 'about',
    edit: 'webhook.tag',
  },
  createdBy: {
    kind: 'text',
    value: ({ webhook, creator }) => (webhook.createdBy ? (creator ?? message('common:someone')) : undefined),
    links: ({ webhook, creator }) => (creator ? [{ entity: 'user', id: webhook.createdBy, name: creator }] : []),
    detail: 'about',
  },
});
