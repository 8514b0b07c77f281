import { bulkAction } from '#commands/kit/bulk-action.ts';
import { LETTERS } from '#commands/kit/letters.ts';
import { toggle } from '#commands/kit/toggle.ts';
import { message } from '#commands/text/message.ts';
import { WebhookService } from '#proto/gen/hiber/webhook_pb.ts';

import { webhook } from './entity.ts';
import { isCoolingDown, isDisabled, stateOf, type WebhookItem } from './item.ts';

const idOf = (items: readonly WebhookItem[]): bigint => items[0]!.webhook.id;

/** Enabling a webhook also ends its cooldown (contract: WebhookService), which undo does not restore. */
const activation = toggle({
  entity: webhook,
  requires: 'PUBLISHERS',
  size: 1,
  field: message('webhook:columns.state'),
  current: stateOf,
  on: {
    verb: 'enable',
    keys: [LETTERS.resume],
    appliesTo: (item) => isDisabled(item) || isCoolingDown(item),
    isUndoable: isDisabled,
    state: message('webhook:state.active'),
    call: async ({ api, organization, signal }, items) => {
      await api(WebhookService).enable({ organization, id: idOf(items) }, { signal });
    },
  },
  off: {
    verb: 'disable',
    keys: [LETTERS.pause],
    appliesTo: (item) => !isDisabled(item),
    state: message('webhook:state.disabled'),
    call: async ({ api, organization, signal }, items) => {
      await api(WebhookService).disable({ organization, id: idOf(items) }, { signal });
    },
  },
});

export const enableWebhook = activation.on;
export const disableWebhook = activation.off;

export const deleteWebhook = bulkAction({
  entity: webhook,
  verb: 'delete',
  effect: 'destructive',
  requires: 'PUBLISHERS',
  keys: [LETTERS.remove],
  change: (item) => ({ field: message('webhook:columns.url'), before: item.webhook.data?.url, after: undefined }),
  notes: () => [message('webhook:plan.deleteNote')],
  size: 1,
  call: async ({ api, organization, signal }, items) => {
    await api(WebhookService).delete({ organization, id: idOf(items) }, { signal });
  },
  changed: ['tag'],
});
