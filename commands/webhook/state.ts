import { WebhookService } from '#proto/hiber/webhook_pb';
import { inBatches } from '../core/batch.ts';
import { command, type Command } from '../core/command.ts';
import type { Context } from '../core/context.ts';
import { countOf } from '../core/edit-command.ts';
import { message } from '../core/message.ts';
import { p } from '../core/params.ts';
import { succeeded } from '../core/result.ts';
import { webhook } from './entity.ts';
import { isCoolingDown, isDisabled, stateOf, type WebhookItem } from './item.ts';

interface Switch {
  readonly verb: 'enable' | 'disable';
  readonly keys: readonly string[];
  readonly other: 'enable' | 'disable';
  readonly applies: (item: WebhookItem) => boolean;
  readonly send: (context: Context, request: { id: bigint; organization: string }) => Promise<unknown>;
}

function switching({ verb, keys, other, applies, send }: Switch): Command {
  return command({
    id: `webhook.${verb}`,
    on: () => webhook,
    requires: 'PUBLISHERS',
    effect: 'write',
    keys,
    params: { webhooks: p.many(() => webhook) },
    positional: ['webhooks'],
    plan: async (_context, { webhooks: { items } }) => {
      const changing = items.filter(applies);
      const same = items.length - changing.length;
      return {
        summary: message(`webhook:plan.${verb}`, { items: countOf(webhook, changing.length) }),
        count: changing.length,
        changes: changing.map((item) => ({
          id: webhook.id(item),
          label: webhook.label(item),
          field: message('webhook:columns.state'),
          before: stateOf(item),
          after: message(verb === 'enable' ? 'webhook:state.active' : 'webhook:state.disabled'),
        })),
        ...(same > 0 ? { notes: [message('common:plan.same', { count: same })] } : {}),
        reversible: true,
      };
    },
    run: async (context, { webhooks: { items } }) => {
      const results = await inBatches(context, {
        items: items.filter(applies),
        id: webhook.id,
        label: webhook.label,
        size: 1,
        each: async ([item]) => {
          await send(context, { id: item!.webhook.id, organization: context.organization.id });
        },
      });
      const count = succeeded({ results }).length;
      return {
        changed: ['webhook'],
        results,
        said: count === 0 ? message('common:said.nothing') : message(`webhook:said.${verb}d`, { count }),
      };
    },
    // Only those that were in the other state go back; a cooldown that was cut short does not come again.
    inverse: ({ webhooks: { items } }, outcome) => {
      const done = new Set(succeeded(outcome).map(({ id }) => id));
      const flipped = items.filter((item) => done.has(webhook.id(item)) && isDisabled(item) === (verb === 'enable'));
      return flipped.length === 0
        ? []
        : [{ id: `webhook.${other}`, args: { webhooks: { ids: flipped.map(webhook.id) } } }];
    },
  });
}

/** Also cuts a cooldown short (contract: WebhookService). */
export const enableWebhook = switching({
  verb: 'enable',
  keys: ['r'],
  other: 'disable',
  applies: (item) => isDisabled(item) || isCoolingDown(item),
  send: (context, request) => context.api(WebhookService).enable(request, { signal: context.signal }),
});

export const disableWebhook = switching({
  verb: 'disable',
  keys: ['p'],
  other: 'enable',
  applies: (item) => !isDisabled(item),
  send: (context, request) => context.api(WebhookService).disable(request, { signal: context.signal }),
});

export const deleteWebhook = command({
  id: 'webhook.delete',
  on: () => webhook,
  requires: 'PUBLISHERS',
  effect: 'destructive',
  params: { webhooks: p.many(() => webhook) },
  positional: ['webhooks'],
  plan: async (_context, { webhooks: { items } }) => ({
    summary: message('webhook:plan.delete', { items: countOf(webhook, items.length) }),
    count: items.length,
    changes: items.map((item) => ({
      id: webhook.id(item),
      label: webhook.label(item),
      field: message('webhook:columns.url'),
      before: item.webhook.data?.url,
      after: undefined,
    })),
    notes: [message('webhook:plan.deleteNote')],
    reversible: false,
    confirm: items.length === 1 ? webhook.label(items[0]!) : `${items.length}`,
  }),
  run: async (context, { webhooks: { items } }) => {
    const results = await inBatches(context, {
      items,
      id: webhook.id,
      label: webhook.label,
      size: 1,
      each: async ([item]) => {
        const request = { id: item!.webhook.id, organization: context.organization.id };
        await context.api(WebhookService).delete(request, { signal: context.signal });
      },
    });
    return {
      changed: ['webhook', 'tag'],
      results,
      said: message('webhook:said.deleted', { count: succeeded({ results }).length }),
    };
  },
});
