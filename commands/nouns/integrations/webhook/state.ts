import { WebhookService } from '#proto/gen/hiber/webhook_pb.ts';
import { bulkAction } from '#commands/kit/bulk-action.ts';
import { message } from '#commands/text/message.ts';
import { webhook } from './entity.ts';
import { isCoolingDown, isDisabled, stateOf, type WebhookItem } from './item.ts';

const idOf = (items: readonly WebhookItem[]): bigint => items[0]!.webhook.id;

/** Also cuts a cooldown short (contract: WebhookService), which does not come again by undoing it. */
export const enableWebhook = bulkAction({
  of: webhook,
  verb: 'enable',
  requires: 'PUBLISHERS',
  keys: ['r'],
  applies: (item) => isDisabled(item) || isCoolingDown(item),
  change: (item) => ({
    field: message('webhook:columns.state'),
    before: stateOf(item),
    after: message('webhook:state.active'),
  }),
  undo: 'disable',
  undoes: isDisabled,
  size: 1,
  call: async ({ api, organization, signal }, items) => {
    await api(WebhookService).enable({ organization, id: idOf(items) }, { signal });
  },
});

export const disableWebhook = bulkAction({
  of: webhook,
  verb: 'disable',
  requires: 'PUBLISHERS',
  keys: ['p'],
  applies: (item) => !isDisabled(item),
  change: (item) => ({
    field: message('webhook:columns.state'),
    before: stateOf(item),
    after: message('webhook:state.disabled'),
  }),
  undo: 'enable',
  size: 1,
  call: async ({ api, organization, signal }, items) => {
    await api(WebhookService).disable({ organization, id: idOf(items) }, { signal });
  },
});

export const deleteWebhook = bulkAction({
  of: webhook,
  verb: 'delete',
  effect: 'destructive',
  requires: 'PUBLISHERS',
  change: (item) => ({ field: message('webhook:columns.url'), before: item.webhook.data?.url, after: undefined }),
  notes: () => [message('webhook:plan.deleteNote')],
  size: 1,
  call: async ({ api, organization, signal }, items) => {
    await api(WebhookService).delete({ organization, id: idOf(items) }, { signal });
  },
  changed: ['tag'],
});
